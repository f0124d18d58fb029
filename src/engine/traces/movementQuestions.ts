/** What is asked of data movement. The first question of a recording finds once what moved data. */
import { defineQuestion } from "../defineQuestion";
import type { EngineState } from "../engineState";
import { NONE } from "../../model/ids";
import type { Task } from "../../model/task";
import { movementOf } from "./movement";
import type { DocumentMovementQuery, MatrixCall, MatrixQuery, MovementQuery } from "./movementApi";
import { documentMovement as ofDocument } from "./movementLines";
import { communicationMatrix as matrixOf } from "./movementMatrix";
import { traceOf } from "./timeline";

async function movementIn(state: EngineState, id: number, task: Task) {
  const dataSet = await state.withTrace(id, task);
  const { open } = state.get(id);
  return { open, dataSet, movement: await movementOf(open, dataSet, traceOf(dataSet), task) };
}

/** The part of the run that is asked about and that the restriction leaves. */
function restricted<Query extends MovementQuery>(query: Query): Query {
  const { scope, fromSeconds = -Infinity, toSeconds = Infinity } = query;
  if (!scope.window) return query;
  const [from, to] = [Math.max(fromSeconds, scope.window.from), Math.min(toSeconds, scope.window.to)];
  return { ...query, fromSeconds: from, toSeconds: to };
}

/** What lines and functions moved. @throws RequestError where a recording has no events, as all questions here */
export const documentMovement = defineQuestion(async (state, query: DocumentMovementQuery, task) => {
  const { open, dataSet, movement } = await movementIn(state, query.scope.dataSet, task);
  return ofDocument(open, dataSet, movement, state.links, restricted(query), task);
});

export const communicationMatrix = defineQuestion(
  async (state, query: MatrixQuery, task) => {
    const { open, dataSet, movement } = await movementIn(state, query.scope.dataSet, task);
    const matrix = await matrixOf(dataSet, movement, restricted(query), task);
    const contexts = [...new Set(matrix.cells.context)].filter((context) => context !== NONE);
    const nameOf = (context: number) => {
      const caller = open.dataSet.tree.parent[context];
      const names = [...(caller === NONE ? [] : [caller]), context].map((one) => open.shownContext(one));
      return names.join(" › ");
    };
    return { ...matrix, calls: contexts.map((context): MatrixCall => ({ context, name: nameOf(context) })) };
  },
  ({ cells, ofRows, ofColumns }) =>
    [cells, ofRows, ofColumns]
      .flatMap((values) => Object.values(values) as (Float64Array | Int32Array)[])
      .map(({ buffer }) => buffer as ArrayBuffer),
);
