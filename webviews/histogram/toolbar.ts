/** The controls above the drawing. */
import { BIN_LIMIT, type Controls } from "../../src/protocol/histogram";
import { button, dropdown, setPressed, slider, textField } from "../shared/controls";
import { html, setAll } from "../shared/dom";
import { labelled, openSaveMenu, ScopeControls, type ScopeListeners } from "../shared/scopeControls";
import { plural } from "../shared/text";
import { orderName } from "./describe";

type Unit = NonNullable<Controls["by"]>;

export interface ToolbarListeners extends ScopeListeners {
  by(by: Unit): void;
  value(value: Controls["value"]): void;
  bins(bins: number): void;
  order(order: string): void;
  search(text: string): void;
  /** Enter in the search: on to the next that was found. */
  next(backwards: boolean): void;
  table(shown: boolean): void;
  save(format: "svg" | "png" | "csv"): void;
}

const values = [
  { value: "exclusive", label: "exclusive" },
  { value: "inclusive", label: "inclusive" },
];

/** A slider sends many values while it is dragged: the last one after this pause is the one that is meant. */
const PAUSE_MS = 80;

export class Toolbar {
  readonly element: HTMLElement;
  private readonly scope;
  private readonly by;
  private readonly value;
  private readonly order;
  private readonly slider;
  private readonly binsText;
  private readonly searchField;
  private readonly tableButton;
  private pause: number | undefined;
  private bins = 0;

  constructor(listeners: ToolbarListeners) {
    this.scope = new ScopeControls(listeners);
    this.by = dropdown("Over", (by) => listeners.by(by as Unit));
    this.value = dropdown("Value", (value) => listeners.value(value as Controls["value"]));
    this.order = dropdown("Order of the line", listeners.order);
    const choose = (bins: number) => {
      this.showBins(bins);
      window.clearTimeout(this.pause);
      this.pause = window.setTimeout(() => listeners.bins(bins), PAUSE_MS);
    };
    this.slider = slider("Number of bins", BIN_LIMIT, (bins) => choose(Math.max(1, bins)));
    setAll(this.slider, { min: 1 });
    const enter = () => {
      const wanted = Math.round(Number(this.binsText.value));
      const isNumber = this.binsText.value.trim() !== "" && Number.isFinite(wanted);
      const bins = isNumber ? Math.max(1, Math.min(BIN_LIMIT, wanted)) : this.bins;
      if (bins === this.bins) this.showBins(bins);
      else choose(bins);
    };
    this.binsText = textField(`Number of bins, 1 to ${BIN_LIMIT}`, { entered: enter, left: enter });
    this.binsText.element.classList.add("short");
    this.searchField = textField(
      "Search members, such as 0-3, 8",
      { changed: listeners.search, entered: (_, backwards) => listeners.next(backwards) },
      "Search",
    );
    this.tableButton = button(
      "Table",
      () => listeners.table(this.tableButton.getAttribute("aria-pressed") !== "true"),
      { title: "Table: the same numbers as rows", toggle: true },
    );
    const save = button("Save…", () => openSaveMenu(save, (format) => listeners.save(format)), {
      title: "Save…",
      popup: true,
    });
    // How ranks are combined is no matter here: each has its own value.
    const [metric] = this.scope.elements;
    this.element = html(
      "div",
      { class: "toolbar", role: "toolbar", "aria-label": "Histogram" },
      metric,
      labelled("value", this.value.element),
      labelled("over", this.by.element),
      labelled("bins", this.slider, this.binsText.element),
      labelled("line by", this.order.element),
      labelled("", this.searchField.element),
      html("span", { class: "buttons" }, this.tableButton, save),
      this.scope.chip,
    );
  }

  show(controls: Controls): void {
    this.scope.show(controls);
    const { units, by, value, order, orders, bins } = controls;
    this.by.show(
      units.map((unit) => ({ value: unit.by, label: unit.label })),
      by ?? "",
    );
    this.value.show(values, value);
    this.order.show(
      orders.map((one) => ({ value: one, label: orderName(one) })),
      order,
    );
    if (bins !== this.bins) this.showBins(bins);
  }

  showTable(shown: boolean): void {
    setPressed(this.tableButton, shown);
  }

  get search(): string {
    return this.searchField.value;
  }

  focusSearch(): void {
    this.searchField.element.focus();
  }

  private showBins(bins: number): void {
    this.bins = bins;
    this.slider.value = String(bins);
    setAll(this.slider, { "aria-valuetext": plural(bins, "bin") });
    this.binsText.value = String(bins);
  }
}
