/** Error of an overview of states for a trace without states. */
import { RequestError } from "../../model/errors";

/** No event of the trace takes time. The panel then offers variables. */
export class NoStatesError extends RequestError {
  readonly hasStates = false;
}

/** Checks a property: errors from another thread keep their name, which all request errors share. */
export function isNoStates(error: unknown): boolean {
  return error instanceof RequestError && "hasStates" in error;
}
