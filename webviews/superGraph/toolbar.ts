/** The controls above the drawing. */
import type { Controls, GroupChoice } from "../../src/protocol/superGraph";
import { button, dropdown, slider, textField } from "../shared/controls";
import { html, setAll } from "../shared/dom";
import { openMenu } from "../shared/menu";
import { visible } from "../shared/text";
import { FILTER_STEPS, percentAt, percentText, readPercent, stepOf } from "./filterScale";

export interface ToolbarListeners {
  metric(index: number): void;
  over(over: string): void;
  filter(percent: number): void;
  groupBy(groupBy: GroupChoice): void;
  search(text: string): void;
  /** Enter in the search: on to the next that was found. */
  next(backwards: boolean): void;
  zoom(factor: number): void;
  fit(): void;
  table(shown: boolean): void;
  save(format: "svg" | "png" | "csv"): void;
  clearRestriction(): void;
}

const groupNames: Readonly<Record<GroupChoice, string>> = {
  auto: "source file",
  module: "load module",
  file: "source file",
  folder: "folder",
  class: "class",
  function: "function",
  map: "my groups",
  none: "nothing (contexts)",
};

const overNames = [
  { value: "sum", label: "sum" },
  { value: "mean", label: "mean" },
  { value: "max", label: "maximum" },
  { value: "min", label: "minimum" },
];

/** A slider sends many values while it is dragged: the last one after this pause is the one that is meant. */
const PAUSE_MS = 120;

export class Toolbar {
  readonly element: HTMLElement;
  private readonly metric;
  private readonly over;
  private readonly groupBy;
  private readonly filter;
  private readonly filterText;
  private readonly searchField;
  private readonly chip = html("span", { class: "chip", hidden: true });
  private readonly tableButton;
  private pause: number | undefined;
  /** What is shown; not a number before the first controls came. */
  private percent = NaN;
  /** The filter that was chosen here and that no answer has come for yet. */
  private asked: number | undefined;

  constructor(listeners: ToolbarListeners) {
    this.metric = dropdown("Metric", (value) => listeners.metric(Number(value)));
    this.over = dropdown("Over ranks", listeners.over);
    this.groupBy = dropdown("Group by", (value) => listeners.groupBy(value as GroupChoice));
    this.filter = slider("Hide functions below this percentage of the total", FILTER_STEPS, (step) => {
      this.showFilter(percentAt(step));
      this.asked = this.percent;
      window.clearTimeout(this.pause);
      this.pause = window.setTimeout(() => listeners.filter(percentAt(step)), PAUSE_MS);
    });
    const enterFilter = () => {
      const percent = readPercent(this.filterText.value) ?? this.percent;
      const isNew = percent !== this.percent;
      this.showFilter(percent);
      if (!isNew) return;
      this.asked = percent;
      listeners.filter(percent);
    };
    this.filterText = textField("Hide below, in percent of the total", { entered: enterFilter, left: enterFilter });
    this.searchField = textField(
      "Search bars and entry functions",
      { changed: listeners.search, entered: (_, backwards) => listeners.next(backwards) },
      "Search",
    );
    this.tableButton = button(
      "Table",
      () => listeners.table(this.tableButton.getAttribute("aria-pressed") !== "true"),
      {
        title: "Table: the same numbers as rows",
        toggle: true,
      },
    );
    const save = button("Save…", () => this.openSaveMenu(save, listeners), { title: "Save…", popup: true });
    const remove = html("button", { type: "button", "aria-label": "Remove the restriction", title: "Remove" }, "×");
    remove.addEventListener("click", listeners.clearRestriction);
    this.chip.append(html("span"), remove);
    this.element = html(
      "div",
      { class: "toolbar", role: "toolbar", "aria-label": "Super graph" },
      labelled("Metric", this.metric.element),
      labelled("over ranks", this.over.element),
      labelled("group by", this.groupBy.element),
      labelled("hide below", this.filter, this.filterText.element),
      labelled("", this.searchField.element),
      html(
        "span",
        { class: "buttons" },
        button("−", () => listeners.zoom(0.8), { title: "Zoom out" }),
        button("Fit", () => listeners.fit(), { title: "Fit: everything in sight" }),
        button("+", () => listeners.zoom(1.25), { title: "Zoom in" }),
        this.tableButton,
        save,
      ),
      this.chip,
    );
  }

  /** @param grouped what the graph on screen is grouped by, where that is not what was asked for */
  show(controls: Controls, grouped?: GroupChoice): void {
    const metrics = controls.metrics.map(({ name, unit, note }, at) => ({
      value: String(at),
      label: visible(unit === "1" ? name : `${name} (${unit})`),
      ...(note === undefined ? {} : { title: visible(note) }),
    }));
    this.metric.show(metrics, String(controls.metric));
    const rank = /^rank=(\d+)$/.exec(controls.over);
    this.over.show(
      rank ? [...overNames, { value: controls.over, label: `rank ${rank[1]}` }] : overNames,
      controls.over,
    );
    const choice = controls.groupBy === "auto" ? (grouped ?? "file") : controls.groupBy;
    this.groupBy.show(
      controls.groupings.map((value) => ({ value, label: groupNames[value] })),
      choice,
    );
    // An answer to what was asked before must not take away what is being chosen or typed now.
    if (this.asked === undefined || this.asked === controls.filter) {
      this.asked = undefined;
      if (controls.filter !== this.percent) this.showFilter(controls.filter);
    }
    const [text] = this.chip.children;
    text.textContent = visible(controls.restriction ?? "");
    this.chip.hidden = controls.restriction === undefined;
  }

  showTable(shown: boolean): void {
    setAll(this.tableButton, { "aria-pressed": String(shown) });
  }

  get search(): string {
    return this.searchField.value;
  }

  set search(text: string) {
    this.searchField.value = text;
  }

  focusSearch(): void {
    this.searchField.element.focus();
  }

  private showFilter(percent: number): void {
    this.percent = percent;
    this.filter.value = String(stepOf(percent));
    setAll(this.filter, { "aria-valuetext": percentText(percent) });
    this.filterText.value = percentText(percent);
  }

  private openSaveMenu(from: HTMLElement, listeners: ToolbarListeners): void {
    const { left, bottom } = from.getBoundingClientRect();
    openMenu(
      "Save",
      [
        { label: "Save as SVG", run: () => listeners.save("svg") },
        { label: "Save as PNG", run: () => listeners.save("png") },
        { label: "Save as CSV", run: () => listeners.save("csv") },
      ],
      { x: left, y: bottom + 2 },
      from,
    );
  }
}

function labelled(label: string, ...controls: Node[]): HTMLElement {
  const text = label === "" ? undefined : html("span", { class: "control-label", "aria-hidden": "true" }, label);
  return html("span", { class: "control" }, text, ...controls);
}
