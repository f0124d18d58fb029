/** Text out of recordings and sources in Markdown, without any of it becoming Markdown. Pure. */

import { withEscapes } from "../model/unseen";

/** Every ASCII punctuation character may be escaped with a backslash (CommonMark 2.4), so all of them are. */
export function plain(text: string): string {
  return withEscapes(text.replace(/\s+/g, " ")).replace(/[!-/:-@[-`{-~]/g, "\\$&");
}

/** A number with its unit, in Markdown: they are never on two lines. */
export function amount(text: string): string {
  return plain(text).replaceAll(" ", "\u00a0");
}

/** Commands that links in hovers may run: ours, and they take numbers only. */
export const hoverCommands = [
  "heatflow.showSuperGraph",
  "heatflow.revealContext",
  "heatflow.whyHere",
  "heatflow.locateSource",
] as const;
export type HoverCommand = (typeof hoverCommands)[number];

/** A link that runs a command; `text` is ours or already {@link plain}. */
export function commandLink(text: string, command: HoverCommand, argument: Readonly<Record<string, number>>): string {
  return `[${text}](command:${command}?${encodeURIComponent(JSON.stringify([argument]))})`;
}
