/** The focus of what is drawn anew, and whether keys lead it. */

let due: { readonly element: HTMLElement | SVGElement; readonly options?: FocusOptions } | undefined;
let isGiving = false;

/** Whether the focus comes by {@link keepFocus}, and not by who looks at the page: nothing is explained by itself. */
export function isFocusKept(): boolean {
  return isGiving;
}

function give(element: HTMLElement | SVGElement | undefined, options?: FocusOptions): void {
  isGiving = true;
  element?.focus(options);
  isGiving = false;
}

/**
 * Gives the focus to the element that stands for the one that had it. While another panel has the focus it is not taken from there:
 * the element gets it when the page does.
 */
export function keepFocus(element: HTMLElement | SVGElement | undefined, options?: FocusOptions): void {
  due = document.hasFocus() || element === undefined ? undefined : { element, options };
  if (due) window.addEventListener("focus", giveDue, { once: true });
  else give(element, options);
}

/** The element that has the focus, or gets it when the page does. */
export function focusOwner(): Element | null {
  return isLost() && due !== undefined ? due.element : document.activeElement;
}

/** Whether nothing in the page has the focus. */
export function isLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

function giveDue(): void {
  if (isLost() && due?.element.isConnected) give(due.element, due.options);
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
