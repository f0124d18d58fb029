import { entryOf } from "../model/maps";
import type { FileFacts } from "./facts";

/** How often a text with errors is read again, and up to which size. */
const MOST_ATTEMPTS = 4;
const MOST_REPEATED = 400_000;

/** What one reading of a text gives. */
export interface ReadText {
  readonly facts: FileFacts;
  /** Number of errors that the grammar met. */
  readonly errors: number;
  /** Offsets where errors of several lines begin outside of functions: what follows may be swallowed. */
  readonly lost: readonly number[];
}

/**
 * Reads a text as far as it goes (a file with syntax errors is still used). Where errors come from branches that open braces of their own, or
 * give a function several heads, the branches are read apart and put together. Where the grammar loses its way all the same, the line
 * where it did is left out and the rest read again, as long as that brings more functions to light.
 *
 * @param read reads a text; texts of further attempts have the same length, with blanks for what is left out
 */
export function readTolerantly(text: string, read: (text: string) => ReadText | undefined): FileFacts | undefined {
  const whole = read(text);
  if (whole === undefined || whole.errors === 0 || text.length > MOST_REPEATED) return whole?.facts;
  const variants = branchVariants(text).flatMap((variant) => readOn(variant, read) ?? []);
  const readings = variants.length > 0 ? variants : [readOn(text, read, whole) ?? whole];
  const best = readings.reduce((a, b) => (b.errors < a.errors ? b : a));
  if (best.errors >= whole.errors && best.facts.definitions.length <= whole.facts.definitions.length)
    return whole.facts;
  return readings.reduce((facts, other) => (other === best ? facts : joinFacts(facts, other.facts)), best.facts);
}

function readOn(text: string, read: (text: string) => ReadText | undefined, first = read(text)): ReadText | undefined {
  let best = first;
  let current = first;
  let remaining = text;
  for (let attempt = 1; attempt < MOST_ATTEMPTS && current !== undefined && current.lost.length > 0; attempt++) {
    remaining = withoutLines(remaining, current.lost);
    current = read(remaining);
    if (current !== undefined && current.facts.definitions.length > (best?.facts.definitions.length ?? 0))
      best = current;
  }
  return best;
}

/** The text with the first, and with the last branch of every `#if` only; nothing where no `#if` has two. */
export function branchVariants(text: string): string[] {
  if (!/^[ \t]*#[ \t]*(?:else|elif)/m.test(text)) return [];
  return [keepBranches(text, "first"), keepBranches(text, "last")];
}

function keepBranches(text: string, which: "first" | "last"): string {
  const lines = text.split("\n");
  const lastBranch = which === "last" ? lastBranches(lines) : undefined;
  const open: { kept: boolean }[] = [];
  let hidden = 0;
  return lines
    .map((line, at) => {
      const directive = /^\s*#\s*(if\w*|elif\w*|else|endif)\b\s*(.*)/.exec(line);
      if (!directive) return hidden > 0 ? blank(line) : line;
      const [, word, condition] = directive;
      const top = open[open.length - 1];
      if (word.startsWith("if")) {
        const dead = /^0\b/.test(condition);
        const kept = !dead && (lastBranch === undefined || lastBranch.has(at));
        open.push({ kept });
        if (!kept) hidden++;
      } else if (word === "endif") {
        if (top !== undefined && !top.kept) hidden--;
        open.pop();
      } else if (top !== undefined) {
        const kept = lastBranch === undefined ? false : lastBranch.has(at);
        if (kept !== top.kept) hidden += kept ? -1 : 1;
        top.kept = kept;
      }
      return blank(line);
    })
    .join("\n");
}

/** Lines of the `#if`, `#elif` or `#else` that opens the last branch of each conditional. */
function lastBranches(lines: readonly string[]): Set<number> {
  const open: number[] = [];
  const last = new Set<number>();
  lines.forEach((line, at) => {
    const word = /^\s*#\s*(if\w*|elif\w*|else|endif)\b/.exec(line)?.[1];
    if (word === undefined) return;
    if (word.startsWith("if")) open.push(at);
    else if (word !== "endif" && open.length > 0) open[open.length - 1] = at;
    else if (word === "endif") {
      const opened = open.pop();
      if (opened !== undefined) last.add(opened);
    }
  });
  return last;
}

/** Facts of two readings of one text: what the second has beyond the first is added. */
function joinFacts(first: FileFacts, second: FileFacts): FileFacts {
  const definitions = [...first.definitions];
  const idAt = new Map(definitions.map((definition, id) => [definition.at, id]));
  const newId = second.definitions.map((definition) =>
    entryOf(idAt, definition.at, () => definitions.push(definition) - 1),
  );
  for (let id = first.definitions.length; id < definitions.length; id++) {
    const { within } = definitions[id];
    definitions[id] = { ...definitions[id], within: within < 0 ? -1 : newId[within] };
  }
  const known = new Set(first.calls.map((call) => `${call.at} ${call.callee}`));
  const added = second.calls
    .filter((call) => !known.has(`${call.at} ${call.callee}`))
    .map((call) => ({ ...call, within: call.within < 0 ? -1 : newId[call.within] }));
  return {
    ...first,
    definitions,
    calls: [...first.calls, ...added].sort((a, b) => a.at - b.at),
    classes: [...first.classes, ...second.classes],
    namespaces: new Set([...first.namespaces, ...second.namespaces]),
    aliases: joinAliases(first.aliases, second.aliases),
    includes: [...new Set([...first.includes, ...second.includes])],
  };
}

function joinAliases(first: FileFacts["aliases"], second: FileFacts["aliases"]): FileFacts["aliases"] {
  const joined = new Map(first);
  for (const [name, type] of second) joined.set(name, joined.has(name) && joined.get(name) !== type ? undefined : type);
  return joined;
}

/** Blanks out the lines that these offsets lie in. */
function withoutLines(text: string, offsets: readonly number[]): string {
  let result = "";
  let done = 0;
  for (const at of offsets) {
    if (at < done) continue;
    const end = text.indexOf("\n", at);
    const to = end < 0 ? text.length : end;
    result += text.slice(done, at) + blank(text.slice(at, to));
    done = to;
  }
  return result + text.slice(done);
}

/** Blanks of the same length, line ends kept. */
export function blank(text: string): string {
  return text.replace(/[^\n\r]/g, " ");
}
