import type { GraphMessage } from "../../src/protocol/superGraph";
import { readingOrder } from "./order";

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

/**
 * The bar that Enter leads to: the next of what was found, from left to right and round again. Pure.
 *
 * @param last where Enter led before; undefined: nowhere yet
 */
export function nextFound(
  graph: GraphMessage,
  found: ReadonlySet<number>,
  last: number | undefined,
  backwards: boolean,
): number | undefined {
  const order = readingOrder(graph).filter((bar) => found.has(bar));
  const at = last === undefined ? -1 : order.indexOf(last);
  if (backwards) return order.at(at < 0 ? -1 : at - 1);
  return order.at((at + 1) % order.length);
}
