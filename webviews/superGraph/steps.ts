/** The list under the toolbar: what the graph begins with, and the operations so far. One Tab stop, arrows lead on. */
import type { ShownStep, StepsAction, StepsMessage } from "../../src/protocol/graphSteps";
import { button } from "../shared/controls";
import { html, setAll } from "../shared/dom";
import { openMenu } from "../shared/menu";
import { visible } from "../shared/text";

export interface StepsListeners {
  action(action: StepsAction): void;
  /** Until this step is the last in effect; 0: before the first. */
  goTo(key: number): void;
  remove(key: number): void;
}

export class StepList {
  readonly element: HTMLElement;
  private readonly list = html("ol", { class: "step-list", "aria-label": "Steps of this graph" });
  private readonly undo: HTMLElement;
  private readonly redo: HTMLElement;
  private shown: StepsMessage | undefined;
  /** Key of the step that Tab leads to; 0: what the graph begins with. */
  private active = 0;

  constructor(private readonly listeners: StepsListeners) {
    this.undo = button("↶", () => listeners.action("undo"), { title: "Undo (Ctrl+Z)" });
    this.redo = button("↷", () => listeners.action("redo"), { title: "Redo (Ctrl+Shift+Z)" });
    const more = button("Steps…", () => this.openActions(more), { title: "Steps: save, apply, copy", popup: true });
    this.list.addEventListener("keydown", (event) => {
      if (this.key(event)) event.preventDefault();
    });
    this.element = html(
      "div",
      { class: "steps", role: "group", "aria-label": "Steps", hidden: true },
      html("span", { class: "buttons" }, this.undo, this.redo, more),
      this.list,
    );
  }

  show(message: StepsMessage): void {
    const hadFocus = this.list.contains(document.activeElement);
    const before = this.shown?.steps ?? [];
    this.shown = message;
    this.element.hidden = false;
    enable(this.undo, message.canUndo);
    enable(this.redo, message.canRedo);
    const { steps } = message;
    if (this.active !== 0 && !steps.some(({ key }) => key === this.active)) {
      // Where a step was removed, the one that came after it takes its place, else the last one.
      const at = before.findIndex(({ key }) => key === this.active);
      this.active = steps.at(Math.min(Math.max(at, 0), steps.length - 1))?.key ?? 0;
    }
    const isStart = steps.every(({ done }) => !done);
    const start = message.start.map(visible).join(" → ");
    this.list.replaceChildren(
      html("li", { class: "step" }, this.stepButton(0, start, { current: isStart, done: true })),
      ...steps.map((step, at) => this.item(step, step.done && steps[at + 1]?.done !== true)),
    );
    if (hadFocus) this.focusable(this.active)?.focus();
    const isNew = steps.length !== before.length || steps.some(({ done }, at) => done !== before[at].done);
    if (isNew)
      this.list.querySelector("li:has([aria-current])")?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  private item(step: ShownStep, current: boolean): HTMLElement {
    const { key, problem } = step;
    const remove = html(
      "button",
      {
        type: "button",
        class: "step-remove",
        tabindex: -1,
        title: "Remove (Delete)",
        "aria-label": `Remove ${visible(step.label)}`,
      },
      "×",
    );
    remove.addEventListener("click", () => this.listeners.remove(key));
    const state = problem === undefined ? "" : " impossible";
    const label = problem === undefined ? visible(step.label) : `⚠ ${visible(step.label)}`;
    return html(
      "li",
      { class: `step${step.done ? "" : " undone"}${state}` },
      html("span", { class: "step-arrow", "aria-hidden": "true" }, "→"),
      this.stepButton(key, label, { current, done: step.done, text: step.text, problem }),
      remove,
    );
  }

  private stepButton(
    key: number,
    label: string,
    { current, done, text, problem }: { current: boolean; done: boolean; text?: string; problem?: string },
  ): HTMLElement {
    const said = done ? (problem === undefined ? "" : `, cannot be done: ${problem}`) : ", undone";
    const titles = [text, problem && `Cannot be done: ${problem}`, done ? undefined : "Undone: click to do it again"];
    const element = html(
      "button",
      {
        type: "button",
        class: "step-button",
        "data-key": key,
        tabindex: key === this.active ? 0 : -1,
        title:
          titles
            .filter((one) => one !== undefined)
            .map(visible)
            .join("\n") || undefined,
        "aria-label": `${label}${visible(said)}`,
        "aria-current": current ? "step" : undefined,
        "aria-keyshortcuts": key === 0 ? undefined : "Delete",
      },
      label,
    );
    element.addEventListener("click", () => {
      this.active = key;
      this.listeners.goTo(key);
    });
    return element;
  }

  /** @returns whether the key meant something */
  private key(event: KeyboardEvent): boolean {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.shown) return false;
    const keys = [0, ...this.shown.steps.map(({ key }) => key)];
    const at = keys.indexOf(this.active);
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: keys.length - 1 }[event.key];
    if (next !== undefined) {
      this.active = keys[Math.min(keys.length - 1, Math.max(0, next))];
      for (const element of this.list.querySelectorAll(".step-button"))
        setAll(element, { tabindex: element.getAttribute("data-key") === String(this.active) ? 0 : -1 });
      this.focusable(this.active)?.focus();
    } else if ((event.key === "Delete" || event.key === "Backspace") && this.active !== 0) {
      this.listeners.remove(this.active);
    } else return false;
    return true;
  }

  private focusable(key: number): HTMLElement | null {
    return this.list.querySelector<HTMLElement>(`[data-key="${key}"]`);
  }

  private openActions(from: HTMLElement): void {
    const { left, bottom } = from.getBoundingClientRect();
    const run = (action: StepsAction) => () => this.listeners.action(action);
    const steps = this.shown?.steps ?? [];
    const none = steps.some(({ done }) => done) ? undefined : "There are no steps yet";
    openMenu(
      "Steps",
      [
        { label: "Save steps…", run: run("save"), disabled: none },
        { label: "Apply saved steps…", run: run("apply") },
        { label: "Copy as command line", run: run("copy") },
        { label: "Remove all steps", run: run("clear"), disabled: steps.length > 0 ? undefined : none },
      ],
      { x: left, y: bottom + 2 },
      from,
    );
  }
}

function enable(element: HTMLElement, isEnabled: boolean): void {
  setAll(element, { disabled: !isEnabled });
}

/** The step keys, wherever in the panel they are pressed; in a text field they are the text's own. */
export function listenForUndo(act: (action: "undo" | "redo") => void): void {
  window.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || isText(event.target)) return;
    const key = event.key.toLowerCase();
    if (key === "z") act(event.shiftKey ? "redo" : "undo");
    else if (key === "y" && !event.shiftKey) act("redo");
    else return;
    event.preventDefault();
  });
}

function isText(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input[type=text], vscode-text-field, textarea") !== null;
}
