/** Names of several tables, of which one is open. */
import { html, replaceAll } from "../../shared/dom";
import { visible } from "../../shared/text";
import type { TableTab } from "../definition";
import { focusOwner, keepFocus } from "../keptFocus";

export class TabBar {
  readonly element = html("div", { class: "tabs", role: "tablist", "aria-label": "Tables" });
  private tabs: readonly TableTab[] = [];

  /** @param open a tab was chosen */
  constructor(private readonly open: (tab: TableTab) => void) {
    this.element.addEventListener("keydown", (event) => {
      const at = this.tabs.findIndex(({ isOpen }) => isOpen);
      const last = this.tabs.length - 1;
      const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
      if (next === undefined) return;
      event.preventDefault();
      this.choose(this.tabs[Math.max(0, Math.min(last, next))]);
    });
  }

  show(tabs: readonly TableTab[]): void {
    const hadFocus = this.element.contains(focusOwner());
    this.tabs = tabs;
    this.element.hidden = tabs.length < 2;
    replaceAll(
      this.element,
      tabs.map((tab) => {
        const state = { "aria-selected": String(tab.isOpen), tabindex: tab.isOpen ? 0 : -1 };
        const button = html("button", { type: "button", role: "tab", ...state }, visible(tab.name));
        button.addEventListener("click", () => this.choose(tab));
        return button;
      }),
    );
    const open = this.element.querySelector<HTMLElement>('[aria-selected="true"]');
    if (hadFocus && open) keepFocus(open, { preventScroll: true });
  }

  private choose(tab: TableTab): void {
    if (!tab.isOpen) this.open(tab);
  }
}
