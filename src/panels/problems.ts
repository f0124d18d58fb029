import { FormatError, CancelledError } from "../model/errors";
import type { Problem } from "../protocol/superGraph";
import { shorten } from "./graphMessage";

/** What a panel says about an error: what happened, and what to do. */
export function problemOf(error: unknown): Problem {
  if (error instanceof CancelledError)
    return { type: "problem", kind: "cancelled", message: "Cancelled.", action: "retry" };
  const message = error instanceof Error ? error.message : String(error);
  return {
    type: "problem",
    kind: "error",
    message: shorten(message, 4096),
    ...(error instanceof FormatError ? { advice: shorten(error.problem.advice, 4096) } : {}),
    action: "retry",
  };
}
