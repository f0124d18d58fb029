import { builtinType, standardNames } from "./itaniumCodes";
import { ItaniumCursor, MOST_TEXT, Unreadable } from "./itaniumCursor";
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

/** Reads types and what templates are given; names, which hold both, are read by who extends it. */
export abstract class ItaniumTypes extends ItaniumCursor {
  /** What substitutions stand for, in the order in which it was read. */
  protected readonly known: Piece[] = [];
  /** What the parameters of the template around stand for. */
  protected arguments: Piece[] = [];

  /** A class, union or enum. */
  protected abstract namedType(): Piece;
  /** The name of another symbol inside of this one. */
  protected abstract innerSymbol(): string;

  protected type(): Piece {
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
      piece = this.namedType();
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

  protected templateArguments(outer: boolean): Piece[] {
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
      const text = this.innerSymbol();
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

  protected templateParameter(): Piece {
    const { level, number } = this.pattern(/T(?<level>L\d*_)?(?<number>\d*)_/y);
    const piece = this.arguments[number === "" ? 0 : Number(number) + 1];
    if (piece === undefined || level !== undefined) throw new Unreadable();
    return piece;
  }

  protected substitution(): Piece {
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

  /** Types up to the end, as a parameter list says them. */
  protected parameters(): string {
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
}

/** Of what letters say of an object or type: ` const`, ` &`. */
export function objectText(letters: string): string {
  let text = "";
  if (letters.includes("K")) text += " const";
  if (letters.includes("V")) text += " volatile";
  if (letters.includes("r")) text += " restrict";
  if (letters.includes("R")) text += " &";
  if (letters.includes("O")) text += " &&";
  return text;
}
