/** A context menu that works by mouse and by keyboard alone. */
import { html } from "./dom";
import { visible } from "./text";

export interface MenuItem {
  readonly label: string;
  /** Shown at the right: the key that does the same. */
  readonly key?: string;
  /** Why it cannot be chosen; it stays in the menu and says so. */
  readonly disabled?: string;
  readonly run: () => void;
}

let close: (() => void) | undefined;

/**
 * Opens a menu at a place of the window. Escape, Tab and a click elsewhere close it; the focus goes back to
 * `returnTo` before the chosen item runs.
 */
export function openMenu(
  label: string,
  items: readonly MenuItem[],
  at: { x: number; y: number },
  returnTo: { focus(): void } | null,
): void {
  close?.();
  const menu = html("div", { class: "menu", role: "menu", "aria-label": visible(label) });
  const entries = items.map((item) => {
    const entry = html(
      "div",
      {
        class: "menu-item",
        role: "menuitem",
        tabindex: -1,
        "aria-disabled": item.disabled === undefined ? undefined : "true",
      },
      html("span", {}, visible(item.label)),
      item.disabled === undefined ? undefined : html("span", { class: "menu-key" }, visible(item.disabled)),
      item.key === undefined ? undefined : html("span", { class: "menu-key" }, item.key),
    );
    entry.addEventListener("click", () => choose(item));
    entry.addEventListener("pointermove", () => entry.focus());
    return entry;
  });
  menu.append(...entries);
  const outside = (event: Event) => {
    if (!(event.target instanceof Node && menu.contains(event.target))) close?.();
  };
  close = () => {
    menu.remove();
    window.removeEventListener("pointerdown", outside, true);
    window.removeEventListener("blur", outside);
    close = undefined;
  };
  const choose = (item: MenuItem) => {
    if (item.disabled !== undefined) return;
    close?.();
    returnTo?.focus();
    item.run();
  };
  menu.addEventListener("keydown", (event) => {
    const current = entries.findIndex((entry) => entry === document.activeElement);
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, Home: 0, End: -1 }[event.key];
    event.stopPropagation();
    if (next !== undefined) entries.at(next % entries.length)?.focus();
    else if (event.key === "Enter" || event.key === " ") choose(items[current]);
    else if (event.key === "Escape" || event.key === "Tab") {
      close?.();
      returnTo?.focus();
    } else return;
    event.preventDefault();
  });
  menu.addEventListener("contextmenu", (event) => event.preventDefault());
  (document.querySelector("main") ?? document.body).append(menu);
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(0, Math.min(at.x, window.innerWidth - width))}px`;
  menu.style.top = `${Math.max(0, Math.min(at.y, window.innerHeight - height))}px`;
  window.addEventListener("pointerdown", outside, true);
  window.addEventListener("blur", outside);
  entries[0]?.focus();
}
