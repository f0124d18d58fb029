import { regionCalls, soundsLikeBegin, soundsLikeEnd } from "./annotations";
import type { Call, Extent, FileFacts } from "./facts";
import type { Macros } from "./macros";

/** A place that begins a region. */
export interface RegionBegin {
  readonly call: Call;
  /** The region's name, or of a `constant` the macro that stands for it. */
  readonly name: string;
  readonly constant: boolean;
  readonly extent: Extent;
  /** The callee is a known annotation or leads to one; otherwise it only reads like one. */
  readonly known: boolean;
}

/** All places of a file that begin a region whose name the text holds, in the order of the text. */
export function regionBeginsOf(facts: FileFacts, macros: Macros, wrappers: ReadonlySet<string>): RegionBegin[] {
  const begins: RegionBegin[] = [];
  for (const call of facts.calls) {
    if (call.literals.length === 0 && call.names.length === 0) continue;
    const role = macros.roleOf(call.callee);
    const known = role.begins || wrappers.has(call.callee) || isCaliperScope(call);
    const ends = role.ends && !role.begins;
    if (ends || (!known && !soundsLikeBegin(call.callee))) continue;
    const add = (name: string, constant: boolean) =>
      begins.push({ call, name, constant, known, extent: regionExtent(facts, call, name) });
    for (const name of role.stringifies ? [...call.literals, ...call.names] : call.literals) add(name, false);
    if (known && call.literals.length === 0 && !role.stringifies)
      for (const name of call.names) if (/^[A-Z][A-Z0-9_]+$/.test(name)) add(name, true);
  }
  return begins;
}

/**
 * From the begin to a later call with the same literal and another callee, a closing call that shares an identifier, or the end of the
 * enclosing block (semantics 5). An end in the begin's own block goes before one in a branch that leaves early.
 */
export function regionExtent(facts: FileFacts, begin: Call, name: string): Extent {
  if (regionCalls.has(begin.callee)) return { from: begin.at, to: begin.end };
  const { calls } = facts;
  let branch: number | undefined;
  for (let at = firstAfter(calls, begin.at); at < calls.length; at++) {
    const call = calls[at];
    if (call.at >= begin.block.to && call.within !== begin.within) break;
    if (call.within !== begin.within || call.callee === begin.callee) continue;
    const closes =
      call.literals.includes(name) ||
      call.names.includes(name) ||
      (soundsLikeEnd(call.callee) && sharesName(begin, call));
    if (!closes || isBeginOf(call, begin)) continue;
    if (call.block.from === begin.block.from) return { from: begin.at, to: call.at };
    branch = call.at;
  }
  return { from: begin.at, to: Math.max(branch ?? 0, begin.block.to) };
}

function sharesName(begin: Call, end: Call): boolean {
  return end.names.some((name) => begin.names.includes(name));
}

/** `printf("solve")` or another begin after a begin of the same name does not close it. */
function isBeginOf(call: Call, begin: Call): boolean {
  return !soundsLikeEnd(call.callee) && (soundsLikeBegin(call.callee) || !shareStem(call.callee, begin.callee));
}

/** Begin and end of one pair of calls share the start of their name: `REGION_BEGIN`, `REGION_END`; `tic`, `toc`. */
function shareStem(a: string, b: string): boolean {
  return a.slice(0, 1).toLowerCase() === b.slice(0, 1).toLowerCase();
}

function isCaliperScope(call: Call): boolean {
  return (call.callee === "Function" || call.callee === "Loop") && call.qualifiers.includes("cali");
}

function firstAfter(calls: readonly Call[], at: number): number {
  let low = 0;
  let high = calls.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (calls[middle].at <= at) low = middle + 1;
    else high = middle;
  }
  return low;
}
