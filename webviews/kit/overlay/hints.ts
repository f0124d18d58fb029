/** What a control is and which key does the same: shown for every element with `data-hint`, by pointer and by keyboard alike. */
import type { Tooltip } from "./tooltip";

/** As long as VS Code's own wait. */
const PATIENCE_MS = 500;

export function explainControls(root: HTMLElement, tooltip: Tooltip): void {
  let patience = 0;
  let shown: Element | undefined;
  const hide = () => {
    window.clearTimeout(patience);
    if (shown) tooltip.leave();
    shown = undefined;
  };
  const showAt = (element: HTMLElement) => {
    const text = element.dataset.hint;
    // A menu or popover that is open says enough.
    if (!text || !element.isConnected || element.getAttribute("aria-expanded") === "true") return;
    shown = element;
    tooltip.show({ name: text }, element.getBoundingClientRect(), "below");
  };
  const hinted = (event: Event) =>
    event.target instanceof Element ? event.target.closest<HTMLElement>("[data-hint]") : null;
  root.addEventListener("pointerover", (event) => {
    const element = hinted(event);
    if (element === shown) return;
    hide();
    if (element) patience = window.setTimeout(() => showAt(element), PATIENCE_MS);
  });
  root.addEventListener("pointerleave", hide);
  root.addEventListener("pointerdown", hide);
  // Before the key moves the focus on, to what is explained next.
  root.addEventListener("keydown", hide, { capture: true });
  root.addEventListener("focusout", hide);
  root.addEventListener("focusin", (event) => {
    const element = hinted(event);
    if (element?.matches(":focus-visible")) showAt(element);
  });
}
