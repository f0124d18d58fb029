import { scopesFit, splitOutside } from "./names";
import { type Layer, readType, type TypeText } from "./typeTexts";

/** How a written type fits a recorded one. `perhaps`: it depends on what an unknown name stands for. */
export type TypeFit = "same" | "perhaps" | "other";

/** What is known of a name that a definition's types use; undefined: nothing, it may stand for any type. */
export type KnownType = { readonly kind: "class" } | { readonly kind: "alias"; readonly type: string } | undefined;

/** Aliases of aliases that are followed. */
const MOST_STEPS = 4;

/** What the standard library's plain names stand for on the systems that programs are recorded on; several where these differ. */
const standardAliases: Readonly<Record<string, readonly string[]>> = {
  size_t: ["unsigned long", "unsigned int", "unsigned long long"],
  ssize_t: ["long", "int", "long long"],
  ptrdiff_t: ["long", "int", "long long"],
  intptr_t: ["long", "int", "long long"],
  uintptr_t: ["unsigned long", "unsigned int", "unsigned long long"],
  int8_t: ["signed char"],
  uint8_t: ["unsigned char"],
  int16_t: ["short"],
  uint16_t: ["unsigned short"],
  int32_t: ["int"],
  uint32_t: ["unsigned int"],
  int64_t: ["long", "long long"],
  uint64_t: ["unsigned long", "unsigned long long"],
  string: ["std::basic_string<char>"],
  wstring: ["std::basic_string<wchar_t>"],
  string_view: ["std::basic_string_view<char>"],
  ostream: ["std::basic_ostream<char>"],
  istream: ["std::basic_istream<char>"],
  iostream: ["std::basic_iostream<char>"],
  ofstream: ["std::basic_ofstream<char>"],
  ifstream: ["std::basic_ifstream<char>"],
  stringstream: ["std::basic_stringstream<char>"],
  ostringstream: ["std::basic_ostringstream<char>"],
  nullptr_t: ["decltype(nullptr)"],
};

/**
 * Whether a parameter that the source declares is the one that was recorded (semantics 5). The recorded type is the compiler's: every
 * alias is resolved and every scope said. The written one may use aliases and leave scopes out; what may be an alias is never excluded.
 */
export function typeFit(recorded: string, written: string, known: (name: string) => KnownType): TypeFit {
  return fit(readType(recorded), readType(written), known, MOST_STEPS);
}

function fit(recorded: TypeText, written: TypeText, known: (name: string) => KnownType, steps: number): TypeFit {
  if (written.pack) return "perhaps";
  const [a, b] = [outermostFree(recorded), outermostFree(written)];
  if (a.compound !== undefined || b.compound !== undefined) return compoundFit(a, b, known, steps);
  if (!b.builtin) {
    const meaning = meaningOf(b, known);
    if (meaning !== undefined && steps > 0)
      return best(meaning.map((type) => fit(a, onto(readType(type), b), known, steps - 1)));
  }
  if (!a.builtin) {
    const meaning = meaningOf(a, () => undefined);
    if (meaning !== undefined && steps > 0)
      return best(meaning.map((type) => fit(onto(readType(type), a), b, known, steps - 1)));
  }
  const base = baseFit(a, b, known, steps);
  if (base === "other") return "other";
  if (base === "perhaps" && isUnknown(a, b, known)) return layersMayFit(a, b) ? "perhaps" : "other";
  return a.constant === b.constant && sameLayers(a.layers, b.layers) ? base : "other";
}

function compoundFit(a: TypeText, b: TypeText, known: (name: string) => KnownType, steps: number): TypeFit {
  // An alias may stand for a function's type; what is written as one is never recorded as something else.
  if (b.compound === undefined) return b.builtin || known(b.name)?.kind === "class" ? "other" : "perhaps";
  if (a.compound === undefined) return "other";
  if (a.compound.inner.replace(/(?<!\w)\w+$/, "") !== b.compound.inner.replace(/(?<!\w)\w+$/, "")) return "other";
  const [given, wanted] = [a.compound.parameters, b.compound.parameters];
  if (given?.length !== wanted?.length || steps === 0) return steps === 0 ? "perhaps" : "other";
  const held = { ...a, compound: undefined };
  const expected = { ...b, compound: undefined };
  const fits = (given ?? []).map((type, at) => fit(readType(type), readType(wanted?.[at] ?? ""), known, steps - 1));
  return worst([fit(held, expected, known, steps - 1), ...fits]);
}

function baseFit(a: TypeText, b: TypeText, known: (name: string) => KnownType, steps: number): TypeFit {
  if (b.builtin) return a.builtin && a.name === b.name ? "same" : "other";
  if (a.builtin) return isClass(b, known) || b.arguments !== undefined ? unlessAlias(b) : "perhaps";
  if (a.name !== b.name) return isClass(b, known) ? "other" : "perhaps";
  const fits: TypeFit[] = [scopesFit(a.scopes, b.scopes) > 0 ? "same" : "perhaps"];
  // Arguments by default are said in recorded names only.
  for (const [at, argument] of (b.arguments ?? []).entries()) {
    const given = a.arguments?.[at];
    if (given === undefined) fits.push("perhaps");
    else if (steps > 0) fits.push(argumentFit(given, argument, known, steps - 1));
  }
  return worst(fits);
}

/** A class that the source defines, or a template of the standard library. */
function isClass({ name, scopes, arguments: given }: TypeText, known: (name: string) => KnownType): boolean {
  if (known(name)?.kind === "class") return true;
  return scopes[0] === "std" && given !== undefined && !name.endsWith("_t");
}

/** A template's instance is no built-in type, unless the template is an alias. */
function unlessAlias({ name }: TypeText): TypeFit {
  return /_t$/.test(name) ? "perhaps" : "other";
}

function argumentFit(a: string, b: string, known: (name: string) => KnownType, steps: number): TypeFit {
  const number = /^-?\d+/.exec(a)?.[0];
  if (number !== undefined || /^\d/.test(b)) {
    if (/^-?\d+[uUlL]*$/.test(b)) return number === /^-?\d+/.exec(b)?.[0] ? "same" : "other";
    return "perhaps";
  }
  if (b.includes("(") && !a.includes("(")) return "perhaps";
  return fit(readType(a), readType(b), known, steps);
}

function isUnknown(a: TypeText, b: TypeText, known: (name: string) => KnownType): boolean {
  return !b.builtin && a.name !== b.name && known(b.name) === undefined;
}

/** A name that may stand for any type: what is declared around it must be the end of what was recorded. */
function layersMayFit(a: TypeText, b: TypeText): boolean {
  const offset = a.layers.length - b.layers.length;
  if (offset < 0) return false;
  const outer = b.layers.every(({ sign, constant }, at) => {
    const given = a.layers[offset + at];
    // `T&&` may be given what is an lvalue reference already.
    return (given.sign === sign || (sign === "&&" && given.sign === "&")) && (!constant || given.constant);
  });
  return outer && (!b.constant || (offset === 0 ? a.constant : a.layers[offset - 1].constant));
}

function sameLayers(a: readonly Layer[], b: readonly Layer[]): boolean {
  return (
    a.length === b.length && a.every(({ sign, constant }, at) => sign === b[at].sign && constant === b[at].constant)
  );
}

/** A parameter that is constant itself is another promise of the function to itself, not another type. */
function outermostFree(type: TypeText): TypeText {
  if (type.compound !== undefined) return type;
  if (type.layers.length === 0) return { ...type, constant: false };
  const last = type.layers.length - 1;
  return { ...type, layers: type.layers.map((layer, at) => (at === last ? { ...layer, constant: false } : layer)) };
}

function meaningOf(type: TypeText, known: (name: string) => KnownType): readonly string[] | undefined {
  const { name, scopes } = type;
  if (type.arguments !== undefined) return undefined;
  const isStandard = (scopes.length === 0 || scopes[0] === "std") && Object.hasOwn(standardAliases, name);
  const own = isStandard ? standardAliases[name] : undefined;
  const one = known(name);
  if (own !== undefined && one === undefined) return own;
  if (one?.kind !== "alias") return undefined;
  // Programs declare `uint64_t` for systems that lack it, behind conditions: on others it is what the standard says.
  return own !== undefined && name.endsWith("_t") ? [...own, one.type] : [one.type];
}

/** What an alias stands for, with what is declared around the alias. */
function onto(meaning: TypeText, around: TypeText): TypeText {
  if (meaning.compound !== undefined) return meaning;
  const last = meaning.layers.length - 1;
  const inner = around.constant
    ? meaning.layers.map((layer, at) => (at === last ? { ...layer, constant: true } : layer))
    : meaning.layers;
  const constant = meaning.constant || (around.constant && meaning.layers.length === 0);
  return { ...meaning, constant, layers: [...inner, ...around.layers] };
}

function best(fits: readonly TypeFit[]): TypeFit {
  return fits.includes("same") ? "same" : fits.includes("perhaps") ? "perhaps" : "other";
}

export function worst(fits: readonly TypeFit[]): TypeFit {
  return fits.includes("other") ? "other" : fits.includes("perhaps") ? "perhaps" : "same";
}

/** Arguments of a template at the end of a name, `put<double, 3>` → `double`, `3`; empty without a list. */
export function templateArguments(piece: string): string[] {
  const text = piece.trim();
  const list = text.indexOf("<");
  if (list <= 0 || !text.endsWith(">") || text.startsWith("operator")) return [];
  return splitOutside(text.slice(list + 1, -1), ",").map((part) => part.trim());
}
