import { bareName, qualifiedParts, splitOutside } from "./names";

/** A type as it is written, taken apart. */
export interface TypeText {
  /** `unsigned long`, `Field`: without scopes and template arguments. */
  readonly name: string;
  readonly builtin: boolean;
  readonly scopes: readonly string[];
  /** As written; undefined without a list. */
  readonly arguments: readonly string[] | undefined;
  /** What all declarators stand on is constant. */
  readonly constant: boolean;
  /** Pointers and references, from the inside out. */
  readonly layers: readonly Layer[];
  /** A function or array behind a declarator in brackets: what is returned or held is the rest. */
  readonly compound?: { readonly inner: string; readonly parameters: readonly string[] | undefined } | undefined;
  /** `Args&&...` */
  readonly pack: boolean;
}

export interface Layer {
  readonly sign: "*" | "&" | "&&";
  readonly constant: boolean;
}

const noise = /\b(?:struct|class|enum|union|typename|volatile|register|restrict|__restrict(?:__)?|__volatile__)\b/g;
const builtinWords = new Set(
  "void bool char wchar_t char8_t char16_t char32_t short int long float double signed unsigned __int128 __float128 half".split(
    " ",
  ),
);

/** Takes a parameter's type apart: `mini::Field const&`, `const Field &`, `void (*)(int)`. A name behind it is left out. */
export function readType(written: string): TypeText {
  const text = written.replace(noise, " ").trim();
  const pack = text.endsWith("...") && text !== "...";
  const plain = pack ? text.slice(0, -3).trim() : text;
  const bracket = compoundAt(plain);
  if (bracket === undefined) return { ...plainType(plain), pack };
  const inner = plain.slice(bracket.from + 1, bracket.to).replace(/\bconst\b|\bnoexcept\b|\s/g, "");
  const list = /^\s*\(([^]*)\)[^()]*$/.exec(plain.slice(bracket.to + 1))?.[1];
  const parameters = list === undefined ? undefined : ["", "void"].includes(list.trim()) ? [] : splitOutside(list, ",");
  return { ...plainType(plain.slice(0, bracket.from)), compound: { inner, parameters }, pack };
}

/** The first bracket outside of template arguments that begins with a declarator: `(*)`, `(&)`, `(Op::*)`. */
function compoundAt(text: string): { from: number; to: number } | undefined {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "<") depth++;
    else if (text[at] === ">") depth = Math.max(0, depth - 1);
    else if (text[at] === "(" && depth === 0) {
      const to = text.indexOf(")", at);
      return to > 0 && /^\(\s*(?:[\w:]+::)?[*&]/.test(text.slice(at, to)) ? { from: at, to } : undefined;
    }
  }
  return undefined;
}

function plainType(text: string): Omit<TypeText, "pack"> {
  let depth = 0;
  let end = text.length;
  for (let at = 0; at < text.length && end === text.length; at++) {
    if ("<({".includes(text[at])) depth++;
    else if (">)}".includes(text[at])) depth = Math.max(0, depth - 1);
    else if (depth === 0 && (text[at] === "*" || text[at] === "&")) end = at;
  }
  const head = text.slice(0, end);
  const layers = layersOf(text.slice(end));
  const bare = withoutTopConst(head);
  const words = bare.text.match(/[A-Za-z_]\w*/g) ?? [];
  const named = words.findIndex((word) => !builtinWords.has(word));
  if (words.length > 0 && (named < 0 || (named > 0 && !bare.text.includes("::")))) {
    const name = builtinName(words.slice(0, named < 0 ? words.length : named));
    return { name, builtin: true, scopes: [], arguments: undefined, constant: bare.constant, layers };
  }
  // Behind the type a declaration has the parameter's name.
  const type = splitOutside(bare.text, " ").find((part) => part !== "") ?? "";
  const pieces = splitOutside(type, "::");
  const last = pieces[pieces.length - 1] ?? "";
  const list = last.indexOf("<");
  const given = list > 0 && last.endsWith(">") ? splitOutside(last.slice(list + 1, -1), ",") : undefined;
  return {
    name: bareName(last),
    builtin: false,
    scopes: qualifiedParts(pieces.slice(0, -1).join("::")),
    arguments: given?.map((part) => part.trim()).filter((part) => part !== ""),
    constant: bare.constant,
    layers,
  };
}

/** `const` outside of template arguments, and blanks before `<`, taken out. */
function withoutTopConst(head: string): { text: string; constant: boolean } {
  let constant = false;
  let depth = 0;
  let text = "";
  for (const part of head.split(/(\bconst\b|[<>])/)) {
    if (part === "<") depth++;
    else if (part === ">") depth--;
    if (part === "const" && depth === 0) constant = true;
    else text += part;
  }
  return {
    text: text
      .replace(/(?<!\s)\s+</g, "<")
      .replace(/(?:(?<!\s)\s+)?::\s*/g, "::")
      .trim(),
    constant,
  };
}

function layersOf(text: string): Layer[] {
  const layers: { sign: Layer["sign"]; constant: boolean }[] = [];
  for (const [part] of text.matchAll(/\*|&&|&|\bconst\b|\b\w+\b/g)) {
    if (part === "const") {
      if (layers.length > 0) layers[layers.length - 1].constant = true;
    } else if (part === "*" || part === "&" || part === "&&") layers.push({ sign: part, constant: false });
  }
  return layers;
}

/** One way to say it: `long unsigned int` → `unsigned long`. */
function builtinName(words: readonly string[]): string {
  const has = (word: string) => words.includes(word);
  const longs = words.filter((word) => word === "long").length;
  if (has("double")) return longs > 0 ? "long double" : "double";
  const sign = has("unsigned") ? "unsigned " : "";
  if (has("char")) return has("signed") ? "signed char" : `${sign}char`;
  if (has("short")) return `${sign}short`;
  if (has("__int128")) return `${sign}__int128`;
  if (longs > 0) return `${sign}${longs > 1 ? "long long" : "long"}`;
  if (has("int") || has("unsigned") || has("signed")) return `${sign}int`;
  return words.join(" ");
}
