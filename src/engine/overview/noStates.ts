/** What an overview of states says of a trace without any. */
import { RequestError } from "../../model/errors";

/** No event takes time: variables may be looked at in place of states. */
export class NoStatesError extends RequestError {
  readonly hasStates = false;
}

/** Requests are told apart by their names, which are the same. */
export function isNoStates(error: unknown): boolean {
  return error instanceof RequestError && "hasStates" in error;
}
