/**
 * Paje traces (SimGrid, StarPU, Akypuera, …): states, events, variables and links of containers, in one file or one that names others
 * of its folder.
 *
 * What this format cannot say:
 * - Calling contexts: states nest in time, in one container.
 * - Source lines, but in optional fields `File` and `Line`, which hardly any tool writes.
 * - Ranks and threads: containers have names, of which only `rank 3` and the like are taken for ranks.
 * - Sizes and tags of messages, but in fields that are a convention; the unit of a variable; what kind of work a state is.
 * - The time of day: clocks begin anywhere, and the earliest line is second 0.
 */
import path from "node:path";
import type { DataSet, Warning } from "../../model/dataSet";
import { FormatError } from "../../model/errors";
import type { Task } from "../../model/task";
import { eventColumns, type Format, type Head, type ReadContext, type RecordingFile } from "../format";
import { ProfileBuilder } from "../profileBuilder";
import { closeTraces } from "../reading";
import { TraceBuilder } from "../trace/traceBuilder";
import { Entities } from "./decode/entities";
import { Problems } from "./scan/problems";
import { readTrace, type WholeTrace } from "./scan/namedFiles";
import { Simulation } from "./decode/simulation";
import { readInnermost } from "./innermost";
import { TraceFacts } from "./assemble/traceFacts";
import { decimalDifference } from "../numberScan";
import { finishParts } from "../trace/finishTrace";
import { isPaje } from "./scan/header";

export const paje: Format = {
  id: "paje",
  label: "Paje trace",
  recognizes: ({ bytes }: Head) => isPaje(bytes),
  async read(files, context, task) {
    const read: { readonly file: string; readonly included: readonly string[]; readonly dataSet: DataSet }[] = [];
    try {
      for (const [index, entry] of files.entries()) {
        const part = context.part(index, files.length, entry.file);
        const one = await context.attempt(entry, () => readDataSet(entry, context, part));
        if (one) read.push({ file: entry.file, ...one });
      }
      task.check();
    } catch (problem) {
      await closeTraces(read.map(({ dataSet }) => dataSet));
      throw problem;
    }
    // A file that another one names is a part of that recording, not one of its own.
    const included = new Set(read.flatMap((one) => one.included));
    const parts = read.filter(({ file }) => included.has(file));
    await Promise.all(parts.map(({ dataSet }) => dataSet.trace?.close()));
    return read.filter(({ file }) => !included.has(file)).map(({ dataSet }) => dataSet);
  },
  readInnermost: ({ file, siblings }, context, ...asked) => readInnermost(file, siblings, context, ...asked),
};

async function readDataSet(
  { file, siblings }: RecordingFile,
  context: ReadContext,
  task: Task,
): Promise<{ dataSet: DataSet; included: readonly string[] }> {
  const entities = new Entities(file);
  const problems = new Problems();
  const profile = new ProfileBuilder();
  const builder = new TraceBuilder(eventColumns(context));
  try {
    const facts = new TraceFacts(entities, profile, builder);
    const simulation = new Simulation(entities, facts, problems);
    facts.tracks = simulation.tracks;
    facts.zeroSeconds = () => simulation.earliestSeconds;
    const text = await readTrace(file, siblings, simulation, problems, context, () => builder.settle(task), task);
    simulation.finish(task);
    facts.topology.finish(task);
    if (entities.containers === 1 && simulation.tracks.count === 0) throw nothingIn(file, problems.warnings());
    const { columns, final } = profile.build(task);
    const part = { builder, locationOf: final.locationOf };
    const { earliestSeconds: zeroSeconds } = simulation;
    const { warnings: ofTrace, ...traced } = await finishParts(
      [part],
      { zeroSeconds, difference: decimalDifference },
      task,
    );
    const stateColors = entities.stateColors();
    const dataSet: DataSet = {
      name: path.basename(file),
      files: text.files,
      format: { id: paje.id, label: paje.label },
      ...columns,
      globals: new Map(text.comments.length > 0 ? [["comment", text.comments]] : []),
      warnings: [...problems.warnings(), ...remarks(file, entities, simulation, text), ...ofTrace],
      hierarchies: ["regions"],
      recordedAt: text.modifiedAt,
      records: simulation.records,
      ...traced,
      ...(stateColors.size > 0 ? { stateColors } : {}),
      notRecorded: notRecorded(facts),
    };
    return { dataSet, included: text.files.filter((one) => one !== file) };
  } catch (problem) {
    await builder.discard();
    throw problem;
  }
}

/** What a user should know of the trace as a whole. */
function remarks(
  file: string,
  entities: Entities,
  { declarations, earliestSeconds, lastSeconds, links }: Simulation,
  text: WholeTrace,
): Warning[] {
  const messages: string[] = [];
  const containers = entities.containers - 1;
  if (declarations.destroyed < containers)
    messages.push(
      `${containers - declarations.destroyed} of ${containers} containers have no end in the trace: they are taken to end with it, at ${decimalDifference(lastSeconds, earliestSeconds)} s; the trace may have been cut short`,
    );
  if (links.unmatched > 0)
    messages.push(
      `${links.unmatched} links have one side only, such as the one with the key ${JSON.stringify(links.example?.slice(0, 60))}`,
    );
  if (entities.valuesLeftOut > 0)
    messages.push(
      `${entities.valuesLeftOut} events have values beyond the first ${entities.values} distinct ones: they are shown by their type's name`,
    );
  for (const [event, fields] of text.unused)
    messages.push(`further fields of ${event} are not shown: ${[...fields].join(", ")}`);
  return messages.map((message) => ({ message, file }));
}

function notRecorded({ counts }: TraceFacts): string[] {
  const sentences = ["no calling contexts in this recording"];
  if (counts.states + counts.events > 0 && counts.places === 0)
    sentences.push("no places in the source in this recording");
  if (counts.links > 0 && counts.sizes === 0) sentences.push("no sizes of messages in this recording");
  return sentences;
}

function nothingIn(file: string, [first]: readonly Warning[]): FormatError {
  return new FormatError({
    file,
    at: first?.at,
    found: `definitions of events, but no container${first === undefined ? "" : ` (${first.message})`}`,
    expected: "containers, and what happened in them",
    advice: "The program that was to write the trace may have ended early: look at its output, and record again.",
  });
}
