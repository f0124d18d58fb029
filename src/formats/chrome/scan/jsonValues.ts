import { FormatError } from "../../../model/errors";
import type { InvalidEscapes } from "../../jsonEscapes";
import { JsonTokens, type Token } from "../../jsonTokens";
import type { EventScanner } from "./eventScanner";

/** An object of JSON; never a JavaScript object, since keys come from a file. */
export type JsonObject = ReadonlyMap<string, JsonValue>;
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** Deeper than this nothing is looked at. */
const MOST_DEPTH = 64;

export function isObject(value: unknown): value is JsonObject {
  return value instanceof Map;
}

/** A number, also one in quotes; NaN for anything else. */
export function numberOf(value: unknown): number {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^-?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?$/.test(value) ? Number(value) : Number.NaN;
}

/** The arguments of the event that was read last, whatever they are; undefined where it has none. */
export function parseArguments(scanner: EventScanner): JsonValue | undefined {
  const { argumentsStart, argumentsEnd } = scanner;
  if (argumentsEnd <= argumentsStart) return undefined;
  return parseJson(scanner.slice(argumentsStart, argumentsEnd), scanner.escapes);
}

/** A small piece of JSON as a value; undefined where it cannot be taken apart. */
export function parseJson(bytes: Uint8Array, escapes?: InvalidEscapes): JsonValue | undefined {
  const tokens = JsonTokens.over(bytes, escapes);
  try {
    return valueFrom(tokens, next(tokens), 0);
  } catch (problem) {
    if (problem instanceof FormatError) return undefined;
    throw problem;
  }
}

function valueFrom(tokens: JsonTokens, token: Token, depth: number): JsonValue {
  if (token === "string" || token === "bare") return tokens.text;
  if (token === "number") return tokens.number;
  if (token === "boolean") return tokens.text === "true";
  if (token === "null") return null;
  if (depth > MOST_DEPTH) throw tokens.unexpected(token, "fewer levels");
  if (token === "[") return listFrom(tokens, depth);
  if (token === "{") return objectFrom(tokens, depth);
  throw tokens.unexpected(token, "a value");
}

function listFrom(tokens: JsonTokens, depth: number): JsonValue[] {
  const list: JsonValue[] = [];
  for (let token = next(tokens); token !== "]"; token = next(tokens))
    if (token !== ",") list.push(valueFrom(tokens, token, depth + 1));
  return list;
}

function objectFrom(tokens: JsonTokens, depth: number): JsonObject {
  const object = new Map<string, JsonValue>();
  for (let token = next(tokens); token !== "}"; token = next(tokens)) {
    if (token === ",") continue;
    if (token !== "string") throw tokens.unexpected(token, "a key");
    const key = tokens.text;
    if (next(tokens) !== ":") throw tokens.unexpected(token, "a colon");
    object.set(key, valueFrom(tokens, next(tokens), depth + 1));
  }
  return object;
}

/** All bytes are there: behind them is the end. */
function next(tokens: JsonTokens): Token {
  return tokens.scan() ?? "end";
}
