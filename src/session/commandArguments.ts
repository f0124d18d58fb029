/** Commands may be run by anybody with anything: what comes in is looked at before it is used. Pure. */

/** A number that an argument holds under a name, such as a tree's row or `{ dataSet: 1 }`. */
export function numberIn(argument: unknown, name: string): number | undefined {
  if (typeof argument !== "object" || argument === null) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(argument, name)?.value;
  return typeof value === "number" && Number.isInteger(value) && value >= 0 ? value : undefined;
}
