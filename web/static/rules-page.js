// The rules as a page of their own, for a phone without a seat.

import { $ } from "./dom.js";
import { rules } from "./search.js";

$("#rules").append(rules());
