// What the table hears: cues and a narrator, on the table's screen only and only when switched on.
// Both come from public log lines; a page that was asleep does not catch up.

import { $ } from "./dom.js";

const LATE = 15; // lines: more news than that is a page that just woke
let newest = null;
let game = "";
let audio = null;
const held = new Map(); // cue → decoded sound

function kept(name) {
  return document.cookie.split("; ").includes(`companion_${name}=on`);
}

function keep(name, on) {
  document.cookie = `companion_${name}=${on ? "on" : "off"}; path=/; max-age=31536000; samesite=strict`;
}

function switched(name, can, on) {
  const button = $(`#${name}`);
  if (!button || !can) return;
  const set = (now) => { button.setAttribute("aria-pressed", String(now)); button.classList.toggle("picked", now); };
  button.hidden = false;
  set(kept(name));
  button.addEventListener("click", () => { keep(name, !kept(name)); set(kept(name)); on(kept(name)); });
}

function on(name) {
  return $(`#${name}`)?.getAttribute("aria-pressed") === "true";
}

// A browser lets a page sound only after a touch.
function woken() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
}

async function play(cue) {
  if (!audio || audio.state !== "running") return;
  if (!held.has(cue)) {
    const answer = await fetch(`/cue/${cue}.wav`).catch(() => null);
    if (!answer?.ok) return;
    held.set(cue, await audio.decodeAudioData(await answer.arrayBuffer()));
  }
  const source = audio.createBufferSource();
  source.buffer = held.get(cue);
  source.connect(audio.destination);
  source.start();
}

function speak(text) {
  const said = new SpeechSynthesisUtterance(text);
  said.lang = document.documentElement.lang;
  const voice = speechSynthesis.getVoices().find((v) => v.lang.startsWith(said.lang));
  if (voice) said.voice = voice;
  speechSynthesis.speak(said);
}

/** Take up a new page of the table: sound and say what is new in its log. */
export function hear(page) {
  const last = page.log.at(-1)?.n ?? 0;
  const fresh = page.game === game && newest !== null ? page.log.filter((l) => l.n > newest && !l.undone) : [];
  [newest, game] = [last, page.game];
  if (document.hidden || fresh.length > LATE) return;
  const cues = fresh.map((l) => l.cue).filter(Boolean);
  if (on("sound") && cues.length) play(first(cues));
  if (on("narrator")) fresh.filter((l) => l.say).forEach((l) => speak(l.text));
}

const ORDER = ["over", "death", "alarm", "encounter", "attack", "fire", "event", "noise", "round"];
function first(cues) {
  return ORDER.find((c) => cues.includes(c));
}

switched("sound", "AudioContext" in window, (now) => now && woken());
switched("narrator", "speechSynthesis" in window, (now) => now || speechSynthesis.cancel());
if ($("#sound")) document.addEventListener("pointerdown", () => on("sound") && woken(), { passive: true });
