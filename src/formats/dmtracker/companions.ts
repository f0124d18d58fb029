import path from "node:path";
import type { ReadContext, RecordingFile } from "../format";
import { isHwloc } from "./hwloc";
import { isLstopo } from "./lstopo";
import { isNvml } from "./nvml";

/** Files that say more of a run than its trace does. */
export interface Companions {
  readonly counters: string | undefined;
  readonly topology: string | undefined;
  /** Files that have the name of a companion and are none: damaged, or of something else. */
  readonly others: readonly string[];
}

/** Drawings, and hwloc's own files, which say more. */
const TOPOLOGY_ENDINGS = [".xml", ".svg"];

/**
 * The companions of a trace `NAME-N-….json` among its siblings: `NAME-N-….csv`, and the topology of the run, else of its size
 * (`topology-N.svg`), else of the machine (`topology-default.svg`). Found by name, believed by content.
 */
export async function companionsOf({ file, siblings }: RecordingFile, context: ReadContext): Promise<Companions> {
  const folder = path.dirname(file);
  const others: string[] = [];
  const base = path.basename(file).replace(/(?:\.json)?(?:\.gz)?$/, "");
  const first = async (names: readonly string[], is: (head: Uint8Array) => boolean): Promise<string | undefined> => {
    for (const name of names) {
      if (!siblings.has(name)) continue;
      const candidate = path.join(folder, name);
      if (is((await context.head(candidate)).bytes)) return candidate;
      if (path.parse(name).name === base) others.push(candidate);
    }
    return undefined;
  };
  const sizes = [...base.matchAll(/-(\d+)(?=-|$)/g)].map(([, size]) => `topology-${size}`);
  const topologies = [base, ...sizes, "topology-default"].flatMap((name) =>
    TOPOLOGY_ENDINGS.map((ending) => `${name}${ending}`),
  );
  const found = {
    counters: await first([`${base}.csv`], isNvml),
    topology: await first(topologies, (head) => isLstopo(head) || isHwloc(head)),
  };
  return { ...found, others };
}

/** The trace that a table or drawing was made beside: the one of the same name. */
export function traceBeside({ file, siblings }: RecordingFile): string | undefined {
  const base = path.basename(file).replace(/\.[^.]*$/, "");
  const name = [`${base}.json`, `${base}.json.gz`].find((one) => siblings.has(one));
  return name === undefined ? undefined : path.join(path.dirname(file), name);
}
