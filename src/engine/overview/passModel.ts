/** The microscopic model of a trace that tells its states in one pass, of which nothing is kept: no columns are made for it. */
import { RequestError } from "../../model/errors";
import { kindOfEvent } from "../../model/eventKinds";
import { FloatColumn, IntColumn, widened } from "../../model/columns";
import { NONE } from "../../model/ids";
import type { InnermostTrace, ReadInnermost } from "../../model/innermost";
import { PairTable } from "../../model/pairTable";
import type { Task } from "../../model/task";
import type { TraceOutline } from "../../model/trace";
import { formatValue } from "../../model/units";
import { groupsByMap } from "../../supergraph/groupMap";
import { assembled, endOfVariables, noVariable, stateOfVariable, windowOf } from "./modelParts";
import type { TraceModel } from "./namedModel";
import { NoStatesError } from "./noStates";
import type { OverviewQuery } from "./overviewApi";
import { type RecordedState, shownStates } from "./shownStates";
import { checkCells, SlicedCells } from "./slicedCells";
import { chosenType, VariableCells } from "./traceModel";
import { UnendedCells } from "./unendedCells";

/** Facts of a run that was read before. */
export type KnownRun = Pick<TraceOutline, "zeroSeconds" | "endSeconds">;

/** The same as {@link traceModel} has of the columns. @param run undefined if it was not read before */
export async function passModel(
  read: ReadInnermost,
  query: OverviewQuery,
  run: KnownRun | undefined,
  task: Task,
): Promise<TraceModel & { readonly trace: InnermostTrace }> {
  if (query.metric === "variable") return variableModel(read, query, run, task);
  const end = query.toSeconds ?? run?.endSeconds;
  const known = end === undefined || !(end > (query.fromSeconds ?? 0)) ? undefined : windowOf(query, end);
  const rows = new PairTable();
  const exact = known && new SlicedCells(known.from, known.to, query.slices);
  const unended = new UnendedCells();
  let seconds = new Float64Array(1024);
  const trace = await read(
    {
      spend(track, value, from, to, begins) {
        const row = rows.numberOf(track, value);
        if (row >= seconds.length) seconds = widened(seconds);
        seconds[row] += to - from;
        if (exact === undefined) return unended.spend(row, from, to, begins);
        exact.add(row, from, to, begins);
      },
      level: () => undefined,
    },
    { withVariables: false, zeroSeconds: zeroOf(run) },
    task,
  );
  if (exact && trace.leadSeconds !== 0) throw notInOrder(trace.leadSeconds);
  const { tracks, stateTypes, stateType, allLeaves } = tracksOf(trace, query, rows, seconds);
  const window = known ?? windowOf(query, trace.endSeconds);
  const { cells, withinSeconds } = exact
    ? { cells: exact, withinSeconds: 0 }
    : unended.cells(window.from, window.to, query.slices, trace.leadSeconds);
  const leafOf = new Map(tracks.map((track, leaf) => [track, leaf]));
  const recorded = recordedStates(trace, query, rows, seconds, leafOf);
  const shown = shownStates(recorded, query, true);
  const { slices } = query;
  checkCells(tracks.length * shown.names.length, slices);
  const length = tracks.length * shown.names.length * slices;
  const [amounts, counts] = [new Float64Array(length), new Float64Array(length)];
  let covered = 0;
  for (let row = 0; row < Math.min(rows.size, cells.rows); row++) {
    const leaf = leafOf.get(rows.first[row]);
    if (leaf === undefined) continue;
    const state = shown.of[row];
    for (let slice = 0; slice < slices; slice++) {
      const from = row * slices + slice;
      covered += cells.seconds[from];
      if (state < 0) continue;
      const to = (leaf * shown.names.length + state) * slices + slice;
      amounts[to] += cells.seconds[from];
      counts[to] += cells.events[from];
    }
  }
  const leaves = tracks.map((track) => trace.tracks[track]);
  const facts = {
    variables: trace.variables,
    stateTypes,
    stateType,
    allLeaves,
    ...(withinSeconds > 0 ? { withinSeconds } : {}),
  };
  const model = assembled(query, window, leaves, trace.resources, shown, { amounts, counts, covered }, facts);
  return { ...model, trace };
}

function zeroOf(run: KnownRun | undefined): number | undefined {
  return run && (run.zeroSeconds ?? 0);
}

function notInOrder(leadSeconds: number): RequestError {
  return new RequestError(
    `A later line is ${formatValue(leadSeconds, "s")} earlier than the first line, which counts as second 0 of the run. Give the file instead of the pipe, or leave out --to.`,
  );
}

/** Tracks of the type that is looked at, in the order of their resources. */
function tracksOf(trace: InnermostTrace, query: OverviewQuery, rows: PairTable, seconds: Float64Array) {
  const sums = new Map<number, number>();
  for (let row = 0; row < rows.size; row++) sums.set(rows.first[row], (sums.get(rows.first[row]) ?? 0) + seconds[row]);
  if (sums.size === 0)
    throw new NoStatesError(
      `${trace.name} has no events that take time. Variables are aggregated by --metric variable=NAME.`,
    );
  const all = [...sums].map(([track, sum]) => ({ track, type: trace.tracks[track].type, seconds: sum }));
  const { types, chosen } = chosenType(trace.name, all, query.stateType);
  const own = all.flatMap(({ track, type }) => (type === chosen ? [track] : []));
  own.sort((a, b) => trace.tracks[a].resource - trace.tracks[b].resource || a - b);
  const only = query.only && new Set(query.only);
  const tracks = own.filter((track) => !only || only.has(trace.tracks[track].name));
  if (tracks.length === 0) throw new RequestError(`None of the resources that are asked for is in ${trace.name}.`);
  return { tracks, stateTypes: types, stateType: chosen, allLeaves: own.length };
}

/** By row. */
function recordedStates(
  { tracks, values }: InnermostTrace,
  { categories = {} }: OverviewQuery,
  rows: PairTable,
  seconds: Float64Array,
  leafOf: ReadonlyMap<number, number>,
): RecordedState[] {
  const states = Array.from({ length: rows.size }, (_, row) => {
    const value = rows.second[row];
    const { name, kind } = value === NONE ? { name: "", kind: "other" as const } : values[value];
    return { name: name === "" ? tracks[rows.first[row]].type : name, kind };
  });
  const named = groupsByMap(categories, [...new Set(states.map(({ name }) => name))]);
  return states.map(({ name, kind }, row) => ({
    name,
    kind: kindOfEvent({ name: "", kind }, name, named),
    module: undefined,
    seconds: leafOf.has(rows.first[row]) ? seconds[row] : 0,
  }));
}

async function variableModel(
  read: ReadInnermost,
  query: OverviewQuery,
  run: KnownRun | undefined,
  task: Task,
): Promise<TraceModel & { readonly trace: InnermostTrace }> {
  const { variable = "", slices } = query;
  const track = new IntColumn();
  const [from, to, value] = [new FloatColumn(), new FloatColumn(), new FloatColumn()];
  // Steps of variables are few beside states; they are kept until the end of the run is known.
  const trace = await read(
    {
      spend: () => undefined,
      level(one, fromSeconds, toSeconds, level) {
        track.push(one);
        from.push(fromSeconds);
        to.push(toSeconds);
        value.push(level);
      },
    },
    { withVariables: true, zeroSeconds: zeroOf(run) },
    task,
  );
  const window = windowOf(query, endOfVariables(trace.resources, trace.endSeconds));
  const used = [...new Set(track.values.subarray(0, track.length))];
  const all = used.filter((one) => trace.tracks[one].type === variable);
  const only = query.only && new Set(query.only);
  const own = all.filter((one) => !only || only.has(trace.tracks[one].name));
  if (own.length === 0)
    throw noVariable(
      trace.name,
      variable,
      used.map((one) => trace.tracks[one].type),
    );
  own.sort((a, b) => trace.tracks[a].resource - trace.tracks[b].resource || a - b);
  const leafOf = new Map(own.map((one, leaf) => [one, leaf]));
  const sums = new VariableCells(window, slices, own.length);
  for (let at = 0; at < track.length; at++) {
    const leaf = leafOf.get(track.values[at]);
    if (leaf !== undefined)
      sums.level(leaf, from.values[at] + trace.leadSeconds, to.values[at] + trace.leadSeconds, value.values[at]);
  }
  const leaves = own.map((one) => trace.tracks[one]);
  const facts = { variables: trace.variables, stateTypes: [], stateType: "", allLeaves: all.length };
  const state = stateOfVariable(variable);
  return { ...assembled(query, window, leaves, trace.resources, state, sums.counted(), facts), trace };
}
