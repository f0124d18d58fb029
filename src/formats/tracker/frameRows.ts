import type { Frame, FrameTable } from "../../model/frames";
import { NONE } from "../../model/ids";
import { entryOf } from "../../model/maps";
import { isNamedAsMpi } from "../../model/mpiNames";

/** What is known of a frame: a row of `lines`. */
export type FrameRow = ReadonlyMap<string, unknown>;

/** Frames of one file by its own numbers; a later row says more than an earlier one. */
export class FrameRows {
  /** Regions of which only some calls were recorded, by name: of so many calls one. */
  readonly sparse = new Map<string, number>();
  private readonly rows = new Map<number, Frame>();
  private readonly sparseFrames = new Map<number, number>();

  add(row: FrameRow): void {
    const number = row.get("frame");
    const name = row.get("name");
    if (typeof number !== "number" || typeof name !== "string") return;
    this.rows.set(number, frameOf(name, row));
    const every = row.get("every");
    if (typeof every !== "number" || !(every > 1)) return;
    this.sparse.set(name, every);
    this.sparseFrames.set(number, every);
  }

  /** Number of calls of a frame per recorded call. */
  everyOf(number: number): number {
    return this.sparseFrames.get(number) ?? 1;
  }

  /** Whether a frame is a function that the compiler instrumented, not a region that stands in the source. */
  isFunction(number: number): boolean {
    return this.rows.get(number)?.kind === "function";
  }

  /** What the file says that a frame is called. */
  nameOf(number: number): string | undefined {
    return this.rows.get(number)?.name;
  }

  /** The source line where a row stands, as a frame of a table; {@link NONE} where the file does not say so. */
  linesIn(table: FrameTable): (frame: number) => number {
    const known = new Map<number, number>();
    return (number) =>
      entryOf(known, number, () => {
        const { file, line } = this.rows.get(number) ?? {};
        if (file === undefined || line === undefined) return NONE;
        return table.intern({ name: `${file}:${line}`, kind: "line", file, line });
      });
  }

  /** Frame of a table; one that says so where the file has no such row. */
  in(table: FrameTable): (frame: number) => number {
    const known = new Map<number, number>();
    return (number) => {
      let frame = known.get(number);
      if (frame === undefined) {
        frame = table.intern(this.rows.get(number) ?? { name: "(not named in the recording)", kind: "region" });
        known.set(number, frame);
      }
      return frame;
    };
  }
}

/** A function that is known by its address, a call of MPI or CUDA, or a region that stands in the source. */
function frameOf(name: string, row: FrameRow): Frame {
  const text = (key: string) => {
    const value = row.get(key);
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const count = (key: string) => {
    const value = row.get(key);
    return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
  };
  const module = text("module");
  const isFunction = module !== undefined;
  const isMpi = !isFunction && text("category") === "communication" && isNamedAsMpi(name);
  const isRuntime = !isFunction && text("category") === "runtime" && /^(?:cuda|cu|hip)[A-Z]/.test(name);
  const line = count("line");
  return {
    name,
    kind: isFunction ? "function" : "region",
    ...(isFunction ? {} : { origin: isMpi ? "mpi" : isRuntime ? "runtime" : "mark" }),
    file: text("file"),
    ...(line !== undefined && line < 2 ** 31 ? { line } : {}),
    module,
    ...(isFunction ? { address: count("offset") } : {}),
  };
}
