/** One pass over a Paje trace for what its tracks are in: nothing is kept of it, whatever its length. */
import path from "node:path";
import { NONE } from "../../model/ids";
import type { InnermostOptions, InnermostTaker, InnermostTrace } from "../../model/innermost";
import type { Resource } from "../../model/resources";
import type { Task } from "../../model/task";
import type { ReadContext } from "../format";
import { isMpiCall } from "../../model/mpiNames";
import { Entities, ROOT } from "./decode/entities";
import { InnermostFacts } from "./decode/innermost";
import { decimalDifference } from "../numberScan";
import { compareText } from "../../model/strings";
import { Simulation } from "./decode/simulation";
import { readTrace } from "./scan/namedFiles";
import { Problems } from "./scan/problems";
import { StateLines } from "./scan/stateLines";

/**
 * @param file its path, or what it is called
 * @param siblings names of the files of its folder, which it may name
 * @throws FormatError, CancelledError
 */
export async function readInnermost(
  file: string,
  siblings: ReadonlySet<string>,
  context: Pick<ReadContext, "open" | "head">,
  taker: InnermostTaker,
  options: InnermostOptions,
  task: Task,
): Promise<InnermostTrace> {
  const entities = new Entities(file);
  const problems = new Problems();
  const facts = new InnermostFacts(taker, options.zeroSeconds, () => simulation.earliestSeconds);
  const simulation: Simulation = new Simulation(entities, facts, problems);
  const lines = new StateLines(simulation, options.withVariables);
  const settle = () => Promise.resolve();
  await readTrace(file, siblings, simulation, problems, context, settle, task, lines);
  simulation.finish(task);
  const { earliestSeconds, passedSeconds } = simulation;
  const zero = options.zeroSeconds ?? (Number.isFinite(earliestSeconds) ? earliestSeconds : 0);
  const last = Math.max(facts.lastSeconds, passedSeconds);
  return {
    name: path.basename(file),
    resources: resourcesOf(entities, zero),
    tracks: tracksOf(entities, simulation),
    values: Array.from({ length: entities.values }, (_, value) => {
      const name = entities.valueNameOf(value);
      return { name, kind: isMpiCall(name) ? "communication" : "other" };
    }),
    variables: [...new Set(entities.types.flatMap(({ name, kind }) => (kind === "variable" ? [name] : [])))].sort(
      compareText,
    ),
    endSeconds: Number.isFinite(last) ? decimalDifference(last, zero) : 0,
    leadSeconds: facts.zeroSeconds === undefined ? 0 : decimalDifference(facts.zeroSeconds, zero),
    warnings: problems.warnings(),
  };
}

function resourcesOf(entities: Entities, zeroSeconds: number): Resource[] {
  return Array.from({ length: entities.containers - 1 }, (_, at) => {
    const [container, parent] = [at + 1, entities.containerParent[at + 1]];
    return {
      name: entities.containerNameOf(container),
      type: entities.types[entities.containerType[container]].name,
      parent: parent === ROOT ? NONE : parent - 1,
      location: NONE,
      endSeconds: decimalDifference(entities.containerEnd[container], zeroSeconds),
    };
  });
}

function tracksOf(entities: Entities, { tracks }: Simulation): InnermostTrace["tracks"] {
  return Array.from({ length: tracks.count }, (_, track) => {
    const container = tracks.containerOf(track);
    const { name: type, kind } = entities.types[tracks.typeOf(track)];
    const parent = entities.containerParent[container];
    // What is of the whole is called as its type.
    const own = container === ROOT ? type : entities.containerNameOf(container);
    const isBelow = container !== ROOT && parent !== ROOT;
    return {
      resource: container === ROOT ? NONE : container - 1,
      type,
      name: isBelow ? `${entities.containerNameOf(parent)} / ${own}` : own,
      kind: kind === "state" || kind === "variable" ? kind : "other",
    };
  });
}
