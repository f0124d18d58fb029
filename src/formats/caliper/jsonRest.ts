import { FormatError } from "../../model/errors";
import type { JsonTokens } from "../jsonTokens";
import type { Recording } from "./recording";

/** Says so where something stands behind what was read: two recordings in one file, or one that was overwritten in part. */
export async function warnOfRest(tokens: JsonTokens, recording: Recording, what: string): Promise<void> {
  const byte = tokens.position;
  const next = await tokens.next().catch((problem: unknown) => {
    if (problem instanceof FormatError) return undefined;
    throw problem;
  });
  if (next !== "end") recording.warn("rest", `something follows the end of the ${what}: it was not read`, { byte });
}
