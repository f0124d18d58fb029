import path from "node:path";
import { TaskError, type TracedTask } from "./definition";
import { type Machine, need } from "./machine";
import type { Step } from "./steps";

/** Regions that are shorter are in every sum and not in the timeline: an unmodified program has millions of them. */
const SHORTEST_INSTRUMENTED_NS = "10000";

/** How a program is run to be measured. */
export interface Measuring {
  readonly run: Step;
  /** What makes a recording of what was measured, in turn. */
  readonly after: readonly Step[];
}

/**
 * The program with its tool, and with a launcher where it has ranks. What the tool needs stands before the program, within the
 * launcher's command, so that it reaches the ranks whichever launcher it is.
 *
 * @param folder where the recording goes
 * @param library the tracker's runtime, of tools that need it
 * @throws MissingProgram
 */
export function measuring(
  task: TracedTask,
  machine: Machine,
  program: string,
  folder: string,
  library: string | undefined,
): Measuring {
  const { tool, cwd, args, env, ranks, launcher } = task;
  const own = [program, ...args];
  const inFolder = (name: string) => path.join(folder, name);
  const launched = (command: readonly string[]) =>
    ranks > 0 ? [...launcher, "-n", String(ranks), ...command] : command;
  const started = ([first, ...rest]: readonly string[]): Step => {
    return { title: "Run", command: need(machine, first), args: rest, env, cwd };
  };
  const step = (command: readonly string[]) => started(launched(command));
  const withVariables = (variables: Readonly<Record<string, string>>, command: readonly string[]) => [
    need(machine, "env"),
    ...Object.entries(variables).map(([name, value]) => `${name}=${value}`),
    // env would take such a program for one more variable.
    ...(command[0].includes("=") ? [need(machine, "nice"), "-n", "0"] : []),
    ...command,
  ];
  switch (tool) {
    case "tracker":
    case "instrument": {
      const variables: Record<string, string> = {
        ...(library === undefined ? {} : preloaded(library, task, machine)),
        HEATFLOW_OUTPUT: inFolder("heatflow-%r.json"),
        HEATFLOW_RUN: path.basename(folder),
        ...(tool === "instrument" ? { HEATFLOW_SHORTEST_EVENT_NS: SHORTEST_INSTRUMENTED_NS } : {}),
        // What the user says of these is what counts.
        ...Object.fromEntries(Object.entries(env).filter(([name]) => name.startsWith("HEATFLOW_"))),
      };
      return { run: step(withVariables(variables, own)), after: [] };
    }
    case "callgrind": {
      const output = `--callgrind-out-file=${inFolder("callgrind.out.%p")}`;
      return { run: step([need(machine, "valgrind"), "--tool=callgrind", output, ...own]), after: [] };
    }
    case "caliper": {
      const config = env.CALI_CONFIG ?? `hatchet-region-profile(output=${inFolder("profile.cali")},output.format=cali)`;
      return { run: step(withVariables({ CALI_CONFIG: config }, own)), after: [] };
    }
    case "hpctoolkit":
      return hpctoolkit(machine, own, inFolder, step, cwd);
    case "sample":
      return sample(machine, launched(own), inFolder, started, cwd);
  }
}

/** Variables that load a library before a program, in front of what the user loads. LD_PRELOAD has no way to write a space or colon. */
function preloaded(library: string, { env }: TracedTask, { environment }: Machine): Record<string, string> {
  const listed = (own: string, name: string) =>
    [own, env[name] ?? environment[name] ?? ""].filter((one) => one !== "").join(":");
  if (!/[\s:;$]/.test(library)) return { LD_PRELOAD: listed(library, "LD_PRELOAD") };
  const folder = path.dirname(library);
  if (/[:;$]/.test(folder))
    throw new TaskError(
      `${folder} cannot be named to the loader: it has a colon, semicolon or dollar sign in its name.`,
    );
  return {
    LD_PRELOAD: listed(path.basename(library), "LD_PRELOAD"),
    LD_LIBRARY_PATH: listed(folder, "LD_LIBRARY_PATH"),
  };
}

function hpctoolkit(
  machine: Machine,
  own: readonly string[],
  inFolder: (name: string) => string,
  step: (command: readonly string[]) => Step,
  cwd: string,
): Measuring {
  const measured = inFolder("measurements");
  const run = step([need(machine, "hpcrun"), "-e", "CPUTIME", "-t", "-o", measured, ...own]);
  const analysis = (name: string, args: readonly string[]): Step => {
    return { title: name, command: need(machine, name), args, env: {}, cwd, needs: measured };
  };
  return {
    run,
    after: [analysis("hpcstruct", [measured]), analysis("hpcprof", ["-o", inFolder("database"), measured])],
  };
}

/** perf stands before the launcher: it follows all processes that are started, into one file. */
function sample(
  machine: Machine,
  own: readonly string[],
  inFolder: (name: string) => string,
  step: (command: readonly string[]) => Step,
  cwd: string,
): Measuring {
  const perf = need(machine, "perf");
  const recorded = inFolder("perf.data");
  // Stacks from frame pointers: the program is compiled with them, and copies of stacks would be a hundred times as large.
  const run = step([perf, "record", "--call-graph", "fp", "-o", recorded, "--", ...own]);
  // As text, with the lines of frames, while the program is the one that was recorded.
  const printing = ["script", "-F", "+pid,+srcline", "--full-source-path", "-i", recorded];
  const script = {
    title: "perf script",
    command: perf,
    args: printing,
    env: {},
    cwd,
    needs: recorded,
    into: inFolder("perf.txt"),
  };
  return { run, after: [script] };
}
