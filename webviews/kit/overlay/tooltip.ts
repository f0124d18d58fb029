/** What is shown beside a mark or a control while it is pointed at or has the focus. One on the page. */
import { html } from "../../shared/dom";
import { visible } from "../../shared/text";
import { type Area, GAP, placeBeside } from "./place";

export type { Area };

/** "exclusive", "275 ms", "10.2 %". */
export type Fact = readonly [what: string, value: string, share?: string];

export interface Explanation {
  readonly name: string;
  /** "solver.cpp:45". */
  readonly place?: string;
  /** Most important first; the first eight are shown. */
  readonly facts?: readonly Fact[];
  /** Over what ranks, or what else is to be known. */
  readonly note?: string;
}

/** Rows of a tooltip about a mark or a control. */
const MAX_FACTS = 8;
/** No name is longer; from {@link LONG} characters on the tooltip is wide, so that all of it has room. */
const LONGEST = 4200;
const LONG = 300;

export class Tooltip {
  private readonly element = html("div", { class: "tooltip", role: "tooltip", hidden: true });

  constructor(parent: HTMLElement = document.querySelector("main") ?? document.body) {
    parent.append(this.element);
    // What can be brought up without meaning to can be sent away without moving.
    window.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
    window.addEventListener("blur", () => this.hide());
    const outside = ({ target }: Event) => {
      if (this.isHelp && !(target instanceof Node && this.element.contains(target))) this.hide();
    };
    window.addEventListener("pointerdown", outside, true);
    window.addEventListener("keydown", outside, true);
  }

  /** @param beside what it explains and its label, in coordinates of the window: the tooltip is never on it */
  show(explanation: Explanation, beside: Area, first: "beside" | "below" = "beside"): void {
    if (this.isHelp) return;
    this.fill(explanation, MAX_FACTS);
    // What is said of a drawing below it is read together with it.
    placeBeside(this.element, beside, first, GAP, document.querySelector(".pane")?.getBoundingClientRect());
  }

  /**
   * Shows all facts about a panel until a click or a key: the pointer may cross marks on its way there. A window that is too low scrolls
   * them.
   */
  help(explanation: Explanation, beside: Area): void {
    this.fill(explanation, Infinity);
    this.element.classList.add("help");
    placeBeside(this.element, beside, "below");
    this.element.scrollTop = 0;
  }

  private fill({ name, place, facts = [], note }: Explanation, maxFacts: number): void {
    const { element } = this;
    const heading = html("div", { class: "tooltip-name" }, html("bdi", {}, visible(name.slice(0, LONGEST))));
    if (place !== undefined) heading.append(html("bdi", { class: "tooltip-place" }, visible(place)));
    const cells = facts
      .slice(0, maxFacts)
      .flatMap(([what, value, share]) => [
        html("dt", {}, html("bdi", {}, visible(what.slice(0, LONG)))),
        ...(share === undefined
          ? [html("dd", { class: "alone" }, value)]
          : [html("dd", {}, value), html("dd", {}, share)]),
      ]);
    element.replaceChildren(heading);
    if (cells.length > 0) element.append(html("dl", {}, cells));
    if (note !== undefined) element.append(html("div", { class: "tooltip-note" }, visible(note)));
    element.classList.toggle("wide", name.length > LONG);
    element.classList.toggle("plain", cells.length === 0);
    element.hidden = false;
  }

  hide(): void {
    this.element.hidden = true;
    this.element.classList.remove("help");
  }

  /** Hides what is said of a mark or a control that is pointed at no more; help stays. */
  leave(): void {
    if (!this.isHelp) this.hide();
  }

  private get isHelp(): boolean {
    return this.element.classList.contains("help");
  }
}
