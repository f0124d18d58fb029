/** What a value is of, kept as far as the window's next start can understand it. Pure. */
import type { DataSetInfo, GroupMap, Scope, Target } from "../../engine/api";
import { operationText } from "../../engine/graphs/operations";
import { parse } from "../../protocol/bounds";
import { type NumberedPin, type Pin, pin as pinSchema } from "../../protocol/pin";
import { groupChoices } from "../../protocol/superGraph";
import { operationsOf } from "../superGraph/savedSteps";
import type { ScopedDataSet } from "../../session/comparedScopes";
import { shorten } from "../../model/texts";

/** Something with values of its own. */
export interface Subject {
  readonly target: Target;
  readonly name: string;
}

/** What of the window decides the bars of a graph. */
export interface GraphWorld {
  /** The user's groups. */
  readonly groups: GroupMap;
  filesOf(dataSet: number): readonly string[] | undefined;
  /** The scope that a recording is compared in; a string says why it is not. */
  compared(own: ScopedDataSet, files: readonly string[]): Scope | string;
}

const MAX_NAME = 4096;

export function pinOf({ target, name }: Subject, info: DataSetInfo | undefined, world: GraphWorld): Pin {
  const shown = shorten(name, MAX_NAME);
  if (target.kind === "function") return { kind: "function", id: target.function, name: shown };
  if (target.kind === "context") return { kind: "context", id: target.context, name: shown };
  const { bar, query } = target;
  const { filter, groupBy, first, operations = [] } = query;
  const metric = info?.metrics.at(query.scope.metric)?.name;
  const compared = query.compared && world.filesOf(query.compared.dataSet);
  const kept = {
    kind: "bar",
    bar,
    filter,
    groupBy,
    name: shown,
    ...(first ? { first } : {}),
    ...(metric === undefined ? {} : { metric }),
    ...(operations.length > 0 ? { operations: operations.map(operationText) } : {}),
    ...(compared ? { compared } : {}),
  };
  const isWhole = query.compared === undefined || compared !== undefined;
  return (isWhole ? parse(pinSchema, kept) : undefined) ?? { kind: "lost", name: shown };
}

/** Why a function or context is not found again. @param count of those that have its name now */
export function lostText({ kind, name }: NumberedPin, count: number): string {
  const label = shorten(name, 200);
  const [one, several] = kind === "function" ? ["function", "functions"] : ["calling context", "calling contexts"];
  if (count === 0) return `${label} is no ${one} of this recording any more.`;
  return `${label} is the name of several ${several} of this recording now: it is not known which of them it was.`;
}

/** @returns sentences where it cannot be built again: what it was, and what is missing */
export function subjectOf(
  pin: Exclude<Pin, NumberedPin>,
  info: DataSetInfo,
  scope: Scope,
  world: GraphWorld,
): Subject | string {
  const { name } = pin;
  const label = shorten(name, 200);
  switch (pin.kind) {
    case "lost":
      return `The graph of ${label} was too large to be kept.`;
    case "bar": {
      const groupBy = groupChoices.find((choice) => choice === pin.groupBy);
      const operations = operationsOf(pin.operations ?? []);
      if (!groupBy || !operations) return `The kept graph of ${label} cannot be read.`;
      const metric =
        pin.metric === undefined ? scope.metric : info.metrics.findIndex((known) => known.name === pin.metric);
      if (metric < 0)
        return `${label} was a bar of a graph of ${shorten(pin.metric ?? "", 200)}, which is no metric of this recording.`;
      const own: Scope = { ...scope, metric, chosen: undefined };
      const compared = pin.compared && world.compared({ info, scope: own }, pin.compared);
      if (typeof compared === "string") return `${label} was a bar of a comparison. ${compared}`;
      const query = {
        scope: own,
        filter: pin.filter,
        groupBy,
        ...(pin.first ? { first: pin.first } : {}),
        ...(groupBy === "map" ? { map: world.groups } : {}),
        // What could not be done when the bar was there cannot be done now either.
        ...(operations.length > 0 ? { operations, lenient: true } : {}),
        ...(compared ? { compared } : {}),
      };
      return { name, target: { kind: "bar", query, bar: pin.bar } };
    }
  }
}
