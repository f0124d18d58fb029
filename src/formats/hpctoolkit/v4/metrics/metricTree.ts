/**
 * Metric taxonomies of a database, `metrics/*.yaml`: metrics that are computed from others by formulas. What only repeats a metric of
 * meta.db is left out; the format and its formulas: formats.md 1b.
 */
import { compileFormula, type Formula, type FormulaBudget } from "./formula";
import { parsedYaml } from "./metricYaml";

/** A metric of a taxonomy that is more than one value of the database. */
export interface DerivedMetric {
  /** Names from the root down. */
  readonly path: readonly string[];
  readonly inclusive: Formula | undefined;
  readonly exclusive: Formula | undefined;
}

/** Nodes and formula steps that are looked at: aliases of aliases may stand for any number of them. */
const MOST_STEPS = 20_000;
const DEEPEST = 64;

/** Both vectors of formulas of one variant. */
interface Vector {
  readonly inclusive: Formula | undefined;
  readonly exclusive: Formula | undefined;
}

/**
 * The metrics of the variant `Sum` of a taxonomy, else of its first one.
 *
 * @returns undefined where the text is no taxonomy
 */
export function readMetricTree(text: string): DerivedMetric[] | undefined {
  const root = parsedYaml(text);
  if (!isMap(root) || !Array.isArray(root.roots)) return undefined;
  const budget: FormulaBudget = { left: MOST_STEPS };
  const found: DerivedMetric[] = [];
  for (const node of root.roots as unknown[]) collect(node, [], "Sum", budget, found);
  return found.filter((metric) => !isPlain(metric.inclusive) || !isPlain(metric.exclusive));
}

/** @returns the formulas of a node, after those of its children, which it may add up */
function collect(
  node: unknown,
  above: readonly string[],
  wanted: string,
  budget: FormulaBudget,
  found: DerivedMetric[],
): Vector | undefined {
  if (--budget.left < 0 || above.length > DEEPEST || !isMap(node) || typeof node.name !== "string") return undefined;
  const path = [...above, node.name];
  const place = found.push({ path, inclusive: undefined, exclusive: undefined }) - 1;
  const variants = isMap(node.variants) ? node.variants : {};
  const variant = variants[wanted] ?? Object.values(variants)[0];
  const ofChildren = isMap(variant) ? variant["child variant"] : undefined;
  const children = (Array.isArray(node.children) ? (node.children as unknown[]) : []).map((child, index) => {
    const own: unknown = Array.isArray(ofChildren) ? ofChildren[index] : ofChildren;
    return collect(child, path, typeof own === "string" ? own : wanted, budget, found);
  });
  const vector = isMap(variant) ? vectorOf(variant.formula, children, budget) : undefined;
  found[place] = { path, inclusive: vector?.inclusive, exclusive: vector?.exclusive };
  return vector;
}

function vectorOf(
  formula: unknown,
  children: readonly (Vector | undefined)[],
  budget: FormulaBudget,
): Vector | undefined {
  if (formula === "first") return children[0];
  if (formula === "sum") return { inclusive: sumOf(children, "inclusive"), exclusive: sumOf(children, "exclusive") };
  if (!isMap(formula)) return undefined;
  return { inclusive: oneOf(formula.inclusive, budget), exclusive: oneOf(formula.exclusive, budget) };
}

/** A child without a value leaves its parent without one. */
function sumOf(children: readonly (Vector | undefined)[], which: keyof Vector): Formula | undefined {
  const parts = children.flatMap((child) => child?.[which] ?? []);
  return parts.length === 0 || parts.length < children.length ? undefined : { kind: "call", name: "sum", parts };
}

/** `custom` is what is shown where nothing else is asked for; `standard` stands in for it. */
function oneOf(formula: unknown, budget: FormulaBudget): Formula | undefined {
  const chosen =
    isMap(formula) && ("custom" in formula || "standard" in formula) ? (formula.custom ?? formula.standard) : formula;
  return chosen === undefined || chosen === null ? undefined : compileFormula(chosen, budget);
}

/** One value of the database as it is. */
function isPlain(formula: Formula | undefined): boolean {
  return formula === undefined || formula.kind === "input";
}

function isMap(node: unknown): node is Readonly<Record<string, unknown>> {
  return typeof node === "object" && node !== null && !Array.isArray(node);
}
