/** A list beside the drawing of wide panels, below that of narrow ones; what it has is in the tables, too. */
import { html } from "../shared/dom";
import { cutName, measureIn } from "../shared/text";

/** Pixels for the name and the number of a row (look, section 1, but edge and padding), and between them. */
const ROOM = 243;
const GAP = 8;
const SIZE = 12;

export interface Aside {
  readonly title: string;
  readonly items: readonly AsideItem[];
}

export interface AsideItem {
  readonly name: string;
  /** Its tooltip, where its name is shown shorter. */
  readonly whole?: string;
  /** What is said of it, the most important first. */
  readonly number: string;
  readonly note?: string;
  /** The note is not cut: in a narrow panel it has a line of its own. */
  readonly isWhole?: boolean;
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
    this.place.replaceChildren(
      ...(aside ? [html("h2", {}, html("span", { title: aside.title }, aside.title)), this.list(aside.items)] : []),
    );
  }

  private list(items: readonly AsideItem[]): HTMLElement {
    const names = this.fitted(items);
    return html("ol", { class: "changes" }, ...items.map((item, at) => html("li", {}, this.row(item, names[at]))));
  }

  /** Names that have no room are cut where they do not differ, and stay different. */
  private fitted(items: readonly AsideItem[]): string[] {
    const { fontFamily } = getComputedStyle(this.place);
    const [measure, measureNumber] = ["", "bold "].map((weight) => measureIn(`${weight}${SIZE}px ${fontFamily}`));
    const shown = new Set<string>();
    return items.map(({ name, number }) => {
      const cut = cutName(name, ROOM - GAP - measureNumber(number), measure, (text) => !shown.has(text));
      shown.add(cut);
      return cut === "" ? name : cut;
    });
  }

  private row({ name, whole = name, number, note, isWhole, mark }: AsideItem, fitted: string): HTMLElement {
    const parts = [
      html("span", { class: "name", title: whole }, fitted),
      html("strong", {}, number),
      ...(note === undefined ? [] : [html("small", isWhole ? { class: "whole" } : {}, note)]),
    ];
    if (mark === undefined) return html("div", {}, ...parts);
    const button = html("button", { type: "button" }, ...parts);
    button.addEventListener("click", () => this.click(mark));
    return button;
  }
}
