/** The chip of a restriction: what numbers are restricted to, and a button that removes it. */
import { html } from "./dom";
import { visible } from "./text";

export class RestrictionChip {
  readonly element = html("span", { class: "chip", hidden: true });
  private readonly text = html("span");

  constructor(remove: () => void) {
    const button = html("button", { type: "button", "aria-label": "Remove the restriction", title: "Remove" }, "×");
    button.addEventListener("click", remove);
    this.element.append(this.text, button);
  }

  /** @param restriction "ranks 0, 4"; undefined: none */
  show(restriction: string | undefined): void {
    this.text.textContent = visible(restriction ?? "");
    this.element.hidden = restriction === undefined;
  }
}
