/** What compilers say of a source. Line and column are 1-based. */
export interface CompilerMessage {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning" | "note";
  readonly text: string;
}

/** gcc, g++, clang: `file:line:column: error: text`; also without a column. */
const GNU = /^([^\s:][^:]{0,4000}):(\d{1,9}):(?:(\d{1,9}):)? (?:fatal )?(error|warning|note): (.{1,4000})$/;
/** CMake: `CMake Error at file:line (command):`, the text stands below. */
const CMAKE = /^CMake (Error|Warning)(?: \(dev\))? at ([^:]{1,4000}):(\d{1,9}) \((.{1,200})\):$/;
/** gfortran: `file:line:column:`, below it the line, and then `Error: text`. */
const FORTRAN_PLACE = /^([^\s:][^:]{0,4000}):(\d{1,9}):(\d{1,9}):$/;
const FORTRAN_TEXT = /^(?:Fatal )?(Error|Warning): (.{1,4000})$/;

/** Colours and other codes of terminals. */
const CODES = /\x1b\[[0-9;]{0,20}[A-Za-z]/g;

/** Messages of compilers, from what a build prints piece by piece. */
export class CompilerMessages {
  readonly messages: CompilerMessage[] = [];
  private rest = "";
  private place: Pick<CompilerMessage, "file" | "line" | "column"> | undefined;
  private cmake: { readonly index: number } | undefined;

  /** Lines may be in several pieces; the last one counts when it ends. */
  add(piece: string): void {
    const lines = (this.rest + piece).split(/\r?\n/);
    this.rest = (lines.pop() ?? "").slice(-8000);
    for (const line of lines) this.line(line.replace(CODES, ""));
  }

  private line(line: string): void {
    const gnu = GNU.exec(line);
    if (gnu) {
      const [, file, at, column = "1", severity, text] = gnu;
      this.put({ file, line: Number(at), column: Number(column), severity: severityOf(severity), text });
      return;
    }
    const cmake = CMAKE.exec(line);
    if (cmake) {
      const [, severity, file, at, command] = cmake;
      this.put({ file, line: Number(at), column: 1, severity: severityOf(severity), text: `${command}:` });
      this.cmake = { index: this.messages.length - 1 };
      return;
    }
    if (this.cmake !== undefined) {
      const message = this.messages[this.cmake.index];
      if (/^ {2}\S/.test(line))
        this.messages[this.cmake.index] = { ...message, text: `${message.text} ${line.trim()}` };
      else if (line !== "") this.cmake = undefined;
    }
    const place = FORTRAN_PLACE.exec(line);
    if (place) this.place = { file: place[1], line: Number(place[2]), column: Number(place[3]) };
    const fortran = FORTRAN_TEXT.exec(line);
    if (fortran && this.place !== undefined) {
      this.put({ ...this.place, severity: severityOf(fortran[1]), text: fortran[2] });
      this.place = undefined;
    }
  }

  private put(message: CompilerMessage): void {
    if (this.messages.length < 10_000) this.messages.push(message);
  }
}

function severityOf(word: string): CompilerMessage["severity"] {
  const lower = word.toLowerCase();
  return lower === "error" || lower === "note" ? lower : "warning";
}
