/** The keys of VS Code's chords (`Ctrl+Alt+H G`), which a page sees before VS Code does: they mean nothing to it. */

/** Of all of the extension's chords. */
const FIRST = "h";
const MODIFIERS = new Set(["Control", "Alt", "Shift", "Meta"]);

const seconds = new WeakSet<KeyboardEvent>();
let hasBegun = false;

/** Follows all keys of the page; before anything else is done with them. */
export function followChords(page: Pick<Window, "addEventListener">): void {
  page.addEventListener(
    "keydown",
    (event) => {
      if (MODIFIERS.has(event.key)) return;
      if (hasBegun) seconds.add(event);
      hasBegun = !hasBegun && event.altKey && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === FIRST;
    },
    { capture: true },
  );
  // The other key goes to whatever has the focus then.
  page.addEventListener("blur", () => (hasBegun = false));
}

/** Whether a key ends a chord. */
export function isOfChord(event: KeyboardEvent): boolean {
  return seconds.has(event);
}
