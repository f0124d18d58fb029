/** The controls above the drawing. */
import { type Controls, type GroupChoice, groupNames } from "../../src/protocol/superGraph";
import { button, dropdown, setPressed, slider, textField } from "../shared/controls";
import { html, setAll } from "../shared/dom";
import { labelled, openSaveMenu, ScopeControls, type ScopeListeners } from "../shared/scopeControls";
import { HalvesControls, type HalvesListeners } from "./halvesControls";
import { FILTER_STEPS, percentAt, percentText, readPercent, stepOf } from "../kit/frame/percentScale";

export interface ToolbarListeners extends ScopeListeners {
  readonly halves: HalvesListeners;
  filter(percent: number): void;
  groupBy(groupBy: GroupChoice): void;
  search(text: string): void;
  /** Enter in the search: on to the next that was found. */
  next(backwards: boolean): void;
  zoom(factor: number): void;
  fit(): void;
  table(shown: boolean): void;
  save(format: "svg" | "png" | "csv"): void;
}

/** A slider sends many values while it is dragged: the last one after this pause is the one that is meant. */
const PAUSE_MS = 120;

export class Toolbar {
  readonly element: HTMLElement;
  private readonly scope;
  private readonly halves;
  private readonly groupBy;
  private readonly filter;
  private readonly filterText;
  private readonly searchField;
  private readonly tableButton;
  private pause: number | undefined;
  /** What is shown; not a number before the first controls came. */
  private percent = NaN;
  /** The filter that was chosen here and that no answer has come for yet. */
  private asked: number | undefined;

  constructor(listeners: ToolbarListeners) {
    this.scope = new ScopeControls(listeners);
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
    const save = button("Save…", () => openSaveMenu(save, (format) => listeners.save(format)), {
      title: "Save…",
      popup: true,
    });
    this.halves = new HalvesControls(listeners.halves);
    this.element = html(
      "div",
      { class: "toolbar", role: "toolbar", "aria-label": "Super graph" },
      ...this.scope.elements,
      labelled("group by", this.groupBy.element),
      labelled("hide below", this.filter, this.filterText.element),
      ...this.halves.elements,
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
      this.scope.chip,
      this.halves.chipPlace,
    );
  }

  /** @param grouped what the graph on screen is grouped by, where that is not what was asked for */
  show(controls: Controls, grouped?: GroupChoice): void {
    this.scope.show(controls);
    this.halves.show(controls.halves);
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
  }

  showTable(shown: boolean): void {
    setPressed(this.tableButton, shown);
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
}
