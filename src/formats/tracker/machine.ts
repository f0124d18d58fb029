/** The machine that a process ran on, as the tracker writes it: hardware threads and caches → resources in one another. */
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import type { Resource } from "../../model/resources";
import { isObject, type JsonObject, type JsonValue } from "../chrome/scan/jsonValues";
import type { TraceSink } from "../trace/traceSink";

/** The letter behind a cache's level. */
const LETTERS: Readonly<Record<string, string>> = { Data: "d", Instruction: "i" };

/** The machine of one file, once something is of it. */
export class Machine {
  private number: number = NONE;

  /** @param host what it calls itself; empty: not known */
  constructor(
    private readonly sink: Pick<TraceSink, "resource">,
    readonly host: string,
  ) {}

  get resource(): number {
    if (this.number === NONE)
      this.number = this.sink.resource({ name: this.host, type: "Machine", parent: NONE, location: NONE });
    return this.number;
  }
}

/**
 * Packages, memories, caches, cores and hardware threads; what is not known is left out, and what would be in it is in the next one around it.
 *
 * @param topology the value of the file's section, whatever it holds
 */
export function addParts(sink: Pick<TraceSink, "resource">, of: Machine, topology: JsonValue | undefined): void {
  const rows = isObject(topology) ? rowsOf(topology.get("cpus")) : [];
  if (rows.length === 0 || of.host === "") return;
  const add = (type: string, name: string, parent: number, properties?: [string, string][]): number => {
    const resource: Resource = { name, type, parent, location: NONE };
    return sink.resource(properties ? { ...resource, properties: new Map(properties) } : resource);
  };
  const machine = of.resource;
  const inside = new Map<string, number>();
  const partOf = (type: string, number: number, parent: number) =>
    number < 0 ? parent : entryOf(inside, `${parent} ${type} ${number}`, () => add(type, `${type} ${number}`, parent));
  const cpus = rows.map((row) => ({
    number: wholeOf(row, "cpu"),
    core: wholeOf(row, "core"),
    package: wholeOf(row, "package"),
    node: wholeOf(row, "node"),
    isAllowed: row.get("allowed") !== false,
  }));
  const packages = new Map<number, number>();
  const cores = new Map<number, number>();
  const threads = new Map<number, number>();
  for (const cpu of cpus) {
    const holder = partOf("Package", cpu.package, machine);
    const core = partOf("Core", cpu.core, holder);
    packages.set(cpu.number, holder);
    cores.set(cpu.number, core);
    threads.set(core, (threads.get(core) ?? 0) + 1);
    partOf("NUMANode", cpu.node, holder);
  }
  for (const row of isObject(topology) ? rowsOf(topology.get("caches")) : []) {
    const [level, bytes, first] = [wholeOf(row, "level"), wholeOf(row, "bytes"), wholeOf(row, "firstCpu")];
    const core = cores.get(first);
    if (core === undefined || level < 1 || level > 5) continue;
    const kind = row.get("kind");
    const type = `L${level}${typeof kind === "string" ? (LETTERS[kind] ?? "") : ""}`;
    const isOfCore = wholeOf(row, "cpus") <= (threads.get(core) ?? 0);
    add(type, type, isOfCore ? core : (packages.get(first) ?? machine), [["cache_size", `${bytes}`]]);
  }
  for (const { number, isAllowed } of cpus)
    if (number >= 0)
      add("PU", `PU ${number}`, cores.get(number) ?? machine, [
        ["os_index", `${number}`],
        ...(isAllowed ? [] : [["allowed", "false"] as [string, string]]),
      ]);
}

function rowsOf(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]).filter(isObject) : [];
}

/** -1 where it is none. */
function wholeOf(row: JsonObject, key: string): number {
  const value = row.get(key);
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : -1;
}
