/** Rows that never wrap: what does not fit leaves in an order of its own, and a row is one Tab stop with arrow keys within. */
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { keepFocus } from "../keptFocus";

/** The row's element. Its items, marked with `data-item`, are fitted when what is in it or its width changes. */
export function useRow(fit: (row: HTMLElement) => void, content: readonly unknown[]): RefObject<HTMLDivElement | null> {
  const row = useRef<HTMLDivElement>(null);
  const update = useRef<() => void>(() => undefined);
  // The model is made anew many times a second, of the same controls: to fit a row makes the browser lay it out.
  const fitted = useRef(content);
  if (!isAlike(content, fitted.current)) fitted.current = content;
  useLayoutEffect(() => {
    if (!row.current) return;
    const element = row.current;
    const rove = roving(element);
    update.current = () => {
      fit(element);
      rove();
    };
    const observer = new ResizeObserver(() => update.current());
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  useLayoutEffect(() => update.current(), [fitted.current]);
  return row;
}

/** Parts that are the same, or lists of the same. */
function isAlike(some: readonly unknown[], others: readonly unknown[]): boolean {
  return some.every((one, at) => {
    const other = others[at];
    if (!Array.isArray(one) || !Array.isArray(other)) return Object.is(one, other);
    return one.length === other.length && one.every((part, index) => Object.is(part, other[index]));
  });
}

/** Whether something does not fit: nothing in a row shrinks before its turn. */
export function isFull(row: HTMLElement): boolean {
  return row.scrollWidth > row.clientWidth;
}

/** All parts of a row that match, shown again, as they are before anything leaves. */
export function allOf(row: HTMLElement, selector: string): HTMLElement[] {
  const parts = [...row.querySelectorAll<HTMLElement>(selector)];
  for (const part of parts) part.hidden = false;
  return parts;
}

/** Hides parts, in this order, until the row holds the others. @returns those that left */
export function leave(row: HTMLElement, parts: readonly HTMLElement[], left?: () => void): HTMLElement[] {
  const gone: HTMLElement[] = [];
  for (const part of parts) {
    if (!isFull(row)) break;
    part.hidden = true;
    gone.push(part);
    left?.();
  }
  return gone;
}

/** Makes a row one Tab stop: its first item, or the one that had the focus last. @returns to be called when items came or went */
function roving(row: HTMLElement): () => void {
  let last: HTMLElement | undefined;
  let lastAt = 0;
  const activate = (item: HTMLElement | undefined) => {
    for (const other of row.querySelectorAll<HTMLElement>("[data-item]")) other.tabIndex = other === item ? 0 : -1;
  };
  const items = () => [...row.querySelectorAll<HTMLElement>("[data-item]")].filter((item) => item.checkVisibility());
  row.addEventListener("focusin", ({ target }) => {
    if (!(target instanceof HTMLElement) || target.dataset.item === undefined) return;
    last = target;
    lastAt = items().indexOf(target);
    activate(target);
  });
  row.addEventListener("keydown", (event) => {
    const all = items();
    const at = all.findIndex((item) => item === event.target);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (at < 0 || next === undefined || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target instanceof HTMLInputElement && !isLeaving(event.target, event.key)) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  });
  return () => {
    const all = items();
    // What was taken away while it had the focus gives it to what has come to its place.
    const isGone = last?.isConnected === false && document.activeElement === document.body;
    const next = isGone ? all[Math.min(lastAt, all.length - 1)] : all[0];
    const active = last && all.includes(last) ? last : next;
    const isLost = isGone || (last !== undefined && last === document.activeElement && last !== active);
    if (isGone) last = undefined;
    activate(active);
    if (isLost) keepFocus(active);
  };
}

/** Within a text, arrow keys move between its letters first. */
function isLeaving({ selectionStart, selectionEnd, value }: HTMLInputElement, key: string): boolean {
  if (selectionStart !== selectionEnd) return false;
  return (key === "ArrowLeft" && selectionStart === 0) || (key === "ArrowRight" && selectionEnd === value.length);
}
