import { ContextTreeBuilder } from "../model/contextTree";
import type { DataSet, Warning } from "../model/dataSet";
import { EntryLog } from "../model/entryLog";
import { FrameTable } from "../model/frames";
import { NONE } from "../model/ids";
import { compareLocations, type Location } from "../model/locations";
import { appendAll } from "../model/longLists";
import type { Metric } from "../model/metrics";
import { StringTable } from "../model/strings";
import { cancellable, type Task } from "../model/task";
import { type Combine, SparseBuilder } from "../model/values";
import { exclusiveOf, negativeExclusive, sumWarnings } from "./exclusive";

/** A metric as a reader declares it. */
export interface MetricStart extends Metric {
  readonly combine?: Combine;
  /** Recorded values are inclusive: exclusive is what they have beyond those of the children (semantics 1). */
  readonly inclusive?: boolean;
  /** Most cells get a single value, as from a database: takes half the memory then. */
  readonly oncePerCell?: boolean;
  /** Recorded values divided by this are in the metric's unit. */
  readonly divisor?: number;
  /** Recorded values multiplied with this are in the metric's unit. */
  readonly factor?: number;
}

/** Where provisional numbers ended up: to translate what a trace or a series refers to. */
export interface FinalNumbers {
  readonly contextOf: Int32Array;
  readonly locationOf: Int32Array;
  /** By metric as declared: its index in the data set, NONE where no value arrived and it was left out. */
  readonly metricOf: Int32Array;
}

interface MetricColumn {
  readonly values: SparseBuilder | EntryLog;
  notFinite: number;
}

export type ProfileColumns = Pick<DataSet, "frames" | "tree" | "locations" | "metrics" | "values">;

/**
 * Collects a profile in any order and lays it out canonically: contexts in canonical preorder, locations ascending, sums that
 * do not depend on the order of arrival (semantics 1, Order).
 *
 * A metric with values of CPU threads and of GPU streams becomes two, since these are never added up.
 */
export class ProfileBuilder {
  readonly frames = new FrameTable(new StringTable());
  readonly tree = new ContextTreeBuilder();
  readonly locations: Location[] = [];
  private readonly locationIds = new Map<string, number>();
  private readonly metrics: { readonly start: MetricStart; readonly cpu: MetricColumn; readonly gpu: MetricColumn }[] =
    [];

  /** The number of this location. Adds it if it is new. */
  location(place: Location): number {
    const key = JSON.stringify(place);
    const known = this.locationIds.get(key);
    if (known !== undefined) return known;
    this.locationIds.set(key, this.locations.length);
    return this.locations.push(place) - 1;
  }

  /** A new metric; metrics keep the order in which they are declared. */
  metric(start: MetricStart): number {
    const column = (): MetricColumn => ({
      values: start.oncePerCell ? new EntryLog(start.combine) : new SparseBuilder(start.combine),
      notFinite: 0,
    });
    return this.metrics.push({ start, cpu: column(), gpu: column() }) - 1;
  }

  add(metric: number, context: number, location: number, value: number): void {
    const { cpu, gpu } = this.metrics[metric];
    const column = this.locations[location].stream === NONE ? cpu : gpu;
    if (!Number.isFinite(value)) column.notFinite++;
    column.values.add(context, location, value);
  }

  /** @param keepEmpty keep metrics without any value too */
  build(task: Task, keepEmpty = false): { columns: ProfileColumns; final: FinalNumbers; warnings: Warning[] } {
    const warnings: Warning[] = [];
    const { tree, finalOf } = this.tree.build(this.frames.canonicalRanks(task), task);
    const order = [...this.locations.keys()].sort(
      cancellable((a, b) => compareLocations(this.locations[a], this.locations[b]), task),
    );
    const locations = order.map((own) => this.locations[own]);
    const locationOf = new Int32Array(this.locations.length);
    order.forEach((own, at) => (locationOf[own] = at));
    const kept = this.metrics.flatMap(({ start, cpu, gpu }, declared) => {
      const onStreams = { declared, start: { ...start, name: `${start.name} (GPU streams)` }, column: gpu };
      if (gpu.values.size === 0) return keepEmpty || cpu.values.size > 0 ? [{ declared, start, column: cpu }] : [];
      return cpu.values.size === 0 ? [{ declared, start, column: gpu }] : [{ declared, start, column: cpu }, onStreams];
    });
    const metricOf = new Int32Array(this.metrics.length).fill(NONE);
    for (let at = kept.length - 1; at >= 0; at--) metricOf[kept[at].declared] = at;
    const metrics: Metric[] = [];
    const values = kept.map(({ start, column }) => {
      task.check();
      const { inclusive, divisor = 1, factor = 1 } = start;
      metrics.push(finalMetric(start, metricOf));
      const recorded = column.values.build(tree.size, finalOf, locationOf, divisor, factor, task);
      appendAll(warnings, sumWarnings(start.name, column.notFinite, recorded, start.additive));
      if (!inclusive) return recorded;
      const exclusive = exclusiveOf(tree, recorded, locations.length, task);
      appendAll(warnings, negativeExclusive(start.name, exclusive));
      return exclusive;
    });
    return {
      columns: { frames: this.frames, tree, locations, metrics: withOwnNames(metrics), values },
      final: { contextOf: finalOf, locationOf, metricOf },
      warnings,
    };
  }
}

/** Metrics are asked for by name: of several that are called the same all but the first get a number. */
function withOwnNames(metrics: readonly Metric[]): Metric[] {
  const taken = new Set(metrics.map(({ name }) => name));
  const seen = new Set<string>();
  return metrics.map((metric) => {
    let { name } = metric;
    for (let number = 2; seen.has(name) || (name !== metric.name && taken.has(name)); number++)
      name = `${metric.name} (${number})`;
    seen.add(name);
    return { ...metric, name };
  });
}

/** A metric without what only the builder needs, its references to others in final numbers. */
function finalMetric(start: MetricStart, metricOf: Int32Array): Metric {
  const refer = (to: number | undefined) => (to === undefined || metricOf[to] === NONE ? undefined : metricOf[to]);
  return {
    name: start.name,
    recordedName: start.recordedName,
    unit: start.unit,
    kind: start.kind,
    additive: start.additive,
    reducedOverRanks: start.reducedOverRanks,
    note: start.note,
    minimum: refer(start.minimum),
    maximum: refer(start.maximum),
    toolExclusive: refer(start.toolExclusive),
    ...(start.ofEvents ? { ofEvents: start.ofEvents } : {}),
  };
}
