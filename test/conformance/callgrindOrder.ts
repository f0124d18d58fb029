/** A callgrind file with its functions in another order. */
import { RandomNumbers } from "../../src/analysis/ensembles/randomNumbers";

const NAMED = /^(c?)(ob|fl|fi|fe|fn)=(.*)$/;
const COMPRESSED = /^\((\d+)\)(?: (.*))?$/;
const COST = /^[-+*\d]/;

/**
 * Writes what a file says of its functions in a random order: names whole, lines as numbers, each function with its object and file.
 *
 * @param text of a file with lines as positions
 */
export function functionsInOtherOrder(text: string, seed: number): string {
  const known = new Map<string, string>();
  const wholeName = (kind: string, name: string) => {
    const [, id, own] = COMPRESSED.exec(name) ?? [];
    if (id === undefined) return name;
    const key = `${kind.startsWith("f") && kind !== "fn" ? "file" : kind} ${id}`;
    if (own !== undefined) known.set(key, own);
    return known.get(key) ?? "";
  };
  const head: string[] = [];
  const functions: string[][] = [];
  const foot: string[] = [];
  let [object, file, line] = ["", "", 0];
  const absolute = (position: string) => {
    if (position === "*") return line;
    return /^[-+]/.test(position) ? line + Number(position) : Number(position);
  };
  for (const row of text.split("\n")) {
    const own = functions.at(-1);
    const [, called, kind, name] = NAMED.exec(row) ?? [];
    if (kind !== undefined) {
      const whole = wholeName(kind, name);
      if (called === "" && kind === "ob") object = whole;
      else if (called === "" && kind === "fl") file = whole;
      else if (called === "" && kind === "fn") functions.push([`ob=${object}`, `fl=${file}`, `fn=${whole}`]);
      else own?.push(`${called}${kind}=${whole}`);
    } else if (row.startsWith("calls=")) {
      const [count, position] = row.split(" ");
      own?.push(`${count} ${absolute(position)}`);
    } else if (own && COST.test(row)) {
      const [position, ...costs] = row.split(" ");
      line = absolute(position);
      own.push([line, ...costs].join(" "));
    } else if (row !== "") (own ? foot : head).push(row);
  }
  const order = Int32Array.from(functions.keys());
  new RandomNumbers(seed).shuffle(order, 0, order.length);
  return [...head, "", ...Array.from(order, (at) => `${functions[at].join("\n")}\n`), ...foot, ""].join("\n");
}
