/** What a panel shows values of, kept in its state: alive while the window lives, built again from what was kept after a reload. */
import type { Target } from "../../engine/api";
import type { Pin } from "../../protocol/pin";
import type { Selection } from "../../session/session";
import { pinOf, subjectOf } from "./pinnedSubjects";
import { graphWorld } from "./comparedRecording";
import type { View } from "./definition";

/** The targets of pins made in this window: their questions may be too long to be kept. */
const alive = new WeakMap<Pin, Target>();

/** The pin of what is selected; undefined: of nothing. */
export function pinSelection(
  selection: Selection | undefined,
  { session, dataSet }: Pick<View<object>, "session" | "dataSet">,
): Pin | undefined {
  if (!selection) return undefined;
  const { target, name } = selection;
  const pin = pinOf({ target, name }, dataSet, graphWorld(session));
  alive.set(pin, target);
  return pin;
}

/** What a pin stands for: the whole recording where it is of nothing, or can't be told any more. */
export interface Pinned {
  readonly target?: Target;
  readonly name?: string;
  /** Why it can't be told. */
  readonly lost?: string;
}

export function pinned(pin: Pin | undefined, { session, dataSet, scope }: View<object>): Pinned {
  if (!pin) return {};
  const target = alive.get(pin);
  const compared = target?.kind === "bar" ? target.query.compared : undefined;
  // A recording that was compared with and is read again has another number, and other contents.
  const isAlive = !compared || session.dataSets.some(({ id }) => id === compared.dataSet);
  if (target && (isAlive || pin.kind === "lost")) return { target, name: pin.name };
  const subject = subjectOf(pin, dataSet, scope, graphWorld(session));
  return typeof subject === "string" ? { lost: subject } : subject;
}

/** Whether a pin is of this very target. */
export function isPinOf(pin: Pin | undefined, selection: Selection | undefined): boolean {
  return (pin && alive.get(pin)) === selection?.target;
}
