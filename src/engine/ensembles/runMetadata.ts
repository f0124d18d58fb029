/** What is known of a run: a manifest's word counts before what its file's name says, that before the recording's own. */
import { ranksOf } from "../../model/locations";
import type { ParameterOrigin } from "./ensembleApi";
import type { NamePattern } from "./namePattern";
import type { KeptRun } from "./runCollector";

export interface Known {
  readonly value: string;
  readonly origin: ParameterOrigin;
}

export type Metadata = ReadonlyMap<string, Known>;

/** What a traced build keeps of the commit, as metadata of its own. */
export const COMMIT = "commit";
export const DIRTY = "commit.dirty";
/** How many ranks a run has values of. */
export const RANKS = "ranks";

/** @param given what a manifest says */
export function metadataOf(
  run: KeptRun,
  pattern: NamePattern | undefined,
  given: ReadonlyMap<string, string> = new Map(),
): Metadata {
  const known = new Map<string, Known>();
  const take = (name: string, value: string, origin: ParameterOrigin) => {
    if (!known.has(name)) known.set(name, { value, origin });
  };
  for (const [name, value] of given) take(name, value, "manifest");
  for (const [name, value] of pattern?.valuesIn(run.path) ?? []) take(name, value, "pattern");
  const ranks = ranksOf(run.locations).length;
  if (ranks > 0) take(RANKS, String(ranks), "file");
  const { commit, isDirty } = run.facts ?? {};
  if (commit !== undefined) take(COMMIT, commit, "file");
  if (isDirty !== undefined) take(DIRTY, String(isDirty), "file");
  for (const [name, values] of run.globals)
    // The commit and its state in words.
    if (name !== "run.commit" || commit === undefined) take(name, [...values].sort().join(", "), "file");
  return known;
}

/** A number as people and programs write it; undefined for anything else. */
export function numberOf(text: string): number | undefined {
  const trimmed = text.trim();
  if (!/^[+-]?(?:\d{1,300}\.?\d{0,300}|\.\d{1,300})(?:[eE][+-]?\d{1,3})?$/.test(trimmed)) return undefined;
  const value = Number(trimmed);
  return Number.isFinite(value) ? value : undefined;
}
