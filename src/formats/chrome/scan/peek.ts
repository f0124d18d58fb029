import { FormatError } from "../../../model/errors";
import { JsonTokens, windowOver } from "../../jsonTokens";
import { EventScanner } from "./eventScanner";
import { parseJson } from "./jsonValues";
import { TraceGlobals } from "./traceGlobals";
import { INCOMPLETE } from "./valueScanner";

/** Keys beside the events that only trace files have. */
const KEYS = new Set([
  "traceEvents",
  "displayTimeUnit",
  "systemTraceEvents",
  "deviceProperties",
  "distributedInfo",
  "stackFrames",
  "powerTraceAsString",
  "controllerTraceDataKey",
]);

const METADATA = "M".charCodeAt(0);

/** What the first bytes of a trace file tell. */
export interface Peek {
  readonly isTrace: boolean;
  readonly globals: TraceGlobals;
  /** The earliest time among the first events, in whole µs; undefined where none was seen. */
  readonly firstMicroseconds: number | undefined;
}

/** Looks at the first bytes of a file; never throws. */
export function peek(head: Uint8Array): Peek {
  const window = windowOver(head);
  const tokens = new JsonTokens(window, "");
  const scanner = new EventScanner(window, "");
  const globals = new TraceGlobals();
  let isTrace = false;
  let firstMicroseconds: number | undefined;

  const list = () => {
    let at = window.start;
    while (at < window.end) {
      if (head[at] <= 32 || head[at] === 44) {
        at++;
        continue;
      }
      if (head[at] !== 123) break;
      at = scanner.scan(at);
      if (scanner.phase !== 0) isTrace = true;
      if (at === INCOMPLETE) return;
      const time = Math.floor(scanner.wholeTime + Math.floor(scanner.partTime));
      if (scanner.phase !== METADATA && Math.abs(time) <= 2 ** 53 && !(time >= (firstMicroseconds ?? Infinity)))
        firstMicroseconds = time;
    }
    // Behind the last event of a short list further keys may follow.
    window.start = head[at] === 93 ? at + 1 : window.end;
  };

  try {
    const first = tokens.scan();
    if (first === "[") list();
    else if (first === "{") {
      for (let token = tokens.scan(); token === "string" || token === ","; token = tokens.scan()) {
        if (token === ",") continue;
        const key = tokens.text;
        if (tokens.scan() !== ":") break;
        if (KEYS.has(key)) isTrace = true;
        const start = valueStart(head, window.start);
        if (key === "traceEvents" && head[start] === 91) {
          window.start = start + 1;
          list();
          continue;
        }
        const end = scanner.skipValue(start);
        if (end === INCOMPLETE) break;
        const value = parseJson(head.subarray(start, end));
        if (value !== undefined) globals.add(key, value);
        window.start = end;
      }
    }
  } catch (problem) {
    if (!(problem instanceof FormatError)) throw problem; // what cannot be taken apart tells no more
  }
  return { isTrace, globals, firstMicroseconds };
}

function valueStart(bytes: Uint8Array, at: number): number {
  while (at < bytes.length && bytes[at] <= 32) at++;
  return at;
}
