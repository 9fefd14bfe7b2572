// The host's page.

import { host } from "./host.js";

host(document, false, (seat) => location.assign(seat ? `/host?code=${seat}#seat-${seat}` : "/host"));
