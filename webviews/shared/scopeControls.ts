/** The controls that every panel begins with: metric, how ranks are combined, and the chip of a restriction. */
import type { ScopeControls as Shown } from "../../src/protocol/panel";
import { RestrictionChip } from "./chip";
import { dropdown } from "./controls";
import { html } from "./dom";
import { openMenu } from "./menu";
import { visible } from "./text";

export interface ScopeListeners {
  metric(index: number): void;
  over(over: string): void;
  clearRestriction(): void;
}

const overNames = [
  { value: "sum", label: "sum" },
  { value: "mean", label: "mean" },
  { value: "max", label: "maximum" },
  { value: "min", label: "minimum" },
];

export class ScopeControls {
  /** First in a toolbar. */
  readonly elements: readonly HTMLElement[];
  /** Last in a toolbar. */
  readonly chip: HTMLElement;
  private readonly restriction: RestrictionChip;
  private readonly metric;
  private readonly over;
  private readonly overLabel = html("span", { class: "control-label", "aria-hidden": "true" });
  private readonly overControl: HTMLElement;

  constructor(listeners: ScopeListeners) {
    this.metric = dropdown("Metric", (value) => listeners.metric(Number(value)));
    this.over = dropdown("Over ranks", listeners.over);
    this.restriction = new RestrictionChip(() => listeners.clearRestriction());
    this.chip = this.restriction.element;
    this.overControl = labelled("", this.overLabel, this.over.element);
    this.elements = [labelled("Metric", this.metric.element), this.overControl];
  }

  show(controls: Shown): void {
    const metrics = controls.metrics.map(({ name, unit, note }, at) => ({
      value: String(at),
      label: visible(unit === "1" ? name : `${name} (${unit})`),
      ...(note === undefined ? {} : { title: visible(note) }),
    }));
    this.metric.show(metrics, String(controls.metric));
    // Without ranks there is nothing to combine.
    this.overControl.hidden = controls.ranks === 0;
    this.overLabel.textContent = `over ${visible(controls.unit)}`;
    this.over.element.setAttribute("aria-label", `Over ${visible(controls.unit)}`);
    const rank = /^rank=(\d+)$/.exec(controls.over);
    this.over.show(
      rank ? [...overNames, { value: controls.over, label: `rank ${rank[1]}` }] : overNames,
      controls.over,
    );
    this.restriction.show(controls.restriction);
  }
}

/** A control with its name before it; the control itself says its name to screen readers. */
export function labelled(label: string, ...controls: Node[]): HTMLElement {
  const text = label === "" ? undefined : html("span", { class: "control-label", "aria-hidden": "true" }, label);
  return html("span", { class: "control" }, text, ...controls);
}

/** Offers the formats that a drawing and its table can be saved in. */
export function openSaveMenu(from: HTMLElement, save: (format: "svg" | "png" | "csv") => void): void {
  const { left, bottom } = from.getBoundingClientRect();
  openMenu(
    "Save",
    [
      { label: "Save as SVG", run: () => save("svg") },
      { label: "Save as PNG", run: () => save("png") },
      { label: "Save as CSV", run: () => save("csv") },
    ],
    { x: left, y: bottom + 2 },
    from,
  );
}
