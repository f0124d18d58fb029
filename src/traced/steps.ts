/** A program that a task runs, with arguments that no shell sees. */
export interface Step {
  /** What it is for, in the terminal. */
  readonly title: string;
  readonly command: string;
  readonly args: readonly string[];
  /** What it has beside the window's environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Its folder is a copy of this one, which the user knows. */
  readonly copyOf?: string;
  /** File that gets what it prints, instead of the terminal. */
  readonly into?: string;
  /** What is done once it has ended well. */
  finish?(signal: AbortSignal): Promise<void>;
}

/** Folder of a build, and arguments of CMake or make in addition to Heatflow's own. */
export interface Place {
  readonly folder: string;
  readonly more: readonly string[];
}

/** Runs one step of a build; throws where it fails. */
export type RunBuildStep = (step: Step) => Promise<void>;

/** As a person would type it: for the terminal only, never run. */
export function commandLine({ command, args, env }: Pick<Step, "command" | "args" | "env">): string {
  const shown = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  return [
    ...Object.entries(env).map(([name, value]) => `${name}=${shown(value)}`),
    shown(command),
    ...args.map(shown),
  ].join(" ");
}
