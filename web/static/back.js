// A seat and its phone: the PIN that brings it back, the news of phones, leaving early.

import { $, h, say, show } from "./dom.js";
import { notice, post } from "./send.js";

/** Show the digits that came with the seat, once; out of the address before anything else. */
export function tellPin() {
  const found = /^#pin=(\d{4})$/.exec(location.hash);
  if (!found) return;
  history.replaceState(null, "", location.pathname + location.search);
  const box = $("#pin");
  box.replaceChildren(h("span", {}, say("ui.back.pin.yours", { pin: found[1] })),
    h("button.plain", { onclick: () => { box.hidden = true; }, "aria-label": say("ui.page.close") }, "✕"));
  box.hidden = false;
}

/** The form that takes a seat back; `there(seat)` is where it leads. */
export function pinForm(seat, there) {
  const digits = h("input", { inputmode: "numeric", maxlength: 4, pattern: "[0-9]{4}", required: true, autocomplete: "off",
    "aria-label": say("ui.back.pin.digits"), placeholder: say("ui.back.pin.digits"), data: { pin: seat } });
  const why = h("p", { role: "alert" });
  const act = async (event) => {
    event.preventDefault();
    const reply = await post("/api/recover", { seat, pin: digits.value });
    if (reply.ok) location.replace(there(seat));
    else {
      why.textContent = reply.text || say("ui.page.failed");
      digits.value = "";
      digits.focus();
    }
  };
  return h("form.pin-form", { onsubmit: act }, h("p", {}, say("ui.back.pin.text")), digits,
    h("button.big.main", {}, say("ui.back.pin.go")), why);
}

/** What was just seen of phones; the host says with one tap that it was wrong. The phone of a seat
 *  that is to move is asked first. */
export function news(people) {
  const seat = Number(document.body.dataset.seat);
  const asked = people.asked?.state === "open" && people.asked.seat === seat;
  show($("#news"), [people.notice, people.moved, asked], () => asked
    ? [h("span", { role: "alert" }, say("ui.back.give")), ...[true, false].map((given) => h("button", { onclick: () => give(seat, given), data: { give: given, keep: `g${given}` } }, say(given ? "ui.back.give.yes" : "ui.back.give.no")))]
    : people.notice && [people.notice, document.body.dataset.host && people.moved
      ? h("button", { onclick: () => wrong(people.moved), data: { keep: "wrong" } }, say("ui.back.wrong")) : ""]);
}

async function give(seat, given) {
  const reply = await post("/api/give", { seat, give: given });
  if (!reply.ok && reply.http !== 409) notice(reply);
}

async function wrong(seat) {
  const reply = await post("/api/free", { seat });
  if (!reply.ok) notice(reply);
}

/** What an own seat's phone may do about itself, as a part of the sheet behind "more". */
export function ownPhone(seat, open) {
  const pin = async () => {
    const reply = await post("/api/pin", { seat });
    if (reply.ok) open(say("ui.back.pin.title"), h("p.pin-shown", {}, reply.pin), h("p", {}, say("ui.back.pin.kept")));
    else notice(reply);
  };
  const leave = async () => {
    const reply = await post("/api/free", { seat });
    if (reply.ok) location.replace("/");
    else notice(reply);
  };
  const ask = () => open(say("ui.back.leave"), h("p", {}, say("ui.back.leave.text")),
    h("button.big.danger", { onclick: leave, data: { do: "leave" } }, say("ui.back.leave.go")));
  return h("section", {}, h("h3", {}, say("ui.back.phone")), h("div.options", {}, h("button.option", { onclick: pin, data: { do: "pin" } }, say("ui.back.pin.new")),
    h("button.option", { onclick: ask, data: { do: "ask-leave" } }, say("ui.back.leave"))));
}

/** Why this page shows nothing any more. */
export function ended(reason) {
  const box = $("#ended");
  if (!box) return;
  box.querySelector("h2").textContent = say(`ui.back.ended.${reason}`);
  box.querySelector("p").textContent = say(`ui.back.ended.${reason}.text`);
  box.querySelector("#again").textContent = say(`ui.back.ended.${reason}.again`);
  box.showModal();
}
