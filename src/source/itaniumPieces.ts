/** A type or name in two parts: what a declarator stands between, as in `void (*` and `)(int)`. */
export interface Piece {
  readonly left: string;
  readonly right: string;
  /** An array or function: a pointer to it needs brackets. */
  readonly compound?: "array" | "function";
  readonly reference?: "&" | "&&";
  /** Several that stand for one place in a list. */
  readonly items?: readonly Piece[];
}

export function word(text: string): Piece {
  return { left: text, right: "" };
}

export function textOf(piece: Piece): string {
  return piece.items === undefined ? piece.left + piece.right : joined([piece]);
}

/** How long a piece is in a list, where those of a pack stand one by one. */
export function lengthOf({ left, right, items }: Piece): number {
  return items === undefined ? left.length + right.length + 2 : items.reduce((sum, item) => sum + lengthOf(item), 0);
}

export function packOf(items: readonly Piece[]): Piece {
  const flat = items.flatMap((item) => item.items ?? [item]);
  return { left: "", right: "", items: flat };
}

/** As a list of parameters or arguments. */
export function joined(pieces: readonly Piece[]): string {
  return pieces
    .flatMap((piece) => piece.items ?? [piece])
    .map(({ left, right }) => left + right)
    .join(", ");
}

/** `a<b<c> >`: no two closing brackets touch, as `c++filt` has it. */
export function templateOf(piece: Piece, given: readonly Piece[]): Piece {
  const list = joined(given);
  const name = textOf(piece);
  return word(`${name}${name.endsWith("<") ? " " : ""}<${list}${list.endsWith(">") ? " " : ""}>`);
}

export function pointerTo(piece: Piece): Piece {
  return each(piece, (one) => declared(one, "*"));
}

/** A reference to a reference is one: `&` wins. */
export function referenceTo(piece: Piece, sign: "&" | "&&"): Piece {
  return each(piece, (one): Piece => {
    if (one.reference === undefined) return { ...declared(one, sign), reference: sign };
    if (one.reference === "&" || sign === "&&") return one;
    return { ...one, left: one.left.slice(0, -1), reference: "&" };
  });
}

/** @param text with a blank before it: ` const` */
export function qualified(piece: Piece, text: string): Piece {
  return each(piece, (one): Piece => {
    if (one.compound === "function") return { ...one, right: one.right + text };
    if (one.left.endsWith(text) || one.reference !== undefined) return one;
    return { ...one, left: one.left + text };
  });
}

export function arrayOf(piece: Piece, size: string): Piece {
  return each(piece, (one): Piece => ({
    left: one.left,
    right: one.compound === "array" ? ` [${size}]${one.right.trimStart()}` : ` [${size}]${one.right}`,
    compound: "array",
  }));
}

/** @param ending what stands behind the parameters: ` &`, ` noexcept` */
export function functionOf(returns: Piece, parameters: string, ending: string): Piece {
  return { left: `${returns.left} `, right: `(${parameters})${ending}${returns.right}`, compound: "function" };
}

export function memberPointer(owner: Piece, member: Piece): Piece {
  const of = `${textOf(owner)}::*`;
  if (member.compound === undefined) return word(`${member.left} ${of}${member.right}`);
  return declared(member, of);
}

function declared(one: Piece, sign: string): Piece {
  if (one.compound === undefined) return { left: one.left + sign, right: one.right };
  const space = one.left.endsWith(" ") ? "" : " ";
  return { left: `${one.left}${space}(${sign}`, right: `)${one.right}` };
}

function each(piece: Piece, change: (one: Piece) => Piece): Piece {
  return piece.items === undefined ? change(piece) : { ...piece, items: piece.items.map(change) };
}
