import { FormatError } from "../../../model/errors";
import type { JsonTokens, Token } from "../../jsonTokens";
import type { Recording } from "../decode/recording";

/** An object of simple values, as text. @param first its opening bracket, where that was read */
export async function readTexts(tokens: JsonTokens, first?: Token): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const token = first ?? (await tokens.next());
  if (token !== "{") throw tokens.unexpected(token, "an object");
  await tokens.object(async (key) => {
    const text = await tokens.simpleText();
    if (text !== undefined) texts.set(key, text);
  });
  return texts;
}

/** Says so where something stands behind what was read: two recordings in one file, or one that was overwritten in part. */
export async function warnOfRest(tokens: JsonTokens, recording: Recording, what: string): Promise<void> {
  const byte = tokens.position;
  const next = await tokens.next().catch((problem: unknown) => {
    if (problem instanceof FormatError) return undefined;
    throw problem;
  });
  if (next !== "end") recording.warn("rest", `something follows the end of the ${what}: it was not read`, { byte });
}

/** Says so where strings hold what is no escape of JSON. */
export function warnOfEscapes({ escapes }: JsonTokens, recording: Recording): void {
  if (escapes.sentence !== undefined) recording.warn("escapes", escapes.sentence);
}
