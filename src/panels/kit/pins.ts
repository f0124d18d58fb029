/** What a panel shows values of, kept in its state: alive while the window lives, built again from what was kept after a reload. */
import type { Target } from "../../engine/api";
import type { Task } from "../../model/task";
import type { NumberedPin, Pin } from "../../protocol/pin";
import type { Selection, SessionDataSet } from "../../session/session";
import { targetOf } from "../../session/selectionFinder";
import { lostText, pinOf, subjectOf } from "./pinnedSubjects";
import { graphWorld } from "./comparedRecording";
import type { View } from "./definition";

/** What a pin stands for: the whole recording where it is of nothing, or of what is not found any more. */
export interface Pinned {
  readonly target?: Target;
  readonly name?: string;
  /** Why it is not found. */
  readonly lost?: string;
}

/** What is known of pins in this window, of the recordings as they were read then. Questions of bars may be too long to be kept. */
const known = new WeakMap<Pin, Pinned & { readonly readings: readonly SessionDataSet[] }>();

/** The pin of what is selected; undefined: of nothing. */
export function pinSelection(
  selection: Selection | undefined,
  view: Pick<View<object>, "session" | "dataSet">,
): Pin | undefined {
  if (!selection) return undefined;
  const { target, name } = selection;
  const pin = pinOf({ target, name }, view.dataSet, graphWorld(view.session));
  known.set(pin, { target, readings: readingsOf(target, view) });
  return pin;
}

/** What {@link pinsToFind} names is of nothing yet. */
export function pinned(pin: Pin | undefined, view: View<object>): Pinned {
  if (!pin) return {};
  const { name } = pin;
  const { target, lost } = knownNow(pin, view) ?? {};
  if (target || lost !== undefined) return { name, target, lost };
  if (isNumberedPin(pin)) return { name };
  const subject = subjectOf(pin, view.dataSet, view.scope, graphWorld(view.session));
  return typeof subject === "string" ? { lost: subject } : subject;
}

/** Whether a pin is of this very target. */
export function isPinOf(pin: Pin | undefined, selection: Selection | undefined): boolean {
  return (pin && known.get(pin)?.target) === selection?.target;
}

/** Functions and contexts that were pinned before the recording was read again: they have to be found by their names. */
export function pinsToFind(view: View<object>): NumberedPin[] {
  return [...pinsIn(view.state)].filter((pin) => !knownNow(pin, view));
}

/** Those of this reading of whose full names nothing is noted yet. */
export function pinsToName(view: View<object>): NumberedPin[] {
  return [...pinsIn(view.state)].filter((pin) => pin.digest === undefined && knownNow(pin, view)?.target !== undefined);
}

/** Finds or names pins. @returns what puts them into what the panel remembers */
export async function settlePins(
  pins: readonly NumberedPin[],
  view: View<object>,
  task: Task,
): Promise<<State>(state: State) => State> {
  const settled = await Promise.all(pins.map(async (pin) => [pin, await settledPin(pin, view, task)] as const));
  return <State>(state: State) => replaced(state, new Map<unknown, NumberedPin>(settled)) as State;
}

/** @returns the pin with its number in this reading and its full name; the pin as it was, where it is lost */
async function settledPin(pin: NumberedPin, view: View<object>, task: Task): Promise<NumberedPin> {
  const { session, dataSet } = view;
  const { kind, id, name, digest } = pin;
  const of = { dataSet: dataSet.id, kind, id };
  const readings = [dataSet];
  const target = knownNow(pin, view)?.target;
  if (target) {
    const named = { ...pin, digest: await session.engine.digestOfName(of, task) };
    known.set(named, { target, readings });
    return named;
  }
  const found = await session.engine.namedTarget({ ...of, name, digest }, task);
  if (found.id === undefined) {
    known.set(pin, { lost: lostText(pin, found.count), readings });
    return pin;
  }
  const renewed = { ...pin, id: found.id, digest: found.digest };
  known.set(renewed, { target: targetOf(renewed), readings });
  return renewed;
}

/** What is known of a pin, unless a recording that it is of was read again since: it has other numbers, and other contents. */
function knownNow(pin: Pin, { session, dataSet }: View<object>) {
  const found = known.get(pin);
  const isOfNow = found?.readings.every((reading) => reading === dataSet || session.dataSets.includes(reading));
  // The question of a lost one is nowhere else.
  return isOfNow === true || pin.kind === "lost" ? found : undefined;
}

/** The recordings that a target is a part of. */
function readingsOf(target: Target, { session, dataSet }: Pick<View<object>, "session" | "dataSet">): SessionDataSet[] {
  const compared = target.kind === "bar" ? target.query.compared?.dataSet : undefined;
  return [dataSet, ...session.dataSets.filter(({ id }) => id === compared)];
}

function* pinsIn(value: unknown): Iterable<NumberedPin> {
  if (isNumberedPin(value)) yield value;
  else if (typeof value === "object" && value !== null) for (const part of Object.values(value)) yield* pinsIn(part);
}

function replaced(value: unknown, found: ReadonlyMap<unknown, NumberedPin>): unknown {
  if (found.has(value)) return found.get(value);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, replaced(part, found)]));
}

/** Where states hold an object of a kind and a number, it is a pin. */
function isNumberedPin(value: unknown): value is NumberedPin {
  const { kind, id } = (value ?? {}) as Partial<NumberedPin>;
  return (kind === "function" || kind === "context") && typeof id === "number";
}
