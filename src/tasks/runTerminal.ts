import * as vscode from "vscode";
import { CancelledError } from "../model/errors";
import type { RunHost } from "../traced/tracedRun";

/** What a terminal gives to what runs in it. */
export type TerminalHost = Pick<RunHost, "signal" | "secondSignal" | "output" | "input" | "say">;

/** What runs in a terminal; says itself what went wrong. @returns the task's exit code */
export type Work = (host: TerminalHost) => Promise<number>;

/** A terminal in which a traced build runs: what programs print, what is typed, and a stop of all that runs. */
export class RunTerminal implements vscode.Pseudoterminal {
  private readonly writing = new vscode.EventEmitter<string>();
  private readonly closing = new vscode.EventEmitter<number>();
  private readonly stopping = new AbortController();
  private readonly stoppingAgain = new AbortController();
  private input: ((text: string) => void) | undefined;
  readonly onDidWrite = this.writing.event;
  readonly onDidClose = this.closing.event;

  constructor(private readonly work: Work) {}

  open(): void {
    const host: TerminalHost = {
      signal: this.stopping.signal,
      secondSignal: this.stoppingAgain.signal,
      output: (data) => this.write(data.toString("utf8")),
      input: (write) => (this.input = write),
      say: (line) => this.write(`\x1b[2m${line}\x1b[0m\n`),
    };
    void this.work(host).then((code) => this.closing.fire(code));
  }

  /** The user has stopped the task, or closed its terminal. */
  close(): void {
    (this.stopping.signal.aborted ? this.stoppingAgain : this.stopping).abort(new CancelledError());
  }

  handleInput(text: string): void {
    if (text === "\x03") return this.close();
    const typed = text.replaceAll("\r", "\n");
    this.write(typed);
    this.input?.(typed);
  }

  /** Terminals want a carriage return before each new line. */
  private write(text: string): void {
    this.writing.fire(text.replace(/\r?\n/g, "\r\n"));
  }
}
