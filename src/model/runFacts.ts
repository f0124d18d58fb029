/** What is known of a run beside its recording, in a file of its own in the recording's folder. */
export const RUN_FILE = "traced-run.json";
export const RUN_VERSION = 1;

/** Facts of one run, as `Run Traced Build` keeps them. */
export interface RunFacts {
  readonly version: number;
  readonly tool: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** 0: without a launcher. */
  readonly ranks: number;
  /** What the program was compiled with beside its own flags. */
  readonly flags: readonly string[];
  /** As git says, where the folder is under it; whether files that it knows were changed. */
  readonly commit?: string;
  readonly isDirty?: boolean;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly seconds: number;
  /** null where a signal ended the program. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** Of a program that ran already when it was measured: its process. */
  readonly process?: number;
  /** Option by which perf found callers, for samples. */
  readonly stacks?: string;
  /** perf ended the run: its file had reached its limit of 2 GB. */
  readonly isLimited?: boolean;
  /** What the recording's pages state of its first metric; unknown until the run was opened. */
  readonly total?: RunTotal;
}

/** A sum, in the metric's unit. */
export interface RunTotal {
  /** Metric, and how ranks were combined: `time · mean over 4 ranks`. */
  readonly of: string;
  readonly unit: string;
  readonly value: number;
}

/** @returns undefined for what is no such file, or of a later version */
export function readRunFacts(text: string): RunFacts | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const facts = value as Partial<Record<keyof RunFacts, unknown>>;
  const isRun =
    facts.version === RUN_VERSION &&
    [facts.tool, facts.program, facts.cwd, facts.startedAt].every((one) => typeof one === "string") &&
    [facts.args, facts.flags].every((one) => Array.isArray(one) && one.every((text) => typeof text === "string")) &&
    [facts.ranks, facts.seconds].every((one) => typeof one === "number");
  if (!isRun) return undefined;
  const { total, ...rest } = value as RunFacts;
  return isTotal(total) ? { ...rest, total } : rest;
}

function isTotal(value: unknown): value is RunTotal {
  if (typeof value !== "object" || value === null) return false;
  const { of, unit, value: sum } = value as Partial<Record<keyof RunTotal, unknown>>;
  return typeof of === "string" && typeof unit === "string" && typeof sum === "number";
}

/** The facts as metadata of a recording. */
export function runGlobals(facts: RunFacts): [name: string, value: string][] {
  const { tool, program, args, ranks, flags, stacks, commit, isDirty, startedAt, exitCode, signal, isLimited } = facts;
  const state = isDirty === undefined ? "" : isDirty ? ", with changes that were not committed" : ", nothing changed";
  return [
    ["run.tool", tool],
    ["run.program", program],
    ...(args.length > 0 ? [["run.arguments", JSON.stringify(args)] as [string, string]] : []),
    ...(ranks > 0 ? [["run.ranks", String(ranks)] as [string, string]] : []),
    ...(flags.length > 0 ? [["run.flags", flags.join(" ")] as [string, string]] : []),
    ...(typeof commit === "string" ? [["run.commit", `${commit}${state}`] as [string, string]] : []),
    ["run.startedAt", startedAt],
    ...(typeof stacks === "string" ? [["run.stacks", stacks] as [string, string]] : []),
    [
      "run.ended",
      isLimited === true
        ? "by perf, whose file reached its limit of 2 GB"
        : typeof signal === "string"
          ? `by ${signal}`
          : `with exit code ${exitCode}`,
    ],
  ];
}

/** What lists call a run: its program, tool and start, and its ranks where it has some. */
export function runTitle({ program, tool, startedAt, ranks }: RunFacts): string {
  const name = program.slice(program.lastIndexOf("/") + 1);
  const time = startedAt.slice(0, 19).replace("T", " ");
  return `${name} ${tool} ${time}${ranks > 0 ? ` (${ranks} ranks)` : ""}`;
}
