import { memoryColumnFiles } from "../../../../src/formats/memoryColumns";
import { type ByteSource, memorySource } from "../../../../src/formats/byteSource";
import type { ReadContext } from "../../../../src/formats/format";
import { Entities, ROOT } from "../../../../src/formats/paje/decode/entities";
import type { PajeFacts } from "../../../../src/formats/paje/decode/facts";
import { Problems } from "../../../../src/formats/paje/scan/problems";
import { Simulation } from "../../../../src/formats/paje/decode/simulation";
import { readTrace } from "../../../../src/formats/paje/scan/namedFiles";
import type { Warning } from "../../../../src/model/dataSet";
import { NONE } from "../../../../src/model/ids";
import { quietTask } from "../../../../src/model/task";
import { openPath } from "../openPath";

/** What a trace says, as rows: what two readers of one file are compared by. */
export interface FactRows {
  readonly containers: { parent: string; type: string; start: number; end: number; name: string }[];
  readonly states: { at: string; type: string; start: number; end: number; level: number; value: string }[];
  readonly variables: { at: string; type: string; start: number; end: number; value: number }[];
  readonly events: { at: string; type: string; time: number; value: string }[];
  readonly links: {
    at: string;
    type: string;
    start: number;
    end: number;
    value: string;
    from: string;
    to: string;
    key: string;
    bytes: number;
  }[];
}

export function emptyRows(): FactRows {
  return { containers: [], states: [], variables: [], events: [], links: [] };
}

/** The facts that the simulation tells of one file. */
export async function factRows(
  source: string | { text: string | Uint8Array },
): Promise<FactRows & { warnings: Warning[] }> {
  const file = typeof source === "string" ? source : "/test/memory.trace";
  const open = async (): Promise<ByteSource> =>
    typeof source === "string" ? openPath(file) : memorySource(source.text, file);
  const context: ReadContext = {
    hierarchy: "combined",
    columnFiles: memoryColumnFiles,
    head: async () => ({ bytes: new Uint8Array(0), whole: true }),
    open,
    attempt: (_, read) => read(),
    part: () => quietTask,
  };
  const rows = emptyRows();
  const entities = new Entities(file);
  const problems = new Problems();
  const typeOf = (type: number) => entities.types[type].name;
  const at = (track: number) => ({
    at: entities.containerNameOf(simulation.tracks.containerOf(track)),
    type: typeOf(simulation.tracks.typeOf(track)),
  });
  const valueOf = (value: number) => (value === NONE ? "" : entities.valueNameOf(value));
  const facts: PajeFacts = {
    container: () => undefined,
    containerEnded: (container) =>
      rows.containers.push({
        parent: container === ROOT ? "0" : entities.containerNameOf(entities.containerParent[container]),
        type: typeOf(entities.containerType[container]),
        start: entities.containerStart[container],
        end: entities.containerEnd[container],
        name: entities.containerNameOf(container),
      }),
    opened: () => NONE,
    closed: (_, track, start, end, value, level) =>
      rows.states.push({ ...at(track), start, end, level, value: valueOf(value) }),
    event: (track, time, value) => rows.events.push({ ...at(track), time, value: valueOf(value) }),
    variable: (track, start, end, value) => rows.variables.push({ ...at(track), start, end, value }),
    link: ({ container, type, startSeconds, endSeconds, value, from, to, key, bytes }) =>
      rows.links.push({
        at: entities.containerNameOf(container),
        type: typeOf(type),
        start: startSeconds,
        end: endSeconds,
        value: valueOf(value),
        from: from === NONE ? "" : entities.containerNameOf(from),
        to: to === NONE ? "" : entities.containerNameOf(to),
        key: key(),
        bytes,
      }),
  };
  const simulation: Simulation = new Simulation(entities, facts, problems);
  await readTrace(file, new Set(), simulation, problems, context, async () => undefined, quietTask);
  simulation.finish(quietTask);
  return { ...rows, warnings: problems.warnings() };
}
