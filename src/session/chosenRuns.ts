/** A restriction to runs of an ensemble: they have other numbers once other runs are there. Pure. */
import type { DataSetInfo } from "../engine/api";
import type { Chosen } from "../model/members";

type Runs = Pick<DataSetInfo, "ensemble">;

/** What the chosen runs are called; undefined: no runs of an ensemble are chosen. */
export function chosenNames(chosen: Chosen | undefined, { ensemble }: Runs): string[] | undefined {
  return chosen?.by === "run" && ensemble
    ? chosen.members.flatMap((member) => ensemble.names.at(Number(member)) ?? [])
    : undefined;
}

/** The runs of these names as they are numbered now; undefined: none of them is there any more. */
export function chosenOf(names: readonly string[], { ensemble }: Runs): Chosen | undefined {
  const wanted = new Set(names);
  const members = (ensemble?.names ?? []).flatMap((name, run) => (wanted.has(name) ? [String(run)] : []));
  return members.length === 0 ? undefined : { by: "run", members };
}
