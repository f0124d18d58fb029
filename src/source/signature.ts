import type { Definition } from "./facts";
import { isAnonymous, operatorLength, qualifiedParts, splitOutside } from "./names";

/** A function's name as a tool recorded it: plain, demangled with its signature, or mangled. */
export interface Signature {
  /** Unqualified. */
  readonly name: string;
  /** Outermost first, without template arguments and anonymous scopes. */
  readonly scopes: readonly string[];
  /** Undefined where the name came without a parameter list. */
  readonly parameters: readonly string[] | undefined;
  /** A member function of a constant object. */
  readonly constant: boolean;
}

/**
 * Reads a recorded name. Tolerated are return types, template arguments, lambdas, symbol versions (`exp@@GLIBC_2.29`) and what compilers
 * add to copies of a function (` [clone ._omp_fn.6]`, `.isra.0`, `.part.1`).
 */
export function parseSignature(recorded: string): Signature {
  let text = withoutSuffixes(recorded.length > 20_000 ? recorded.slice(0, 20_000) : recorded);
  if (text.startsWith("_Z")) return mangled(text);
  const tail = /\)\s*((?:const|volatile|noexcept|&{1,2}|\s)*)$/.exec(text);
  const constant = tail !== null && /\bconst\b/.test(tail[1]);
  if (tail !== null) text = text.slice(0, tail.index + 1);
  text = text.replace(/\)\s*(?:const|volatile|&)+\s*::/g, ")::");
  const list = text.endsWith(")") ? openingOf(text) : -1;
  const head = list > 0 ? text.slice(0, list) : text;
  const inner = list > 0 ? text.slice(list + 1, -1).trim() : undefined;
  const qualified =
    splitOutside(head, " ")
      .filter((piece) => piece !== "")
      .pop() ?? head;
  const pieces = splitOutside(qualified.replace(/^[*&]+/, ""), "::");
  const lambda = isLambda(pieces[pieces.length - 1] ?? "");
  const scopes = pieces.flatMap((piece) => qualifiedParts(withoutParameters(piece)));
  const name = lambda ? "operator()" : (scopes.pop() ?? "");
  const parameters =
    inner === undefined
      ? undefined
      : inner === "" || inner === "void"
        ? []
        : splitOutside(inner, ",").map((type) => type.trim());
  return { name, scopes, parameters: lambda ? undefined : parameters, constant };
}

/** How well a definition's scopes fit recorded ones: 3 the same, 2 one is the end of the other, 1 parts left out, 0 another. */
export function scopesFit(recorded: readonly string[], defined: readonly string[]): 0 | 1 | 2 | 3 {
  const [short, long] = recorded.length < defined.length ? [recorded, defined] : [defined, recorded];
  const offset = long.length - short.length;
  if (short.every((scope, at) => scope === long[at + offset])) return offset === 0 ? 3 : 2;
  // Inline namespaces (`std::__1`, `v2`) stand in one and not in the other: the order of the rest must agree.
  let next = 0;
  for (const scope of long) if (next < short.length && scope === short[next]) next++;
  return next === short.length ? 1 : 0;
}

/** How well a definition's parameters fit recorded ones; -1 where their number rules it out, larger is better. */
export function parametersFit(signature: Signature, definition: Definition): number {
  const { parameters } = signature;
  if (parameters === undefined) return 0;
  const count = definition.parameters.length;
  if (parameters.length !== count && !(definition.variadic && parameters.length >= definition.required - 1)) return -1;
  let fit = definition.constant === signature.constant ? 1 : 0;
  parameters.forEach((type, at) => {
    const other = definition.parameters[at];
    if (other === undefined) return;
    const [a, b] = [canonicalType(type), canonicalType(other)];
    if (a === b) fit += 4;
    else if (a.replaceAll("const ", "") === b.replaceAll("const ", "")) fit += 3;
    else if (/[&*]*$/.exec(a)?.[0] === /[&*]*$/.exec(b)?.[0]) fit += 1;
  });
  return fit;
}

/** `mini::Field const&` and `const Field &` are the same type: scopes off, words sorted, `int` off beside its sizes. */
export function canonicalType(written: string): string {
  const pointers = (written.match(/[&*]/g) ?? []).join("");
  const words = written
    .replace(/<[^]*>/g, "")
    .replace(/\b\w+::/g, "")
    .match(/[A-Za-z_]\w*/g);
  const kept = (words ?? []).filter(
    (word) => !/^(struct|class|enum|typename|volatile|restrict|__restrict(__)?|register)$/.test(word),
  );
  const sized = kept.some((word) => /^(long|short|unsigned|signed)$/.test(word));
  const plain = kept.filter((word) => word !== "const" && !(sized && word === "int")).sort();
  return `${kept.includes("const") ? "const " : ""}${plain.join(" ")}${pointers}`;
}

function withoutSuffixes(recorded: string): string {
  let text = recorded.trim();
  for (let before = ""; before !== text;) {
    before = text;
    text = text
      .replace(/\s*\[(?:clone|inlined|with|abi:)[^[\]]*\]$/, "")
      .replace(/(?:@@?[\w.]+)$/, "")
      .replace(/(?:\.(?:_omp_fn|isra|part|constprop|lto_priv|cold|llvm|clone|omp_outlined|\d+|_omp_outlined)\.?)+$/, "")
      .replace(/(?:\$omp\$[\w$@]*|\.DIR\.OMP[\w.$]*|\$\$[\w.]*)$/, "")
      .trimEnd();
  }
  return text;
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
  return /^\{lambda|^'lambda|^<lambda|^\$_\d|^\{\{closure/.test(piece.trim());
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
  return { name, scopes: parts, parameters: undefined, constant: false };
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
