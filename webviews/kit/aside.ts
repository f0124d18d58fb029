/** A list beside the drawing of wide panels, below that of narrow ones; what it has is in the tables, too. */
import { html, replaceAll, svg } from "../shared/dom";
import { axisPicture, type BoxPlotShown, boxPlotPicture, PLOT_WIDTH, type PlotAxis } from "./boxPlots";
import { cutName, measureIn } from "../shared/text";

/** Pixels for the name and the number of a row (look, section 1, but edge and padding), and between them. */
const ROOM = 243;
/** The same beside box plots. */
const ROOM_BESIDE_PLOTS = 419 - PLOT_WIDTH - 8;
const GAP = 8;
const SIZE = 12;

export interface Aside {
  readonly title: string;
  readonly items: readonly AsideItem[];
  /** Rows with box plots are on their way: it is as wide already. */
  readonly isPending?: true;
  /** Each row has a box plot on one axis, and the number that is called so. */
  readonly plots?: { readonly axis: PlotAxis; readonly number: string; readonly isTargeted: boolean };
}

export interface AsideItem {
  readonly name: string;
  /** Its tooltip, where its name is shown shorter. */
  readonly whole?: string;
  /** What is said of it, the most important first. */
  readonly number: string;
  /** Length of a bar in place of a number, from 0 to 1. */
  readonly strength?: number;
  readonly note?: string;
  /** The note is not cut: in a narrow panel it has a line of its own. */
  readonly isWhole?: boolean;
  /** What a click selects. */
  readonly mark?: number;
  readonly plot?: BoxPlotShown;
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
    replaceAll(
      this.place,
      aside
        ? [html("h2", {}, html("span", { title: aside.title }, aside.title)), ...headOf(aside), this.list(aside)]
        : [],
    );
  }

  private list({ items, plots, isPending }: Aside): HTMLElement {
    const names = this.fitted(items, plots ? ROOM_BESIDE_PLOTS : ROOM);
    const rows = items.map((item, at) => html("li", {}, this.row(item, names[at], plots?.axis)));
    const isOfCards = items.some(({ strength }) => strength !== undefined);
    const kind = [
      plots || isPending ? " plots" : "",
      plots?.isTargeted ? " targeted" : "",
      isOfCards ? " cards" : "",
    ].join("");
    return html("ol", { class: `changes${kind}` }, rows);
  }

  /** Names that have no room are cut where they do not differ, and stay different. */
  private fitted(items: readonly AsideItem[], room: number): string[] {
    const { fontFamily } = getComputedStyle(this.place);
    const [measure, measureNumber] = ["", "bold "].map((weight) => measureIn(`${weight}${SIZE}px ${fontFamily}`));
    const shown = new Set<string>();
    return items.map(({ name, number }) => {
      const cut = cutName(name, room - GAP - measureNumber(number), measure, (text) => !shown.has(text));
      shown.add(cut);
      return cut === "" ? name : cut;
    });
  }

  private row(
    { name, whole = name, number, strength, note, isWhole, mark, plot }: AsideItem,
    fitted: string,
    axis: PlotAxis | undefined,
  ): HTMLElement {
    const parts = [
      html("span", { class: "name", title: whole }, fitted),
      ...(plot && axis ? [boxPlotPicture(plot, axis)] : []),
      strength === undefined ? html("strong", {}, number) : strengthBar(strength),
      ...(note === undefined ? [] : [html("small", { title: note, ...(isWhole ? { class: "whole" } : {}) }, note)]),
    ];
    if (mark === undefined) return html("div", {}, parts);
    const button = html("button", { type: "button" }, parts);
    button.addEventListener("click", () => this.click(mark));
    return button;
  }
}

/** Its length says how strong something is beside the others in the list; their order says it, too. */
function strengthBar(strength: number): SVGElement {
  const bar = (kind: string, part: number) => svg("rect", { class: kind, width: 100 * part, height: 3 });
  const attributes = { class: "strength", viewBox: "0 0 100 3", preserveAspectRatio: "none", "aria-hidden": "true" };
  return svg("svg", attributes, bar("track", 1), bar("part", strength));
}

/** Above box plots: their axis, and what the numbers are. */
function headOf({ plots }: Aside): HTMLElement[] {
  if (!plots) return [];
  return [
    html("div", { class: "plot-axis", "aria-hidden": "true" }, axisPicture(plots.axis), html("span", {}, plots.number)),
  ];
}
