import { FormatError } from "../model/errors";
import { JsonTokens } from "./jsonTokens";

/** A JSON file of another tool: what it is, and what to open instead. */
interface OtherJson {
  readonly found: string;
  readonly advice: string;
}

/**
 * Execution traces of PyTorch and CPU profiles of V8, which both have a list of nodes.
 *
 * @param head the file's first bytes
 * @returns undefined for any other JSON
 */
export function otherJson(head: Uint8Array): OtherJson | undefined {
  const keys = keysOf(head);
  if (keys.has("schema") && keys.has("nodes/name") && keys.has("nodes/id"))
    return {
      found: "an execution trace of PyTorch, which has no times",
      advice: "Open the trace that `torch.profiler` exports of the same run with `export_chrome_trace`.",
    };
  if (keys.has("nodes/callFrame") || keys.has("head.functionName"))
    return {
      found: "a CPU profile of V8, which Heatflow cannot open",
      advice: 'Record in the Performance panel of Chrome\'s developer tools, and open what "Save profile" writes.',
    };
  return undefined;
}

/** Keys of the outer object, of the objects in it (`head.id`) and of those in its lists (`nodes/id`), as far as the head goes. */
function keysOf(head: Uint8Array): Set<string> {
  const tokens = JsonTokens.ofHead(head);
  const keys = new Set<string>();
  let outer = "";
  let depth = 0;
  let text = "";
  try {
    for (let token = tokens.scan(); token !== undefined; token = tokens.scan()) {
      if (token === "{" || token === "[") depth++;
      else if (token === "}" || token === "]") depth--;
      else if (token === ":" && depth <= 3) {
        if (depth === 1) outer = text;
        keys.add(depth === 1 ? text : outer + (depth === 2 ? "." : "/") + text);
      }
      text = token === "string" ? tokens.text : "";
    }
  } catch (problem) {
    if (!(problem instanceof FormatError)) throw problem; // the keys before the invalid text are enough
  }
  return keys;
}
