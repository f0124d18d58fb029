/** Any extension or key binding may run a command with any argument: arguments are checked before they are used. Pure. */
import type { Target } from "../engine/api";

/** A number that an argument holds under a name, such as a tree's row or `{ dataSet: 1 }`. */
export function numberIn(argument: unknown, name: string): number | undefined {
  const value = valueIn(argument, name);
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}

/** Whether an argument says yes to something. */
export function flagIn(argument: unknown, name: string): boolean {
  return valueIn(argument, name) === true;
}

/** What a command is asked about: `{ context: 5 }`, `{ function: 3 }`, or a row of a tree that stands for one of them. */
export function targetIn(argument: unknown): Target | undefined {
  const row = valueIn(argument, "row") ?? argument;
  const context = numberIn(row, "context");
  if (context !== undefined) return { kind: "context", context };
  // A row of callers is about the last of its chain.
  const path = valueIn(row, "path");
  const id = Array.isArray(path) ? numberIn({ last: path.at(-1) }, "last") : numberIn(row, "function");
  return id === undefined ? undefined : { kind: "function", function: id };
}

/** What a row, or an argument, calls itself. */
export function nameIn(argument: unknown): string | undefined {
  const name = valueIn(valueIn(argument, "row") ?? argument, "name");
  return typeof name === "string" ? name : undefined;
}

/** The name of a quantity over time. */
export function quantityIn(argument: unknown): string | undefined {
  return textIn(argument, "quantity");
}

/** A text that an argument holds under a name. */
export function textIn(argument: unknown, name: string): string | undefined {
  const value = valueIn(argument, name);
  return typeof value === "string" && value.length <= 4096 ? value : undefined;
}

function valueIn(argument: unknown, name: string): unknown {
  return typeof argument === "object" && argument !== null
    ? Object.getOwnPropertyDescriptor(argument, name)?.value
    : undefined;
}
