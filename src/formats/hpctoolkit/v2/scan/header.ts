import { damagedFile, FormatError } from "../../../../model/errors";

type Attributes = Readonly<Record<string, string>>;

/** Values of `show`: not at first, and never; the tool has both for what only formulas need. */
const HIDDEN: ReadonlySet<string> = new Set(["0", "4"]);
/** Far more than any tool measures; each takes some room of its own. */
const MOST_METRICS = 1 << 12;

/** A column of values in the XML itself: a summary over threads, one thread's values, or computed from others. */
export interface SummaryMetric {
  readonly id: number;
  readonly name: string;
  readonly type: "inclusive" | "exclusive" | "nil";
  /** The inclusive or exclusive column of the same quantity. */
  readonly partner?: number;
  readonly derived: boolean;
  /** Hidden ones only serve the formulas of others. */
  readonly shown: boolean;
  /** Its number among the metrics as they were measured, which formulas of kind `view` name; its exclusive column has none. */
  readonly order?: number;
  /** Its values are printed as percent. */
  readonly percent: boolean;
  readonly description?: string;
  /** What makes the shown value of the stored ones. */
  formula?: string;
  /** It is made of other metrics, whatever is stored under its own number. */
  view?: boolean;
}

/** A column of the value files, one value per thread. */
export interface ThreadMetric {
  readonly id: number;
  readonly name: string;
  readonly type: "inclusive" | "exclusive" | "nil";
  readonly partner?: number;
  /** Column in each file. */
  readonly column: number;
}

export interface Procedure {
  readonly name: string;
  /** Threads do nothing in it: the tool's own stand-in for time without activity. */
  readonly idle: boolean;
}

/** What stands before the tree. */
export class Header {
  version = "";
  title = "";
  readonly metrics: SummaryMetric[] = [];
  readonly threadMetrics: ThreadMetric[] = [];
  /** Clock of the traces: units per second, first and last time. */
  trace: { readonly perSecond: number; readonly minimum?: bigint } | undefined;
  readonly modules = new Map<string, string>();
  readonly files = new Map<string, string>();
  readonly procedures = new Map<string, Procedure>();
  private readonly ids = new Set<number>();

  constructor(
    private readonly file: string,
    private readonly lineOf: () => number,
  ) {}

  /** @returns false for an element that is none of the header's */
  open(name: string, attributes: Attributes): boolean {
    const { i, n = "" } = attributes;
    switch (name) {
      case "HPCToolkitExperiment":
        this.version = attributes.version ?? "";
        this.checkVersion();
        return true;
      case "Header":
        this.title = n;
        return true;
      case "Metric":
        this.metric(attributes);
        return true;
      case "MetricFormula":
        if (attributes.t !== "combine") this.formula(attributes.frm, attributes.t === "view");
        return true;
      case "MetricDB":
        if (this.threadMetrics.length === MOST_METRICS)
          throw this.problem(`more than ${MOST_METRICS} metrics`, "a table of metrics");
        this.threadMetrics.push({
          id: this.number(i, "i of a MetricDB"),
          name: n,
          type: typeOf(attributes.t, n),
          partner: this.optional(attributes.partner),
          column: this.number(attributes["db-id"] ?? i, "db-id of a MetricDB"),
        });
        return true;
      case "TraceDB":
        this.trace = {
          perSecond: this.unitsPerSecond(attributes.u),
          minimum: time(attributes["db-min-time"]),
        };
        return true;
      case "LoadModule":
        this.modules.set(this.key(i), n);
        return true;
      case "File":
        this.files.set(this.key(i), n);
        return true;
      case "Procedure":
        this.procedures.set(this.key(i), { name: n, idle: n === "<no activity>" });
        return true;
      default:
        return false;
    }
  }

  problem(found: string, expected: string): FormatError {
    return damagedFile(this.file, { line: this.lineOf() }, found, expected, "copy it again, or run hpcprof again");
  }

  private checkVersion(): void {
    if (/^2\.\d+$/.test(this.version)) return;
    const [found, expected] = [`version "${this.version}"`, "a database of version 2"];
    if (!/^\d+(\.\d+)*$/.test(this.version)) throw this.problem(found, expected);
    const instead =
      "run hpcprof of HPCToolkit 2022.10 or later on the measurements, and open the meta.db that it writes";
    const advice = `Not supported: version ${this.version}; ${instead}.`;
    throw new FormatError({ file: this.file, at: { line: this.lineOf() }, found, expected, advice });
  }

  private metric(attributes: Attributes): void {
    const id = this.number(attributes.i, "i of a Metric");
    if (this.ids.has(id)) throw this.problem(`metric ${id} a second time`, "a number of its own for each metric");
    if (this.ids.size === MOST_METRICS) throw this.problem(`more than ${MOST_METRICS} metrics`, "a table of metrics");
    this.ids.add(id);
    const { n = "", t, show = "1", fmt = "" } = attributes;
    this.metrics.push({
      id,
      name: n,
      type: typeOf(t, n),
      partner: this.optional(attributes.partner),
      derived: attributes.v === "derived",
      shown: !HIDDEN.has(show),
      order: this.optional(attributes.o),
      percent: /%%\s*$/.test(fmt),
      description: attributes.md,
    });
  }

  private formula(text: string | undefined, view: boolean): void {
    const metric = this.metrics.at(-1);
    if (metric === undefined || text === undefined || (metric.view && !view)) return;
    metric.formula = text;
    metric.view = view;
  }

  private key(id: string | undefined): string {
    if (id === undefined) throw this.problem("a table entry without i", "a number for each entry");
    return id;
  }

  private number(text: string | undefined, what: string): number {
    const value = text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(value)) throw this.problem(text === undefined ? `no ${what}` : `${what} "${text}"`, "a number");
    return value;
  }

  private optional(text: string | undefined): number | undefined {
    return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  }

  private unitsPerSecond(text: string | undefined): number {
    // Databases before 2.2 do not say: they count microseconds.
    const value = text === undefined ? 1e6 : Number(text);
    if (!(value >= 1 && value <= 1e18)) throw this.problem(`a trace clock of "${text}" a second`, "units per second");
    return value;
  }
}

/** Databases of 2011 do not say what a column is but in its name: `WALLCLOCK (us) (I)`. */
function typeOf(text: string | undefined, name: string): SummaryMetric["type"] {
  if (text === undefined) return name.endsWith("(I)") ? "inclusive" : name.endsWith("(E)") ? "exclusive" : "nil";
  return text === "inclusive" || text === "exclusive" ? text : "nil";
}

function time(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\d{1,20}$/.test(text) ? BigInt(text) : undefined;
}
