/**
 * Formulas of a metric taxonomy (`metrics/*.yaml`): YAML trees of numbers, infix fragments, lists that are brackets, maps of one
 * function or operator, and inputs (formats.md 1b).
 */

/** What an input of a formula is: a statistic of the summary. */
export interface FormulaInput {
  readonly metric: string;
  readonly scope: string;
  readonly formula: string;
  readonly combine: string;
}

/** A compiled formula: evaluated with the values of its inputs at one context. */
export type Formula =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "input"; readonly input: FormulaInput }
  | { readonly kind: "call"; readonly name: string; readonly parts: readonly Formula[] };

type Token = Formula | { readonly kind: "operator"; readonly name: string };

/** Steps that the formulas of one file may take: aliases of aliases could otherwise ask for any number. */
export interface FormulaBudget {
  left: number;
}

const DEEPEST = 64;
const functions: ReadonlyMap<string, (values: readonly number[]) => number> = new Map([
  ["sum", (values: readonly number[]) => values.reduce((a, b) => a + b, 0)],
  ["prod", (values) => values.reduce((a, b) => a * b, 1)],
  ["pow", ([a, b]) => a ** b],
  ["sqrt", ([a]) => Math.sqrt(a)],
  ["log", ([a, base]) => (base === undefined ? Math.log(a) : Math.log(a) / Math.log(base))],
  ["min", (values) => values.reduce((a, b) => Math.min(a, b), Infinity)],
  ["max", (values) => values.reduce((a, b) => Math.max(a, b), -Infinity)],
  ["floor", ([a]) => Math.floor(a)],
  ["ceil", ([a]) => Math.ceil(a)],
  ["strict floor", ([a]) => Math.ceil(a) - 1],
  ["strict ceil", ([a]) => Math.floor(a) + 1],
  ["+", (values) => values.reduce((a, b) => a + b, 0)],
  ["*", (values) => values.reduce((a, b) => a * b, 1)],
  ["-", ([first, ...rest]) => (rest.length === 0 ? -first : rest.reduce((a, b) => a - b, first))],
  ["/", ([first, ...rest]) => rest.reduce((a, b) => a / b, first)],
  ["^", ([a, b]) => a ** b],
]);
const precedence: ReadonlyMap<string, number> = new Map([
  ["+", 1],
  ["-", 1],
  ["*", 2],
  ["/", 2],
  ["^", 3],
]);

/** @returns undefined for what is no formula, or more than the budget allows */
export function compileFormula(node: unknown, budget: FormulaBudget): Formula | undefined {
  try {
    return compile(node, budget, 0);
  } catch (problem) {
    if (problem instanceof NoFormula) return undefined;
    throw problem;
  }
}

/** @param valueOf value of an input at the context in question; 0 where none is stored */
export function evaluate(formula: Formula, valueOf: (input: FormulaInput) => number): number {
  if (formula.kind === "number") return formula.value;
  if (formula.kind === "input") return valueOf(formula.input);
  const values = formula.parts.map((part) => evaluate(part, valueOf));
  return functions.get(formula.name)?.(values) ?? Number.NaN;
}

/** All inputs that a formula needs. */
export function inputsOf(formula: Formula): FormulaInput[] {
  if (formula.kind === "input") return [formula.input];
  return formula.kind === "call" ? formula.parts.flatMap(inputsOf) : [];
}

class NoFormula extends Error {}

function compile(node: unknown, budget: FormulaBudget, depth: number): Formula {
  if (--budget.left < 0 || depth > DEEPEST) throw new NoFormula();
  if (typeof node === "number") return { kind: "number", value: node };
  if (typeof node === "string") return infix(tokensOf(node));
  if (Array.isArray(node)) {
    const tokens = node.flatMap((part: unknown): Token[] =>
      typeof part === "string" ? tokensOf(part) : [compile(part, budget, depth + 1)],
    );
    return infix(tokens);
  }
  if (typeof node !== "object" || node === null) throw new NoFormula();
  const input = inputOf(node as Record<string, unknown>);
  if (input) return { kind: "input", input };
  const entries = Object.entries(node);
  if (entries.length !== 1 || !functions.has(entries[0][0])) throw new NoFormula();
  const [name, given] = entries[0] as [string, unknown];
  const parts = (Array.isArray(given) ? given : [given]).map((part: unknown) => compile(part, budget, depth + 1));
  if (parts.length === 0) throw new NoFormula();
  return { kind: "call", name, parts };
}

/** An entry of the file's list of inputs, which formulas refer to by alias. */
export function inputOf(node: Readonly<Record<string, unknown>>): FormulaInput | undefined {
  const { metric, scope, formula = "$$", combine = "sum" } = node;
  if (typeof metric !== "string" || typeof scope !== "string") return undefined;
  return {
    metric,
    scope,
    formula: String(formula as string | number).replace(/\s+/g, ""),
    combine: String(combine as string),
  };
}

/** `2 * 3 -` → number, operator, number, operator. */
function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const pattern = /\s*(?:(\d+(?:\.\d*)?(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?)|([-+*/^]))/y;
  const length = text.trimEnd().length;
  for (let at = 0; at < length; at = pattern.lastIndex) {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) throw new NoFormula();
    tokens.push(
      found[1] === undefined ? { kind: "operator", name: found[2] } : { kind: "number", value: Number(found[1]) },
    );
  }
  return tokens;
}

/** Precedence climbing; all operators but `^` join to the left. */
function infix(tokens: readonly Token[]): Formula {
  let at = 0;
  const operand = (): Formula => {
    const token: Token | undefined = tokens[at++];
    if (token === undefined) throw new NoFormula();
    if (token.kind !== "operator") return token;
    let sign = 1;
    let next: Token | undefined = token;
    while (next?.kind === "operator") {
      if (next.name !== "-" && next.name !== "+") throw new NoFormula();
      if (next.name === "-") sign = -sign;
      next = tokens[at++];
    }
    if (next === undefined) throw new NoFormula();
    return sign > 0 ? next : { kind: "call", name: "-", parts: [next] };
  };
  const values: Formula[] = [operand()];
  const operators: string[] = [];
  const join = () => {
    const right = values.pop();
    const left = values.pop();
    const name = operators.pop();
    if (left === undefined || right === undefined || name === undefined) throw new NoFormula();
    values.push({ kind: "call", name, parts: [left, right] });
  };
  while (at < tokens.length) {
    const token = tokens[at++];
    if (token.kind !== "operator") throw new NoFormula();
    const own = precedence.get(token.name) ?? 0;
    for (let top = operators.at(-1); top !== undefined; top = operators.at(-1)) {
      const other = precedence.get(top) ?? 0;
      if (other < own || (other === own && token.name === "^")) break;
      join();
    }
    operators.push(token.name);
    values.push(operand());
  }
  while (operators.length > 0) join();
  return values[0];
}
