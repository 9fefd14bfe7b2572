// A wrong place is put right by dragging: from any phone, a figure, a miniature or what lies in a
// Room to another Room, a noise marker or a door to another corridor. The sheets of Rooms and
// corridors are the equal second way.

import { command } from "./send.js";

const NEAR = 22; // px round the middle of a piece, for a thumb
const CLOSE = 15; // px of a marker: there are many, and a thumb between them moves the page
const WAY = 44; // px round the middle of a corridor
const FAR = 14; // px after which a finger drags and does not tap

/** Let pieces of a board be dragged. */
export function drag(board) {
  let held = null; // {piece, from, x, y, node, ghost}

  const middle = (node) => {
    const box = node.getBoundingClientRect();
    return [box.left + box.width / 2, box.top + box.height / 2, node.dataset.lies ? CLOSE : Math.max(NEAR, box.width / 2)];
  };
  const under = (x, y) => {
    const near = [...board.svg.querySelectorAll("[data-piece]")].map((node) => {
      const [left, top, reach] = middle(node);
      return [Math.hypot(left - x, top - y), reach, node];
    }).filter(([away, reach]) => away <= reach).sort((a, b) => a[0] - b[0]);
    return near[0]?.[2];
  };
  // Where a piece may be let go: what is not a Room is small, so the nearest counts.
  const place = (x, y) => {
    const wanted = { noise: ".corridor, .space", door: ".corridor" }[held.piece];
    if (!wanted) return document.elementFromPoint(x, y)?.closest?.(".room");
    const near = [...board.svg.querySelectorAll(wanted)].map((node) => {
      const box = (node.querySelector("rect, circle") ?? node).getBoundingClientRect();
      return [Math.hypot(box.left + box.width / 2 - x, box.top + box.height / 2 - y), node];
    }).filter(([away]) => away <= WAY).sort((a, b) => a[0] - b[0]);
    return near[0]?.[1];
  };
  const at = (x, y) => new DOMPoint(x, y).matrixTransform(board.svg.getScreenCTM().inverse());

  function lift() {
    board.svg.dispatchEvent(new Event("pointercancel")); // a long press no more
    held.ghost = held.node.cloneNode(true);
    held.ghost.classList.add("ghost");
    delete held.ghost.dataset.piece;
    if (held.node.dataset.lies) for (const [way, size] of [["x", "width"], ["y", "height"]]) held.ghost.setAttribute(way, -held.node.getAttribute(size) / 2);
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
    const over = place(event.clientX, event.clientY);
    for (const part of board.svg.querySelectorAll(".over")) part.classList.toggle("over", part === over);
    over?.classList.add("over");
  }

  function drop(event) {
    if (!held || event.pointerId !== held.pointer) return;
    const { piece, from, ghost, node } = held;
    const to = ghost && event.type === "pointerup" && place(event.clientX, event.clientY)?.dataset.id;
    held = null;
    for (const part of board.svg.querySelectorAll(".over")) part.classList.remove("over");
    if (!ghost) return;
    ghost.remove();
    // The click that ends a drag is no tap.
    const swallow = (click) => { click.stopPropagation(); click.preventDefault(); };
    addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
    if (to && to !== from) command(node.dataset.lies ? { do: "shift", piece, at: from, to } : { do: "place", piece, to });
  }

  board.box.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button) return;
    const node = under(event.clientX, event.clientY);
    if (!node) return;
    held = { piece: node.dataset.piece, from: node.dataset.room ?? node.closest(".room, .corridor, .space")?.dataset.id, x: event.clientX, y: event.clientY, pointer: event.pointerId, node };
  });
  // The page does not scroll under a finger that holds a piece.
  board.box.addEventListener("touchmove", (event) => held && event.preventDefault(), { passive: false });
  addEventListener("pointermove", move);
  for (const end of ["pointerup", "pointercancel"]) addEventListener(end, drop);
}
