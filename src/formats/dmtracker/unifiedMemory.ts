import type { Warning } from "../../model/dataSet";
import { NONE } from "../../model/ids";
import { appendAll } from "../../model/longLists";
import { entryOf } from "../../model/maps";
import type { Task } from "../../model/task";
import type { ReadContext } from "../format";
import type { ProfileBuilder } from "../profileBuilder";
import type { TraceBuilder } from "../trace/traceBuilder";
import { countedWarnings } from "../warnings";
import { contextOfPath } from "./paths";
import { type FlatRecord, readRecords } from "./records";

/** What a file of migrations and page faults says of itself. */
export interface UnifiedMemory {
  readonly records: number;
  /** When the program started, in nanoseconds since the epoch. */
  readonly zeroNanoseconds: bigint | undefined;
}

/**
 * Adds migrations and page faults of unified memory: each with the regions that were open, and the allocation that was touched
 * where the file names it. Allocations are resources of the GPU.
 */
export async function addUnifiedMemory(
  file: string,
  profile: ProfileBuilder,
  sink: TraceBuilder,
  warnings: Warning[],
  context: ReadContext,
  task: Task,
): Promise<UnifiedMemory> {
  const memory = new MemoryEvents(profile, sink);
  const problems = await readRecords(file, context, task, (record) => memory.take(record));
  for (const message of problems) warnings.push({ message, file });
  appendAll(
    warnings,
    countedWarnings(file, [[memory.left, "migrations or page faults have no time: they are left out"]]),
  );
  await sink.settle(task);
  return { records: memory.records, zeroNanoseconds: memory.zero };
}

class MemoryEvents {
  records = 0;
  left = 0;
  zero: bigint | undefined;
  private gpu: number = NONE;
  private readonly lanes = new Map<string, number>();
  private readonly allocations = new Set<string>();

  constructor(
    private readonly profile: ProfileBuilder,
    private readonly sink: TraceBuilder,
  ) {}

  take(record: FlatRecord): void {
    this.records++;
    this.zero ??= timeOf(record.get("cupti.starttime"));
    const allocation = record.get("mem.alloc");
    if (allocation !== undefined) this.allocate(allocation, record);
    const kind = record.get("cupti.uvm.kind");
    if (kind !== undefined) this.event(kind, record);
  }

  private event(kind: string, record: FlatRecord): void {
    const start = timeOf(record.get("cupti.activity.start"));
    if (start === undefined) {
      this.left++;
      return;
    }
    this.zero ??= start;
    const startSeconds = Number(start - this.zero) / 1e9;
    // Faults of the CPU have no duration.
    const endSeconds = Number((timeOf(record.get("cupti.activity.end")) ?? start) - this.zero) / 1e9;
    const label = record.get("alloc.label#cupti.fault.addr");
    const name = label === undefined ? kind : `${kind} ${label}`;
    const frame = this.profile.frames.intern({ name, kind: "region", origin: "runtime" });
    const context = contextOfPath(this.profile, record.get("path"));
    const lane = this.lane(kind);
    this.sink.event(lane, startSeconds, endSeconds, frame, context, this.sink.category("uvm", "transfer"));
    const bytes = Number(record.get("cupti.uvm.bytes") ?? Number.NaN);
    const [from, to] = kind === "HtoD" ? [NONE, 0] : kind === "DtoH" ? [0, NONE] : [NONE, NONE];
    this.sink.transfer({
      lane,
      startSeconds,
      endSeconds,
      bytes,
      direction: this.sink.transferDirection(kind),
      fromDevice: from,
      toDevice: to,
      bandwidth: Number.NaN,
      frame,
      context,
    });
  }

  private allocate(label: string, record: FlatRecord): void {
    const properties = new Map<string, string>();
    for (const [name, key] of [
      ["address", "alloc.address"],
      ["bytes", "alloc.total_size"],
      ["number", "alloc.uid"],
      ["regions", "path"],
    ] as const) {
      const value = record.get(key);
      if (value !== undefined) properties.set(name, value);
    }
    const key = JSON.stringify([label, properties.get("number")]);
    if (this.allocations.has(key)) return;
    this.allocations.add(key);
    this.sink.resource({ name: label, type: "allocation", parent: this.device(), location: NONE, properties });
  }

  private lane(kind: string): number {
    const start = { name: `unified memory: ${kind}`, location: NONE, kind: "intervals" } as const;
    return entryOf(this.lanes, kind, () => this.sink.lane({ ...start, resource: this.device() }));
  }

  private device(): number {
    if (this.gpu === NONE) this.gpu = this.sink.resource({ name: "GPU 0", type: "GPU", parent: NONE, location: NONE });
    return this.gpu;
  }
}

function timeOf(text: string | undefined): bigint | undefined {
  return text !== undefined && /^\d{1,19}$/.test(text) ? BigInt(text) : undefined;
}
