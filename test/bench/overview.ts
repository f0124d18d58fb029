/** Aggregation of generated microscopic models: one partition, and all that matter. */
import { areasOf } from "../../src/aggregation/areas";
import { type MicroscopicModel, nodeOrder } from "../../src/aggregation/microscopicModel";
import { Partitions } from "../../src/aggregation/partition";
import { Aggregation } from "../../src/aggregation/significant";

export interface OverviewBench {
  readonly leaves: number;
  readonly slices: number;
  readonly areasMs: number;
  /** Of one partition, where areas are known. */
  readonly partitionMs: number;
  /** Of all, from the model on; undefined: not measured. */
  readonly significantMs?: number;
  readonly partitions?: number;
}

const STATES = 4;
/** Leaves below a node, and such nodes below one. */
const GROUP = 8;
const ROUNDS = 7;

/** @param withAll whether all significant partitions are found, too */
export function benchOverview(leaves: number, slices: number, withAll: boolean): OverviewBench {
  const model = generatedModel(leaves, slices);
  const nodes = nodeOrder(model);
  const areasMs = median(() => areasOf(model, nodes));
  const partitions = new Partitions(slices, nodes, areasOf(model, nodes));
  const partitionMs = median((round) => partitions.best((round + 1) / 64));
  if (!withAll) return { leaves, slices, areasMs, partitionMs };
  let count = 0;
  const significantMs = median(() => (count = new Aggregation(model).significant().length));
  return { leaves, slices, areasMs, partitionMs, significantMs, partitions: count };
}

/** Leaves alternate between phases at moments that most of them share; some groups are held up for a while, and no two are alike. */
function generatedModel(leaves: number, slices: number): MicroscopicModel {
  let seed = 11;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const values = new Float64Array(leaves * STATES * slices);
  const groups = Array.from({ length: Math.ceil(leaves / GROUP) }, () => ({
    isHeld: random() < 0.2,
    varies: random() ** 2,
  }));
  for (let leaf = 0; leaf < leaves; leaf++)
    for (let slice = 0; slice < slices; slice++) {
      const { isHeld, varies } = groups[Math.floor(leaf / GROUP)];
      const main = isHeld && slice > 0.4 * slices && slice < 0.5 * slices ? 3 : Math.floor((3 * slice) / slices);
      const parts = Array.from({ length: STATES }, (_, state) => (state === main ? 6 : 1) * (1 - varies * random()));
      const sum = parts.reduce((all, one) => all + one, 0);
      for (let state = 0; state < STATES; state++)
        values[(leaf * STATES + state) * slices + slice] = parts[state] / sum;
    }
  const parents: number[] = [];
  for (let first = 0, count = leaves; count > 1;) {
    const above = Math.ceil(count / GROUP);
    for (let at = 0; at < count; at++) parents[first + at] = first + count + Math.floor(at / GROUP);
    first += count;
    count = above;
  }
  parents.push(-1);
  return { leaves, states: STATES, slices, parents: Int32Array.from(parents), values };
}

/** Milliseconds of the processor: what else the machine does is not counted. */
function median(does: (round: number) => void): number {
  const times = Array.from({ length: ROUNDS }, (_, round) => {
    const begun = process.cpuUsage();
    does(round);
    const { user, system } = process.cpuUsage(begun);
    return (user + system) / 1000;
  });
  return times.sort((a, b) => a - b)[Math.floor(ROUNDS / 2)];
}
