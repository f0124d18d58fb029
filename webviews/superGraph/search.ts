import type { GraphMessage } from "../../src/protocol/superGraph";

/** Bars whose group, or one of whose entry functions, holds the text; undefined while nothing is searched for. Pure. */
export function searchBars({ bars }: GraphMessage, text: string): ReadonlySet<number> | undefined {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return undefined;
  const holds = (name: string) => name.toLowerCase().includes(wanted);
  const found = new Set<number>();
  bars.forEach(({ group, entries }, bar) => {
    if (holds(group) || entries.some(({ name }) => holds(name))) found.add(bar);
  });
  return found;
}
