/** A list beside the drawing of wide panels; what it has is in the tables, too. */
import { html } from "../shared/dom";

export interface Aside {
  readonly title: string;
  readonly items: readonly AsideItem[];
}

export interface AsideItem {
  readonly name: string;
  /** What is said of it, the most important first. */
  readonly number: string;
  readonly note?: string;
  /** What a click selects. */
  readonly mark?: number;
}

export class AsideList {
  private shown: Aside | undefined;

  /** @param click selects a mark */
  constructor(
    private readonly place: HTMLElement,
    private readonly click: (mark: number) => void,
  ) {}

  show(aside: Aside | undefined): void {
    if (JSON.stringify(aside) === JSON.stringify(this.shown)) return;
    this.shown = aside;
    this.place.replaceChildren(...(aside ? [html("h2", {}, aside.title), this.list(aside.items)] : []));
  }

  private list(items: readonly AsideItem[]): HTMLElement {
    return html("ol", { class: "changes" }, ...items.map((item) => html("li", {}, this.row(item))));
  }

  private row({ name, number, note, mark }: AsideItem): HTMLElement {
    const parts = [
      html("span", { class: "name", title: name }, name),
      html("strong", {}, number),
      ...(note === undefined ? [] : [html("small", {}, note)]),
    ];
    if (mark === undefined) return html("div", {}, ...parts);
    const button = html("button", { type: "button" }, ...parts);
    button.addEventListener("click", () => this.click(mark));
    return button;
  }
}
