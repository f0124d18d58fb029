/** Names of groups as semantics 2.2 words them, for the twin; naive, and without code of the real one. */
import type { GroupBy } from "../../../src/supergraph/query";
import { rowsAbove } from "./twin";
import type { Row } from "./treeOf";

/** What is known of a recording's functions besides its rows. */
export interface Known {
  readonly rows: readonly Row[];
  /** Class of a function, by its name. */
  readonly classOf: (name: string) => string | undefined;
  /** Group in the user's map, by a function's name. */
  readonly mapped: (name: string) => string | undefined;
}

export type Level = "folder" | "file" | "class" | "function";

/** The name of each row that is there. */
export function namesOf(known: Known, kept: readonly number[], groupBy: GroupBy): Map<number, string> {
  const names = new Map<number, string>();
  for (const row of [...kept].sort((a, b) => a - b)) {
    const above = rowsAbove(known.rows, row).find((other) => names.has(other));
    const path = above === undefined ? "" : `${names.get(above)}/`;
    names.set(row, groupBy === "none" ? `${path}${known.rows[row].name}` : nameOf(known, kept, row, groupBy));
  }
  return names;
}

function nameOf(known: Known, kept: readonly number[], row: number, by: Exclude<GroupBy, "none">): string {
  const { name, frame } = known.rows[row];
  if (frame?.origin === "outside") return name;
  switch (by) {
    case "map":
      return known.mapped(name) ?? "not known";
    case "module":
      return frame?.module ?? (isMpi(known.rows[row]) ? "MPI" : "not known");
    default: {
      const name = attributeAt(known, kept, row, by);
      const isGroupMpi = frame?.origin === "mpi" || (isMpi(known.rows[row]) && frame?.file === undefined);
      return name ?? (isGroupMpi ? "MPI" : "not known");
    }
  }
}

function isMpi({ name, frame }: Row): boolean {
  return frame?.origin === "mpi" || name.startsWith("MPI_") || name.startsWith("PMPI_");
}

/** The name of a row's group at a level of `expand`; undefined where it does not have it. */
export function attributeAt(known: Known, kept: readonly number[], row: number, level: Level): string | undefined {
  const { name, frame } = known.rows[row];
  if (frame?.origin === "outside") return undefined;
  if (level === "function") return functionName(known.rows, kept, row);
  if (frame?.origin === "mpi") return undefined;
  if (level === "class") return known.classOf(name);
  const pathOf = ({ frame }: Row): string | undefined =>
    // A bare file name says nothing of its folder.
    level === "file" ? frame?.file : /^(.+)\/[^/]+$/.exec(frame?.file ?? "")?.[1];
  const path = pathOf(known.rows[row]);
  return path === undefined ? undefined : shortest(path, new Set(known.rows.flatMap((one) => pathOf(one) ?? [])));
}

/** The function's name, with file and module where other kept functions have it too. */
export function functionName(rows: readonly Row[], kept: readonly number[], row: number): string {
  const { name, frame } = rows[row];
  const same = kept.filter((other) => rows[other].name === name);
  const places = new Set(same.map((other) => JSON.stringify([rows[other].frame?.file, rows[other].frame?.module])));
  const place = [frame?.file, frame?.module].filter((part) => part !== undefined);
  return places.size === 1 || place.length === 0 ? name : `${name} (${place.join(", ")})`;
}

/** The shortest ending in whole parts that no other path has. */
function shortest(path: string, all: ReadonlySet<string>): string {
  const parts = path.split("/").filter((part) => part !== "");
  for (let count = 1; count <= parts.length; count++) {
    const ending = parts.slice(-count).join("/");
    const others = [...all].filter((other) => other !== path && `/${other}`.endsWith(`/${ending}`));
    if (others.length === 0) return ending;
  }
  return path;
}
