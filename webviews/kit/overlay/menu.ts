/** Menus: of a mark, of a select, of what did not fit. They work by mouse and by keyboard alone. */
import { html } from "../../shared/dom";
import { visible } from "../../shared/text";
import { icon } from "../icons";

export interface MenuItem {
  readonly label: string;
  /** A codicon's name. */
  readonly icon?: string;
  /** Shown at the right: the key that does the same. */
  readonly key?: string;
  /** Why it cannot be chosen; it stays in the menu and says so. */
  readonly disabled?: string;
  /** One of several, and whether it is the one: a check mark. */
  readonly checked?: boolean;
  /** It stands for itself, and is so or not: a check mark in the place of its icon. */
  readonly on?: boolean;
  /** Items of another group than the one before stand below a line. */
  readonly group?: string;
  /** Explains the item. */
  readonly title?: string;
  readonly run: () => void;
}

export interface MenuPlace {
  readonly x: number;
  readonly y: number;
  /** Where there is no room below `y`, the menu ends here instead: the top of the control that it belongs to. */
  readonly above?: number;
}

/** Letters typed within this time are one word to be found. */
const WORD_MS = 800;

/** While VS Code gives a panel the focus, the page may lose it for a moment: longer than this, and who reads has gone elsewhere. */
const AWAY_MS = 150;

let close: (() => void) | undefined;

/**
 * Opens a menu at a place of the window. Escape, Tab, a click elsewhere and another panel that gets the focus close it; the focus goes
 * back to `returnTo` before the chosen item runs.
 */
export function openMenu(
  label: string,
  items: readonly MenuItem[],
  at: MenuPlace,
  returnTo: { focus(): void } | null,
  closed?: () => void,
): void {
  close?.();
  const menu = html("div", { class: "menu", role: "menu", "aria-label": visible(label), tabindex: -1 });
  const hasMarks = items.some((item) => item.icon !== undefined || item.checked !== undefined || item.on !== undefined);
  const entries = items.map((item) => entryOf(item, hasMarks));
  items.forEach((item, at) => {
    const isOther = at > 0 && item.group !== items[at - 1].group;
    if (isOther) menu.append(html("div", { class: "menu-line", role: "separator" }));
    menu.append(entries[at]);
    entries[at].addEventListener("click", () => choose(item));
    entries[at].addEventListener("pointermove", () => entries[at].focus({ preventScroll: true }));
  });
  const outside = ({ target }: Event) => {
    if (target instanceof Node && menu.contains(target)) return;
    close?.();
    // Who presses the button of an open menu wants it closed, not opened again.
    const isButton = returnTo instanceof HTMLButtonElement && target instanceof Node && returnTo.contains(target);
    if (isButton) window.addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true });
  };
  let away: ReturnType<typeof setTimeout> | undefined;
  const left = () => {
    clearTimeout(away);
    away = setTimeout(() => document.hasFocus() || close?.(), AWAY_MS);
  };
  close = () => {
    close = undefined;
    menu.remove();
    clearTimeout(away);
    window.removeEventListener("pointerdown", outside, true);
    window.removeEventListener("blur", left);
    window.removeEventListener("resize", place);
    closed?.();
  };
  const choose = (item: MenuItem | undefined) => {
    if (!item || item.disabled !== undefined) return;
    close?.();
    returnTo?.focus();
    item.run();
  };
  // An editor that opens beside the panel makes it narrower: an open menu stays, inside of what is left.
  const place = () => {
    const { width, height } = menu.getBoundingClientRect();
    const isBelow = at.y + height <= window.innerHeight || at.above === undefined;
    const top = isBelow ? Math.min(at.y, window.innerHeight - height) : at.above - height;
    menu.style.left = `${Math.max(0, Math.min(at.x, window.innerWidth - width))}px`;
    menu.style.top = `${Math.max(0, top)}px`;
  };
  let typed = "";
  let typedAt = 0;
  const find = (letter: string, current: number) => {
    typed = performance.now() - typedAt > WORD_MS ? letter : typed + letter;
    typedAt = performance.now();
    // The same letter again goes on to the next; a longer word may stay where it is.
    const isRepeated = [...typed].every((other) => other === typed[0]);
    const wanted = isRepeated ? typed[0] : typed;
    const order = items.map((_, at) => (Math.max(0, current) + (isRepeated ? 1 : 0) + at) % items.length);
    const hit = order.find((at) => items[at].label.toLowerCase().startsWith(wanted));
    entries[hit ?? -1]?.focus();
  };
  menu.addEventListener("keydown", (event) => {
    const current = entries.findIndex((entry) => entry === document.activeElement);
    const next = { ArrowDown: current + 1, ArrowUp: Math.max(0, current) - 1, Home: 0, End: -1 }[event.key];
    event.stopPropagation();
    if (next !== undefined) entries.at(next % entries.length)?.focus();
    else if (event.key === "Enter" || (event.key === " " && performance.now() - typedAt > WORD_MS))
      choose(items[current]);
    else if (event.key === "Escape" || event.key === "Tab") {
      close?.();
      returnTo?.focus();
    } else if ([...event.key].length === 1 && !event.ctrlKey && !event.metaKey) find(event.key.toLowerCase(), current);
    else return;
    event.preventDefault();
  });
  menu.addEventListener("contextmenu", (event) => event.preventDefault());
  (document.querySelector("main") ?? document.body).append(menu);
  place();
  window.addEventListener("pointerdown", outside, true);
  window.addEventListener("blur", left);
  window.addEventListener("resize", place);
  (entries[items.findIndex((item) => item.checked === true)] ?? entries[0] ?? menu).focus();
}

function entryOf(item: MenuItem, hasMarks: boolean): HTMLElement {
  const { checked, on } = item;
  const isSet = checked ?? on;
  const mark = isSet ? "check" : item.icon;
  const right = item.disabled ?? item.key;
  const entry = html("div", {
    class: "menu-item",
    role: checked !== undefined ? "menuitemradio" : on !== undefined ? "menuitemcheckbox" : "menuitem",
    tabindex: -1,
    "aria-checked": isSet === undefined ? undefined : String(isSet),
    "aria-disabled": item.disabled === undefined ? undefined : "true",
    // What is cut, and what a choice means.
    title: item.title === undefined ? visible(item.disabled ?? item.label) : visible(item.title),
  });
  if (hasMarks) entry.append(mark === undefined ? html("span", { class: "menu-mark" }) : icon(mark));
  entry.append(html("bdi", { class: "menu-label" }, visible(item.label)));
  if (right !== undefined) entry.append(html("span", { class: "menu-key" }, visible(right)));
  return entry;
}
