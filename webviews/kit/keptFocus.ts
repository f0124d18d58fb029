/** The focus of what is drawn anew, and whether keys lead it. */

let due: HTMLElement | SVGElement | undefined;
let isGiving = false;

/** Whether the focus comes by {@link keepFocus}, and not by who looks at the page: nothing is explained by itself. */
export function isFocusKept(): boolean {
  return isGiving;
}

function give(element: HTMLElement | SVGElement | undefined): void {
  isGiving = true;
  element?.focus();
  isGiving = false;
}

/**
 * Gives the focus to the element that stands for the one that had it. While another panel has the focus it is not taken from there:
 * the element gets it when the page does.
 */
export function keepFocus(element: HTMLElement | SVGElement | undefined): void {
  due = document.hasFocus() ? undefined : element;
  if (due) window.addEventListener("focus", giveDue, { once: true });
  else give(element);
}

function giveDue(): void {
  const isLost = document.activeElement === null || document.activeElement === document.body;
  if (isLost && due?.isConnected) give(due);
  due = undefined;
}

const MODIFIERS = ["Shift", "Control", "Alt", "Meta"];
let isByKeys = false;

/**
 * Whether keys were used last, and not the pointer: as with `:focus-visible`, only then it is shown where the focus is. A browser
 * shows it, too, where a page was given the focus before anything was used; a panel is opened by a click as often as by a key.
 */
export function isKeyboardUsed(): boolean {
  return isByKeys;
}

/** @param changed hears of every change */
export function watchKeyboard(changed: () => void): void {
  const use = (byKeys: boolean) => {
    if (byKeys === isByKeys) return;
    isByKeys = byKeys;
    changed();
  };
  window.addEventListener("keydown", ({ key }) => !MODIFIERS.includes(key) && use(true), true);
  window.addEventListener("pointerdown", () => use(false), true);
}
