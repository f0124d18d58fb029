import { builtinType, operators, standardNames } from "./itaniumCodes";
import {
  type Piece,
  arrayOf,
  functionOf,
  joined,
  lengthOf,
  memberPointer,
  packOf,
  pointerTo,
  qualified,
  referenceTo,
  templateOf,
  textOf,
  word,
} from "./itaniumPieces";

/** Names longer than this, nested deeper, or growing beyond it when written out, are not what compilers make of source. */
const MOST_TEXT = 20_000;
const DEEPEST = 200;

/** The name cannot be read: it is damaged, or says what this reader does not know. */
class Unreadable extends Error {}

/**
 * The name that a C++ compiler mangled, written as `c++filt` writes it; undefined where it is no such name.
 * After the Itanium C++ ABI, section 5.1 (External Names); expressions in template arguments are left out.
 */
export function demangleItanium(symbol: string): string | undefined {
  const name = symbol.startsWith("__Z") ? symbol.slice(1) : symbol;
  if (!name.startsWith("_Z") || name.length > MOST_TEXT) return undefined;
  try {
    return new Reader(name, 2).symbol();
  } catch (problem) {
    if (problem instanceof Unreadable) return undefined;
    throw problem;
  }
}

/** A name as it stands before a parameter list. */
interface Name {
  readonly piece: Piece;
  /** Ends in template arguments, so its type begins with what it returns. */
  readonly template: boolean;
  /** A constructor, destructor or conversion, which return nothing. */
  readonly noReturn: boolean;
  /** Of the object: ` const`, ` &`. */
  readonly object: string;
}

class Reader {
  private readonly known: Piece[] = [];
  private arguments: Piece[] = [];
  private depth = 0;

  constructor(
    private readonly text: string,
    private at: number,
  ) {}

  symbol(): string {
    const encoding = this.encoding();
    const rest = this.text.slice(this.at);
    if (rest !== "" && !/^[.@]/.test(rest)) throw new Unreadable();
    const clones = rest.startsWith(".") ? rest.match(/\.[a-zA-Z_]\w*(?:\.\d+)*|\.\d+/g) : null;
    return encoding + (clones ?? []).map((clone) => ` [clone ${clone}]`).join("");
  }

  /** @param returning with what the function returns, where the name says it */
  private encoding(returning = true): string {
    const special = this.special();
    if (special !== undefined) return special;
    const name = this.name(true);
    if (this.at >= this.text.length || /[E.@]/.test(this.text[this.at])) return textOf(name.piece) + name.object;
    const returns = name.template && !name.noReturn ? this.type() : undefined;
    const parameters = this.parameters();
    const called = `${textOf(name.piece)}(${parameters})${name.object}`;
    if (returns === undefined || !returning) return called;
    const space = returns.right === "" ? " " : "";
    return `${returns.left}${space}${called}${returns.right}`;
  }

  /** Types up to the end, as a parameter list says them. */
  private parameters(): string {
    // The reference qualifier of a function type stands before its end.
    const ends = () => this.at >= this.text.length || /^(?:[E.@]|[RO]E)/.test(this.text.slice(this.at, this.at + 2));
    const list = joined(this.list(ends, () => this.type()));
    return list === "void" ? "" : list;
  }

  /** Pieces that are written one after the other: a pack may stand for as many as a list before it has. */
  private list(ends: () => boolean, read: () => Piece, pieces: Piece[] = []): Piece[] {
    for (let length = 0; !ends();) {
      const piece = read();
      length += lengthOf(piece);
      if (length > MOST_TEXT) throw new Unreadable();
      pieces.push(piece);
    }
    return pieces;
  }

  private special(): string | undefined {
    const two = this.text.slice(this.at, this.at + 2);
    const of: Record<string, string> = {
      TV: "vtable for ",
      TT: "VTT for ",
      TI: "typeinfo for ",
      TS: "typeinfo name for ",
    };
    if (of[two] !== undefined) {
      this.at += 2;
      return of[two] + textOf(this.type());
    }
    if (two === "Th" || two === "Tv") {
      this.at += 2;
      this.pattern(/n?\d+_/y);
      if (two === "Tv") this.pattern(/n?\d+_/y);
      return `${two === "Th" ? "non-virtual" : "virtual"} thunk to ${this.encoding()}`;
    }
    if (two === "Tc") {
      this.at += 2;
      this.pattern(/(?:hn?\d+_|vn?\d+_n?\d+_)(?:hn?\d+_|vn?\d+_n?\d+_)/y);
      return `covariant return thunk to ${this.encoding()}`;
    }
    if (two === "TW" || two === "TH") {
      this.at += 2;
      return `${two === "TW" ? "TLS wrapper function" : "TLS init function"} for ${textOf(this.name(false).piece)}`;
    }
    if (two === "GT") {
      this.pattern(/GT[tn]/y);
      return `transaction clone for ${this.encoding()}`;
    }
    if (two === "GV") {
      this.at += 2;
      return `guard variable for ${textOf(this.name(false).piece)}`;
    }
    return undefined;
  }

  /** @param outer the name of the symbol itself: what its template is given, `T_` stands for */
  private name(outer: boolean): Name {
    return this.deeper(() => {
      if (this.take("N")) return this.nested(outer);
      if (this.take("Z")) return this.local();
      const standard = this.text.startsWith("St", this.at);
      if (this.text[this.at] === "S" && !standard) {
        const piece = this.substitution();
        return { ...plain(templateOf(piece, this.templateArguments(outer))), template: true };
      }
      if (standard) this.at += 2;
      const own = this.unqualified(undefined);
      let piece = standard ? word(`std::${textOf(own.piece)}`) : own.piece;
      if (this.text[this.at] !== "I") return { ...plain(piece), noReturn: own.noReturn };
      this.known.push(piece);
      piece = templateOf(piece, this.templateArguments(outer));
      return { ...plain(piece), template: true, noReturn: own.noReturn };
    });
  }

  private nested(outer: boolean): Name {
    const { object } = this.pattern(/(?<object>[rVK]*[RO]?)/y);
    let piece: Piece | undefined;
    let last = "";
    let template = false;
    let noReturn = false;
    while (!this.take("E")) {
      const next = this.text[this.at];
      template = false;
      if (next === "I" && piece !== undefined) {
        piece = templateOf(piece, this.templateArguments(outer));
        template = true;
      } else if (next === "S" && this.text[this.at + 1] !== "t") {
        piece = this.substitution();
        last = textOf(piece);
        continue;
      } else if (next === "T") {
        piece = this.templateParameter();
        last = textOf(piece);
      } else if (/^D[tT]/.test(this.text.slice(this.at, this.at + 2))) throw new Unreadable();
      else if (this.text.startsWith("St", this.at)) {
        this.at += 2;
        piece = word("std");
        continue;
      } else if (next === "M" && piece !== undefined) {
        this.at++; // a member's initializer, in which a lambda stands
        continue;
      } else {
        const own = this.unqualified(last);
        noReturn = own.noReturn;
        const text = textOf(own.piece);
        last = noReturn ? last : text;
        piece = piece === undefined ? own.piece : word(`${textOf(piece)}::${text}`);
        if (lengthOf(piece) > MOST_TEXT) throw new Unreadable();
      }
      if (this.text[this.at] !== "E") this.known.push(piece);
    }
    if (piece === undefined) throw new Unreadable();
    return { piece, template, noReturn, object: objectText(object) };
  }

  private local(): Name {
    const outer = this.arguments;
    const around = this.encoding(false);
    this.expect("E");
    if (this.take("s")) {
      this.discriminator();
      return plain(word(`${around}::string literal`));
    }
    let scope = around;
    if (this.take("d")) {
      const { number } = this.pattern(/(?<number>\d*)_/y);
      scope = `${around}::{default arg#${Number(number === "" ? -1 : number) + 2}}`;
    }
    const inner = this.name(true);
    this.discriminator();
    if (!inner.template) this.arguments = outer.length > 0 ? outer : this.arguments;
    return { ...inner, piece: word(`${scope}::${textOf(inner.piece)}`) };
  }

  private discriminator(): void {
    this.pattern(/(?:__\d+_|_\d)?/y);
  }

  /** @param owner what a constructor or destructor is named after, as far as it was read */
  private unqualified(owner: string | undefined): { piece: Piece; noReturn: boolean } {
    this.take("L"); // seen in its own file only
    const next = this.text[this.at];
    let text: string;
    let noReturn = false;
    if (/\d/.test(next ?? "")) text = this.sourceName();
    else if (next === "C" || (next === "D" && /[0-9]/.test(this.text[this.at + 1] ?? ""))) {
      if (this.text.startsWith("CI", this.at)) {
        // A constructor that is taken over from a base class, which is named.
        this.at += 3;
        return { piece: word(lastName(textOf(this.name(false).piece))), noReturn: true };
      }
      this.pattern(/(?:C[1-5]|D[0-5])/y);
      const built = lastName(owner ?? "");
      if (built === "") throw new Unreadable();
      text = next === "D" ? `~${built}` : built;
      noReturn = true;
    } else if (next === "U") text = this.unnamed();
    else if (this.text.startsWith("DC", this.at)) {
      this.at += 2;
      const names: string[] = [];
      while (!this.take("E")) names.push(this.sourceName());
      text = `[${names.join(", ")}]`;
    } else if (this.text.startsWith("cv", this.at)) {
      this.at += 2;
      text = `operator ${textOf(this.type())}`;
      noReturn = true;
    } else if (this.text.startsWith("li", this.at)) {
      this.at += 2;
      text = `operator"" ${this.sourceName()}`;
    } else {
      const sign = operators[this.text.slice(this.at, this.at + 2)];
      if (sign === undefined) throw new Unreadable();
      this.at += 2;
      text = `operator${/^\w/.test(sign) ? " " : ""}${sign}`;
    }
    while (this.take("B")) text += `[abi:${this.sourceName()}]`;
    return { piece: word(text), noReturn };
  }

  private unnamed(): string {
    if (this.text.startsWith("Ut", this.at)) {
      this.at += 2;
      return `{unnamed type#${this.ordinal()}}`;
    }
    if (!this.text.startsWith("Ul", this.at)) throw new Unreadable();
    this.at += 2;
    // What a generic lambda takes is numbered in it, not in the template around it.
    const around = this.arguments;
    this.arguments = Array.from({ length: 32 }, (_, at) => word(`auto:${at + 1}`));
    const parameters = this.parameters();
    this.arguments = around;
    this.expect("E");
    return `{lambda(${parameters})#${this.ordinal()}}`;
  }

  /** `_` is the first, `0_` the second. */
  private ordinal(): number {
    const { number } = this.pattern(/(?<number>\d*)_/y);
    return number === "" ? 1 : Number(number) + 2;
  }

  private sourceName(): string {
    const { number } = this.pattern(/(?<number>\d{1,5})/y);
    const from = this.at;
    this.at += Number(number);
    if (this.at > this.text.length || number === "0") throw new Unreadable();
    const name = this.text.slice(from, this.at);
    return /^_GLOBAL_[._$]N/.test(name) || name.startsWith("_INTERNAL_") ? "(anonymous namespace)" : name;
  }

  private type(): Piece {
    return this.deeper(() => {
      const builtin = builtinType(this.text, this.at);
      if (builtin !== undefined) {
        this.at += builtin.length;
        const piece = word(builtin.name);
        if (builtin.vendor) this.known.push(piece);
        return piece;
      }
      return this.compound();
    });
  }

  private compound(): Piece {
    const next = this.text[this.at];
    const two = this.text.slice(this.at, this.at + 2);
    let piece: Piece;
    if (/[rVK]/.test(next ?? "")) {
      const { qualifiers } = this.pattern(/(?<qualifiers>[rVK]+)/y);
      piece = qualified(this.type(), objectText(qualifiers));
    } else if (next === "P") piece = pointerTo(this.inside());
    else if (next === "R") piece = referenceTo(this.inside(), "&");
    else if (next === "O") piece = referenceTo(this.inside(), "&&");
    else if (next === "C" || next === "G") piece = qualified(this.inside(), next === "C" ? " _Complex" : " _Imaginary");
    else if (next === "F" || two === "Do" || two === "Dx") piece = this.functionType();
    else if (next === "A") {
      const { size } = this.pattern(/A(?<size>\d*)_/y);
      piece = arrayOf(this.type(), size);
    } else if (next === "M") {
      this.at++;
      const owner = this.type();
      piece = memberPointer(owner, this.type());
    } else if (next === "T" && !/[sue]/.test(two[1] ?? "")) {
      piece = this.templateParameter();
      if (this.text[this.at] === "I") {
        this.known.push(piece);
        piece = templateOf(piece, this.templateArguments(false));
      }
    } else if (two === "Dp") {
      this.at += 2;
      piece = this.type();
    } else if (two === "Dv") {
      const { size } = this.pattern(/Dv(?<size>\d+)_/y);
      piece = qualified(this.type(), ` __vector(${size})`);
    } else if (next === "U") {
      this.at++;
      const name = this.sourceName();
      piece = qualified(this.type(), ` ${name}`);
    } else if (next === "S" && two !== "St") {
      piece = this.substitution();
      if (this.text[this.at] !== "I") return piece;
      piece = templateOf(piece, this.templateArguments(false));
    } else if (/[NZS\dT]/.test(next ?? "")) {
      if (next === "T") this.at += 2; // struct, union or enum, said before its name
      piece = this.name(false).piece;
    } else throw new Unreadable();
    this.known.push(piece);
    return piece;
  }

  /** The type behind one letter. */
  private inside(): Piece {
    this.at++;
    return this.type();
  }

  private functionType(): Piece {
    const noexcept = this.pattern(/(?<no>(?:Do)?)(?:Dx)?FY?/y).no;
    const returns = this.type();
    const parameters = this.parameters();
    const { reference } = this.pattern(/(?<reference>[RO]?)E/y);
    return functionOf(returns, parameters, objectText(reference) + (noexcept === "" ? "" : " noexcept"));
  }

  private templateArguments(outer: boolean): Piece[] {
    this.expect("I");
    const list: Piece[] = [];
    // `T_` inside of them stands for those given so far.
    if (outer) this.arguments = list;
    return this.list(
      () => this.take("E"),
      () => this.templateArgument(),
      list,
    );
  }

  private templateArgument(): Piece {
    return this.deeper(() => {
      if (this.take("J"))
        return packOf(
          this.list(
            () => this.take("E"),
            () => this.templateArgument(),
          ),
        );
      if (this.take("L")) return this.literal();
      if (!this.take("X")) return this.type();
      // Of expressions only those that are a parameter themselves, or all of a pack.
      this.pattern(/(?:sp)?(?=T)/y);
      const piece = this.templateParameter();
      this.expect("E");
      return piece;
    });
  }

  private literal(): Piece {
    if (this.text.startsWith("_Z", this.at)) {
      this.at += 2;
      const encoding = new Reader(this.text, this.at);
      encoding.depth = this.depth;
      encoding.known.push(...this.known);
      const text = encoding.encoding();
      this.at = encoding.at;
      this.expect("E");
      return word(text.includes("(") ? `&${text}` : text);
    }
    const code = this.text[this.at];
    const type = textOf(this.type());
    const { value } = this.pattern(/(?<value>n?[0-9a-f]*)E/y);
    const number = value.replace("n", "-");
    if (code === "b") return word(number === "0" ? "false" : "true");
    const ending: Record<string, string> = { i: "", j: "u", l: "l", m: "ul", x: "ll", y: "ull" };
    if (ending[code] !== undefined) return word(number + ending[code]);
    return word(`(${type})${number}`);
  }

  private templateParameter(): Piece {
    const { level, number } = this.pattern(/T(?<level>L\d*_)?(?<number>\d*)_/y);
    const piece = this.arguments[number === "" ? 0 : Number(number) + 1];
    if (piece === undefined || level !== undefined) throw new Unreadable();
    return piece;
  }

  private substitution(): Piece {
    const letter = this.text[this.at + 1];
    const standard = standardNames[letter];
    if (standard !== undefined) {
      this.at += 2;
      let piece = word(standard);
      while (this.take("B")) piece = word(`${textOf(piece)}[abi:${this.sourceName()}]`);
      return piece;
    }
    const { number } = this.pattern(/S(?<number>[0-9A-Z]*)_/y);
    const piece = this.known[number === "" ? 0 : parseInt(number, 36) + 1];
    if (piece === undefined) throw new Unreadable();
    return piece;
  }

  private take(letter: string): boolean {
    if (this.text[this.at] !== letter) return false;
    this.at++;
    return true;
  }

  private expect(letter: string): void {
    if (!this.take(letter)) throw new Unreadable();
  }

  private pattern(sticky: RegExp): Record<string, string> {
    sticky.lastIndex = this.at;
    const match = sticky.exec(this.text);
    if (match === null) throw new Unreadable();
    this.at = sticky.lastIndex;
    return match.groups ?? {};
  }

  /** Parts hold parts, and substitutions may double a text at each step: both have a bound. */
  private deeper<T extends Piece | Name>(read: () => T): T {
    if (this.depth >= DEEPEST || this.at >= this.text.length) throw new Unreadable();
    this.depth++;
    const result = read();
    this.depth--;
    const piece: Piece = "piece" in result ? result.piece : result;
    if (lengthOf(piece) > MOST_TEXT) throw new Unreadable();
    return result;
  }
}

function plain(piece: Piece): Name {
  return { piece, template: false, noReturn: false, object: "" };
}

function objectText(letters: string): string {
  let text = "";
  if (letters.includes("K")) text += " const";
  if (letters.includes("V")) text += " volatile";
  if (letters.includes("r")) text += " restrict";
  if (letters.includes("R")) text += " &";
  if (letters.includes("O")) text += " &&";
  return text;
}

/** The class's own name in a qualified one, without what its template is given. */
function lastName(text: string): string {
  let depth = 0;
  let from = 0;
  let to = text.length;
  for (let at = 0; at < text.length; at++) {
    if ("<({".includes(text[at])) {
      if (depth++ === 0 && text[at] === "<") to = at;
    } else if (">)}".includes(text[at])) depth--;
    else if (depth === 0 && text.startsWith("::", at)) {
      from = at + 2;
      to = text.length;
    }
  }
  return text.slice(from, Math.max(from, to)).replace(/\[abi:[^\]]*\]$/, "");
}
