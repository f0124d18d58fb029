/** Two values of every rank, thread, context or function, and how they go together. */
import { correlation } from "../../analysis/correlation";
import { density } from "../../analysis/density";
import { type LocationUnit, membersOf } from "../../model/members";
import type { Task } from "../../model/task";
import type { GraphQuery } from "../scope";
import type { CorrelationAnswer, CorrelationAxis, CorrelationQuery } from "./correlationApi";
import { leftBy } from "./memberLine";
import type { Graphs } from "../graphs/graphs";
import { mpiCalls } from "../dataSets/mpiCalls";
import type { OpenDataSet } from "../dataSets/openDataSet";
import { settledAxes } from "./standIns";
import { spread } from "./spreads";

/** Cells of a density: fewer than marks in a message, and each large enough to be pointed at. */
const COLUMNS = 120;
const ROWS = 80;

/** Values to be laid off, one of each point. */
interface Points {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly ids: Int32Array;
  name(id: number): string;
  /** The name with what tells it from others that the tool did not know either. */
  placed?(id: number): string;
  readonly functions?: CorrelationAnswer["functions"];
  readonly without: number;
  readonly chosen?: Uint8Array;
  readonly standIns?: CorrelationAnswer["standIns"];
  readonly hasMpi?: boolean;
}

export async function correlationOf(
  open: OpenDataSet,
  graphsOf: (query: GraphQuery) => Graphs,
  query: CorrelationQuery,
  task: Task,
): Promise<CorrelationAnswer> {
  const points =
    query.points === "context" || query.points === "function"
      ? pointsOfCode(open, query, query.points)
      : await pointsOfMembers(open, graphsOf, query, query.points, task);
  task.check();
  const { x, y, ids, without, chosen } = points;
  const same = x.every((value, at) => Object.is(value, y[at]));
  const { standIns, hasMpi, functions } = points;
  const answer = { fit: correlation(x, y), count: ids.length, without, same, standIns, hasMpi, functions };
  if (ids.length <= query.mostPoints)
    return { ...answer, x, y, ids, ...namesOf(points, ids), ...(chosen ? { chosen } : {}) };
  const { points: standing, ...cells } = density(x, y, COLUMNS, ROWS);
  const shown = standing.map((at) => ids[at]);
  return {
    ...answer,
    x: Float64Array.from(standing, (at) => x[at]),
    y: Float64Array.from(standing, (at) => y[at]),
    ids: shown,
    ...namesOf(points, shown),
    ...(chosen ? { chosen: Uint8Array.from(standing, (at) => chosen[at]) } : {}),
    density: cells,
  };
}

function namesOf(points: Points, ids: Int32Array): Pick<CorrelationAnswer, "names" | "placed"> {
  const names = Array.from(ids, (id) => points.name(id));
  const placed = Array.from(ids, (id, at) => points.placed?.(id) ?? names[at]);
  return placed.some((name, at) => name !== names[at]) ? { names, placed } : { names };
}

async function pointsOfMembers(
  open: OpenDataSet,
  graphsOf: (query: GraphQuery) => Graphs,
  query: CorrelationQuery,
  by: LocationUnit,
  task: Task,
): Promise<Points> {
  const valuesOf = async ({ scope, target, value }: CorrelationAxis) =>
    (await spread(open, graphsOf, scope, by, [target], task)).values[0][value];
  const { locations } = open.dataSet;
  const members = membersOf(locations, by);
  return {
    ...(await settledAxes(open, query, valuesOf)),
    hasMpi: mpiCalls(open).length > 0,
    functions: { x: functionOf(open, query.x), y: functionOf(open, query.y) },
    ids: Int32Array.from(members.keys.keys()),
    name: (member) => members.keys[member],
    without: 0,
    ...leftBy(locations, members, query.x.scope.chosen),
  };
}

function functionOf(open: OpenDataSet, { target }: CorrelationAxis): string | undefined {
  return target?.kind === "function" ? open.placedFunction(target.function) : undefined;
}

function pointsOfCode(open: OpenDataSet, { x, y }: CorrelationQuery, kind: "context" | "function"): Points {
  const valuesOf = ({ scope, value }: CorrelationAxis) => {
    const numbers = open.numbers(scope);
    if (kind === "context") return numbers[value];
    return value === "exclusive" ? numbers.functionExclusive : numbers.functionInclusive;
  };
  const [allX, allY] = [valuesOf(x), valuesOf(y)];
  const ids = Int32Array.from(allX.keys()).filter((at) => allX[at] !== 0 || allY[at] !== 0);
  return {
    x: Float64Array.from(ids, (at) => allX[at]),
    y: Float64Array.from(ids, (at) => allY[at]),
    ids,
    name: (id) => (kind === "context" ? open.contextName(id) : open.functionName(id)),
    ...(kind === "function" ? { placed: (id: number) => open.placedFunction(id) } : {}),
    without: allX.length - ids.length,
  };
}
