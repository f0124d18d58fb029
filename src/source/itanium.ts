import { operators } from "./itaniumCodes";
import { MOST_TEXT, Unreadable } from "./itaniumCursor";
import { lengthOf, type Piece, templateOf, textOf, word } from "./itaniumPieces";
import { ItaniumTypes, objectText } from "./itaniumTypes";
import { appendAll } from "../model/longLists";

/**
 * The name that a C++ compiler mangled, written as `c++filt` writes it; undefined where it is no such name.
 * After the Itanium C++ ABI, section 5.1 (External Names); expressions in template arguments are left out.
 */
export function demangleItanium(symbol: string): string | undefined {
  const name = symbol.startsWith("__Z") ? symbol.slice(1) : symbol;
  if (!name.startsWith("_Z") || name.length > MOST_TEXT) return undefined;
  try {
    return new ItaniumNames(name, 2).symbol();
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

class ItaniumNames extends ItaniumTypes {
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

  protected override namedType(): Piece {
    return this.name(false).piece;
  }

  /** What it adds to substitutions and template arguments is its own. */
  protected override innerSymbol(): string {
    const inner = new ItaniumNames(this.text, this.at);
    inner.depth = this.depth;
    appendAll(inner.known, this.known);
    const text = inner.encoding();
    this.at = inner.at;
    return text;
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
}

function plain(piece: Piece): Name {
  return { piece, template: false, noReturn: false, object: "" };
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
  return text.slice(from, Math.max(from, to)).replace(/\[abi:[^[\]]*\]$/, "");
}
