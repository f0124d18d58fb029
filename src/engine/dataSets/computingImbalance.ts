/** Imbalance of the work itself: waiting for others in MPI makes ranks look alike (semantics 16, "imbalance"). */
import { eventKinds, kindOfEvent } from "../../model/eventKinds";
import { NONE } from "../../model/ids";
import { type ComputingImbalance, imbalanceOf } from "../../model/imbalance";
import { groupsByMap } from "../../supergraph/groupMap";
import type { GroupMap } from "../../supergraph/query";
import type { Scope } from "../scope";
import { mpiCalls } from "./mpiCalls";
import type { OpenDataSet } from "./openDataSet";

export interface ImbalanceQuery {
  readonly scope: Scope;
  /** The user's table of names and categories. */
  readonly categories?: GroupMap;
}

/** Categories that are no computing. */
const OTHERS: ReadonlySet<string> = new Set(["communication", "runtime", "I/O", "idle"]);

/** @returns undefined if all functions compute, as far as is known, or if there are no two members to compare */
export function computingImbalance(
  open: OpenDataSet,
  { scope, categories = {} }: ImbalanceQuery,
): ComputingImbalance | undefined {
  const values = open.rankValues(scope);
  const { keys, by } = values.members;
  if (keys.length < 2) return undefined;
  const isComputing = computingContexts(open, categories);
  if (isComputing.every((one) => one === 1)) return undefined;
  const perMember = (counts: (context: number) => boolean) => values.perRank(rangesOf(isComputing.length, counts));
  const all = imbalanceOf(
    perMember(() => true),
    keys,
  );
  const seconds = perMember((context) => isComputing[context] === 1);
  const computing = imbalanceOf(seconds, keys);
  if (!all || !computing) return undefined;
  const found: ComputingImbalance = { by, computing, all };
  const dominant = heaviestFunction(open, values.sums(), isComputing);
  if (dominant === NONE) return found;
  const { ofContext } = open.functions;
  const own = perMember((context) => isComputing[context] === 1 && ofContext[context] === dominant);
  if (!own.every((value, at) => value > seconds[at] / 2)) return found;
  const rest = perMember((context) => isComputing[context] === 1 && ofContext[context] !== dominant);
  const without = imbalanceOf(rest, keys);
  return without ? { ...found, without: { ...without, name: open.shownFunction(dominant) } } : found;
}

/** 1 for each context that computes. All that MPI calls below it is communication. */
function computingContexts(open: OpenDataSet, categories: GroupMap): Uint8Array {
  const { functions, dataSet } = open;
  const { frames } = dataSet;
  const names = Array.from(functions.frame, (frame) => frames.nameOf(frame));
  const named = groupsByMap(categories, [...new Set(names)]);
  const computes = Uint8Array.from(functions.frame, (frame, id) => {
    const kind = frames.originOf(frame) === "mpi" ? "communication" : "other";
    return OTHERS.has(eventKinds[kindOfEvent({ name: "", kind }, names[id], named)]) ? 0 : 1;
  });
  const found = Uint8Array.from(functions.ofContext, (id) => (id === NONE ? 1 : computes[id]));
  for (const [from, to] of mpiCalls(open)) found.fill(0, from, to);
  return found;
}

function rangesOf(size: number, counts: (context: number) => boolean): [from: number, to: number][] {
  const ranges: [from: number, to: number][] = [];
  for (let context = 0; context < size; context++) {
    if (!counts(context)) continue;
    const last = ranges.at(-1);
    if (last?.[1] === context) last[1] = context + 1;
    else ranges.push([context, context + 1]);
  }
  return ranges;
}

/** The only function that can have over half of the computing on every member. */
function heaviestFunction({ functions, dataSet }: OpenDataSet, sums: Float64Array, isComputing: Uint8Array): number {
  const exclusive = new Float64Array(functions.size);
  functions.ofContext.forEach((id, context) => {
    if (id !== NONE && isComputing[context] === 1) exclusive[id] += sums[context];
  });
  let heaviest: number = NONE;
  for (let id = 0; id < functions.size; id++)
    if (heaviest === NONE || exclusive[id] > exclusive[heaviest]) heaviest = id;
  // Time outside any region is of no function.
  return heaviest !== NONE && dataSet.frames.originOf(functions.frame[heaviest]) === "outside" ? NONE : heaviest;
}
