/** Names longer or nested deeper than these are not what the compiler makes of source. */
const MOST_TEXT = 20_000;
const DEEPEST = 200;
/** The last character that there is. */
const MOST_POINT = 0x10ffff;

/** A Rust name as the compiler mangled it, written as people do: `core::fmt::Formatter::write_str`; undefined where it is none. */
export function demangleRust(symbol: string): string | undefined {
  if (symbol.length > MOST_TEXT) return undefined;
  return legacy(symbol) ?? v0(symbol);
}

/** What stands for characters that an assembler does not take in names. */
const escapes: Readonly<Record<string, string>> = {
  SP: "@",
  BP: "*",
  RF: "&",
  LT: "<",
  GT: ">",
  LP: "(",
  RP: ")",
  C: ",",
};

/** The form before 2021: an Itanium nested name that ends in a hash, `_ZN…17h0123456789abcdefE`. */
function legacy(symbol: string): string | undefined {
  const body = /^_{0,2}ZN(.*)17h[0-9a-f]{16}E(?:[.@][^]*)?$/.exec(symbol)?.[1];
  if (body === undefined) return undefined;
  const parts: string[] = [];
  for (let at = 0; at < body.length;) {
    const digits = /^\d{1,5}/.exec(body.slice(at, at + 5))?.[0];
    if (digits === undefined) return undefined;
    at += digits.length;
    if (at + Number(digits) > body.length) return undefined;
    parts.push(readable(body.slice(at, at + Number(digits))));
    at += Number(digits);
  }
  return parts.length === 0 ? undefined : parts.join("::");
}

function readable(part: string): string {
  return part
    .replace(/^_(?=\$)/, "")
    .replace(/\$([A-Z]{1,2}|u[0-9a-f]{1,6})\$/g, (whole, code: string) => {
      if (escapes[code] !== undefined) return escapes[code];
      const point = parseInt(code.slice(1), 16);
      return code.startsWith("u") && point <= MOST_POINT ? String.fromCodePoint(point) : whole;
    })
    .replaceAll("..", "::");
}

/** The name cannot be read: it is damaged, or says what this reader does not know. */
class Unreadable extends Error {}

/** The form since 2021 (RFC 2603), without crate hashes: `_RNvCs1234_5crate4main`. */
function v0(symbol: string): string | undefined {
  const body = /^_{0,2}R(?=[A-Z])([\w]+)(?:[.@$].*)?$/.exec(symbol)?.[1];
  if (body === undefined) return undefined;
  try {
    return new Reader(body).path(true);
  } catch (problem) {
    if (problem instanceof Unreadable) return undefined;
    throw problem;
  }
}

const basicTypes: Readonly<Record<string, string>> = {
  a: "i8",
  b: "bool",
  c: "char",
  d: "f64",
  e: "str",
  f: "f32",
  h: "u8",
  i: "isize",
  j: "usize",
  l: "i32",
  m: "u32",
  n: "i128",
  o: "u128",
  p: "_",
  s: "i16",
  t: "u16",
  u: "()",
  v: "...",
  x: "i64",
  y: "u64",
  z: "!",
};

class Reader {
  private at = 0;
  private depth = 0;
  private steps = 0;

  constructor(private readonly text: string) {}

  /** @param value in a value's name, generic arguments are given after `::` */
  path(value: boolean): string {
    return this.deeper(() => {
      const tag = this.next();
      if (tag === "C") {
        this.disambiguator();
        return this.identifier();
      }
      if (tag === "M" || tag === "X") {
        this.disambiguator();
        this.path(false); // where the `impl` stands
        const type = this.type();
        return tag === "M" ? `<${type}>` : `<${type} as ${this.path(false)}>`;
      }
      if (tag === "Y") {
        const type = this.type();
        return `<${type} as ${this.path(false)}>`;
      }
      if (tag === "N") return this.nested();
      if (tag === "I") {
        const base = this.path(value);
        return `${base}${value ? "::" : ""}<${this.list(() => this.genericArgument()).join(", ")}>`;
      }
      if (tag === "B") return this.back(() => this.path(value));
      throw new Unreadable();
    });
  }

  private nested(): string {
    const namespace = this.next();
    const around = this.path(true);
    const number = this.disambiguator();
    const name = this.identifier();
    if (/[a-z]/.test(namespace)) return name === "" ? around : `${around}::${name}`;
    const kind = namespace === "C" ? "closure" : namespace === "S" ? "shim" : namespace;
    return `${around}::{${kind}${name === "" ? "" : `:${name}`}#${number}}`;
  }

  private type(): string {
    return this.deeper(() => {
      const tag = this.next();
      const basic = basicTypes[tag];
      if (basic !== undefined) return basic;
      if (tag === "R" || tag === "Q") {
        const lifetime = this.take("L") ? this.lifetime() : "";
        return `&${lifetime}${tag === "Q" ? "mut " : ""}${this.type()}`;
      }
      if (tag === "P") return `*const ${this.type()}`;
      if (tag === "O") return `*mut ${this.type()}`;
      if (tag === "S") return `[${this.type()}]`;
      if (tag === "A") return `[${this.type()}; ${this.constant()}]`;
      if (tag === "T") {
        const types = this.list(() => this.type());
        return `(${types.join(", ")}${types.length === 1 ? "," : ""})`;
      }
      if (tag === "B") return this.back(() => this.type());
      if (tag === "F") return this.functionType();
      if (tag === "D") return this.traitObject();
      this.at--;
      return this.path(false);
    });
  }

  private functionType(): string {
    if (this.take("G")) this.base62();
    const unsafe = this.take("U") ? "unsafe " : "";
    let abi = "";
    if (this.take("K")) abi = this.take("C") ? 'extern "C" ' : `extern "${this.identifier().replaceAll("_", "-")}" `;
    const types = this.list(() => this.type());
    const returns = this.type();
    return `${unsafe}${abi}fn(${types.join(", ")})${returns === "()" ? "" : ` -> ${returns}`}`;
  }

  private traitObject(): string {
    if (this.take("G")) this.base62();
    const traits = this.list(() => {
      let name = this.path(false);
      const bindings: string[] = [];
      while (this.take("p")) bindings.push(`${this.identifier()} = ${this.type()}`);
      if (bindings.length > 0)
        name = name.endsWith(">") ? `${name.slice(0, -1)}, ${bindings.join(", ")}>` : `${name}<${bindings.join(", ")}>`;
      return name;
    });
    if (!this.take("L")) throw new Unreadable();
    const lifetime = this.lifetime().trim();
    return `dyn ${traits.join(" + ")}${lifetime === "" ? "" : ` + ${lifetime}`}`;
  }

  private genericArgument(): string {
    if (this.take("L")) return this.lifetime().trim() || "'_";
    if (this.take("K")) return this.constant();
    return this.type();
  }

  private constant(): string {
    const tag = this.next();
    if (tag === "p") return "_";
    if (tag === "B") return this.back(() => this.constant());
    const digits = /n?[0-9a-f]*_/y;
    digits.lastIndex = this.at;
    const found = digits.exec(this.text)?.[0];
    if (found === undefined || basicTypes[tag] === undefined) throw new Unreadable();
    this.at += found.length;
    const value = BigInt(`0x${found.replace(/[n_]/g, "") || "0"}`);
    if (tag === "b") return value === 0n ? "false" : "true";
    if (tag === "c") return `'${character(Number(value))}'`;
    return `${found.startsWith("n") ? "-" : ""}${value}`;
  }

  /** Lifetimes are left out. */
  private lifetime(): string {
    this.base62();
    return "";
  }

  private identifier(): string {
    const coded = this.take("u");
    const digits = /0|[1-9]\d{0,4}/y;
    digits.lastIndex = this.at;
    const found = digits.exec(this.text)?.[0];
    if (found === undefined) throw new Unreadable();
    this.at += found.length;
    if (this.take("_") && found === "0") return "";
    const name = this.text.slice(this.at, this.at + Number(found));
    if (name.length < Number(found)) throw new Unreadable();
    this.at += name.length;
    return coded ? unicode(name) : name;
  }

  private disambiguator(): number {
    return this.take("s") ? this.base62() + 1 : 0;
  }

  /** `_` is 0, `0_` is 1. */
  private base62(): number {
    const digits = /[0-9a-zA-Z]{0,11}_/y;
    digits.lastIndex = this.at;
    const found = digits.exec(this.text)?.[0];
    if (found === undefined) throw new Unreadable();
    this.at += found.length;
    let value = 0;
    for (const digit of found.slice(0, -1))
      value = value * 62 + "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".indexOf(digit);
    return found === "_" ? 0 : value + 1;
  }

  /** What was said before, at a place counted from behind `_R`. */
  private back(read: () => string): string {
    const from = this.at - 1;
    const to = this.base62();
    if (to >= from) throw new Unreadable();
    const after = this.at;
    this.at = to;
    const text = read();
    this.at = after;
    return text;
  }

  private list(read: () => string): string[] {
    const items: string[] = [];
    while (!this.take("E")) items.push(read());
    return items;
  }

  private next(): string {
    const letter = this.text[this.at++];
    if (letter === undefined) throw new Unreadable();
    return letter;
  }

  private take(letter: string): boolean {
    if (this.text[this.at] !== letter) return false;
    this.at++;
    return true;
  }

  /** Back references can double a text at each step: both depth and work have a bound. */
  private deeper(read: () => string): string {
    if (this.depth >= DEEPEST || ++this.steps > MOST_TEXT) throw new Unreadable();
    this.depth++;
    const text = read();
    this.depth--;
    if (text.length > MOST_TEXT) throw new Unreadable();
    return text;
  }
}

function character(point: number): string {
  // Also where it is no number any more.
  if (!(point <= MOST_POINT)) throw new Unreadable();
  return String.fromCodePoint(point);
}

/** Punycode (RFC 3492) with `_` before the coded part instead of `-`. */
function unicode(coded: string): string {
  const split = coded.lastIndexOf("_");
  const characters = [...(split < 0 ? "" : coded.slice(0, split))];
  const deltas = coded.slice(split + 1);
  let point = 128;
  let position = 0;
  let bias = 72;
  for (let at = 0; at < deltas.length;) {
    const before = position;
    let weight = 1;
    for (let step = 36; ; step += 36) {
      const digit = "abcdefghijklmnopqrstuvwxyz0123456789".indexOf(deltas[at++] ?? "");
      if (digit < 0) throw new Unreadable();
      position += digit * weight;
      // Beyond every character of the longest name; further on it would be no number any more.
      if (position > MOST_POINT * MOST_TEXT) throw new Unreadable();
      const threshold = step <= bias ? 1 : step >= bias + 26 ? 26 : step - bias;
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const count = characters.length + 1;
    let delta = Math.floor((position - before) / (before === 0 ? 700 : 2));
    delta += Math.floor(delta / count);
    let divisions = 0;
    for (; delta > 455; divisions += 36) delta = Math.floor(delta / 35);
    bias = divisions + Math.floor((36 * delta) / (delta + 38));
    point += Math.floor(position / count);
    position %= count;
    characters.splice(position++, 0, character(point));
  }
  return characters.join("");
}
