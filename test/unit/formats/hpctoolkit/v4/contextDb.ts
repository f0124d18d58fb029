/**
 * HPCToolkit 4 `cct.db`: the values of profile.db once more, context by context, so that one context over all ranks is one
 * short read. It has no summary (formats.md 1b).
 */
import type { ByteSource } from "../../../../../src/formats/byteSource";
import { openDbFile, u64 } from "../../../../../src/formats/hpctoolkit/v4/scan/container";
import type { FileWindows } from "../../../../../src/formats/hpctoolkit/v4/scan/fileWindows";

/** The values of one context over all profiles: by metric, then by profile. */
export interface ContextValues {
  readonly metric: Uint16Array;
  readonly profile: Uint32Array;
  readonly value: Float64Array;
}

/** Contexts that are asked for lie far apart. */
const READ_BYTES = 64 << 10;
const INFO_BYTES = 32;
const VALUE_BYTES = 12;
const METRIC_BYTES = 10;

export class ContextDb {
  private constructor(
    private readonly windows: FileWindows,
    private readonly at: number,
    private readonly stride: number,
    /** Contexts are 0 to this, without it; 0 is the whole program. */
    readonly contexts: number,
  ) {}

  /** @throws FormatError */
  static async open(source: ByteSource): Promise<ContextDb> {
    const { windows, sections } = await openDbFile(source, "ctxt", READ_BYTES);
    const { position } = sections[0];
    const header = await windows.view(position, 13, "the table of contexts");
    const [at, contexts, stride] = [u64(header, 0), header.getUint32(8, true), header.getUint8(12)];
    if (contexts > 0 && stride < INFO_BYTES)
      throw windows.problem(position + 12, `contexts of ${stride} bytes`, `at least ${INFO_BYTES} bytes each`);
    windows.check(at, contexts * stride, `${contexts} contexts of ${stride} bytes`);
    return new ContextDb(windows, at, stride, contexts);
  }

  /** One context across all ranks, threads and streams. @throws RangeError for a context that the table does not have */
  async read(context: number): Promise<ContextValues> {
    if (!(Number.isInteger(context) && context >= 0 && context < this.contexts))
      throw new RangeError(`cct.db has no context ${context}`);
    const { windows } = this;
    const info = await windows.view(this.at + context * this.stride, INFO_BYTES, `context ${context}`);
    const [values, valuesAt] = [u64(info, 0), u64(info, 8)];
    const [metrics, metricsAt] = [info.getUint16(16, true), u64(info, 24)];
    windows.check(valuesAt, values * VALUE_BYTES, `${values} values of context ${context}`);
    const metric = new Uint16Array(values);
    const table = await windows.view(metricsAt, metrics * METRIC_BYTES, `metrics of context ${context}`);
    let covered = 0;
    for (let index = 0; index < metrics; index++) {
      const begin = u64(table, index * METRIC_BYTES + 2);
      const end = index + 1 < metrics ? u64(table, (index + 1) * METRIC_BYTES + 2) : values;
      if (begin !== covered || end < begin || end > values) throw this.misplaced(context, values, metricsAt);
      metric.fill(table.getUint16(index * METRIC_BYTES, true), begin, end);
      covered = end;
    }
    if (covered !== values) throw this.misplaced(context, values, metricsAt);
    const view = await windows.view(valuesAt, values * VALUE_BYTES, `values of context ${context}`);
    const profile = new Uint32Array(values);
    const value = new Float64Array(values);
    for (let row = 0; row < values; row++) {
      profile[row] = view.getUint32(row * VALUE_BYTES, true);
      value[row] = view.getFloat64(row * VALUE_BYTES + 4, true);
    }
    return { metric, profile, value };
  }

  private misplaced(context: number, values: number, position: number) {
    const found = `metrics of context ${context} whose values do not follow one another`;
    return this.windows.problem(position, found, `each of its ${values} values in one metric`);
  }
}
