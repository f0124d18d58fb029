import { RequestError } from "../model/errors";
import { parseOperation } from "../supergraph/operationText";
import type { GraphOperation } from "../supergraph/query";
import { ArgumentError } from "./arguments";

/** Reads the operation of an `--op` (semantics 2.6). @throws ArgumentError */
export function operationArgument(text: string): GraphOperation {
  try {
    return parseOperation(text);
  } catch (error) {
    if (error instanceof RequestError) throw new ArgumentError(`--op: ${error.message}`);
    throw error;
  }
}
