/** All partitions that matter of a microscopic model. */
import type { Task } from "../model/task";
import { type Areas, areasOf } from "./areas";
import { isEqual } from "./better";
import { type MicroscopicModel, type NodeOrder, nodeOrder } from "./microscopicModel";
import { type UnlikeFinding, unlikeTheRest } from "./unlike";
import { differing, isSamePartition, type OpenNodes, type Partition, Partitions } from "./partition";

/** A partition from one strength of aggregation on. */
export interface SignificantPartition extends Partition {
  /** The first strength at which it was found: a multiple of a power of two. */
  readonly strength: number;
}

export interface SignificantOptions {
  /** Gain and loss are shares of what one part for all would gain and lose. */
  readonly normalize?: boolean;
  /** Strengths that differ by less are not told apart. */
  readonly threshold?: number;
  /** Nobody asks what is unlike the rest. */
  readonly withoutUnlike?: boolean;
  /** What may be kept, so that less is found anew at each strength. */
  readonly mostBytes?: number;
}

/** Ocelotl's. */
export const THRESHOLD = 0.001;

/** A model with all partitions that matter, and what in it is unlike the rest. */
export class Aggregation {
  private readonly nodes: NodeOrder;
  private readonly scaled: MicroscopicModel;
  /** Of the scaled model's values in the model's own. */
  private readonly unit: number;
  private known: { readonly partitions: SignificantPartition[]; readonly unlike: UnlikeFinding[] } | undefined;

  /** @throws RequestError where the resources are no tree */
  constructor(
    model: MicroscopicModel,
    private readonly options: SignificantOptions = {},
  ) {
    this.nodes = nodeOrder(model);
    ({ scaled: this.scaled, unit: this.unit } = withoutScale(model));
  }

  /**
   * The strengths (p) at which the best partition becomes another one, by dichotomy as Ocelotl does it (Lamarche-Perrin et al., "Building
   * optimal macroscopic representations of complex multi-agent systems", 2014): between two strengths with different partitions the middle
   * one is tried until they are closer than the threshold.
   *
   * @returns by ascending strength, each with another partition than the one before; the first is at 0
   * @throws CancelledError
   */
  significant(task?: Task): readonly SignificantPartition[] {
    return this.found(task).partitions;
  }

  /** Strengths in the model's unit, times bits. */
  unlike(task?: Task): readonly UnlikeFinding[] {
    return this.found(task).unlike;
  }

  /** Gains and losses of all areas take more memory than all else: they are not kept. */
  private found(task: Task | undefined) {
    if (this.known) return this.known;
    const { nodes, scaled, unit } = this;
    const areas = areasOf(scaled, nodes, task);
    const partitions = this.find(areas, task);
    const unlike = this.options.withoutUnlike ? [] : unlikeTheRest(scaled, nodes, areas, partitions, task);
    return (this.known = {
      partitions,
      unlike: unlike.map((one) => ({ ...one, strength: one.strength * unit })),
    });
  }

  private find(areas: Areas, task: Task | undefined): SignificantPartition[] {
    const { nodes, scaled, unit } = this;
    const { normalize = false, threshold = THRESHOLD, mostBytes } = this.options;
    const wanted = normalize ? normalized(areas, nodes, scaled.slices) : areas;
    const partitions = new Partitions(scaled.slices, nodes, wanted, mostBytes);
    const found: SignificantPartition[] = [];
    const between = (low: SignificantPartition, high: SignificantPartition, open: OpenNodes): void => {
      if (high.strength - low.strength <= threshold || isSamePartition(low, high)) return;
      task?.check();
      const strength = (low.strength + high.strength) / 2;
      const { nodes: at, ends, leaves } = open;
      const middle = { ...partitions.bestWithin(strength, at, task, leaves), strength };
      const bests = ends && partitions.read(at);
      const choices = leaves && partitions.readLeaves();
      const below = leaves && { low: leaves.low, high: choices ?? leaves.high };
      between(low, middle, bests ? differing(at, ends.low, bests) : { nodes: at, leaves: below });
      found.push(middle);
      if (bests) partitions.write(at, bests);
      const above = leaves && { low: choices ?? leaves.low, high: leaves.high };
      between(middle, high, bests ? differing(at, bests, ends.high) : { nodes: at, leaves: above });
      if (bests) partitions.release(bests);
      if (choices) partitions.releaseLeaves(choices);
    };
    task?.check();
    const { order } = nodes;
    const none = { ...partitions.best(0, task), strength: 0 };
    const atNone = partitions.read(order);
    const leavesAtNone = partitions.readLeaves();
    const all = { ...partitions.best(1, task), strength: 1 };
    const atAll = partitions.read(order);
    const leavesAtAll = partitions.readLeaves();
    const leaves = leavesAtNone && leavesAtAll ? { low: leavesAtNone, high: leavesAtAll } : undefined;
    found.push(none);
    between(none, all, atNone && atAll ? differing(order, atNone, atAll) : { nodes: order, leaves });
    found.push(all);
    return found
      .filter((one, index) => index === 0 || !isSamePartition(one, found[index - 1]))
      .map((one) => (normalize ? one : { ...one, gain: one.gain * unit, loss: one.loss * unit }));
  }
}

/** Share of the largest loss that a picture may hide before a user has chosen its strength. */
const MAX_FIRST_LOSS_SHARE = 0.15;

/** The entry that is shown at first: the one of the largest strength whose loss is at most 15 % of the largest loss. */
export function initialEntry(entries: readonly Pick<SignificantPartition, "loss">[]): number {
  const largest = entries.reduce((most, { loss }) => Math.max(most, loss), 0);
  const most = MAX_FIRST_LOSS_SHARE * largest;
  return Math.max(
    0,
    entries.findLastIndex(({ loss }) => loss <= most || isEqual(loss, most)),
  );
}

/** Values between 0 and 2 in all, by a power of two: another unit of the model changes no digit of what is decided. */
function withoutScale(model: MicroscopicModel): { scaled: MicroscopicModel; unit: number } {
  const total = model.values.reduce((sum, value) => sum + value, 0);
  const unit = total > 0 ? 2 ** Math.floor(Math.log2(total)) : 1;
  return { scaled: { ...model, values: model.values.map((value) => value / unit) }, unit };
}

/** In parts of what one part for all gains and loses. */
function normalized(areas: Areas, { order }: NodeOrder, slices: number): Areas {
  const whole = order[order.length - 1] * areas.intervals + slices - 1;
  const of = (column: Float64Array) => (column[whole] > 0 ? column[whole] : 1);
  return { ...areas, whole: { gain: of(areas.gain), loss: of(areas.loss) } };
}
