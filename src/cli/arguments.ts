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

/** A number of percent, 0 to 100. */
export function percentOf(text: string, option: string): number {
  const value = text.trim() === "" ? NaN : Number(text);
  if (!(value >= 0 && value <= 100))
    throw new ArgumentError(`${option} takes a percentage from 0 to 100, not '${text}'`);
  return value;
}

/** One of a list of words. */
export function wordOf<Word extends string>(text: string, words: readonly Word[], option: string): Word {
  const word = words.find((known) => known === text);
  if (word === undefined) throw new ArgumentError(`${option} takes one of ${words.join(", ")}, not '${text}'`);
  return word;
}
