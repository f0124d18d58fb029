/** `heatflow overview`: the significant partitions of a trace, or of a microscopic model, and what in it is unlike the rest (semantics 11). */
import fs from "node:fs";
import path from "node:path";
import type { Readable } from "node:stream";
import type {
  Engine,
  Overview,
  OverviewHierarchy,
  OverviewKind,
  OverviewMetric,
  OverviewQuery,
  OverviewStart,
} from "../engine/api";
import { overviewOfModel } from "../engine/overview/keptOverviews";
import { hierarchyOfFile, hierarchyOfRule } from "../engine/overview/hierarchyText";
import { THRESHOLD, overviewJson, type WrittenOverview } from "../engine/overview/overviewJson";
import { overviewOf } from "../engine/overview/overview";
import { pipedOverview } from "../engine/overview/pipedOverview";
import type { Warning } from "../model/dataSet";
import { messageOf, RequestError } from "../model/errors";
import { quietTask } from "../model/task";
import { counted } from "../model/texts";
import { formatShare, formatStretch } from "../model/units";
import { withEscapes } from "../model/unseen";
import { warningText } from "../model/warningTexts";
import { ArgumentError, parseArguments, wordOf } from "./arguments";
import { type ModelFile, readModel } from "./modelFile";
import { columns, dataOptions, dataRequest, onlyOne, openData } from "./openData";

const kinds: readonly OverviewKind[] = ["spatiotemporal", "temporal", "hierarchical"];
const metrics: readonly OverviewMetric[] = ["duration", "mean", "count"];
const VARIABLE = "variable=";
const EVERY = "every ";
/** Slices unless said, as Ocelotl has them. */
const SLICES = { spatiotemporal: "30", temporal: "100", hierarchical: "30" } as const;

/** Options that say what of a recording the model is made of. */
const ofDataOnly = ["as", "slices", "group", "hierarchy", "metric", "states", "from", "to"] as const;

type AskedOverview = Omit<OverviewQuery, "dataSet">;

interface OverviewAnswer {
  readonly overview: WrittenOverview;
  readonly kind: OverviewKind;
  readonly normalize: boolean;
  readonly threshold: number;
  readonly metric: string;
  readonly warnings: readonly string[];
}

interface OverviewRequest {
  run(engine: Engine): Promise<OverviewAnswer>;
  text(answer: OverviewAnswer): string;
}

/** @param input what `-` stands for @throws ArgumentError */
export function overviewArguments(
  args: readonly string[],
  workingFolder: string,
  input: () => Readable = () => process.stdin,
): OverviewRequest {
  const { values, positionals } = parseArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      as: dataOptions.as,
      slices: { type: "string" },
      kind: { type: "string" },
      normalize: { type: "boolean", default: false },
      group: { type: "string" },
      hierarchy: { type: "string" },
      metric: { type: "string" },
      states: { type: "string" },
      from: { type: "string" },
      first: { type: "boolean", default: false },
      to: { type: "string" },
      model: { type: "string" },
      json: { type: "boolean", default: false },
    },
  } as const);
  const text = values.json ? ({ overview, ...asked }: OverviewAnswer) => overviewJson(overview, asked) : overviewTable;
  const kind = wordOf(values.kind ?? "spatiotemporal", kinds, "--kind");
  if (values.model !== undefined) {
    if (positionals.length > 0) throw new ArgumentError("overview reads DATA or --model FILE, not both");
    const refused = ofDataOnly.find((option) => values[option] !== undefined);
    if (values.first) throw new ArgumentError("--first applies to DATA only: a model already has a hierarchy");
    if (refused !== undefined)
      throw new ArgumentError(`--${refused} applies to DATA only: a model already has slices, states and a hierarchy`);
    const file = readModel(readFile(path.resolve(workingFolder, values.model), "--model"), values.model);
    const normalize = values.normalize || file.normalize === true;
    return { run: () => Promise.resolve(ofModel({ ...file, normalize }, kind)), text };
  }
  const data = dataRequest("overview", positionals, { hierarchy: "combined", as: values.as }, workingFolder);
  if (values.group !== undefined && values.hierarchy !== undefined)
    throw new ArgumentError("--group and --hierarchy: one of them says which resources belong together, not both");
  const grouped = (["group", "hierarchy"] as const).find((option) => values[option] !== undefined);
  if (values.first && grouped !== undefined)
    throw new ArgumentError(`--first and --${grouped} both choose the groups of resources. Leave out one of them`);
  const query: AskedOverview = {
    kind,
    normalize: values.normalize,
    ...metricArgument(values.metric ?? "duration"),
    slices: slicesArgument(values.slices ?? SLICES[kind]),
    hierarchy: values.first ? { kind: "first" } : hierarchyArgument(values, workingFolder),
    ...(values.states === undefined ? {} : { stateType: values.states }),
    ...(values.from === undefined ? {} : { fromSeconds: secondsArgument(values.from, "--from") }),
    ...(values.to === undefined ? {} : { toSeconds: secondsArgument(values.to, "--to") }),
  };
  const [first, ...others] = positionals;
  if (first === "-" && others.length > 0) throw new ArgumentError("overview reads standard input or files, not both");
  if (first === "-") {
    const run = async () => {
      const { overview, warnings } = await pipedOverview(input(), query, quietTask);
      return answerOf(overview, query, warnings);
    };
    return { run, text };
  }
  return {
    async run(engine) {
      const info = onlyOne(await openData(engine, data));
      const isChosen = !values.first || values.metric !== undefined;
      const start = isChosen ? {} : await engine.overviewStart({ ...query, dataSet: info.id });
      const asked = { ...query, ...start };
      return answerOf(await engine.overview({ ...asked, dataSet: info.id }), asked, info.warnings);
    },
    text,
  };
}

function answerOf(overview: Overview, query: AskedOverview, warnings: readonly Warning[]): OverviewAnswer {
  const { kind, normalize, variable } = query;
  const metric = variable === undefined ? query.metric : `${VARIABLE}${variable}`;
  return { overview, kind, normalize, metric, threshold: THRESHOLD, warnings: warnings.map(warningText) };
}

/** Nodes and states of a model have numbers, and its time is counted in slices. */
function ofModel({ model, normalize = false, threshold = THRESHOLD }: ModelFile, kind: OverviewKind): OverviewAnswer {
  const parents = Array.from(model.parents);
  const named = {
    ...model,
    nodes: parents.map((parent, node) => ({ name: `${node}`, parent })),
    fromSeconds: 0,
    toSeconds: model.slices,
    names: Array.from({ length: model.states }, (_, state) => `${state}`),
    uncoveredSeconds: 0,
    amounts: model.values,
    counts: model.values,
    kinds: [],
    variables: [],
    stateTypes: [],
    stateType: "",
    allLeaves: model.leaves,
  };
  const overview = overviewOf(kind, overviewOfModel(named, { kind, normalize, threshold }), quietTask);
  const nodes = parents.map((parent, node) => ({ name: node, parent }));
  return {
    overview: { ...overview, nodes, states: named.names.map(Number) },
    kind,
    normalize,
    threshold,
    metric: "duration",
    warnings: [],
  };
}

function hierarchyArgument(
  { group, hierarchy }: { readonly group?: string; readonly hierarchy?: string },
  workingFolder: string,
): OverviewHierarchy {
  try {
    if (group !== undefined) return hierarchyOfRule(group);
    if (hierarchy === undefined) return { kind: "recorded" };
    return hierarchyOfFile(readFile(path.resolve(workingFolder, hierarchy), "--hierarchy"), hierarchy);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new ArgumentError(`${group === undefined ? "--hierarchy" : "--group"}: ${error.message}`);
  }
}

/** `variable=NAME`, or one of the words. */
function metricArgument(text: string): Pick<OverviewQuery, "metric" | "variable"> {
  const name = text.startsWith(VARIABLE) ? text.slice(VARIABLE.length) : "";
  if (name !== "") return { metric: "variable", variable: name };
  return { metric: wordOf(text, metrics, "--metric") };
}

function readFile(file: string, option: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    throw new ArgumentError(`${option}: ${messageOf(error)}`);
  }
}

function slicesArgument(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new ArgumentError(`--slices takes a number from 1 to 10000, not '${text}'`);
  return Number(text);
}

function secondsArgument(text: string, option: string): number {
  const seconds = text.trim() === "" ? NaN : Number(text);
  if (!Number.isFinite(seconds)) throw new ArgumentError(`${option} takes seconds of the run, not '${text}'`);
  return seconds;
}

const HIERARCHIES: ReadonlyMap<string, string> = new Map([
  ["recorded", "resources as recorded"],
  ["hosts", "resources by the hosts that they name"],
  ["none", "resources in no groups"],
]);

/** `at first 144 parts (p 0.04980, 8.72 % lost), groups of 8, found in the data` */
function startLines(first: OverviewStart | undefined): string[] {
  if (!first) return [];
  const { p, parts, loss, hierarchy } = first;
  const groups = HIERARCHIES.get(hierarchy) ?? `groups of ${hierarchy.slice(EVERY.length)}, found in the data`;
  return ["", `at first ${counted(parts, "part")} (p ${p.toPrecision(4)}, ${formatShare(loss)} lost), ${groups}`];
}

function overviewTable({ overview, kind }: OverviewAnswer): string {
  const { partitions, unlike, fromSeconds, toSeconds, slices, nodes } = overview;
  const inner = new Set(nodes.map(({ parent }) => parent));
  const leaves = nodes.filter((_, node) => !inner.has(node)).length;
  const rows = partitions.map(({ p, gain, loss, parts }) => [
    p.toPrecision(4),
    gain.toPrecision(6),
    loss.toPrecision(6),
    parts.length.toLocaleString("en"),
  ]);
  return [
    `${formatStretch(fromSeconds, toSeconds)} in ${counted(slices, "slice")}, ${counted(leaves, "resource")}, ${kind}`,
    "",
    ...columns([["p", "gain", "loss", "parts"], ...rows]),
    ...startLines(overview.first),
    ...(unlike.length > 0
      ? [
          "",
          "unlike the rest",
          ...unlike.map(
            ({ when, what, strength }) => `  ${withEscapes(`${when}: ${what}`)} [${strength.toPrecision(3)}]`,
          ),
        ]
      : []),
    "",
  ].join("\n");
}
