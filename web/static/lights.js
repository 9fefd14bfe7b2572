// The simulated lights: their picture, looked at while it is in view.

const PACE = 250; // ms between pictures

/** Keep the picture in `box` fresh; a closed <details> is left alone. */
export function lights(box) {
  const picture = box?.querySelector("img");
  if (!picture) return;
  let n = 0;
  const next = () => setTimeout(look, PACE);
  function look() {
    if (document.hidden || box.open === false) return next();
    picture.src = `/strip.svg?n=${(n += 1)}`;
    return undefined;
  }
  picture.addEventListener("load", next);
  picture.addEventListener("error", next);
  look();
}
