/** Where in a file something was found. `line` is 1-based, `byte` 0-based. */
export type Position = { line: number } | { byte: number } | { path: string };

export interface FormatProblem {
  file: string;
  at?: Position;
  found: string;
  expected: string;
  advice: string;
  /** The file as a whole is something else than a recording. */
  isOther?: true;
  /** Advice to make a recording of such a file, as a sentence. */
  remedy?: string;
}

/** For `instanceof`: the window's code is two bundles, each with its own copy of these classes. */
const isNamed = (name: string) => (error: unknown) => error instanceof Error && error.name === name;

/** A recording that cannot be read: what, where, and what to do. The only error that readers throw on purpose. */
export class FormatError extends Error {
  static override readonly [Symbol.hasInstance] = isNamed("FormatError");
  override readonly name = "FormatError";

  constructor(readonly problem: FormatProblem) {
    super(formatProblem(problem));
  }
}

/** The error for a part of a file that is not as its format has it: the file was cut or changed on its way here. */
export function damagedFile(
  file: string,
  at: Position | undefined,
  found: string,
  expected: string,
  again = "copy it again, or record again",
): FormatError {
  const advice = `The file is damaged or was not copied completely: ${again}.`;
  return new FormatError({ file, at, found, expected, advice });
}

function formatProblem(problem: FormatProblem): string {
  return `${placedProblem(problem)} ${problem.advice}`;
}

/**
 * One line: `pic.cali is a PNG image, not a recording`, `Could not open a.cali: line 21: found a node without a name`, or what the file is
 * and how a recording is made of it.
 *
 * @param what went wrong; its file is named where this does not name it
 */
export function headline({ file, at, found, isOther, remedy }: FormatProblem, what: string): string {
  const name = file.split(/[/\\]/).findLast((part) => part !== "") ?? file;
  if (isOther) return remedy === undefined ? `${name} is ${found}, not a recording` : `${name} is ${found}. ${remedy}`;
  const where = [...(what.includes(name) ? [] : [name]), ...(at === undefined ? [] : [positionText(at)])].join(", ");
  return `${what}: ${where === "" ? "" : `${where}: `}found ${found}`;
}

/** Place and problem, without the advice. */
export function placedProblem({ file, at, found, expected }: FormatProblem): string {
  const where = at === undefined ? "" : `, ${positionText(at)}`;
  return `${file}${where}: found ${found}; expected ${expected}.`;
}

export function positionText(at: Position): string {
  return "line" in at ? `line ${at.line}` : "byte" in at ? `byte ${at.byte}` : at.path;
}

/** A request that cannot be answered (no such metric, an unknown group): what was asked and what there is. */
export class RequestError extends Error {
  static override readonly [Symbol.hasInstance] = isNamed("RequestError");
  override readonly name = "RequestError";
}

/** There is nothing that a panel's question could be about: what is lacking, what to do, and a link to where. */
export class NothingToDrawError extends Error {
  static override readonly [Symbol.hasInstance] = isNamed("NothingToDrawError");
  override readonly name = "NothingToDrawError";

  constructor(
    readonly problem: {
      readonly message: string;
      readonly advice: string;
      readonly link: { readonly id: string; readonly text: string };
    },
  ) {
    super(problem.message);
  }
}

/** One way to understand files that can be understood in several. */
export interface Choice {
  readonly id: string;
  readonly label: string;
  readonly detail: string;
}

/** Files that could be one thing or another, and nothing in them decides it: the user is asked once. */
export class AmbiguityError extends Error {
  static override readonly [Symbol.hasInstance] = isNamed("AmbiguityError");
  override readonly name = "AmbiguityError";

  constructor(
    readonly question: string,
    readonly choices: readonly Choice[],
    /** The choice that holds where nobody can be asked, and says so; absent: there is none. */
    readonly otherwise?: string,
  ) {
    super(`${question} (${choices.map(({ id, label }) => `${id}: ${label}`).join("; ")})`);
  }
}

/** Thrown where a task notices that it was cancelled. */
export class CancelledError extends Error {
  static override readonly [Symbol.hasInstance] = isNamed("CancelledError");
  override readonly name = "CancelledError";
  constructor() {
    super("cancelled");
  }
}

/** What is wrong, for people, of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** For `catch`: work that was cancelled gives nothing. @throws any other error */
export function ignoreCancelled(error: unknown): undefined {
  if (!(error instanceof CancelledError)) throw error;
}
