/** The controls above the scatter: what points are, and what is laid off along each axis. */
import { type AxisName, axisNames, type Controls, type FromCorrelation } from "../../src/protocol/correlation";
import { button, type Choice, dropdown, setPressed, textField } from "../shared/controls";
import { html } from "../shared/dom";
import { labelled, openSaveMenu, ScopeControls } from "../shared/scopeControls";
import { visible } from "../shared/text";
import { isOfCode } from "./describe";

type AxisChange = Omit<Extract<FromCorrelation, { type: "set-axis" }>, "type" | "axis">;

export interface ToolbarListeners {
  points(kind: Controls["points"]): void;
  axis(axis: AxisName, change: AxisChange): void;
  swap(): void;
  search(text: string): void;
  /** Enter in the search: on to the next that was found. */
  next(backwards: boolean): void;
  table(shown: boolean): void;
  save(format: "svg" | "png" | "csv"): void;
  clearRestriction(): void;
}

const values: readonly Choice[] = [
  { value: "exclusive", label: "exclusive" },
  { value: "inclusive", label: "inclusive" },
];

export class Toolbar {
  readonly element: HTMLElement;
  private readonly scope;
  private readonly points;
  private readonly axes: Readonly<Record<AxisName, AxisControls>>;
  private readonly searchField;
  private readonly tableButton;

  constructor(listeners: ToolbarListeners) {
    // The axes have metrics of their own: of what all panels begin with only the chip is here.
    this.scope = new ScopeControls({
      metric: () => undefined,
      over: () => undefined,
      clearRestriction: listeners.clearRestriction,
    });
    this.points = dropdown("Points", (kind) => listeners.points(kind as Controls["points"]));
    this.axes = {
      x: new AxisControls("x", (change) => listeners.axis("x", change)),
      y: new AxisControls("y", (change) => listeners.axis("y", change)),
    };
    this.searchField = textField(
      "Search points",
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
    this.element = html(
      "div",
      { class: "toolbar", role: "toolbar", "aria-label": "Correlation" },
      labelled("points", this.points.element),
      ...axisNames.map((axis) => this.axes[axis].element),
      labelled("", this.searchField.element),
      html(
        "span",
        { class: "buttons" },
        button("Swap", listeners.swap, { title: "Swap the axes" }),
        this.tableButton,
        save,
      ),
      this.scope.chip,
    );
  }

  show(controls: Controls): void {
    this.scope.show(controls);
    this.points.show(
      controls.kinds.map(({ kind, label }) => ({ value: kind, label })),
      controls.points,
    );
    for (const axis of axisNames) this.axes[axis].show(controls, axis);
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
}

/** Metric, exclusive or inclusive, and of what. */
class AxisControls {
  readonly element: HTMLElement;
  private readonly metric;
  private readonly value;
  private readonly of;

  constructor(axis: AxisName, changed: (change: AxisChange) => void) {
    this.metric = dropdown(`${axis}: metric`, (metric) => changed({ metric: Number(metric) }));
    this.value = dropdown(`${axis}: value`, (value) => changed({ value: value as AxisChange["value"] }));
    this.of = dropdown(`${axis}: of`, (of) => changed({ of: of as AxisChange["of"] }));
    this.element = html(
      "span",
      { class: "control axis", role: "group", "aria-label": `${axis} axis` },
      html("span", { class: "control-label", "aria-hidden": "true" }, axis),
      this.value.element,
      this.metric.element,
      this.of.element,
    );
  }

  show(controls: Controls, axis: AxisName): void {
    const { metrics, additive, points, selected } = controls;
    const own = controls[axis];
    const named = (at: number) => {
      const { name, unit } = metrics[at] ?? { name: "", unit: "1" };
      return visible(unit === "1" ? name : `${name} (${unit})`);
    };
    this.metric.show(
      [
        { value: "-1", label: `${named(controls.metric)}, as elsewhere` },
        ...additive.map((at) => ({ value: String(at), label: named(at) })),
      ],
      String(own.metric ?? -1),
    );
    this.value.show(values, own.value);
    const name = (text: string) => visible(text).slice(0, 80);
    this.of.element.hidden = isOfCode(points);
    this.of.show(
      [
        {
          value: "selection",
          label: selected === undefined ? "selection (nothing)" : `selection: ${name(selected)}`,
        },
        ...(own.pinned === undefined ? [] : [{ value: "pinned", label: `pinned: ${name(own.pinned)}` }]),
        { value: "whole", label: "whole recording" },
        ...(selected === undefined || (own.of === "pinned" && own.pinned === selected)
          ? []
          : [{ value: "pin", label: `pin ${name(selected)}` }]),
      ],
      own.of,
    );
  }
}
