/**
 * Double clicks mean what their first click hit. By the second one the drawing may have moved, since something is said above it,
 * or be drawn anew. Browsers count to two only what is clicked at one place in a short time, so nothing else can be meant.
 */

/** What a double click does that begins with this click; undefined: nothing. */
export type Meaning = (first: MouseEvent) => (() => void) | undefined;

/** By what they are of: nothing is kept alive by being listened to. */
const meanings = new WeakMap<EventTarget, Meaning>();
let begun: (() => void) | undefined;
let isListening = false;

/** Takes all double clicks that begin on an element, wherever they end. */
export function onDoubleClick(element: Element, meaning: Meaning): void {
  meanings.set(element, meaning);
  if (isListening) return;
  isListening = true;
  // Before anybody else hears of the click, and moves what it hit.
  document.addEventListener("click", begin, { capture: true });
  document.addEventListener("dblclick", () => {
    const open = begun;
    begun = undefined;
    open?.();
  });
}

function begin(event: MouseEvent): void {
  if (event.detail > 1) return;
  const hit = event.composedPath().find((target) => meanings.has(target));
  begun = hit && meanings.get(hit)?.(event);
}
