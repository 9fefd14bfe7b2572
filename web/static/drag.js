// A wrong place is put right by dragging: from any phone, a figure or a miniature to another Room.
// The sheet of a Room is the equal second way.

import { command } from "./send.js";

const NEAR = 22; // px round the middle of a piece, for a thumb
const FAR = 14; // px after which a finger drags and does not tap

/** Let pieces of a board be dragged. */
export function drag(board) {
  let held = null; // {piece, from, x, y, node, ghost}

  const middle = (node) => {
    const box = node.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2, Math.max(NEAR, box.width / 2)];
  };
  const under = (x, y) => {
    const near = [...board.svg.querySelectorAll("[data-piece]")].map((node) => {
      const [left, top, reach] = middle(node);
      return [Math.hypot(left - x, top - y), reach, node];
    }).filter(([away, reach]) => away <= reach).sort((a, b) => a[0] - b[0]);
    return near[0]?.[2];
  };
  const room = (x, y) => document.elementFromPoint(x, y)?.closest?.(".room");
  const at = (x, y) => new DOMPoint(x, y).matrixTransform(board.svg.getScreenCTM().inverse());

  function lift() {
    board.svg.dispatchEvent(new Event("pointercancel")); // a long press no more
    held.ghost = held.node.cloneNode(true);
    held.ghost.classList.add("ghost");
    delete held.ghost.dataset.piece;
    board.svg.append(held.ghost);
  }

  function move(event) {
    if (!held || event.pointerId !== held.pointer) return;
    if (!held.ghost) {
      if (Math.hypot(event.clientX - held.x, event.clientY - held.y) < FAR) return;
      lift();
    }
    const { x, y } = at(event.clientX, event.clientY);
    held.ghost.setAttribute("transform", `translate(${x} ${y})`);
    const over = room(event.clientX, event.clientY);
    for (const part of board.svg.querySelectorAll(".room.over")) part.classList.toggle("over", part === over);
    over?.classList.add("over");
  }

  function drop(event) {
    if (!held || event.pointerId !== held.pointer) return;
    const { piece, from, ghost } = held;
    held = null;
    for (const part of board.svg.querySelectorAll(".room.over")) part.classList.remove("over");
    if (!ghost) return;
    ghost.remove();
    // The click that ends a drag is no tap.
    const swallow = (click) => { click.stopPropagation(); click.preventDefault(); };
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
    const to = event.type === "pointerup" && room(event.clientX, event.clientY)?.dataset.id;
    if (to && to !== from) command({ do: "place", piece, to });
  }

  board.box.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button) return;
    const node = under(event.clientX, event.clientY);
    if (!node) return;
    held = { piece: node.dataset.piece, from: node.dataset.room ?? node.closest(".room")?.dataset.id, x: event.clientX, y: event.clientY, pointer: event.pointerId, node };
  });
  // The page does not scroll under a finger that holds a piece.
  board.box.addEventListener("touchmove", (event) => held && event.preventDefault(), { passive: false });
  addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, drop);
}
