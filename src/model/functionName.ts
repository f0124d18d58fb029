/**
 * Names of functions taken apart, as compilers and tools write them: C++ with return type, template arguments and parameters, Rust,
 * Fortran modules, kernels of GPUs. What is none of these (names of regions, of Python and JavaScript functions) stays whole.
 */
import { operatorLength } from "./operators";

/** What may be left out of a name; several are added up. */
export const detail = {
  /** What compilers and tools append: `.isra.0`, ` [clone .cold]`, `@@GLIBC_2.17`, `'2`, Rust's hashes. */
  suffix: 1,
  /** Template arguments. */
  given: 2,
  parameters: 4,
  /** Everything else: the return type, words such as `virtual thunk to`, the whole names of scopes that have none. */
  rest: 8,
} as const;

/** A piece of a name. Where the details that it belongs to are not asked for, `short` stands there. */
interface Part {
  readonly text: string;
  readonly of: number;
  readonly short: string;
}

/** Longer ones are not taken apart: nobody reads them. */
const MOST_TEXT = 20_000;

/** All names that have something to leave out hold one of these, or begin as Fortran's do. */
const MAY_BE_SHORTER = /[(<[{'@ .]|^_|_mp_|::h[0-9a-f]{16}$/;

/**
 * @param of sum of {@link detail}s that are kept
 * @returns the name itself where it is of no known form
 */
export function functionName(name: string, of = 0): string {
  if (name.length > MOST_TEXT || !MAY_BE_SHORTER.test(name)) return name;
  const parts = partsOf(name);
  return parts?.map((part) => ((part.of & of) === part.of ? part.text : part.short)).join("") || name;
}

const plain = (text: string): Part => ({ text, of: 0, short: text });
const only = (of: number, text: string, short = ""): Part => ({ text, of, short });

function partsOf(name: string): Part[] | undefined {
  const [head, suffix] = withoutSuffixes(name);
  // A parallel region is no copy of its function.
  const end = suffix === "" ? [] : [only(detail.suffix, suffix, /\._omp_fn\.\d+/.exec(suffix)?.[0])];
  const fortran = fortranParts(head);
  if (fortran) return [...fortran, ...end];
  const pieces = piecesOf(head);
  const qualified = pieces && withoutReturnType(pieces);
  const parts = qualified && qualifiedParts(qualified.pieces);
  if (!parts) return undefined;
  return [...(qualified.before === "" ? [] : [only(detail.rest, qualified.before)]), ...parts, ...end];
}

/** Most copies of copies that compilers make. */
const MOST_SUFFIXES = 4;
const SUFFIX =
  / \[clone [^\]]{1,100}\]$|\.(?:isra|part|constprop|cold|lto_priv|llvm)(?:\.\d+)*$|@@?[A-Z][A-Za-z]*_[\d.]+$|'\d+$|::h[0-9a-f]{16}$/;

function withoutSuffixes(name: string): [head: string, suffix: string] {
  let head = name;
  for (let count = 0; count < MOST_SUFFIXES; count++) {
    const found = SUFFIX.exec(head);
    if (!found || found.index === 0) break;
    head = head.slice(0, found.index);
  }
  return [head, name.slice(head.length)];
}

/** `__solver_MOD_step` (GNU), `solver_mp_step_` (Intel), `_QMsolverPstep` (LLVM) as `solver::step`. */
function fortranParts(name: string): Part[] | undefined {
  const found = divided(name, "__", "_MOD_", "") ?? divided(name, "", "_mp_", "_") ?? divided(name, "_QM", "P", "");
  return found && /^\w+$/.test(name) ? [only(detail.rest, name, found.join("::"))] : undefined;
}

/** What stands between the beginning, the first mark behind it, and the end; undefined where one is not there or nothing is between. */
function divided(name: string, begin: string, mark: string, end: string): [string, string] | undefined {
  const at = name.indexOf(mark, begin.length + 1);
  const to = name.length - end.length;
  if (at < 0 || at + mark.length >= to || !name.startsWith(begin) || !name.endsWith(end)) return undefined;
  return [name.slice(begin.length, at), name.slice(at + mark.length, to)];
}

type Bracket = "(" | "<" | "[" | "{";
/** Text outside of all brackets, an operator's name, or all that stands in a pair of brackets, with them. */
interface Piece {
  readonly kind: "text" | "operator" | Bracket;
  readonly text: string;
}

const CLOSING: Readonly<Record<string, string>> = { "(": ")", "<": ">", "[": "]", "{": "}" };
/** What may follow a list of parameters. */
const QUALIFIERS = /(?: const| volatile| noexcept| &&?)+(?=::|$)/y;

/** @returns undefined where brackets do not match */
function piecesOf(name: string): Piece[] | undefined {
  const pieces: Piece[] = [];
  const open: string[] = [];
  let from = 0;
  const take = (kind: Piece["kind"], to: number) => {
    if (to > from) pieces.push({ kind, text: name.slice(from, to) });
    from = to;
  };
  for (let at = 0; at < name.length; at++) {
    const operator = name[at] === "o" ? operatorLength(name, at) : 0;
    if (operator > 0) {
      if (open.length === 0) {
        take("text", at);
        take("operator", at + operator);
      }
      at += operator - 1;
      // `operator<< <int>`: the space belongs to the template arguments.
      if (open.length === 0 && name.startsWith(" <", at + 1)) at++;
    } else if (name[at] === "-" && name[at + 1] === ">") at++;
    else if (name[at] in CLOSING) {
      if (open.length === 0 && name.slice(from, at) !== " ") take("text", at);
      open.push(name[at]);
    } else if (name[at] === CLOSING[open[open.length - 1]]) {
      const kind = open.pop() as Bracket;
      if (open.length > 0) continue;
      QUALIFIERS.lastIndex = at + 1;
      if (kind === "(") at += QUALIFIERS.exec(name)?.[0].length ?? 0;
      take(kind, at + 1);
    } else if (")]}".includes(name[at])) return undefined;
    else if (name[at] === ">" && open.length === 0) return undefined;
  }
  if (open.length > 0) return undefined;
  take("text", name.length);
  return pieces;
}

/** A name without a list of parameters has no return type. @returns undefined for several words that are none */
function withoutReturnType(pieces: readonly Piece[]): { before: string; pieces: readonly Piece[] } | undefined {
  const at = pieces.findLastIndex(({ kind, text }) => kind === "text" && text.includes(" "));
  if (at < 0) return { before: "", pieces };
  const { text } = pieces[at];
  const cut = text.lastIndexOf(" ") + 1;
  const rest = cut === text.length ? [] : [{ kind: "text", text: text.slice(cut) } as const];
  const own = [...rest, ...pieces.slice(at + 1)];
  if (own.length < 2 || own[own.length - 1].kind !== "(") return undefined;
  const before = [...pieces.slice(0, at).map((piece) => piece.text), text.slice(0, cut)].join("");
  return { before, pieces: own };
}

/** Quotes, slashes and the like stand in no function's name. */
const NO_NAME = /[\s"'`/\\#=,;|!?%^&+@]/;
const LAMBDA = /^[{<]\s*lambda/;

/** @returns undefined where this is no qualified name */
function qualifiedParts(pieces: readonly Piece[]): Part[] | undefined {
  const parts: Part[] = [];
  for (const [at, piece] of pieces.entries()) {
    const before: Piece | undefined = pieces[at - 1];
    const next: Piece | undefined = pieces[at + 1];
    const part = partOf(piece, before, next);
    if (!part) return undefined;
    // A lambda is named by itself: `f::{lambda#1}`, not `f::{lambda#1}::operator()`.
    const isCall = piece.text === "operator()" && before?.text === "::" && LAMBDA.test(pieces[at - 2]?.text ?? "");
    if (isCall) parts.pop();
    parts.push(isCall ? only(detail.rest, "::operator()") : part);
  }
  return parts;
}

function partOf({ kind, text }: Piece, before: Piece | undefined, next: Piece | undefined): Part | undefined {
  const isScope = before === undefined || (before.kind === "text" && before.text.endsWith("::"));
  const isFollowed =
    next === undefined || (next.kind === "text" ? /^(?:::|\.)/.test(next.text) : next.kind !== "operator");
  if (kind === "operator") return plain(text);
  if (kind === "text") return textPart(text, next);
  if (!isFollowed) return undefined;
  if (isScope) return scopePart(kind, text, before, next);
  // Go: `main.(*Solver).Advance`; Python: `<locals>`.
  if (before.kind === "text" && !/[\w$'\u0080-\uffff]$/.test(before.text))
    return before.text.endsWith(".") ? plain(text) : undefined;
  if (kind === "(") return next?.kind === "(" ? undefined : only(detail.parameters, text);
  if (kind === "<") return only(detail.given, text);
  return kind === "[" && text.startsWith("[abi:") ? only(detail.given, text) : undefined;
}

function textPart(text: string, next: Piece | undefined): Part | undefined {
  if (NO_NAME.test(text.replace(/'lambda\d*'/g, ""))) return undefined;
  // Rust: `f::<T>`.
  const isTurbofish = next?.kind === "<" && !LAMBDA.test(next.text) && /[^:]::$/.test(text);
  return isTurbofish ? { text, of: detail.given, short: text.slice(0, -2) } : plain(text);
}

/** What stands in brackets where a scope or a name stands. */
function scopePart(kind: Bracket, text: string, before: Piece | undefined, next: Piece | undefined): Part | undefined {
  if (text === "(anonymous namespace)" || text === "{anonymous}")
    return next === undefined ? undefined : only(detail.rest, text, "(anon)");
  if (LAMBDA.test(text))
    return only(detail.parameters, text, `${text[0]}lambda${/#\d+(?=\}$)/.exec(text)?.[0] ?? ""}${CLOSING[text[0]]}`);
  if (kind === "{") return plain(text);
  if (kind !== "<" || next?.kind !== "text" || !next.text.startsWith("::"))
    return before !== undefined && kind === "<" ? only(detail.given, text) : undefined;
  return before === undefined ? only(detail.given, text, rustSelf(text)) : only(detail.given, text);
}

/** `<alloc::vec::Vec<T> as core::ops::Drop>` → `<Vec as Drop>`. */
function rustSelf(text: string): string {
  const inside = text.slice(1, -1);
  const pieces = piecesOf(inside);
  if (!pieces) return text;
  const outside = pieces.map((piece) => (piece.kind === "<" ? "" : piece.text)).join("");
  const types = outside.split(" as ").map((type) => type.replace(/^(?:\w+::)+/, ""));
  return types.includes("") ? text : `<${types.join(" as ")}>`;
}
