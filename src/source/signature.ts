import type { Definition } from "./facts";
import { demangleItanium } from "./itanium";
import { operatorLength } from "../model/operators";
import { placeInName } from "../model/placeInName";
import { isAnonymous, qualifiedParts, splitOutside } from "./names";
import { demangleRust } from "./rustNames";
import { type KnownType, templateArguments, type TypeFit, typeFit, worst } from "./typeFit";

/** A function's name as a tool recorded it: plain, demangled with its signature, or mangled. */
export interface Signature {
  /** Unqualified. */
  readonly name: string;
  /** Outermost first, without template arguments and anonymous scopes. */
  readonly scopes: readonly string[];
  /** Undefined where the name came without a parameter list. */
  readonly parameters: readonly string[] | undefined;
  /** What the function's own template was given, as written. */
  readonly given: readonly string[];
  /** A member function of a constant object. */
  readonly constant: boolean;
  /** Which of the lambdas with these parameters in its function it is, from 1; 0 where the name does not say. */
  readonly lambda: number;
}

/**
 * Reads a recorded name, mangled ones too; what is no function's name has an empty one. Tolerated are return types, template arguments,
 * lambdas, symbol versions (`exp@@GLIBC_2.29`), what compilers add to copies of a function (` [clone ._omp_fn.6]`, `.isra.0`,
 * `.part.1`), and the names of the functions that launch a kernel: they stand for the kernel.
 */
export function parseSignature(recorded: string): Signature {
  const whole = placeInName(recorded)?.name ?? recorded;
  const text = withoutSuffixes(whole.length > MOST_TEXT ? whole.slice(0, MOST_TEXT) : whole);
  const readable = demangled(text);
  if (readable === undefined) return mangled(text);
  const signature = parseReadable(withoutSuffixes(readable));
  const stub = /^__(?:wrapper__)?device_stub_{1,2}(?=.)(Z(?=N|\d))?(.*)$/.exec(signature.name);
  if (stub === null) return signature;
  if (stub[1] === undefined) return { ...signature, name: stub[2] };
  const kernel = demangleItanium(`_Z${stub[2]}`);
  return kernel === undefined ? mangled(`_Z${stub[2]}`) : parseReadable(kernel);
}

const MOST_TEXT = 20_000;

/** A recorded name as people read it; undefined where it is mangled in a way that cannot be read. */
export function demangled(text: string): string | undefined {
  // A function inside a kernel, as the tools of CUDA name it: `$_Z8kernmainv$_Z5heartv`.
  const own = /^\$(?:[^$]+)\$(?=[A-Za-z_])(.*)$/.exec(text)?.[1] ?? text;
  const rust = demangleRust(own);
  if (rust !== undefined) return rust;
  return /^_{1,2}Z/.test(own) ? demangleItanium(own) : own;
}

function parseReadable(readable: string): Signature {
  // Go: `main.(*Solver).Advance`, `github.com/them/heat.(*Solver).Advance.func1`.
  const method = /(?:(?<![\w-])([\w-]+)\.)?\(\*?(\w+)\)\.(\w+)(?:\.func\d[\d.]*)?$/.exec(readable);
  if (method !== null)
    return {
      name: method[3],
      scopes: method.slice(1, 3).filter((part) => part !== undefined),
      parameters: undefined,
      given: [],
      constant: false,
      lambda: 0,
    };
  let text = readable.replace(/^(?:(?:non-)?virtual thunk to|transaction clone for|covariant return thunk to) /, "");
  // GCC marks functions that return a type of its newer library, in front of their parameters: `words[abi:cxx11](int)`.
  text = text.replace(/\[abi:[^[\]]*\]/g, "");
  // Rust says what a function is given behind a `::` of its own.
  text = text.replace(/(\w)::</g, "$1<");
  const tail = /\)((?:const|volatile|noexcept|[&\s])*)$/.exec(text);
  const constant = tail !== null && /\bconst\b/.test(tail[1]);
  if (tail !== null) text = text.slice(0, tail.index + 1);
  text = text.replace(/\)\s*(?:const|volatile|&)+\s*::/g, ")::");
  const list = text.endsWith(")") ? openingOf(text) : -1;
  const head = list > 0 ? text.slice(0, list) : text;
  const inner = list > 0 ? text.slice(list + 1, -1) : undefined;
  const words = splitOutside(joinedOperator(head), " ").filter((piece) => piece !== "");
  const qualified = words.pop() ?? head;
  const pieces = splitOutside(qualified.replace(/^[*&]+/, ""), "::");
  // The function behind a lambda that is called without its object.
  if (pieces.length > 1 && /^(?:_FUN|__invoke)$/.test(bare(pieces)) && isLambda(pieces[pieces.length - 2]))
    pieces.pop();
  const given = templateArguments(pieces[pieces.length - 1] ?? "");
  // A return type stands before parameters or before what a template was given. Other words are no name: `main thread`, as HPCToolkit calls
  // where a thread begins, is no function `thread`.
  if (words.length > 0 && inner === undefined && !/[<({]/.test(qualified)) return NO_FUNCTION;
  const lambdaAt = pieces.findLastIndex(isLambda);
  const lambda = isLambda(pieces[pieces.length - 1] ?? "");
  const inLambda =
    lambda ||
    (lambdaAt >= 0 && lambdaAt === pieces.length - 2 && /^operator\s*\(\s*\)/.test(pieces[pieces.length - 1]));
  const scopes = pieces.flatMap(scopeParts);
  const name = lambda ? "operator()" : (scopes.pop() ?? "");
  const said = inLambda ? /^\{lambda\(([^]*)\)#(\d+)\}$/.exec(pieces[lambdaAt].trim()) : null;
  const parameters = lambda || (inLambda && inner === undefined) ? said?.[1] : inner;
  return {
    name,
    scopes,
    parameters: parameters === undefined ? undefined : parameterList(parameters),
    given,
    constant,
    lambda: Number(said?.[2] ?? 0),
  };
}

const NO_FUNCTION: Signature = { name: "", scopes: [], parameters: undefined, given: [], constant: false, lambda: 0 };

function parameterList(inner: string): string[] {
  const text = inner.trim();
  return text === "" || text === "void" ? [] : splitOutside(text, ",").map((type) => type.trim());
}

function bare(pieces: readonly string[]): string {
  return withoutParameters(pieces[pieces.length - 1]).trim();
}

/** `operator<< <int>` in one piece, with the blank before the template's arguments left out. */
function joinedOperator(head: string): string {
  const at = head.lastIndexOf("operator");
  if (at < 0) return head;
  const length = operatorLength(head, at);
  return length === 0 ? head : head.slice(0, at + length).trimEnd() + head.slice(at + length).trimStart();
}

/** Names of one piece; of Rust's `<Solver as Run>` those of the type. */
function scopeParts(piece: string): string[] {
  const whole = piece.trim();
  const isType = whole.startsWith("<") && whole.endsWith(">") && !whole.startsWith("<lambda");
  const type = isType ? whole.slice(1, -1).split(" as ", 1)[0] : undefined;
  return qualifiedParts(type === undefined ? withoutParameters(piece) : type);
}

/** How a definition's parameters fit recorded ones; `number`: there are more or fewer of them. */
export type ParametersFit = TypeFit | "number";

/** @param known what is known of the names that the definition's types use */
export function parametersFit(
  { parameters, given }: Signature,
  definition: Definition,
  known: (name: string) => KnownType,
): ParametersFit {
  if (parameters === undefined) return "same";
  const declared = definition.parameters;
  const packs = declared.some((type) => type.includes("..."));
  const open = definition.variadic && !packs;
  const recorded = parameters[parameters.length - 1] === "..." ? parameters.slice(0, -1) : parameters;
  if (open !== recorded.length < parameters.length) return "number";
  if (packs ? recorded.length < declared.length - 1 : recorded.length !== declared.length) return "number";
  const bound = new Map<string, string | undefined>();
  for (const name of definition.outerTemplateParameters) bound.set(name.replace("...", ""), undefined);
  const pack = definition.templateParameters.findIndex((name) => name.startsWith("..."));
  definition.templateParameters.forEach((name, at) =>
    bound.set(name.replace("...", ""), pack >= 0 && at >= pack ? undefined : given[at]),
  );
  const knownHere = (name: string): KnownType => {
    if (!bound.has(name)) return known(name);
    const type = bound.get(name);
    return type === undefined ? undefined : { kind: "alias", type };
  };
  return worst(
    declared.map((type, at) => (recorded[at] === undefined ? "perhaps" : typeFit(recorded[at], type, knownHere))),
  );
}

/** Endings with which compilers distinguish copies of a function, each by its mark and what may follow that. */
const endings: readonly (readonly [mark: string, rest: RegExp])[] = [
  [" (", /^\.[\w.]+\)$/],
  ["[", /^(?:clone|inlined|with|abi:)[^[\]]*\]$/],
  ["@@", /^[\w.]+$/],
  ["@", /^[\w.]+$/],
  [".", /^(?:_omp_fn|isra|part|constprop|lto_priv|cold|kd|llvm|clone|omp_outlined|\d+|_omp_outlined)\.?$/],
  ["$omp$", /^[\w$@]*$/],
  [".DIR.OMP", /^[\w.$]*$/],
  ["$$", /^[\w.]*$/],
];

/** From the last mark on, so that a name is gone through once whatever it holds. */
function withoutSuffixes(recorded: string): string {
  let text = recorded.trim();
  for (let before = ""; before !== text;) {
    before = text;
    for (const [mark, rest] of endings) text = withoutEnding(text, mark, rest);
  }
  return text;
}

function withoutEnding(text: string, mark: string, rest: RegExp): string {
  for (let left = text; ;) {
    const at = left.lastIndexOf(mark, mark === "." && left.endsWith(".") ? left.length - 2 : Infinity);
    if (at < 0 || !rest.test(left.slice(at + mark.length))) return left;
    left = left.slice(0, at).trimEnd();
  }
}

/** Where the bracket that the text's last character closes was opened; -1 where it is an operator's own. */
function openingOf(text: string): number {
  const starts: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const operator = operatorLength(text, at);
    if (operator > 0) {
      at += operator - 1;
      if (at >= text.length - 1) return -1;
    } else if (text[at] === "(") starts.push(at);
    else if (text[at] === ")") {
      const start = starts.pop();
      if (at === text.length - 1) return start ?? -1;
    }
  }
  return -1;
}

function withoutParameters(piece: string): string {
  if (isAnonymous(piece)) return "";
  if (operatorLength(piece, 0) > 0) return piece;
  const list = piece.indexOf("(");
  return list > 0 ? piece.slice(0, list) : piece;
}

function isLambda(piece: string): boolean {
  return /^\{lambda|^'lambda|^<lambda|^\$_\d/.test(piece.trim());
}

/** Names of a mangled symbol (Itanium ABI), parameters left alone: `_ZN4mini5solveEv` → `mini`, `solve`. */
function mangled(symbol: string): Signature {
  const names: string[] = [];
  let at = 2;
  const nested = symbol[at] === "N";
  if (nested) at++;
  while (/[KVrRO]/.test(symbol[at] ?? "") && nested) at++;
  for (;;) {
    const length = /^\d{1,4}/.exec(symbol.slice(at, at + 4))?.[0];
    if (length !== undefined) {
      at += length.length;
      names.push(symbol.slice(at, at + Number(length)));
      at += Number(length);
      if (!nested) break;
    } else if (symbol.startsWith("cl", at)) {
      names.push("operator()");
      at += 2;
    } else if (symbol[at] === "C" || symbol[at] === "D") {
      const own = names[names.length - 1] ?? "";
      names.push(symbol[at] === "D" ? `~${own}` : own);
      at += 2;
    } else if (symbol[at] === "I") at = afterTemplate(symbol, at);
    else break;
  }
  const parts = names.filter((name) => !name.startsWith("_GLOBAL__N"));
  const name = parts.pop() ?? symbol;
  return { name, scopes: parts, parameters: undefined, given: [], constant: false, lambda: 0 };
}

function afterTemplate(symbol: string, from: number): number {
  let depth = 0;
  for (let at = from; at < symbol.length;) {
    const length = /^\d{1,4}/.exec(symbol.slice(at, at + 4))?.[0];
    if (length !== undefined) at += length.length + Number(length);
    else {
      if ("INXLJ".includes(symbol[at])) depth++;
      else if (symbol[at] === "E" && --depth === 0) return at + 1;
      at++;
    }
  }
  return symbol.length;
}
