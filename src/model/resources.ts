import { NONE } from "./ids";

/**
 * What a recording says of the machine and the processes on it, as one forest: machines, packages, cores, GPUs, streams,
 * processes, threads, or the typed containers of a Paje trace. Lanes and messages refer to it.
 */
export interface Resource {
  readonly name: string;
  /** The recording's own word: `Machine`, `PU`, `GPU`, `process`, `thread`, `stream`, a container type. */
  readonly type: string;
  /** Index of the resource that contains it, {@link NONE} for roots; parents stand before their children. */
  readonly parent: number;
  /** Index into the data set's locations where values or events of this resource are those of one, else {@link NONE}. */
  readonly location: number;
  /** Life time in seconds of the trace, where the recording has it. */
  readonly startSeconds?: number;
  readonly endSeconds?: number;
  /** What else is recorded of it: device properties, sizes. */
  readonly properties?: ReadonlyMap<string, string>;
}

/** A connection between two resources that is not containment: a network link of the topology. */
export interface ResourceLink {
  readonly from: number;
  readonly to: number;
  /** The recording's own word for the kind of connection. */
  readonly type: string;
  readonly name: string;
}

/** Resources and how they are connected. */
export interface Topology {
  readonly resources: readonly Resource[];
  readonly links: readonly ResourceLink[];
}

/** `machine / process 12 / thread 3`: names from the root down. */
export function resourcePath(resources: readonly Pick<Resource, "name" | "parent">[], resource: number): string {
  const names: string[] = [];
  for (let at = resource; at !== NONE; at = resources[at].parent) names.push(resources[at].name);
  return names.reverse().join(" / ");
}
