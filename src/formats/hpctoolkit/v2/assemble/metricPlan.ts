import { location, type Location } from "../../../../model/locations";
import { appendAll } from "../../../../model/longLists";
import type { MetricStart } from "../../../profileBuilder";
import { namedMetric } from "../../metricUnits";
import { type Formula, parseFormula } from "./formula";
import type { Header, SummaryMetric, ThreadMetric } from "../scan/header";

/** How recorded numbers become exclusive ones that add up. */
export type Meaning =
  | "inclusive" // exclusive = inclusive − Σ children
  | "statements" // the tool's exclusive repeats those of statements at their procedures: only statements count
  | "asRecorded"; // stands once, where it was measured

/** A metric of the data set that adds up, made from one column of thread values or of the XML. */
export interface AdditivePlan {
  readonly start: MetricStart;
  readonly meaning: Meaning;
  /** Columns: of the value files, or numbers of metrics in the XML by location. */
  readonly columns: readonly { readonly column: number; readonly at: Location | undefined }[];
  /** The tool's own exclusive column, shown beside. */
  readonly tool?: { readonly start: MetricStart; readonly columns: AdditivePlan["columns"] };
}

/** A metric that is only shown: statistics over threads, and what formulas make of others. */
export interface ShownPlan {
  readonly start: MetricStart;
  readonly formula: Formula;
}

export interface MetricPlan {
  /** From value files. */
  readonly threads: readonly AdditivePlan[];
  /** From the XML. */
  readonly summaries: readonly AdditivePlan[];
  readonly shown: readonly ShownPlan[];
  /** Metrics whose values in the XML are needed. */
  readonly wanted: ReadonlySet<number>;
  readonly problems: readonly string[];
}

const SCOPE = / ?\((?:I|E)\)$/;
const STATISTIC = /:(Sum|Mean|Min|Max|StdDev|CfVar|CoefVar)$/;
/** `.[3,0]`: one column per thread, in databases that were made without summaries. */
const ONE_THREAD = /\.\[(\d{1,9}),(\d{1,9})\]$/;
/** GPU streams are numbered from here on among the threads. */
export const FIRST_STREAM = 500;

/**
 * Whose values stand beside the XML: of no thread; of all, so that the sums in the XML only repeat them; or of some, said in words
 * (`4 of 64 threads`), so that the sums are metrics of their own.
 */
export type Measured = "none" | "all" | { readonly some: string };

export function planMetrics(header: Header, measuredThreads: Measured): MetricPlan {
  const problems: string[] = [];
  const some = typeof measuredThreads === "object" ? measuredThreads.some : undefined;
  const threads = measuredThreads === "none" ? [] : threadPlans(header.threadMetrics, some, problems);
  const measured = new Set(threads.map(({ start }) => start.name));
  const summaries: AdditivePlan[] = [];
  const shown: ShownPlan[] = [];
  const taken = new Set<number>();
  for (const [base, group] of bySameQuantity(header.metrics)) {
    const sums = group.filter(({ statistic }) => statistic === "" || statistic === "Sum");
    const means = group.filter(({ statistic }) => statistic === "Mean");
    const chosen = sums.length > 0 ? sums : means;
    if (chosen.length === 0) continue;
    // Where a mean is computed (`$3 / $4`), what is stored for it is the sum, and the mean is shown beside.
    const computed = sums.length === 0 && means.every(({ metric }) => !isStored(metric));
    if (!computed) chosen.forEach(({ metric }) => taken.add(metric.id));
    if (!measured.has(namedMetric(base).name))
      appendAll(summaries, summaryPlan(base, chosen, sums.length === 0 && !computed));
  }
  const ofOrder = new Orders(header.metrics);
  for (const metric of header.metrics) {
    if (taken.has(metric.id) || !metric.shown) continue;
    const formula = parseFormula(metric.formula ?? `$${metric.id}`, (order) => ofOrder.find(order, metric));
    if ("wrong" in formula) problems.push(`the formula of ${metric.name} is left out: ${formula.wrong}`);
    else shown.push({ start: shownStart(metric), formula });
  }
  const wanted = new Set(shown.flatMap(({ formula }) => formula.metrics));
  for (const { columns, tool } of summaries)
    for (const { column } of [...columns, ...(tool?.columns ?? [])]) wanted.add(column);
  return { threads, summaries, shown, wanted, problems };
}

/** Whether the value of a metric is what is stored under its number. */
function isStored({ id, formula }: SummaryMetric): boolean {
  return formula === undefined || formula.trim() === `$${id}`;
}

/** Whether what is stored for a metric is a sum over threads. */
export function holdsSum(metric: SummaryMetric): boolean {
  const statistic = statisticOf(metric.name);
  return statistic === "" || statistic === "Sum" || (statistic === "Mean" && !isStored(metric));
}

/** Metrics by their order. */
class Orders {
  private readonly byOrder: ReadonlyMap<number | undefined, SummaryMetric>;
  private readonly byId: ReadonlyMap<number | undefined, SummaryMetric>;

  constructor(metrics: readonly SummaryMetric[]) {
    this.byOrder = new Map(metrics.map((metric) => [metric.order, metric]));
    this.byId = new Map(metrics.map((metric) => [metric.id, metric]));
  }

  /** The number of the metric of an order; in a formula of an exclusive metric its exclusive column, which has no order of its own. */
  find(order: number, { type }: SummaryMetric): number | undefined {
    const found = this.byOrder.get(order);
    const partner = this.byId.get(found?.partner);
    return (type === "exclusive" && partner?.type === "exclusive" ? partner : found)?.id;
  }
}

/** @param some which threads there are values of, where there are not all */
function threadPlans(metrics: readonly ThreadMetric[], some: string | undefined, problems: string[]): AdditivePlan[] {
  const columns = new Set<number>();
  const usable = metrics.filter(({ name, column }) => {
    if (columns.has(column)) problems.push(`${name} is left out: another metric has its column ${column}`);
    return !columns.has(column) && columns.add(column);
  });
  const byId = new Map(usable.map((metric) => [metric.id, metric]));
  // Databases of 2011 name no partners: there it is the column that has the name with the other ending.
  const key = (name: string, type: ThreadMetric["type"]) => `${type} ${name.replace(SCOPE, "")}`;
  const byName = new Map(usable.map((metric) => [key(metric.name, metric.type), metric]));
  const partnerOf = ({ partner, name, type }: ThreadMetric) =>
    partner === undefined ? byName.get(key(name, type === "inclusive" ? "exclusive" : "inclusive")) : byId.get(partner);
  const ofSome = ({ note, ...start }: MetricStart): MetricStart =>
    some === undefined
      ? { ...start, note }
      : { ...start, name: `${start.name} (${some})`, note: `Of ${some} only.${note === undefined ? "" : ` ${note}`}` };
  return usable.flatMap((metric) => {
    const partner = partnerOf(metric);
    if (metric.type === "exclusive" && partner?.type === "inclusive") return [];
    const at = [{ column: metric.column, at: undefined }];
    const exclusive = metric.type === "inclusive" && partner?.type === "exclusive" ? partner : undefined;
    return [
      {
        start: ofSome(additiveStart(metric.name, {})),
        meaning: meaningOf(metric.type),
        columns: at,
        tool: exclusive && {
          start: ofSome(toolStart(exclusive.name)),
          columns: [{ column: exclusive.column, at: undefined }],
        },
      },
    ];
  });
}

interface Grouped {
  readonly metric: SummaryMetric;
  readonly statistic: string;
  readonly at: Location;
}

/** `CPUTIME (usec):Sum (I)` → `CPUTIME (usec)`. */
export function baseOf(name: string): string {
  return wholeOf(name).replace(STATISTIC, "");
}

/** `CPUTIME (usec):Sum (I)` → `Sum`; empty where the name has none. */
function statisticOf(name: string): string {
  return STATISTIC.exec(wholeOf(name))?.[1] ?? "";
}

/** Over all threads. */
function wholeOf(name: string): string {
  return name.replace(SCOPE, "").replace(ONE_THREAD, "");
}

/** Stored columns of the XML by the quantity that they are of. */
function bySameQuantity(metrics: readonly SummaryMetric[]): Map<string, Grouped[]> {
  const groups = new Map<string, Grouped[]>();
  for (const metric of metrics) {
    if (metric.derived || metric.view || !metric.shown) continue;
    const thread = ONE_THREAD.exec(metric.name.replace(SCOPE, ""));
    const statistic = statisticOf(metric.name);
    const base = baseOf(metric.name);
    const at = thread ? threadLocation(Number(thread[1]), Number(thread[2])) : location({});
    const group = groups.get(base) ?? [];
    groups.set(base, group);
    group.push({ metric, statistic, at });
  }
  return groups;
}

function summaryPlan(base: string, group: readonly Grouped[], averaged: boolean): AdditivePlan[] {
  const of = (type: SummaryMetric["type"]) => group.filter(({ metric }) => metric.type === type);
  const columnsOf = (some: readonly Grouped[]) => some.map(({ metric, at }) => ({ column: metric.id, at }));
  const main = (["inclusive", "nil", "exclusive"] as const).map(of).find((some) => some.length > 0) ?? [];
  const [{ metric, statistic }] = main;
  const exclusive = metric.type === "inclusive" ? of("exclusive") : [];
  const recordedName = metric.name;
  const start = additiveStart(base, {
    recordedName,
    reducedOverRanks: statistic !== "",
    note: averaged ? "The database has no sum over threads: these are averages." : undefined,
  });
  const tool = exclusive.length === 0 ? undefined : toolStart(`${base} (E)`, statistic !== "");
  return [
    {
      start,
      meaning: meaningOf(metric.type),
      columns: columnsOf(main),
      tool: tool && { start: { ...tool, recordedName: exclusive[0].metric.name }, columns: columnsOf(exclusive) },
    },
  ];
}

/** The place of values of one thread of one process. */
export function threadLocation(rank: number, thread: number): Location {
  return thread >= FIRST_STREAM ? location({ rank, stream: thread }) : location({ rank, thread });
}

function meaningOf(type: SummaryMetric["type"]): Meaning {
  return type === "inclusive" ? "inclusive" : type === "exclusive" ? "statements" : "asRecorded";
}

function additiveStart(recordedName: string, more: Partial<MetricStart>): MetricStart {
  const { kind, ...named } = namedMetric(recordedName.replace(SCOPE, ""));
  return { recordedName, additive: true, reducedOverRanks: false, ...named, kind, ...more };
}

function toolStart(recordedName: string, reducedOverRanks = false): MetricStart {
  const note = "The tool's own exclusive values: those of statements stand at their loop and procedure again.";
  return { ...namedMetric(recordedName), recordedName, additive: false, reducedOverRanks, note };
}

function shownStart({ name, description, derived, view, percent }: SummaryMetric): MetricStart {
  const named = namedMetric(name);
  const ratio = STATISTIC.exec(name.replace(SCOPE, ""))?.[1].endsWith("Var") ?? false;
  const base: MetricStart = {
    ...(percent || ratio ? { name: named.name, unit: percent ? "%" : "1", kind: "rate" as const } : named),
    recordedName: name,
    additive: false,
    reducedOverRanks: !derived && !view,
    note: description === "" ? undefined : description,
  };
  return (derived || view) && base.unit === "1" ? { ...base, kind: "rate" } : base;
}
