/**
 * Formulas of derived metrics: numbers, `$3` (metric 3 at the same place), `@3` (metric 3 of the whole program), `#3` (the metric of
 * order 3 at the same place), operators and functions. Parsed once into steps of a stack machine, so that nothing is ever run as a program, however it is written.
 */
export interface Formula {
  /** Metric numbers that it needs, each once. */
  readonly metrics: readonly number[];
  /** @param values of `metrics` here, then of `metrics` for the whole program */
  evaluate(here: ArrayLike<number>, whole: ArrayLike<number>): number;
}

/** How deep parentheses may nest, and how long a formula may be: far beyond what a person or hpcprof writes. */
const MOST_DEPTH = 200;
const MOST_LENGTH = 100_000;
const MOST_METRICS = 256;

type Step =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "metric"; readonly of: "$" | "@"; readonly slot: number }
  | { readonly kind: "apply"; readonly count: number; readonly apply: (operands: readonly number[]) => number };

/**
 * @param ofOrder number of the metric of an order; undefined where none has it
 * @returns the formula, or what is wrong with it
 */
export function parseFormula(
  text: string,
  ofOrder: (order: number) => number | undefined = () => undefined,
): Formula | { readonly wrong: string } {
  if (text.length > MOST_LENGTH) return { wrong: `it has ${text.length} characters` };
  try {
    const parser = new Parser(text, ofOrder);
    const { steps, metrics } = parser.parse();
    return { metrics, evaluate: (here, whole) => run(steps, here, whole) };
  } catch (problem) {
    if (problem instanceof NotAFormula) return { wrong: problem.message };
    throw problem;
  }
}

class NotAFormula extends Error {}

function run(steps: readonly Step[], here: ArrayLike<number>, whole: ArrayLike<number>): number {
  const stack: number[] = [];
  for (const step of steps) {
    if (step.kind === "number") stack.push(step.value);
    else if (step.kind === "metric") stack.push((step.of === "$" ? here : whole)[step.slot]);
    else stack.push(step.apply(stack.splice(stack.length - step.count)));
  }
  return stack[0];
}

const TOKEN =
  /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([$@#])(\d+)|([A-Za-z_]\w*)|([-+*/^%(),]))/y;

/** Left binding power of operators that stand between two operands. */
const BINDING: ReadonlyMap<string, number> = new Map([
  ["+", 1],
  ["-", 1],
  ["*", 2],
  ["/", 2],
  ["%", 2],
  ["^", 4],
]);
const SIGN_BINDING = 3;

class Parser {
  private readonly steps: Step[] = [];
  private readonly slots = new Map<number, number>();
  private depth = 0;
  private at = 0;
  private token: RegExpExecArray | null = null;

  constructor(
    private readonly text: string,
    private readonly ofOrder: (order: number) => number | undefined,
  ) {
    this.advance();
  }

  parse(): { steps: readonly Step[]; metrics: readonly number[] } {
    this.expression(0);
    if (this.token !== null || this.text.slice(this.at).trim() !== "")
      throw new NotAFormula(`nothing can follow its first ${this.at} characters`);
    return { steps: this.steps, metrics: [...this.slots.keys()] };
  }

  /** Precedence climbing; the depth of the recursion is bounded. */
  private expression(least: number): void {
    if (++this.depth > MOST_DEPTH) throw new NotAFormula(`it nests deeper than ${MOST_DEPTH}`);
    this.operand();
    for (let sign = this.sign(); sign !== undefined; sign = this.sign()) {
      const binding = BINDING.get(sign);
      if (binding === undefined || binding <= least) break;
      this.advance();
      // A power binds to the right: 2^3^2 is 2^9.
      this.expression(sign === "^" ? binding - 1 : binding);
      this.apply(2, OPERATORS.get(sign));
    }
    this.depth--;
  }

  private operand(): void {
    const { token } = this;
    if (token === null) throw new NotAFormula("it ends where a value should be");
    const [, number, reference, metric, name, sign] = token;
    this.advance();
    if (number !== undefined) this.steps.push({ kind: "number", value: Number(number) });
    else if (reference !== undefined) {
      const id = reference === "#" ? this.ofOrder(Number(metric)) : Number(metric);
      if (id === undefined) throw new NotAFormula(`there is no metric of order ${metric}`);
      this.steps.push({ kind: "metric", of: reference === "@" ? "@" : "$", slot: this.slot(id) });
    } else if (name !== undefined) this.call(name);
    else if (sign === "(") {
      this.expression(0);
      this.expect(")");
    } else if (sign === "-" || sign === "+") {
      this.expression(SIGN_BINDING);
      if (sign === "-") this.apply(1, ([value]) => -value);
    } else throw new NotAFormula(`"${sign}" cannot stand where a value should be`);
  }

  private call(name: string): void {
    const known = FUNCTIONS.get(name.toLowerCase());
    if (known === undefined) throw new NotAFormula(`there is no function ${name.slice(0, 100)}`);
    this.expect("(");
    let count = 0;
    if (this.sign() !== ")")
      for (;;) {
        this.expression(0);
        count++;
        if (this.sign() !== ",") break;
        this.advance();
      }
    this.expect(")");
    if (count < known.least || count > known.most) throw new NotAFormula(`${name} cannot have ${count} operands`);
    this.apply(count, known.apply);
  }

  private apply(count: number, apply: ((operands: readonly number[]) => number) | undefined): void {
    if (apply !== undefined) this.steps.push({ kind: "apply", count, apply });
  }

  private slot(metric: number): number {
    const known = this.slots.get(metric);
    if (known !== undefined) return known;
    if (this.slots.size === MOST_METRICS) throw new NotAFormula(`it needs more than ${MOST_METRICS} metrics`);
    this.slots.set(metric, this.slots.size);
    return this.slots.size - 1;
  }

  private sign(): string | undefined {
    return this.token?.[5];
  }

  private expect(sign: string): void {
    if (this.sign() !== sign) throw new NotAFormula(`"${sign}" is missing`);
    this.advance();
  }

  private advance(): void {
    TOKEN.lastIndex = this.at;
    this.token = TOKEN.exec(this.text);
    if (this.token) this.at = TOKEN.lastIndex;
  }
}

const OPERATORS: ReadonlyMap<string, (operands: readonly number[]) => number> = new Map([
  ["+", ([a, b]) => a + b],
  ["-", ([a, b]) => a - b],
  ["*", ([a, b]) => a * b],
  ["/", ([a, b]) => a / b],
  ["%", ([a, b]) => a % b],
  ["^", ([a, b]) => a ** b],
] as [string, (operands: readonly number[]) => number][]);

interface KnownFunction {
  readonly least: number;
  readonly most: number;
  readonly apply: (operands: readonly number[]) => number;
}

const sum = (operands: readonly number[]) => operands.reduce((total, value) => total + value, 0);
const mean = (operands: readonly number[]) => sum(operands) / operands.length;

function deviation(operands: readonly number[]): number {
  const middle = mean(operands);
  return Math.sqrt(mean(operands.map((value) => (value - middle) ** 2)));
}

function logarithm(value: number, base: number): number {
  return base === 10 ? Math.log10(value) : Math.log(value) / Math.log(base);
}

const many = (apply: KnownFunction["apply"]): KnownFunction => ({ least: 1, most: Infinity, apply });
const one = (apply: (value: number) => number): KnownFunction => ({
  least: 1,
  most: 1,
  apply: ([value]) => apply(value),
});
const two = (apply: (a: number, b: number) => number): KnownFunction => ({
  least: 2,
  most: 2,
  apply: ([a, b]) => apply(a, b),
});

const FUNCTIONS: ReadonlyMap<string, KnownFunction> = new Map([
  ["sum", many(sum)],
  ["avg", many(mean)],
  ["mean", many(mean)],
  // Not Math.min(...operands): a formula may have more operands than a call may have arguments.
  ["min", many((operands) => operands.reduce((least, value) => Math.min(least, value), Infinity))],
  ["max", many((operands) => operands.reduce((most, value) => Math.max(most, value), -Infinity))],
  ["stdev", many(deviation)],
  ["stddev", many(deviation)],
  ["sqrt", one(Math.sqrt)],
  ["abs", one(Math.abs)],
  ["ln", one(Math.log)],
  // As the tool's viewer understands them: of ten where no base is given, and of two.
  ["log", { least: 1, most: 2, apply: ([value, base = 10]) => logarithm(value, base) }],
  ["log10", one(Math.log10)],
  ["lg", one(Math.log2)],
  ["exp", one(Math.exp)],
  ["floor", one(Math.floor)],
  ["ceil", one(Math.ceil)],
  ["round", one(Math.round)],
  ["pow", two((a, b) => a ** b)],
  ["mod", two((a, b) => a % b)],
]);
