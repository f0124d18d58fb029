/** What a key means on a drawing. Pure. */
import type { Step } from "./rectangles";

export type KeyMeaning = Step | "zoom-in" | "zoom-out" | "zoom-to" | "fit" | "search" | "select" | "open" | "menu";

const meanings: Readonly<Partial<Record<string, KeyMeaning>>> = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowLeft: "left",
  ArrowRight: "right",
  Home: "first",
  End: "last",
  "+": "zoom-in",
  "=": "zoom-in",
  "-": "zoom-out",
  "0": "fit",
  Backspace: "fit",
  z: "zoom-to",
  "/": "search",
  " ": "select",
  Enter: "open",
  ContextMenu: "menu",
};

export function keyMeans(
  event: Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">,
): KeyMeaning | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  if (event.key === "F10") return event.shiftKey ? "menu" : undefined;
  if (event.key === "Enter" && event.shiftKey) return "zoom-to";
  return meanings[event.key];
}
