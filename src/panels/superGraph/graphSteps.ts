/**
 * The operations of a super graph so far, as a list that can be stepped back in and taken up again. Pure: every change gives
 * a new list. What lies beyond the steps in effect stays, struck, until something new is done.
 */
import type { GraphOperation } from "../../engine/api";
import type { GroupChoice, KeptChoice } from "../../protocol/superGraph";
import { operationText } from "../../engine/graphs/operations";

/** One operation in the list. */
export interface Step {
  /** Never used again in this panel: a click that was under way still means this step. */
  readonly key: number;
  readonly operation: GraphOperation;
}

/** Start of the steps. */
export interface GraphStart {
  /** Percent; undefined: the first picture chooses it. */
  readonly filter?: number;
  readonly groupBy: GroupChoice;
  /** Choice of the first picture. */
  readonly first?: KeptChoice;
}

/** Everything that one undo brings back. */
interface Situation extends GraphStart {
  readonly steps: readonly Step[];
  /** So many of the steps are in effect. */
  readonly done: number;
}

/** A change other than doing or leaving the next step, and where it left the list: there undo takes it back. */
interface Change {
  readonly before: Situation;
  readonly after: Situation;
}

export interface GraphSteps extends Situation {
  readonly past: readonly Change[];
  readonly future: readonly Change[];
  readonly lastKey: number;
}

/** More steps are refused: each is applied anew for every graph. */
export const MOST_STEPS = 100;
/** Characters of all operations together: they are part of what the panel keeps for a reload. */
export const MOST_CHARACTERS = 200_000;
/** Changes that can be taken back. */
const MOST_CHANGES = 50;

export function newSteps(
  { filter, groupBy, first }: GraphStart,
  operations: readonly GraphOperation[] = [],
  done = operations.length,
): GraphSteps {
  const steps = operations.map((operation, at) => ({ key: at + 1, operation }));
  return {
    filter,
    groupBy,
    first,
    steps,
    done: Math.min(done, steps.length),
    past: [],
    future: [],
    lastKey: steps.length,
  };
}

/** The operations in effect, in order. */
export function operationsDone({ steps, done }: GraphSteps): GraphOperation[] {
  return steps.slice(0, done).map(({ operation }) => operation);
}

/**
 * Does something new: what was stepped back from is gone, until this is undone.
 *
 * @returns undefined where the list would become too long to be kept
 */
export function addStep(list: GraphSteps, operation: GraphOperation): GraphSteps | undefined {
  const key = list.lastKey + 1;
  const steps = [...list.steps.slice(0, list.done), { key, operation }];
  if (!fits(steps)) return undefined;
  const added = { steps, done: steps.length };
  // Where steps are given up, changes that were made after them can only be taken back with these steps there again.
  const next = list.done < list.steps.length ? change(list, added) : { ...list, ...added, future: [] };
  return { ...next, lastKey: key };
}

/**
 * Steps back, or forward, until this step is the last one in effect; 0: before the first. Changes that were taken back are not
 * done again after it: between which steps they would come is not known any more.
 */
export function goToStep(list: GraphSteps, key: number): GraphSteps {
  const at = list.steps.findIndex((step) => step.key === key);
  if ((key !== 0 && at < 0) || at + 1 === list.done) return list;
  return { ...list, done: at + 1, future: [] };
}

/** Takes one step away; the later ones stay as they are. */
export function removeStep(list: GraphSteps, key: number): GraphSteps {
  const at = list.steps.findIndex((step) => step.key === key);
  if (at < 0) return list;
  const steps = list.steps.filter((step) => step.key !== key);
  return change(list, { steps, done: at < list.done ? list.done - 1 : list.done });
}

/** Another filter or grouping to begin with; the steps stay. */
export function setStart(list: GraphSteps, start: Partial<GraphStart>): GraphSteps {
  const { filter, groupBy, first } = { ...list, ...start };
  const isSame = filter === list.filter && groupBy === list.groupBy;
  return isSame ? list : change(list, { filter, groupBy, first });
}

/** Keeps what a first picture chose: nobody did that, so undo does not take it back. */
export function withChoice(list: GraphSteps, first: KeptChoice): GraphSteps {
  return { ...list, first };
}

/** Other steps in place of these: applied from what was saved, or none. @returns undefined where they are too many */
export function replaceSteps(
  list: GraphSteps,
  operations: readonly GraphOperation[],
  start: Partial<GraphStart> = {},
): GraphSteps | undefined {
  const steps = operations.map((operation, at) => ({ key: list.lastKey + at + 1, operation }));
  if (!fits(steps)) return undefined;
  const changed = change(list, { ...start, steps, done: steps.length });
  return { ...changed, lastKey: list.lastKey + steps.length };
}

export function canUndo({ past, done }: GraphSteps): boolean {
  return done > 0 || past.length > 0;
}

export function canRedo({ future, steps, done }: GraphSteps): boolean {
  return done < steps.length || future.length > 0;
}

/** Takes back what was done last: a change to the list where it was the last thing, else the last step. */
export function undo(list: GraphSteps): GraphSteps {
  const last = list.past.at(-1);
  if (last && (last.after.done === list.done || list.done === 0))
    return {
      ...list,
      ...last.before,
      past: list.past.slice(0, -1),
      // With what was stepped back from since: it comes back with it.
      future: [...list.future, { before: last.before, after: situation(list) }],
    };
  return list.done > 0 ? { ...list, done: list.done - 1 } : list;
}

/** Does again what was taken back last. */
export function redo(list: GraphSteps): GraphSteps {
  const next = list.future.at(-1);
  if (next && (next.before.done === list.done || list.done === list.steps.length))
    return {
      ...list,
      ...next.after,
      past: [...list.past, { before: situation(list), after: next.after }],
      future: list.future.slice(0, -1),
    };
  return list.done < list.steps.length ? { ...list, done: list.done + 1 } : list;
}

function change(list: GraphSteps, to: Partial<Situation>): GraphSteps {
  const before = situation(list);
  const after = { ...before, ...to };
  return { ...list, ...after, past: [...list.past, { before, after }].slice(-MOST_CHANGES), future: [] };
}

function situation({ filter, groupBy, first, steps, done }: Situation): Situation {
  return { filter, groupBy, first, steps, done };
}

function fits(steps: readonly Step[]): boolean {
  const characters = steps.reduce((sum, { operation }) => sum + operationText(operation).length, 0);
  return steps.length <= MOST_STEPS && characters <= MOST_CHARACTERS;
}
