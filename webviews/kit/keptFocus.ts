/** The focus of what is drawn anew. */

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
