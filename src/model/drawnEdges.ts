/** Share of the total from which on a flow is drawn, even if it is not the largest into its bar. */
const MIN_DRAWN_SHARE = 0.005;

/** Edges of a super graph as columns. Ends are indices of bars. */
interface EdgeColumns {
  readonly source: ArrayLike<number>;
  readonly target: ArrayLike<number>;
  /** Id of each bar. */
  readonly id: readonly string[];
}

/**
 * Flows that are drawn before anything is pointed at (semantics 2.7): from 0.5 % of the total, and the largest into each bar. Ties go
 * to the lesser id of the source.
 *
 * @param flows of each edge, in any unit
 * @param total in that unit
 * @returns indices of edges, ascending
 */
export function drawnEdges({ source, target, id }: EdgeColumns, flows: readonly number[], total: number): number[] {
  const largest = new Map<number, number>();
  for (const [edge, value] of flows.entries()) {
    const best = largest.get(target[edge]);
    const isLarger =
      best === undefined ||
      Number(value.toPrecision(12)) > Number(flows[best].toPrecision(12)) ||
      (Number(value.toPrecision(12)) === Number(flows[best].toPrecision(12)) && id[source[edge]] < id[source[best]]);
    if (isLarger) largest.set(target[edge], edge);
  }
  const kept = new Set(largest.values());
  return [...flows.keys()].filter((edge) => kept.has(edge) || flows[edge] >= MIN_DRAWN_SHARE * total);
}
