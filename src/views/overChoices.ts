/** What can be chosen for "how ranks are combined". Pure. */
import type { DataSetInfo, OverRanks, Scope } from "../engine/api";
import { chosenText } from "../model/members";

export interface OverChoice {
  readonly label: string;
  readonly description?: string;
  readonly over?: OverRanks;
  /** What is asked for next: one rank, or the ranks of a restriction. */
  readonly ask?: "rank" | "restriction";
}

const combinations = [
  { over: "mean", label: "Mean over ranks", description: "the sum divided by the number of ranks" },
  { over: "sum", label: "Sum over ranks", description: "all ranks added" },
  { over: "max", label: "Maximum over ranks", description: "of each number alone; maxima do not add up" },
  { over: "min", label: "Minimum over ranks", description: "of each number alone; minima do not add up" },
] as const;

export function overChoices(info: Pick<DataSetInfo, "ranks">, scope: Pick<Scope, "over" | "chosen">): OverChoice[] {
  const shown = (over: OverRanks) => (over === scope.over ? " · shown" : "");
  const choices: OverChoice[] = combinations.map(({ over, label, description }) => ({
    over,
    label,
    description: description + shown(over),
  }));
  if (info.ranks.length < 2) return choices;
  const one = typeof scope.over === "object" ? `rank ${scope.over.rank} is shown` : undefined;
  const restricted = scope.chosen ? `${chosenText(scope.chosen)} now` : undefined;
  return [
    ...choices,
    { ask: "rank", label: "One rank…", description: one },
    { ask: "restriction", label: "Restrict to ranks…", description: restricted },
  ];
}
