/** Sampling options of perf, from the header of `perf script --header`: the weight of a sample if its line has no period. */

/** Frequency or period of samples. At most one of both is known. */
export interface Sampling {
  /** Samples of a second in which the event was counted. */
  readonly perSecond?: number;
  /** Events of a sample. */
  readonly period?: number;
}

/** Events that occur all the time. Samples of them at a frequency are samples of time. */
const STEADY = /^(?:(?:cpu|task)-clock|(?:(?:cpu|ref|bus)-)?cycles|instructions)$/;
const VALUE = /\{ sample_period, sample_freq \} = (\d{1,15})(?=,|$)/;
const IS_FREQUENCY = /, freq = 1(?=,|$)/;

/** Options of `perf record` whose value is the next word. The value of a one-letter option may follow in the same word. */
const WITH_VALUE = new Set("CDFGcejkmoprtu");
const LONG_WITH_VALUE = new Set(
  (
    "affinity aux-sample branch-filter call-graph cgroup clang-opt clang-path clockid control count cpu debuginfod delay event filter " +
    "freq max-size mmap-flush mmap-pages num-thread-synthesize off-cpu-thresh output pid proc-map-timeout realtime tid uid vmlinux"
  ).split(" "),
);

/** Bytes of a stack that perf copies if it is not told how many. */
const USUAL_COPY = 8192;

/** The header of one file, which is complete when its first sample is read. */
export class RecordHeader {
  /** @param globals values by key, each as often as the header has it */
  constructor(private readonly globals: ReadonlyMap<string, readonly string[]>) {}

  /** @param event as the sample's line names it @returns {} if neither the period nor a frequency in time is known */
  samplingOf(event: string): Sampling {
    const described = this.describing(event);
    const value = VALUE.exec(described ?? "")?.[1];
    const asked = this.fromCommand();
    if (value !== undefined)
      return this.fitting(
        event,
        IS_FREQUENCY.test(described ?? "") ? { perSecond: Number(value) } : { period: Number(value) },
      );
    return this.fitting(event, asked);
  }

  private fitting(event: string, { perSecond, period }: Sampling): Sampling {
    if (period !== undefined && period > 0) return { period };
    return perSecond !== undefined && perSecond > 0 && STEADY.test(plainName(event)) ? { perSecond } : {};
  }

  /** The header's line of an event, whose name may lack its modifiers there. */
  private describing(event: string): string | undefined {
    const lines = this.globals.get("event") ?? [];
    const named = (name: (own: string) => string) =>
      lines.find(
        (line) => name(/^name = ([^,]{1,500}(?:,[^ ,][^,]{0,500})*),? /.exec(line)?.[1] ?? "") === name(event),
      );
    return named((own) => own) ?? named(plainName) ?? (lines.length === 1 ? lines[0] : undefined);
  }

  /** How many bytes of each stack were copied to be unwound by debug information (`--call-graph dwarf`); 0 if none were, or it is not known. */
  copiedBytes(): number {
    for (const { name, value } of this.recordOptions()) {
      const copied = name === "call-graph" ? /^dwarf(?:,(\d{1,9}))?$/.exec(value) : null;
      if (copied) return copied[1] === undefined ? USUAL_COPY : Number(copied[1]);
    }
    return 0;
  }

  /** Sampling options of the `perf record` command; {} for other commands. */
  private fromCommand(): Sampling {
    let sampling: Sampling = {};
    for (const { name, value } of this.recordOptions()) {
      if (!/^\d{1,15}$/.test(value)) continue;
      if (name === "F" || name === "freq") sampling = { perSecond: Number(value) };
      if (name === "c" || name === "count") sampling = { period: Number(value) };
    }
    return sampling;
  }

  /** Options of `perf record`, up to the program that was measured. The value is empty if an option has none. */
  private recordOptions(): { readonly name: string; readonly value: string }[] {
    const words = this.globals.get("cmdline")?.[0].split(/\s+/) ?? [];
    const options: { name: string; value: string }[] = [];
    const from = words.indexOf("record");
    if (from < 0) return options;
    for (let at = from + 1; at < words.length; at++) {
      const option = optionOf(words[at]);
      if (option === undefined) break;
      const { name, takesValue } = option;
      options.push({ name, value: option.value ?? (takesValue ? words[++at] : undefined) ?? "" });
    }
    return options;
  }
}

interface CommandOption {
  readonly name: string;
  /** Value in the same word. */
  readonly value: string | undefined;
  /** Whether the next word is its value, if the same word has none. */
  readonly takesValue: boolean;
}

/** Reads an option. Flags of one letter may share a word: `-agF 99`. @returns undefined if the word is no option */
function optionOf(word: string): CommandOption | undefined {
  const long = /^--([a-z][a-z-]{0,50})(?:=(.*))?$/.exec(word);
  if (long) return { name: long[1], value: long[2], takesValue: LONG_WITH_VALUE.has(long[1]) };
  if (!/^-[A-Za-z]/.test(word)) return undefined;
  for (let at = 1; at < word.length; at++) {
    const name = word[at];
    if (!WITH_VALUE.has(name)) continue;
    const value = word.slice(at + 1);
    return { name, value: value === "" ? undefined : value, takesValue: true };
  }
  return { name: word.slice(1), value: undefined, takesValue: false };
}

/** `cycles` of `cpu_core/cycles/P`, `cycles:ppp` and `cycles`. */
function plainName(event: string): string {
  const ofUnit = /^[\w.-]{1,50}\/([^/,]{1,200})[,/]/.exec(event);
  return ofUnit ? ofUnit[1] : event.replace(/:[a-zA-Z]{1,9}$/, "");
}
