import { CancelledError, FormatError, NothingToDrawError, placedProblem } from "../../model/errors";
import type { Problem } from "../../protocol/panel";
import { shorten } from "../../model/texts";

/** What a panel says about an error: what happened, and what to do. */
export function problemOf(error: unknown): Problem {
  if (error instanceof CancelledError)
    return { type: "problem", kind: "cancelled", message: "Cancelled.", action: "retry" };
  if (error instanceof FormatError) {
    const { problem } = error;
    const message = shorten(placedProblem(problem), 4096);
    return { type: "problem", kind: "error", message, advice: shorten(problem.advice, 4096), action: "retry" };
  }
  if (error instanceof NothingToDrawError) return { type: "problem", kind: "empty", ...error.problem };
  const message = error instanceof Error ? error.message : String(error);
  return {
    type: "problem",
    kind: "error",
    message: shorten(message, 4096),
    action: "retry",
  };
}
