import type { Warning } from "../../../../model/dataSet";
import { location, type Location } from "../../../../model/locations";
import { NO_REGION } from "../../../../model/frames";
import { NONE } from "../../../../model/ids";
import type { Task } from "../../../../model/task";
import type { ProfileBuilder } from "../../../profileBuilder";
import type { AdditivePlan, MetricPlan, ShownPlan } from "./metricPlan";
import { type ExclusiveScratch, exclusiveScratch } from "../scan/nodes";
import type { NodeValues, Tree } from "../scan/tree";

/** Values over the whole program may differ from those of its parts by so much of them through printing, and through adding. */
const PRINTED = 1e-5;
const ADDED = 1e-9;
/** Steps between two checks for a cancel. */
const CHECK_EVERY = 1 << 16;
const MOST_LOGS = 64;
/** Formulas must not make far more values than the file has. */
const MOST_COMPUTED_PER_VALUE = 16;

/** A plan with the numbers of its metrics in the builder. */
export interface Declared {
  readonly plan: AdditivePlan;
  readonly metric: number;
  readonly tool: number;
}

/** Declares what adds up. @param sumsFirst the sums of the XML stand before the values of threads */
export function declare(
  { threads, summaries }: MetricPlan,
  builder: ProfileBuilder,
  sumsFirst: boolean,
): { readonly threads: Declared[]; readonly summaries: Declared[] } {
  const all = declareAll(sumsFirst ? [...summaries, ...threads] : [...threads, ...summaries], builder);
  const first = all.splice(0, sumsFirst ? summaries.length : threads.length);
  return sumsFirst ? { threads: all, summaries: first } : { threads: first, summaries: all };
}

function declareAll(plans: readonly AdditivePlan[], builder: ProfileBuilder): Declared[] {
  let next = 0;
  // Chunks of a log are large: not for thousands of metrics with a handful of values each.
  const oncePerCell = plans.length <= MOST_LOGS;
  return plans.map((plan) => {
    // The metric itself stands first, and refers to what is declared right behind it.
    const metric = builder.metric({ ...plan.start, oncePerCell, toolExclusive: plan.tool ? next + 1 : undefined });
    const tool = plan.tool ? builder.metric({ ...plan.tool.start, oncePerCell }) : NONE;
    next += plan.tool ? 2 : 1;
    return { plan, metric, tool };
  });
}

/** Turns columns over nodes into exclusive values of contexts. */
export class NodeValueAdder {
  readonly warnings: Warning[] = [];
  private readonly scratch: ExclusiveScratch;

  constructor(
    private readonly tree: Tree,
    private readonly builder: ProfileBuilder,
    private readonly task: Task,
  ) {
    this.scratch = exclusiveScratch(tree.nodes);
  }

  /** Adds a metric that adds up. @param recorded one value per node; used up */
  additive({ plan, metric }: Declared, place: number, recorded: Float64Array, printed: boolean): void {
    const { nodes } = this.tree;
    const whole = recorded[0];
    if (plan.meaning === "inclusive") nodes.subtractChildren(recorded, this.scratch);
    else if (plan.meaning === "statements") this.keepStatements(recorded);
    this.plain(metric, place, recorded);
    const rest = recorded[0];
    // What the whole program has beyond its roots; for other meanings it only repeats what stands below.
    if (plan.meaning !== "inclusive" || Math.abs(rest) <= Math.abs(whole) * (printed ? PRINTED : ADDED)) return;
    if (!Number.isFinite(rest)) return;
    const frame = this.builder.frames.intern({ name: NO_REGION, kind: "region", origin: "outside" });
    this.builder.add(metric, this.builder.tree.child(NONE, frame), place, rest);
  }

  /** Adds values as they are, at every context. */
  plain(metric: number, place: number, values: Float64Array): void {
    const contexts = this.tree.nodes.context.values;
    for (let node = 1; node < this.tree.nodes.size; node++) {
      if (node % CHECK_EVERY === 0) this.task.check();
      if (values[node] !== 0) this.builder.add(metric, contexts[node], place, values[node]);
    }
  }

  private keepStatements(recorded: Float64Array): void {
    const { nodes } = this.tree;
    const inner = new Uint8Array(nodes.size);
    for (let node = 1; node < nodes.size; node++) inner[nodes.parent.values[node]] = 1;
    for (let node = 0; node < nodes.size; node++) if (inner[node]) recorded[node] = 0;
  }
}

/** Adds what the XML itself has. @returns what a user should know */
export function addSummaries(
  plan: MetricPlan,
  declared: readonly Declared[],
  tree: Tree,
  builder: ProfileBuilder,
  task: Task,
): Warning[] {
  const adder = new NodeValueAdder(tree, builder, task);
  const scratch = new Float64Array(tree.nodes.size);
  const columnOf = (metric: number): Float64Array | undefined => {
    const values = tree.values.get(metric);
    if (values === undefined || values.nodes.length === 0) return undefined;
    values.spread(scratch);
    return scratch;
  };
  for (const one of declared) {
    for (const { column, at } of one.plan.tool?.columns ?? []) {
      const values = columnOf(column);
      if (values) adder.plain(one.tool, placeOf(builder, at), values);
    }
    for (const { column, at } of one.plan.columns) {
      const values = columnOf(column);
      if (values) adder.additive(one, placeOf(builder, at), values, true);
    }
  }
  return [...adder.warnings, ...addShown(plan.shown, tree, builder, task)];
}

function placeOf(builder: ProfileBuilder, at: Location | undefined): number {
  return builder.location(at ?? location({}));
}

/** Formulas over the sums of all nodes of a context, so that a ratio is one of sums. */
function addShown(plans: readonly ShownPlan[], tree: Tree, builder: ProfileBuilder, task: Task): Warning[] {
  const warnings: Warning[] = [];
  let stored = 0;
  for (const { nodes } of tree.values.values()) stored += nodes.length;
  let allowed = MOST_COMPUTED_PER_VALUE * (stored + CHECK_EVERY);
  const rowOf = new Int32Array(builder.tree.size);
  for (const { start, formula } of plans) {
    task.check();
    const inputs = formula.metrics.map((metric) => tree.values.get(metric));
    const rows = rowsOf(inputs, tree, rowOf);
    allowed -= rows * inputs.length;
    if (allowed < 0) {
      warnings.push({ message: `${start.name} is left out: its formula needs far more values than the file has` });
      continue;
    }
    const metric = builder.metric(start);
    const place = builder.location(location({}));
    const contexts = tree.nodes.context.values;
    const whole = new Float64Array(inputs.length);
    const here = new Float64Array(rows * inputs.length);
    const contextOf = new Int32Array(rows);
    inputs.forEach((input, slot) =>
      input?.each((node, value) => {
        if (node === 0) {
          whole[slot] += value;
          return;
        }
        const row = rowOf[contexts[node]];
        contextOf[row] = contexts[node];
        here[row * inputs.length + slot] += value;
      }),
    );
    for (let row = 0; row < rows; row++) {
      if (row % CHECK_EVERY === 0) task.check();
      const value = formula.evaluate(here.subarray(row * inputs.length, (row + 1) * inputs.length), whole);
      if (value !== 0) builder.add(metric, contextOf[row], place, value);
    }
  }
  return warnings;
}

/** Numbers the contexts that have any of these values. @returns how many there are */
function rowsOf(inputs: readonly (NodeValues | undefined)[], tree: Tree, rowOf: Int32Array): number {
  rowOf.fill(NONE);
  let rows = 0;
  for (const input of inputs)
    input?.each((node) => {
      const context = tree.nodes.context.values[node];
      if (node !== 0 && rowOf[context] === NONE) rowOf[context] = rows++;
    });
  return rows;
}
