import { type AST, RegExpParser, visitRegExpAST } from "@eslint-community/regexpp";

/** Characters that a class is tried with, beside those that the expression itself names: one of each sort. */
const SORTS = [" ", "\n", "a", "Z", "0", "_", "-", ".", ":", "é", "\u0001"];

/** A text that a search may take long with: a beginning, something repeated, an end. */
export interface Attack {
  readonly prefix: string;
  readonly unit: string;
  readonly suffix: string;
}

export function textOf({ prefix, unit, suffix }: Attack, characters: number): string {
  return prefix + unit.repeat(Math.ceil(characters / unit.length)) + suffix;
}

/**
 * What an expression can be tried with: each character of its own classes, and each text that a part of it takes, repeated; alone,
 * behind what the expression asks for before an unlimited repetition, and in front of what ends the repetition.
 */
export function attacksOn(expression: RegExp): Attack[] {
  const { flags } = expression;
  const unicode = flags.includes("u");
  const { pattern } = new RegExpParser().parseLiteral(String(expression));
  const characters = [...new Set([...literalsOf(pattern), ...SORTS])];
  const sampleOf = samples(characters, flags);
  const own = new Set<string>();
  const units = new Set<string>();
  const prefixes = new Set([""]);
  visitRegExpAST(pattern, {
    onCharacterEnter: ({ value }) => void own.add(String.fromCodePoint(value)),
    onCharacterSetEnter: (node) => classMembers(node, characters, flags).forEach((one) => own.add(one)),
    onCharacterClassEnter: (node) => classMembers(node, characters, flags).forEach((one) => own.add(one)),
    onAlternativeEnter: (node) => void units.add(sampleOf(node)),
    onQuantifierEnter(node) {
      if (node.max - node.min < 1000) return;
      units.add(sampleOf(node.element));
      const prefix = before(node, sampleOf);
      prefixes.add(prefix);
      units.add(prefix);
    },
  });
  units.delete("");
  // Texts that a part takes are beginnings of their own; characters are tried behind every beginning.
  const attacks: Attack[] = [];
  for (const suffix of ["", "\n", "\u0001"])
    for (const prefix of prefixes)
      for (const unit of new Set([...own, ...units])) attacks.push({ prefix, unit, suffix });
  return unicode ? attacks : attacks.filter(({ unit }) => unit.length < 1000);
}

function literalsOf(pattern: AST.Pattern): Set<string> {
  const found = new Set<string>();
  visitRegExpAST(pattern, { onCharacterEnter: ({ value }) => void found.add(String.fromCodePoint(value)) });
  return found;
}

function classMembers(node: AST.Node, characters: readonly string[], flags: string): string[] {
  const one = new RegExp(`^(?:${node.raw})$`, flags.replace(/[gym]/g, ""));
  return characters.filter((character) => one.test(character));
}

/** What stands before a node in an expression, as short as it can be. */
function before(node: AST.Node, sampleOf: (node: AST.Node) => string): string {
  const parent = node.parent;
  if (!parent) return "";
  const earlier =
    parent.type === "Alternative" ? parent.elements.slice(0, parent.elements.indexOf(node as AST.Element)) : [];
  return before(parent, sampleOf) + earlier.map(sampleOf).join("");
}

/** A function that gives a short text for a part of an expression. */
function samples(characters: readonly string[], flags: string): (node: AST.Node) => string {
  const sampleOf = (node: AST.Node): string => {
    switch (node.type) {
      case "Character":
        return String.fromCodePoint(node.value);
      case "CharacterSet":
      case "CharacterClass":
        return classMembers(node, ["a", "0", ...characters], flags)[0] ?? "";
      case "Quantifier":
        return sampleOf(node.element).repeat(node.min);
      case "Alternative":
        return node.elements.map(sampleOf).join("");
      case "Group":
      case "CapturingGroup":
      case "Pattern":
        return sampleOf(node.alternatives[0]);
      default:
        return "";
    }
  };
  return sampleOf;
}
