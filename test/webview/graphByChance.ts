import type { SuperGraph } from "../../src/engine/api";
import { seeded } from "../unit/supergraph/random";

/** A graph by chance: each bar's inclusive is shared out among bars of later levels, and what it keeps. */
export function graphByChance(seed: number, size: number, longestName: number): SuperGraph {
  const random = seeded(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const levels = 2 + below(Math.min(12, size - 2));
  const level = Array.from({ length: size }, (_, at) => (at === 0 ? 0 : at < levels ? at : 1 + below(levels - 1)));
  const order = [...level.keys()].sort((a, b) => level[a] - level[b] || a - b);
  const inclusive = new Float64Array(size);
  const exclusive = new Float64Array(size);
  inclusive[0] = 10;
  const edges: { source: string; target: string; inclusive: number }[] = [];
  for (const at of order) {
    const later = order.filter((other) => level[other] > level[at]);
    let rest = inclusive[at];
    const calls = later.length === 0 ? 0 : 1 + below(4);
    for (let call = 0; call < calls; call++) {
      const target = later[below(Math.min(later.length, 30))];
      const part = rest * random() ** 2 * 0.9;
      rest -= part;
      inclusive[target] += part;
      edges.push({ source: `b${at}`, target: `b${target}`, inclusive: part });
    }
    exclusive[at] = rest;
  }
  const letters = "abcdefghij_::<>, ";
  const name = (at: number) =>
    `${at} ${Array.from({ length: 1 + below(longestName) }, () => letters[below(letters.length)]).join("")}`;
  const bars = order.map((at) => {
    const group = name(at);
    const count = 1 + below(5);
    const entries = Array.from({ length: count }, (_, entry) => ({
      name: `${group} ${entry}`,
      inclusive: inclusive[at] / count,
      exclusive: exclusive[at] / count,
      link: { places: [], rule: "unknown", reason: "", considered: [] } as const,
    }));
    const numbers = { inclusive: inclusive[at], exclusive: exclusive[at], hidden: 0, contexts: 5 };
    return { id: `b${at}`, group, visit: 1, level: level[at], ...numbers, entries };
  });
  return {
    metric: "time",
    unit: "s",
    over: "sum",
    total: 10,
    hidden: 0,
    functions: size,
    bars,
    edges,
    shownNames: new Map(),
    filtered: { functions: 0, contexts: 0, exclusive: 0 },
    groupBy: "function",
    filter: 0,
    skipped: [],
    notes: [],
  };
}
