/** The controls above the drawing. */
import type { FlameColour, FlameControls, FlameMode, FlameOrderChoice } from "../../src/protocol/flameGraph";
import { button, dropdown, setPressed, textField } from "../shared/controls";
import { html } from "../shared/dom";
import { labelled, openSaveMenu, ScopeControls, type ScopeListeners } from "../shared/scopeControls";
import { visible } from "../shared/text";

export interface ToolbarListeners extends ScopeListeners {
  mode(mode: FlameMode): void;
  order(order: FlameOrderChoice): void;
  colour(colour: FlameColour): void;
  search(text: string): void;
  /** Enter in the search: on to the next that was found. */
  next(backwards: boolean): void;
  zoom(factor: number): void;
  fit(): void;
  table(shown: boolean): void;
  save(format: "svg" | "png" | "csv"): void;
}

const orders = [
  { value: "left-heavy", label: "left heavy", title: "Contexts of one function together, heaviest first" },
  { value: "call-order", label: "call order", title: "Every context by itself, as the calling context tree has them" },
];
const colours = [
  { value: "exclusive", label: "exclusive" },
  { value: "file", label: "source file" },
  { value: "module", label: "load module" },
];
/** A name in a drop-down list. */
const MOST_NAME = 60;

export class Toolbar {
  readonly element: HTMLElement;
  private readonly scope;
  private readonly mode;
  private readonly order;
  private readonly colour;
  private readonly searchField;
  private readonly tableButton;

  constructor(listeners: ToolbarListeners) {
    this.scope = new ScopeControls(listeners);
    this.mode = dropdown("Show", (value) => listeners.mode(value as FlameMode));
    this.order = dropdown("Order", (value) => listeners.order(value as FlameOrderChoice));
    this.colour = dropdown("Colour", (value) => listeners.colour(value as FlameColour));
    this.searchField = textField(
      "Search rectangles",
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
      { class: "toolbar", role: "toolbar", "aria-label": "Flame graph" },
      ...this.scope.elements,
      labelled("show", this.mode.element),
      labelled("order", this.order.element),
      labelled("colour", this.colour.element),
      labelled("", this.searchField.element),
      html(
        "span",
        { class: "buttons" },
        button("−", () => listeners.zoom(1 / 1.5), { title: "Zoom out" }),
        button("Fit", () => listeners.fit(), { title: "Fit: everything in sight" }),
        button("+", () => listeners.zoom(1.5), { title: "Zoom in" }),
        this.tableButton,
        save,
      ),
      this.scope.chip,
    );
  }

  show(controls: FlameControls): void {
    this.scope.show(controls);
    const named = (text: string) => visible(text).slice(0, MOST_NAME);
    const modes = [{ value: "recording", label: "whole recording" }];
    if (controls.function !== undefined)
      modes.push({ value: "sandwich", label: `sandwich of ${named(controls.function)}` });
    if (controls.bar !== undefined) modes.push({ value: "bar", label: `inside ${named(controls.bar)}` });
    this.mode.show(modes, controls.mode);
    this.order.show(orders, controls.order);
    this.colour.show(colours, controls.colour);
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
