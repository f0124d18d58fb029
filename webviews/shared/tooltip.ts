/** What is shown beside a mark while it is pointed at or has the focus. One a page. */
import { html } from "./dom";

export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export class Tooltip {
  private readonly element = html("div", { class: "tooltip", role: "tooltip", hidden: true });

  constructor(parent: HTMLElement) {
    parent.append(this.element);
    // What can be brought up without meaning to can be sent away without moving.
    window.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
  }

  /** @param beside what it explains, in coordinates of the window */
  show(content: readonly Node[], beside: Area): void {
    this.element.replaceChildren(...content);
    this.element.hidden = false;
    const { width, height } = this.element.getBoundingClientRect();
    const gap = 8;
    const fitsRight = beside.right + gap + width <= window.innerWidth;
    const fitsLeft = beside.left - gap - width >= 0;
    const left = fitsRight
      ? beside.right + gap
      : fitsLeft
        ? beside.left - gap - width
        : Math.max(0, (window.innerWidth - width) / 2);
    const aside = fitsRight || fitsLeft;
    const below = beside.bottom + gap + height <= window.innerHeight;
    const wanted = aside ? beside.top : below ? beside.bottom + gap : beside.top - gap - height;
    const top = Math.max(0, Math.min(wanted, window.innerHeight - height));
    this.element.style.left = `${Math.round(left)}px`;
    this.element.style.top = `${Math.round(top)}px`;
  }

  hide(): void {
    this.element.hidden = true;
  }
}

/** What is explained. */
export function heading(text: string): Node {
  return html("h2", { dir: "ltr" }, text.slice(0, 600));
}

/** Facts, one a line. */
export function pairs(rows: readonly (readonly [string, string])[]): Node {
  return html(
    "dl",
    {},
    ...rows.flatMap(([label, value]) => [html("dt", {}, html("bdi", {}, label.slice(0, 300))), html("dd", {}, value)]),
  );
}
