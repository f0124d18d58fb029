/** What runs scale over, read from the rules one by one over texts of metadata: a twin that shares no code with the analysis. */
import { alsoDifferent } from "../../../../src/analysis/ensembles/alsoDifferent";
import type { NumberColumn } from "../../../../src/analysis/ensembles/outputParameters";
import { numberOf } from "../../../../src/engine/ensembles/runMetadata";
import type { RunColumn } from "../../../../src/model/runColumns";

export type TwinMetadata = Readonly<Record<string, string>>;

const OUT =
  "time times elapsed seconds second sec secs nsec usec msec start started starttime end ended endtime launchdate date stamp timestamp duration fom merit figure rate flops gflops mflops bandwidth throughput speed performance energy power error residual norm checksum hash uuid guid jobid job pid port seed version commit rss memory walltime runtime nanoseconds microseconds milliseconds repeat repetition replicate trial attempt".split(
    " ",
  );
const SIZE =
  "size sizes problem elements elems cells zones points particles nodes n nx ny nz grid mesh length dim dims scale level levels order batch degree rows cols".split(
    " ",
  );
const RANKS = ["ranks", "world", "nprocs", "procs", "processes", "tasks"];
const THREADS = ["threads", "cores", "gpus"];

function words(name: string): string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
}

const has = (name: string, some: readonly string[]) => words(name).some((word) => some.includes(word));
const isThreads = (name: string) => has(name, THREADS) && !has(name, ["max", "allowed", "hardware"]);
const isNamedOutput = (name: string) => has(name, OUT) || /^(?:run|process)$/.test(words(name).pop() ?? "");
const isCount = (name: string) => has(name, RANKS) || isThreads(name) || has(name, SIZE);

/** Digits of a decimal number written out, without zeros at its ends. */
function digits(value: number): number {
  return value.toFixed(20).replace(/[-.]/g, "").replace(/^0+/, "").replace(/0+$/, "").length;
}

export function scalingTwin(runs: readonly TwinMetadata[]) {
  const names = [...new Set(runs.flatMap((run) => Object.keys(run)))].sort();
  const numbers = (name: string) => runs.map((run) => (name in run ? numberOf(run[name]) : null));
  const isNumeric = (name: string) => numbers(name).every((value) => value !== undefined);
  const valueOf = (name: string, run: number) => numbers(name)[run] ?? null;
  const distinct = (name: string) => [...new Set(numbers(name).flatMap((value) => value ?? []))].map((one) => one + 0);
  const varies = (name: string) => new Set(numbers(name).map(String)).size > 1;

  const plain = names.filter((name) => {
    if (isNamedOutput(name) || !isNumeric(name) || !varies(name)) return false;
    const values = distinct(name);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    if (values.length === 1 || most - least < 0.01 * Math.max(...values.map(Math.abs))) return false;
    return values.every((value) => Number.isInteger(value) || digits(value) <= 3);
  });
  const isOwnInEach = (name: string) => {
    const others = plain.filter((other) => other !== name);
    if (others.length === 0 || isCount(name) || distinct(name).length < runs.length) return false;
    return runs.some((_, a) =>
      runs.some((__, b) => a < b && others.every((other) => valueOf(other, a) === valueOf(other, b))),
    );
  };
  const inputs = plain.filter((name) => !isOwnInEach(name));
  const isOutput = (name: string) => isNamedOutput(name) || (isNumeric(name) && varies(name) && !inputs.includes(name));
  const offered = names.filter((name) => isNumeric(name) && distinct(name).length > 1);

  const positive = inputs.filter((name) => distinct(name).length > 1 && distinct(name).every((value) => value > 0));
  const most = (some: readonly string[]) => {
    const count = Math.max(...some.map((name) => distinct(name).length));
    return some.find((name) => distinct(name).length === count);
  };
  const parameter =
    positive.find((name) => name === "ranks") ??
    positive.find((name) => has(name, RANKS)) ??
    positive.find(isThreads) ??
    most(positive.filter((name) => has(name, SIZE))) ??
    most(positive);

  const columns = names.map((name): RunColumn =>
    isNumeric(name)
      ? { name, kind: "number", values: Float64Array.from(numbers(name), (value) => value ?? NaN) }
      : { name, kind: "text", values: runs.map((run) => run[name] ?? null) },
  );

  /** Whether every two runs stand in the same order, and as many together. */
  const ranksAs = (over: string, name: string, having: readonly number[]) =>
    having.every((a) =>
      having.every((b) => {
        const [one, other] = [valueOf(name, a), valueOf(name, b)];
        if (one === null || other === null) return false;
        const [n, m] = [valueOf(over, a) ?? NaN, valueOf(over, b) ?? NaN];
        return Math.sign(n - m) === Math.sign(one - other);
      }),
    );
  const havingOf = (over: string) => runs.flatMap((_, run) => (valueOf(over, run) === null ? [] : [run]));

  return {
    columns,
    outputs: names.filter(isOutput),
    parameter,
    offered: [...offered.filter((name) => !isOutput(name)), ...offered.filter(isOutput)],
    /** What the analysis says, by name: its values, the most frequent, and the runs that have another one. */
    also(over: string, columns: readonly NumberColumn[]) {
      const having = havingOf(over);
      const some = columns.map((one): NumberColumn => ({
        ...one,
        values: Float64Array.from(having, (run) => one.values[run]),
      }));
      const parameter = Float64Array.from(having, (run) => valueOf(over, run) ?? NaN);
      return Object.fromEntries(
        alsoDifferent(parameter, some).map(({ name, values, others }) => [
          name,
          {
            values: [...values].map(String),
            others: others.flatMap(({ value, at }) => at.map(({ n, runs: count, runsOfAll }) => `${value} ${n} ${count} ${runsOfAll}`)).sort(), // prettier-ignore
          },
        ]),
      );
    },
    alsoByRules(over: string) {
      const having = havingOf(over);
      const text = (name: string, run: number) => String((valueOf(name, run) ?? NaN) + 0);
      const own = inputs.filter(
        (name) =>
          name !== over && new Set(having.map((run) => text(name, run))).size > 1 && !ranksAs(over, name, having),
      );
      return Object.fromEntries(
        own.map((name) => {
          const values = [...new Set(having.map((run) => text(name, run)))];
          const count = (value: string) => having.filter((run) => text(name, run) === value).length;
          const largest = Math.max(...values.map(count));
          const first = (value: string) =>
            Math.min(...having.filter((run) => text(name, run) === value).map((run) => valueOf(over, run) ?? NaN));
          const order = (value: string) => (value === "NaN" ? Infinity : Number(value));
          const [usual] = values
            .filter((value) => count(value) === largest)
            .sort((a, b) => first(a) - first(b) || (order(a) < order(b) ? -1 : 1));
          const at = new Set(having.map((run) => `${text(name, run)} ${valueOf(over, run)}`));
          const others = [...at].flatMap((pair) => {
            const [value, n] = pair.split(" ");
            const here = having.filter((run) => String(valueOf(over, run)) === n);
            const same = here.filter((run) => text(name, run) === value);
            return value === usual ? [] : [`${value} ${n} ${same.length} ${here.length}`];
          });
          return [name, { values: values.sort((a, b) => (order(a) < order(b) ? -1 : 1)), others: others.sort() }];
        }),
      );
    },
  };
}
