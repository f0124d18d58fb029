import { parseArgs, type ParseArgsConfig } from "node:util";
import { messageOf } from "../model/errors";

/** The command line itself is wrong: exit code 2. */
export class ArgumentError extends Error {
  override readonly name = "ArgumentError";
}

/** Node's own argument parser, its complaints turned into {@link ArgumentError}. */
export function parseArguments<Config extends ParseArgsConfig>(config: Config) {
  try {
    return parseArgs({ ...config, strict: true });
  } catch (error) {
    throw new ArgumentError(messageOf(error));
  }
}

/** A number of percent, 0 to 100 unless more is sensible. */
export function percentOf(text: string, option: string, most = 100): number {
  const value = text.trim() === "" ? NaN : Number(text);
  if (!(value >= 0 && value <= most)) {
    const range = most === 100 ? "from 0 to 100" : "from 0 on";
    throw new ArgumentError(`${option} takes a percentage ${range}, not '${text}'`);
  }
  return value;
}

/** One of a list of words. */
export function wordOf<Word extends string>(text: string, words: readonly Word[], option: string): Word {
  const word = words.find((known) => known === text);
  if (word === undefined) throw new ArgumentError(`${option} takes one of ${words.join(", ")}, not '${text}'`);
  return word;
}
