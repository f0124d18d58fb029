import type { Call, Definition, Extent } from "./facts";
import { blank } from "./recovery";
import type { Nesting } from "./nesting";

/** Words that stand before a bracket without being called. */
const notCalled = new Set(
  (
    "if elseif while do forall where case select type class print read write open close inquire allocate deallocate nullify " +
    "function subroutine program module return stop result bind intent dimension character integer real logical complex double " +
    "precision only parameter kind len interface call and or not eq ne lt gt le ge concurrent associate rank"
  ).split(" "),
);
/** Characters of a list of arguments that are looked at. */
const MOST_LIST = 4000;

/**
 * Calls in a Fortran text, by its words alone: `call name(…)`, and `name(…)` where it may be a function. An array's element reads like a
 * call; nothing is called by its name, so it is never found. Names in small letters, as compilers have them.
 *
 * @param fixed comments are lines that begin with `c`, `C` or `*`
 */
export function fortranCalls(
  text: string,
  nesting: Nesting,
  definitions: readonly Definition[],
  fixed: boolean,
): Call[] {
  const code = withoutComments(text, fixed);
  const calls: Call[] = [];
  const open: number[] = [];
  let next = 0;
  for (const match of code.matchAll(/\b(call\s+)?((?:[a-z_]\w*\s*%\s*)*)([a-z_]\w*)(\s*\()?/gi)) {
    const [whole, call, path, written, bracket] = match;
    const callee = written.toLowerCase();
    if (call === undefined && (bracket === undefined || notCalled.has(callee))) continue;
    const at = match.index;
    while (next < definitions.length && definitions[next].from <= at) open.push(next++);
    while (open.length > 0 && definitions[open[open.length - 1]].to <= at) open.pop();
    const within = open[open.length - 1] ?? -1;
    // A head is no call of itself.
    if (definitions[within]?.at === at + whole.lastIndexOf(written)) continue;
    const list = bracket === undefined ? "" : listAt(code, at + whole.length);
    const given = splitList(list);
    const block: Extent = within < 0 ? { from: 0, to: text.length } : definitions[within];
    calls.push({
      kind: "call",
      callee,
      qualifiers: [],
      receiver: /(?<!\w)([a-z_]\w*)\s*%\s*$/i.exec(path)?.[1].toLowerCase(),
      arguments: given.length,
      literals: given.flatMap((one) => /^(["'])(.*)\1$/.exec(one)?.[2] ?? []),
      names: given.flatMap((one) => /^[a-z_]\w*$/i.exec(one)?.[0].toLowerCase() ?? []),
      computed: [],
      givesFunction: false,
      line: nesting.lineAt(at),
      at,
      end: at + whole.length + list.length,
      within,
      block: { from: block.from, to: block.to },
    });
  }
  return calls;
}

/** Comments and continuation marks as blanks; literals stay. */
function withoutComments(text: string, fixed: boolean): string {
  const lines = text.split("\n").map((line) => {
    if (fixed && /^[cC*!]/.test(line)) return blank(line);
    let quote = "";
    for (let at = 0; at < line.length; at++) {
      const char = line[at];
      if (quote !== "") quote = char === quote ? "" : quote;
      else if (char === '"' || char === "'") quote = char;
      else if (char === "!") return line.slice(0, at).replace(/&\s*$/, (tail) => blank(tail)) + blank(line.slice(at));
    }
    return line.replace(/&\s*$/, (tail) => blank(tail)).replace(/^\s*&/, (head) => blank(head));
  });
  return lines.join("\n");
}

/** What stands between a bracket and the one that closes it. */
function listAt(code: string, from: number): string {
  let depth = 1;
  let quote = "";
  const end = Math.min(code.length, from + MOST_LIST);
  for (let at = from; at < end; at++) {
    const char = code[at];
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "(") depth++;
    else if (char === ")" && --depth === 0) return code.slice(from, at);
  }
  return code.slice(from, end);
}

function splitList(list: string): string[] {
  if (list.trim() === "") return [];
  const parts: string[] = [];
  let depth = 0;
  let quote = "";
  let from = 0;
  for (let at = 0; at < list.length; at++) {
    const char = list[at];
    if (quote !== "") quote = char === quote ? "" : quote;
    else if (char === '"' || char === "'") quote = char;
    else if ("([".includes(char)) depth++;
    else if (")]".includes(char)) depth--;
    else if (char === "," && depth === 0) {
      parts.push(list.slice(from, at).trim());
      from = at + 1;
    }
  }
  parts.push(list.slice(from).trim());
  return parts;
}
