/** What functions look like. Pure. */
import { eventKinds, type TimelineContent } from "../../src/protocol/timeline";
import { kindFill } from "../kit/kinds";
import type { Theme } from "../kit/theme/theme";
import { colorText, numberedColor } from "../shared/color";

/** Functions of a kind differ in lightness by this much. */
const LIGHTER = [0, 0.07, -0.07];

const known = new WeakMap<TimelineContent, { readonly theme: Theme; readonly fills: readonly string[] }>();

/** The colour of each function of a content, where its time is its own. */
export function fillsOf(content: TimelineContent, theme: Theme): readonly string[] {
  const before = known.get(content);
  if (before?.theme === theme) return before.fills;
  const { names, kinds, colors, byFunction } = content;
  const fills = names.map((name, at) =>
    colors[at] >= 0
      ? colorText(numberedColor(colors[at]))
      : byFunction
        ? theme.named(name, at)
        : kindFill(eventKinds[kinds[at]], theme, LIGHTER[hashOf(name) % LIGHTER.length]),
  );
  known.set(content, { theme, fills });
  return fills;
}

function hashOf(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = (Math.imul(hash, 31) + name.charCodeAt(at)) >>> 0;
  return hash;
}
