/** Cause of a failed run, from its output. The message shows one line, and the terminal has the rest. */
import { shorten } from "../model/texts";
import { withEscapes } from "../model/unseen";

/** Characters that are kept of the output's end: an error comes last. */
const MAX_TAIL = 16_384;
const MAX_LINE = 300;

/** Known causes by their output, with advice. */
const KNOWN: readonly (readonly [printed: RegExp, cause: string])[] = [
  [
    /attempt to run as root|--allow-run-as-root/,
    'mpirun does not run as root. Run as another user, or add "env": {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"} to the task.',
  ],
  [
    /not enough slots available/i,
    'mpirun has fewer slots than "ranks". In the task, lower "ranks" or set "launcher": ["mpirun", "--oversubscribe"].',
  ],
];

/** Lines that tools and launchers add: their own reports, and messages that a process has ended. */
const CHATTER =
  /^(?:\[ perf record:|==\d+==|-{5,}$|\[.*\] \*\*\*|mpirun (?:noticed|has exited)|mpirun detected that one|Primary job|prterun|a non-zero exit code|per user-direction|thus causing|Process name:|Exit code:|Abort trap|Aborted\b|Terminated$|Killed$)/i;
const ERROR =
  /\b(?:error|cannot|can't|could ?n[o']t|failed|failure|not found|no such|denied|unable|invalid|missing|terminate called|exception|assert|assertion)\b/i;
/** Colours of terminals. */
const ESCAPES = /\x1b\[[0-9;]{0,20}[A-Za-z]/g;

/** The end of a run's output. */
export class PrintedTail {
  private text = "";

  add(data: Buffer): void {
    this.text = (this.text + data.toString("utf8")).slice(-MAX_TAIL);
  }

  /**
   * @param hasFailed the program failed. Its last line then counts as the cause if no line names an error
   * @returns a sentence: a known cause with advice, else the last line that names an error. undefined if there is none
   */
  cause(hasFailed: boolean): string | undefined {
    const known = KNOWN.find(([printed]) => printed.test(this.text));
    if (known) return known[1];
    const lines = this.text.replaceAll(ESCAPES, "").split(/\r?\n|\r/);
    const own = lines.map((line) => line.trim()).filter((line) => line !== "" && !CHATTER.test(line));
    const last = own.findLast((line) => ERROR.test(line)) ?? (hasFailed ? own.at(-1) : undefined);
    return last === undefined ? undefined : `It printed: ${shorten(plainText(last), MAX_LINE)}`;
  }
}

/** Breaks up `[text](command:…)`, which a message would show as a link that runs a command. */
function plainText(line: string): string {
  return withEscapes(line).replaceAll("](", "] (");
}
