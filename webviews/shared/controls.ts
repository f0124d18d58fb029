/** The only file that knows `@vscode/webview-ui-toolkit`: it is archived, and the day it must go, this file changes. */
import {
  provideVSCodeDesignSystem,
  vsCodeButton,
  vsCodeDropdown,
  vsCodeOption,
  vsCodeTextField,
} from "@vscode/webview-ui-toolkit";
import { html, setAll } from "./dom";

provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeDropdown(), vsCodeOption(), vsCodeTextField());

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly title?: string;
}

export interface Dropdown {
  readonly element: HTMLElement;
  /** Shows these choices and this value; nothing happens where it shows them already. */
  show(choices: readonly Choice[], value: string): void;
}

type ValueElement = HTMLElement & { value: string; disabled?: boolean };
type ListElement = ValueElement & { readonly open: boolean };

/**
 * A list of choices. `picked` hears of what the user chose, never of what the program showed. In a list that is open, the answer
 * to what was asked before does not take away what is being chosen; other choices are shown at once.
 */
export function dropdown(label: string, picked: (value: string) => void): Dropdown {
  const element = document.createElement("vscode-dropdown") as ListElement;
  setAll(element, { "aria-label": label });
  let shown = "";
  let known: readonly Choice[] = [];
  let value = "";
  /** The value that came while the list was open. */
  let late: string | undefined;
  const setValue = (next: string) => {
    value = next;
    // A narrow panel may cut the text.
    setAll(element, { title: known.find((choice) => choice.value === next)?.label });
  };
  const showValue = (next: string) => {
    setValue(next);
    // The list takes new options up in its own time; before that it knows none of the values.
    queueMicrotask(() => {
      if (element.value !== value) element.value = value;
    });
  };
  element.addEventListener("change", () => {
    if (element.value === value) return;
    setValue(element.value);
    // It is older than this choice.
    late = undefined;
    picked(value);
  });
  new MutationObserver(() => {
    if (element.open) return;
    // The list says nothing of a choice where that stands in the place that was chosen before, among other choices.
    showValue(late ?? value);
    late = undefined;
  }).observe(element, { attributeFilter: ["open"] });
  return {
    element,
    show(choices, next) {
      const key = JSON.stringify(choices);
      if (key === shown && element.open) {
        late = next;
        return;
      }
      late = undefined;
      if (key !== shown) {
        shown = key;
        known = choices;
        element.disabled = choices.length === 0;
        // The style sheet says between which widths.
        element.style.setProperty("--longest", `${Math.max(...choices.map(({ label }) => label.length), 0)}ch`);
        element.replaceChildren(
          ...choices.map((choice) => {
            const option = document.createElement("vscode-option");
            setAll(option, { value: choice.value, title: choice.title, selected: choice.value === next });
            option.textContent = choice.label;
            return option;
          }),
        );
      }
      showValue(next);
    },
  };
}

/** The toolkit takes these as properties alone: an attribute does not reach the button inside that screen readers see. */
type ButtonElement = HTMLElement & { ariaHaspopup?: string };

/** Shows a button of those that stay pressed as pressed, or not. */
export function setPressed(element: HTMLElement, pressed: boolean): void {
  element.ariaPressed = String(pressed);
  // Follows by itself, but later: style sheets and listeners look at it.
  setAll(element, { "aria-pressed": String(pressed) });
}

/** A push button; `toggle` makes one that stays pressed. */
export function button(
  label: string,
  pressed: () => void,
  options: { title?: string; primary?: boolean; toggle?: boolean; popup?: boolean } = {},
): HTMLElement {
  const element: ButtonElement = document.createElement("vscode-button");
  setAll(element, {
    appearance: options.primary ? "primary" : "secondary",
    title: options.title,
    "aria-label": options.title ?? label,
  });
  if (options.toggle) setPressed(element, false);
  if (options.popup) element.ariaHaspopup = "menu";
  element.textContent = label;
  element.addEventListener("click", pressed);
  return element;
}

export interface TextField {
  readonly element: HTMLElement;
  value: string;
}

/** A line of text. `changed` hears of every key, `entered` of Enter (with Shift: backwards). */
export function textField(
  label: string,
  listeners: { changed?(text: string): void; entered?(text: string, backwards: boolean): void; left?(): void },
  placeholder = "",
): TextField {
  const element = document.createElement("vscode-text-field") as ValueElement;
  setAll(element, { "aria-label": label, placeholder });
  // The toolkit calls every field "Text field" as soon as it joins the document.
  new MutationObserver(() => {
    if (element.getAttribute("aria-label") !== label) setAll(element, { "aria-label": label });
  }).observe(element, { attributeFilter: ["aria-label"] });
  element.addEventListener("input", () => listeners.changed?.(element.value));
  element.addEventListener("change", () => listeners.left?.());
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter") listeners.entered?.(element.value, event.shiftKey);
    if (event.key === "Escape" && element.value !== "" && listeners.changed) {
      element.value = "";
      listeners.changed("");
    }
  });
  return {
    element,
    get value() {
      return element.value;
    },
    set value(text: string) {
      if (element.value !== text) element.value = text;
    },
  };
}

/** A slider over whole steps; the toolkit has none, so it is the browser's own. */
export function slider(label: string, steps: number, moved: (step: number) => void): HTMLInputElement {
  const element = html("input", { type: "range", min: 0, max: steps, step: 1, "aria-label": label });
  element.addEventListener("input", () => moved(element.valueAsNumber));
  return element;
}
