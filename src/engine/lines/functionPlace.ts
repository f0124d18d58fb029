/** Where a function is: its definition, and what the recording says of it, whether or not its source is here. */
import { isPlaceholderName } from "../../model/frames";
import { NONE } from "../../model/ids";
import { addTo } from "../../model/maps";
import type { SourceLink } from "../../model/sourceLinks";
import type { Task } from "../../model/task";
import type { OpenDataSet } from "../dataSets/openDataSet";
import type { EngineState } from "../engineState";
import type { Scope } from "../scope";
import type { FunctionPlace, RecordedPlace } from "./lineApi";

export async function placeOfFunction(
  state: EngineState,
  scope: Scope,
  id: number,
  task: Task,
): Promise<FunctionPlace> {
  const { open } = state.get(scope.dataSet);
  const link = await definitionOf(state, open, id, task);
  const recorded = recordedPlaceOf(open.measured?.flat ?? open, scope, id);
  const { frames } = open.dataSet;
  const module = frames.moduleIndex(open.functions.frame[id]);
  return {
    ...(link ? { link } : {}),
    ...(recorded ? { recorded } : {}),
    ...(module === NONE ? {} : { module: frames.strings.get(module) }),
  };
}

/** Where a function is defined; undefined where it has no context. */
export async function definitionOf(
  state: EngineState,
  open: OpenDataSet,
  id: number,
  task: Task,
): Promise<SourceLink | undefined> {
  const shown = open.measured?.flat ?? open;
  const context = shown.functions.ofContext.findIndex((own, at) => own === id && shown.callOf[at] === at);
  return context < 0 ? undefined : state.links.link(shown, context, task);
}

/** Undefined where no file was recorded. Where its first line was not, its hottest one: the lowest may be of code that was inlined. */
function recordedPlaceOf(open: OpenDataSet, scope: Scope, id: number): RecordedPlace | undefined {
  const { dataSet, functions } = open;
  const { frames, tree } = dataSet;
  const own = functions.frame[id];
  const file = frames.file[own];
  if (file === NONE || isPlaceholderName(frames.strings.get(file))) return undefined;
  const line = frames.line[own] || hottestLine();
  return { file: frames.strings.get(file), ...(line > 0 ? { line } : {}) };

  function hottestLine(): number {
    const { exclusive } = open.numbers(scope);
    const costs = new Map<number, number>();
    functions.ofContext.forEach((of, context) => {
      const frame = tree.frame[context];
      if (of === id && frames.file[frame] === file && frames.line[frame] > 0)
        addTo(costs, frames.line[frame], exclusive[context]);
    });
    const [first] = [...costs].sort(([a, own], [b, other]) => other - own || a - b);
    return first?.[0] ?? 0;
  }
}
