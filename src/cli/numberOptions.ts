/** Options of the commands that print numbers of functions: which metric, how ranks are combined, and how much is printed. */
import { type OverRanks, parseOverRanks } from "../model/metrics";
import { ArgumentError } from "./arguments";
import { dataOptions } from "./openData";

export const numberOptions = {
  ...dataOptions,
  metric: { type: "string" },
  source: { type: "string", multiple: true },
  json: { type: "boolean", default: false },
  wide: { type: "boolean", default: false },
} as const;

/** `--over`. @throws ArgumentError */
export function overArgument(text: string): OverRanks {
  const over = parseOverRanks(text);
  if (over === undefined) throw new ArgumentError(`--over takes sum, mean, max, min or rank=N, not '${text}'`);
  return over;
}

/** `--top`. @throws ArgumentError */
export function topArgument(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new ArgumentError(`--top takes a number of rows, not '${text}'`);
  return Number(text);
}
