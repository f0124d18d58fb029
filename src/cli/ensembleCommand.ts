/** `heatflow ensemble`: many runs as one graph, what they have in common and what differs, as JSON or as tables (semantics 10). */
import path from "node:path";
import type { DataSetInfo, Engine, EnsembleValue, RunsCsvQuery, ScalingKind } from "../engine/api";
import type { LocalEngine } from "../engine/localEngine";
import { csvRows } from "../engine/ensembles/runsCsv";
import { USUAL_BINS } from "../engine/ensembles/usualBins";
import { RequestError } from "../model/errors";
import { groupings } from "../supergraph/query";
import { ArgumentError, parseArguments, percentOf, wordOf } from "./arguments";
import type { EnsembleAnswer } from "./ensembleAnswer";
import { writeRunsTable } from "./ensembleCsv";
import { ensembleJson } from "./ensembleJson";
import { type PivotOptions, pivotsOf } from "./ensemblePivot";
import { ensembleTables } from "./ensembleTables";
import { barLimit } from "./graphCommand";
import { numberOptions, overArgument } from "./numberOptions";
import { dataRequest, metricNamed, openData } from "./openData";
import { operationArgument } from "./operations";
import type { Output } from "./output";
import { type PresenceOptions, presenceOf, runsNamed } from "./runPresence";
import { sourceFolders } from "./sourceFolders";
import { warningText } from "../model/warningTexts";

interface EnsembleRequest {
  readonly wide: boolean;
  /** `--csv`: what is printed instead of {@link text}. @param warn gets what a reader of the table should know */
  readonly writeCsv?: (engine: LocalEngine, output: Output, warn: (message: string) => void) => Promise<void>;
  run(engine: Engine): Promise<EnsembleAnswer>;
  /** @param width of the terminal; undefined: names are whole */
  text(answer: EnsembleAnswer, width?: number): string;
}

/** @throws ArgumentError */
export function ensembleArguments(args: readonly string[], workingFolder: string): EnsembleRequest {
  const { values, positionals } = parseArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      ...numberOptions,
      over: { type: "string", default: "mean" },
      filter: { type: "string" },
      "group-by": { type: "string" },
      op: { type: "string", multiple: true },
      bins: { type: "string" },
      pattern: { type: "string" },
      columns: { type: "string" },
      first: { type: "boolean", default: false },
      scaling: { type: "string" },
      diff: { type: "string" },
      commits: { type: "string" },
      csv: { type: "boolean", default: false },
      rows: { type: "string" },
      value: { type: "string" },
      pivot: { type: "string" },
      function: { type: "string" },
      "only-in": { type: "string" },
      "missing-in": { type: "string" },
    },
  } as const);
  const { pattern, scaling } = values;
  // `--scaling ranks weak`: the word stands behind the parameter, where a file's name might.
  const kinds = scaling === undefined ? [] : kindAfter(args, scaling);
  const data = positionals.filter((one) => kinds.length === 0 || one !== kinds[0]);
  const request = {
    ...dataRequest("ensemble", data, values, workingFolder),
    ensemble: pattern === undefined ? {} : { pattern },
  };
  const over = overArgument(values.over);
  const filter = percentOf(values.filter ?? "0", "--filter");
  const groupBy = values["group-by"] === undefined ? "default" : wordOf(values["group-by"], groupings, "--group-by");
  if (groupBy === "map") throw new ArgumentError("--group-by map: an ensemble is not grouped by a map here");
  const operations = (values.op ?? []).map(operationArgument);
  const { bins: binsText = String(USUAL_BINS) } = values;
  if (!/^[1-9]\d{0,2}$/.test(binsText))
    throw new ArgumentError(`--bins takes a number from 1 to 999, not '${binsText}'`);
  const bins = Number(binsText);
  const columns = values.columns === undefined ? undefined : listOf(values.columns);
  if (columns?.includes("") === true)
    throw new ArgumentError("--columns takes names A,B,…, with \\, for a comma in one");
  const sides = values.diff === undefined ? undefined : sidesOf(values.diff);
  const repository = values.commits === undefined ? undefined : path.resolve(workingFolder, values.commits);
  const sources = sourceFolders(values.source, workingFolder);
  const table = csvOptions(values);
  const pivot = pivotOptions(values);
  const presence = { "only-in": runsOption(values, "only-in"), "missing-in": runsOption(values, "missing-in") };
  const open = async (engine: Engine) => {
    await engine.configure({ folders: sources, sourceMap: {} });
    const [info] = await openData(engine, request);
    const scope = { dataSet: info.id, metric: metricOf(info, values.metric), over };
    const runs = await engine.ensembleRuns(scope);
    if (typeof over !== "string" && runs.runs.every(({ total }) => Number.isNaN(total)))
      throw new ArgumentError(`--over: no run has rank ${over.rank}`);
    return { info, scope, runs };
  };
  return {
    wide: values.wide,
    ...(table && {
      async writeCsv(engine, output, warn) {
        const { info, scope, runs } = await open(engine);
        for (const warning of [...info.warnings.map(warningText), ...runs.notes]) warn(warning);
        await writeRunsTable(engine, { scope, ...table, presence: presenceOf(runs, presence) }, runs, output);
      },
    }),
    async run(engine) {
      const { info, scope, runs } = await open(engine);
      const mostBars = barLimit(groupBy, operations);
      const graph = await engine.ensembleGraph({ scope, filter, groupBy, operations, mostBars, bins, withRuns: true });
      const callSites = await engine.ensembleCallSites({ scope, presence: presenceOf(runs, presence) });
      const parameters = await engine.ensembleParameters(scope);
      const projection = await engine.ensembleProjection({ scope, ...(columns ? { columns } : {}) });
      const scaled =
        scaling === undefined
          ? undefined
          : await engine.ensembleScaling({
              scope,
              parameter: scaling,
              ...(kinds.length > 0 ? { kind: kinds[0] } : {}),
            });
      const sets = sides?.map((side) => runsNamed(runs, side, "--diff"));
      const differences =
        sets &&
        (await engine.ensembleDifferences({
          scope,
          value: "exclusive",
          linked: Infinity,
          baseline: sets[0],
          candidate: sets[1],
        }));
      const pivots = pivot && (await pivotsOf(engine, scope, runs, pivot));
      const commits = repository === undefined ? undefined : await historyOf(engine, repository);
      const changes = commits && (await engine.ensembleCommits({ scope, commits }));
      return {
        info,
        scope,
        bins,
        runs,
        graph,
        callSites,
        parameters,
        projection,
        sources,
        first: values.first,
        ...(scaled ? { scaling: scaled } : {}),
        ...(differences ? { differences } : {}),
        ...(changes ? { changes } : {}),
        ...(pivots ? { pivots } : {}),
        warnings: [...info.warnings.map(warningText), ...graph.notes],
      };
    },
    text: values.json ? ensembleJson : ensembleTables,
  };
}

/** Options of what a table of runs has no part of. */
const notOfCsv = [
  "json",
  "filter",
  "bins",
  "group-by",
  "op",
  "columns",
  "first",
  "scaling",
  "diff",
  "commits",
  "pivot",
] as const;

/** What `--csv` writes; undefined without it. @throws ArgumentError */
function csvOptions({
  csv,
  rows,
  value,
  ...others
}: Readonly<Partial<Record<(typeof notOfCsv)[number], unknown>>> & {
  readonly csv: boolean;
  readonly rows?: string;
  readonly value?: string;
}): Pick<RunsCsvQuery, "rows" | "value"> | undefined {
  if (!csv) {
    if (rows !== undefined) throw new ArgumentError("--rows is of --csv");
    return undefined;
  }
  const beside = notOfCsv.find((name) => others[name] !== undefined && others[name] !== false);
  if (beside !== undefined)
    throw new ArgumentError(`--csv is the table of runs and nothing else: leave --${beside} out`);
  return {
    rows: wordOf(rows ?? "contexts", csvRows, "--rows"),
    value: valueOption(value),
  };
}

function valueOption(text = "exclusive"): EnsembleValue {
  return wordOf(text, ["exclusive", "inclusive"], "--value");
}

/** `--pivot ROWS,COLUMNS`, and of which function; undefined without it. @throws ArgumentError */
function pivotOptions(values: {
  readonly csv: boolean;
  readonly pivot?: string;
  readonly function?: string;
  readonly value?: string;
}): PivotOptions | undefined {
  if (values.pivot === undefined) {
    if (values.function !== undefined) throw new ArgumentError("--function is of --pivot");
    if (values.value !== undefined && !values.csv) throw new ArgumentError("--value is of --csv and --pivot");
    return undefined;
  }
  const names = listOf(values.pivot);
  if (names.length !== 2 || names.includes(""))
    throw new ArgumentError(
      `--pivot takes two parameters ROWS,COLUMNS, with \\, for a comma in one, not '${values.pivot}'`,
    );
  return {
    down: names[0],
    along: names[1],
    value: valueOption(values.value),
    ...(values.function === undefined ? {} : { function: values.function }),
  };
}

const scalingKinds: readonly ScalingKind[] = ["weak", "strong"];

/** The word behind a parameter that says how runs scale. */
function kindAfter(args: readonly string[], parameter: string): ScalingKind[] {
  const at = args.findIndex(
    (arg, index) => arg === `--scaling=${parameter}` || (arg === parameter && args[index - 1] === "--scaling"),
  );
  const next = at < 0 ? undefined : args[at + 1];
  return scalingKinds.filter((kind) => kind === next);
}

/** Names between commas; `\\,` is a comma of a name. */
function listOf(text: string): string[] {
  const names: string[] = [""];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "\\" && text[at + 1] === ",") names[names.length - 1] += text[++at];
    else if (text[at] === ",") names.push("");
    else names[names.length - 1] += text[at];
  }
  return names;
}

/** Names of runs, or globs of them; none where the option is not given. @throws ArgumentError */
function runsOption(
  values: Readonly<Partial<Record<keyof PresenceOptions, string>>>,
  option: keyof PresenceOptions,
): readonly string[] {
  const text = values[option];
  const patterns = text === undefined ? [] : listOf(text);
  if (patterns.includes(""))
    throw new ArgumentError(`--${option} takes names of runs or globs, with \\, for a comma in one`);
  return patterns;
}

/** `BASELINE,CANDIDATE`. @throws ArgumentError */
export function sidesOf(text: string): readonly [string, string] {
  const sides = listOf(text);
  if (sides.length !== 2 || sides.includes(""))
    throw new ArgumentError(
      `--diff takes BASELINE,CANDIDATE, each the name of a run or a glob of several, with \\, for a comma in it, not '${text}'`,
    );
  return [sides[0], sides[1]];
}

/** @throws ArgumentError where git knows no history of the folder */
function historyOf(engine: Engine, repository: string): Promise<readonly string[]> {
  return engine.commitHistory({ folders: [repository] }).catch((error: Error) => {
    throw new ArgumentError(`--commits takes the folder of a git repository: ${error.message}`);
  });
}

function metricOf(info: DataSetInfo, name: string | undefined): number {
  if (name !== undefined) return metricNamed(info, name);
  if (info.defaultMetric < 0) throw new RequestError(`${info.name}: no metric of these runs adds up`);
  return info.defaultMetric;
}
