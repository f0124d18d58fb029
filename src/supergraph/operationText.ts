/** Operations as people write them: `split-by-entry lib5 {f7,f8} {f11}` (semantics 2.6). */
import { RequestError } from "../model/errors";
import { type CallerBy, type GraphOperation, groupings, type GroupRef } from "./query";

/** Longer texts are refused: they are not written by hand. */
const LONGEST = 100_000;

/** How each operation is written, for messages. */
export const operationForms: Readonly<Record<GraphOperation["kind"], string>> = {
  filter: "filter PERCENT",
  "group-by": `group-by ${groupings.join("|")}`,
  "split-by-entry": "split-by-entry GROUP {FUNCTION,…} {FUNCTION,…}",
  "split-by-caller": "split-by-caller GROUP [by group|function]",
  reveal: "reveal FUNCTION [in GROUP]",
  expand: "expand GROUP",
  collapse: "collapse GROUP",
  hide: "hide GROUP",
};

/** @throws RequestError where it is none, with what was expected */
export function parseOperation(text: string): GraphOperation {
  if (text.length > LONGEST) throw new RequestError(`An operation of ${text.length} characters is not read.`);
  const words = new Words(text);
  const kind = words.name("an operation");
  switch (kind) {
    case "filter": {
      const percent = words.name("a percentage");
      const value = /^[\d.]+(?:e-\d+)?$/.test(percent) ? Number(percent) : NaN;
      if (!(value <= 100)) throw words.problem(`'${percent}' is no percentage from 0 to 100`);
      return words.ended({ kind, percent: value });
    }
    case "group-by": {
      const word = words.name("what to group by");
      const groupBy = groupings.find((known) => known === word);
      if (groupBy === undefined) throw words.problem(`'${word}' is none of ${groupings.join(", ")}`);
      return words.ended({ kind, groupBy });
    }
    case "split-by-entry": {
      const target = words.group();
      const sets = [words.set()];
      while (!words.atEnd) sets.push(words.set());
      return { kind, target, sets };
    }
    case "split-by-caller":
      return words.ended({ kind, target: words.group(), by: callerBy(words) });
    case "reveal": {
      const name = words.name("a function");
      return words.ended({ kind, function: name, ...(words.take("in") ? { target: words.group() } : {}) });
    }
    case "expand":
    case "collapse":
    case "hide":
      return words.ended({ kind, target: words.group() });
    default:
      throw new RequestError(`'${text}': there is no operation '${kind}'. ${forms()}`);
  }
}

function callerBy(words: Words): CallerBy {
  if (!words.take("by")) return "group";
  const by = words.name("group or function");
  if (by !== "group" && by !== "function")
    throw words.problem(`callers are distinguished by group or function, not '${by}'`);
  return by;
}

function forms(): string {
  return `Operations are: ${Object.values(operationForms).join("; ")}. Names with other characters stand in double quotes.`;
}

/** An operation as {@link parseOperation} reads it. */
export function operationText(operation: GraphOperation): string {
  switch (operation.kind) {
    case "filter":
      return `filter ${operation.percent}`;
    case "group-by":
      return `group-by ${operation.groupBy}`;
    case "split-by-entry":
      return `split-by-entry ${groupText(operation.target)} ${operation.sets.map(setText).join(" ")}`;
    case "split-by-caller":
      return `split-by-caller ${groupText(operation.target)}${operation.by === "function" ? " by function" : ""}`;
    case "reveal":
      return `reveal ${quoted(operation.function)}${operation.target ? ` in ${groupText(operation.target)}` : ""}`;
    default:
      return `${operation.kind} ${groupText(operation.target)}`;
  }
}

function groupText({ group, bar }: GroupRef): string {
  return bar === undefined ? quoted(group) : `${quoted(group)}#${bar}`;
}

function setText(names: readonly string[]): string {
  return `{${names.map(quoted).join(",")}}`;
}

function quoted(name: string): string {
  return /^[\p{L}\p{N}_./:~()-]+$/u.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`;
}

/** Reads an operation word by word. */
class Words {
  private at = 0;

  constructor(private readonly text: string) {
    this.skipSpace();
  }

  get atEnd(): boolean {
    return this.at === this.text.length;
  }

  /** The operation, where nothing follows it. */
  ended(operation: GraphOperation): GraphOperation {
    if (!this.atEnd) throw this.problem(`'${this.text.slice(this.at)}' does not belong there`);
    return operation;
  }

  name(what: string): string {
    const name = this.read(what);
    if (!this.atEnd && !/\s/.test(this.text[this.at]))
      throw this.problem(`'${this.text.slice(this.at)}' cannot be read`);
    this.skipSpace();
    return name;
  }

  /** Whether this word comes next; it is taken then. */
  take(word: string): boolean {
    const rest = this.text.slice(this.at);
    if (!rest.startsWith(word) || !/^(?:\s|$)/.test(rest.slice(word.length))) return false;
    this.at += word.length;
    this.skipSpace();
    return true;
  }

  group(): GroupRef {
    const group = this.read("a group");
    const number = /^#([1-9]\d{0,8})(?=\s|$)/.exec(this.text.slice(this.at));
    if (number) this.at += number[0].length;
    else if (!this.atEnd && !/\s/.test(this.text[this.at]))
      throw this.problem(`'${this.text.slice(this.at)}' cannot be read after a group`);
    this.skipSpace();
    return number ? { group, bar: Number(number[1]) } : { group };
  }

  /** Names in braces. */
  set(): string[] {
    this.mark("{");
    const names = [this.read("an entry function")];
    for (this.skipSpace(); this.text[this.at] === ","; this.skipSpace()) {
      this.mark(",");
      names.push(this.read("an entry function"));
    }
    this.mark("}");
    return names;
  }

  problem(what: string): RequestError {
    return new RequestError(`'${this.text}': ${what}. ${forms()}`);
  }

  private mark(character: string): void {
    if (this.text[this.at] !== character)
      throw this.problem(`'${character}' is missing at '${this.text.slice(this.at)}'`);
    this.at++;
    this.skipSpace();
  }

  private read(what: string): string {
    const word = /"((?:[^"\\]|\\.)*)"|([\p{L}\p{N}_./:~()-]+)/suy;
    word.lastIndex = this.at;
    const found = word.exec(this.text);
    if (!found) {
      const rest = this.text.slice(this.at);
      throw this.problem(rest === "" ? `${what} is missing` : `${what} was expected at '${rest}'`);
    }
    this.at = word.lastIndex;
    return found[1] === undefined ? found[2] : found[1].replace(/\\(.)/gs, "$1");
  }

  private skipSpace(): void {
    while (this.at < this.text.length && /\s/.test(this.text[this.at])) this.at++;
  }
}
