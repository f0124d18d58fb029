/**
 * HPCToolkit 4 `profile.db`: values of every (profile, context, metric), stored profile by profile. Profile 0 is the summary
 * over all threads, and its metrics are summary statistics; those of all others are propagated values (formats.md 1b).
 */
import type { Task } from "../../../../model/task";
import type { ByteSource } from "../../../byteSource";
import { openDbFile, u64 } from "./container";
import { ContextSlices } from "./contextSlices";
import type { FileWindows } from "./fileWindows";

/** One part of what a profile was measured on. */
export interface Identifier {
  /** Index into the names that meta.db gives: NODE, RANK, THREAD … */
  readonly kind: number;
  readonly flags: number;
  /** Its usual name. */
  readonly logicalId: number;
  readonly physicalId: bigint;
}

export interface ProfileInfo {
  readonly index: number;
  readonly flags: number;
  readonly isSummary: boolean;
  /** Empty for the summary. */
  readonly ids: readonly Identifier[];
  readonly values: number;
  readonly contexts: number;
  readonly valuesAt: number;
  readonly contextsAt: number;
}

/** Some values of a profile, by ascending context. The columns are reused for the next ones. */
export interface ProfileValues {
  readonly count: number;
  readonly context: Uint32Array;
  readonly metric: Uint16Array;
  readonly value: Float64Array;
}

const INFO_BYTES = 44;
const ID_BYTES = 16;
const VALUE_BYTES = 10;
const CONTEXT_BYTES = 12;
/** Rows that are read at once. */
const BATCH = 1 << 15;

export class ProfileDb {
  private readonly context = new Uint32Array(BATCH);
  private readonly metric = new Uint16Array(BATCH);
  private readonly value = new Float64Array(BATCH);

  private constructor(
    private readonly windows: FileWindows,
    readonly profiles: readonly ProfileInfo[],
  ) {}

  /** @throws FormatError, CancelledError */
  static async open(source: ByteSource, task: Task): Promise<ProfileDb> {
    const { windows, sections } = await openDbFile(source, "prof");
    const header = await windows.view(sections[0].position, 13, "the table of profiles");
    const [at, count, stride] = [u64(header, 0), header.getUint32(8, true), header.getUint8(12)];
    const tablePosition = sections[0].position;
    if (count > 0 && stride < INFO_BYTES)
      throw windows.problem(tablePosition + 12, `profiles of ${stride} bytes`, `at least ${INFO_BYTES} bytes each`);
    windows.check(at, count * stride, `${count} profiles of ${stride} bytes`);
    const profiles: ProfileInfo[] = [];
    // No byte belongs to two profiles: else a small file could claim any amount of values.
    let claimed = 0;
    for (let index = 0; index < count; index++) {
      if (index % 1024 === 0) task.check();
      const position = at + index * stride;
      const info = await windows.view(position, INFO_BYTES, `profile ${index}`);
      const [values, valuesAt] = [u64(info, 0), u64(info, 8)];
      const [contexts, contextsAt] = [info.getUint32(16, true), u64(info, 24)];
      const [tupleAt, flags] = [u64(info, 32), info.getUint32(40, true)];
      windows.check(valuesAt, values * VALUE_BYTES, `${values} values of profile ${index}`);
      windows.check(contextsAt, contexts * CONTEXT_BYTES, `${contexts} contexts of profile ${index}`);
      const ids = tupleAt === 0 ? [] : await readTuple(windows, tupleAt, index);
      claimed += values * VALUE_BYTES + contexts * CONTEXT_BYTES + ids.length * ID_BYTES;
      if (claimed > windows.size)
        throw windows.problem(
          position,
          `profiles that share bytes (profile ${index})`,
          "values of its own in each profile",
        );
      const isSummary = (flags & 1) !== 0;
      profiles.push({ index, flags, isSummary, ids, values, contexts, valuesAt, contextsAt });
    }
    return new ProfileDb(windows, profiles);
  }

  /** All values of a profile, as they are stored. */
  async *read(profile: ProfileInfo, task: Task): AsyncGenerator<ProfileValues> {
    const { windows, context, metric, value } = this;
    const slices = new ContextSlices(windows, profile);
    for (let first = 0; first < profile.values; first += BATCH) {
      task.check();
      const count = Math.min(BATCH, profile.values - first);
      const position = profile.valuesAt + first * VALUE_BYTES;
      decode(await windows.view(position, count * VALUE_BYTES, "values"), count, metric, value);
      await slices.assign(context, first, count);
      yield { count, context, metric, value };
    }
  }
}

/** Records of 10 bytes: numbers that lie at no boundary of their own. */
function decode(view: DataView, count: number, metric: Uint16Array, value: Float64Array): void {
  for (let row = 0, at = 0; row < count; row++, at += VALUE_BYTES) {
    metric[row] = view.getUint16(at, true);
    value[row] = view.getFloat64(at + 2, true);
  }
}

async function readTuple(windows: FileWindows, position: number, profile: number): Promise<Identifier[]> {
  const what = `the identifiers of profile ${profile}`;
  const count = (await windows.view(position, 2, what)).getUint16(0, true);
  const view = await windows.view(position + 8, count * ID_BYTES, what);
  return Array.from({ length: count }, (_, index) => {
    const at = index * ID_BYTES;
    return {
      kind: view.getUint8(at),
      flags: view.getUint16(at + 2, true),
      logicalId: view.getUint32(at + 4, true),
      physicalId: view.getBigUint64(at + 8, true),
    };
  });
}
