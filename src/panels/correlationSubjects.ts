/** What the axes of a correlation are of, kept as far as the window's next start can understand it. Pure. */
import type { DataSetInfo, Scope, Target } from "../engine/api";
import { groupChoices } from "../protocol/superGraph";
import type { Pin } from "../protocol/pin";
import { shorten } from "./shorten";

/** Something with values of its own. */
export interface Subject {
  readonly target: Target;
  readonly name: string;
}

/** Undefined for bars of graphs that only the window as it is now can build again: with operations, a map, or compared. */
export function pinOf({ target, name }: Subject): Pin | undefined {
  const shown = shorten(name, 4096);
  if (target.kind === "function") return { kind: "function", id: target.function, name: shown };
  if (target.kind === "context") return { kind: "context", id: target.context, name: shown };
  const { bar, query } = target;
  const isPlain = !query.map && !query.compared && !(query.operations && query.operations.length > 0);
  if (!isPlain || bar.length > 4096) return undefined;
  return { kind: "bar", bar, filter: query.filter, groupBy: query.groupBy, name: shown };
}

/** @returns undefined where the recording, read anew, has no such thing */
export function subjectOf(pin: Pin, info: DataSetInfo, scope: Scope): Subject | undefined {
  const { name } = pin;
  switch (pin.kind) {
    case "function":
      return pin.id < info.functions ? { name, target: { kind: "function", function: pin.id } } : undefined;
    case "context":
      return pin.id < info.contexts ? { name, target: { kind: "context", context: pin.id } } : undefined;
    case "bar": {
      const groupBy = groupChoices.find((choice) => choice === pin.groupBy && choice !== "map");
      if (!groupBy) return undefined;
      const query = { scope: { ...scope, chosen: undefined }, filter: pin.filter, groupBy };
      return { name, target: { kind: "bar", query, bar: pin.bar } };
    }
  }
}
