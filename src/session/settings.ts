/** The settings of semantics 6, checked: a value of the wrong kind counts as its default. Pure but for the reader handed in. */
import type { GroupBy, GroupMap, OverRanks } from "../engine/api";
import { eventKinds } from "../model/eventKinds";

const groupings = [
  "module",
  "file",
  "folder",
  "class",
  "function",
  "map",
  "none",
] as const satisfies readonly GroupBy[];

/** What makes a line hot. */
export const heatModes = ["time", "bytes"] as const;
export type HeatBy = (typeof heatModes)[number];

export interface Settings {
  readonly heatEnabled: boolean;
  readonly inlineCost: boolean;
  /** What makes a line hot: its part of the metric, or of the bytes that were moved. */
  readonly heatBy: HeatBy;
  /** 0 to 1. */
  readonly minimumShare: number;
  readonly codeLensEnabled: boolean;
  /** undefined if not set: the first picture chooses it. */
  readonly superGraphFilterPercent: number | undefined;
  /** undefined if not set: the first picture. */
  readonly superGraphGroupBy: GroupBy | undefined;
  readonly overRanks: OverRanks;
  /** 0 to 1. */
  readonly hotPathThreshold: number;
  /** What counts as changed in a comparison: more than this share of the total, 0 to 1. */
  readonly changedShare: number;
  /** What names of files say of runs; "": nothing. */
  readonly ensemblePattern: string;
  readonly watchEnsembles: boolean;
  readonly groups: GroupMap;
  /** By the kinds of events (semantics 9). */
  readonly categories: GroupMap;
  readonly sourceMap: Readonly<Record<string, string>>;
  readonly memoryLimitMegabytes: number;
  readonly cacheLimitGigabytes: number;
  readonly unpackedRatio: number;
  readonly sourceLimitMegabytes: number;
}

/** Reads one setting by its name below `heatflow.`. */
export type SettingReader = (name: string) => unknown;

export function readSettings(get: SettingReader): Settings {
  return {
    heatEnabled: booleanOf(get("heat.enabled"), true),
    inlineCost: booleanOf(get("heat.inlineCost"), true),
    heatBy: oneOf(get("heat.by"), heatModes, "time"),
    minimumShare: numberOf(get("heat.minimumShare"), 0.1, 0, 100) / 100,
    codeLensEnabled: booleanOf(get("codeLens.enabled"), true),
    superGraphFilterPercent: numberOf(get("superGraph.filter"), undefined, 0, 100),
    superGraphGroupBy: oneOf(get("superGraph.groupBy"), groupings, undefined),
    overRanks: oneOf(get("overRanks"), ["sum", "mean", "max", "min"] as const, "mean"),
    hotPathThreshold: numberOf(get("hotPath.threshold"), 50, 1, 100) / 100,
    changedShare: numberOf(get("compare.changed"), 1, 0, 100) / 100,
    ensemblePattern: textOf(get("ensemble.pattern")),
    watchEnsembles: booleanOf(get("ensemble.watch"), true),
    groups: groupsOf(get("groups")),
    categories: categoriesOf(get("categories")),
    sourceMap: sourceMapOf(get("sourceMap")),
    memoryLimitMegabytes: numberOf(get("limits.memory"), 4096, 64, 1_048_576),
    cacheLimitGigabytes: numberOf(get("limits.cache"), 20, 0, 1_048_576),
    unpackedRatio: numberOf(get("limits.unpacked"), 200, 1, 1_048_576),
    sourceLimitMegabytes: numberOf(get("limits.source"), 500, 1, 1_048_576),
  };
}

function booleanOf(value: unknown, otherwise: boolean): boolean {
  return typeof value === "boolean" ? value : otherwise;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}

function numberOf<Other extends number | undefined>(
  value: unknown,
  otherwise: Other,
  least: number,
  most: number,
): number | Other {
  return typeof value === "number" && Number.isFinite(value) ? Math.min(most, Math.max(least, value)) : otherwise;
}

function oneOf<T extends string, Other extends T | undefined>(
  value: unknown,
  choices: readonly T[],
  otherwise: Other,
): T | Other {
  return choices.find((choice) => choice === value) ?? otherwise;
}

function sourceMapOf(value: unknown): Record<string, string> {
  return recordOf(value, (to) => (typeof to === "string" ? to : undefined));
}

function groupsOf(value: unknown): Record<string, readonly string[]> {
  return recordOf(value, (names) =>
    Array.isArray(names) ? names.filter((name): name is string => typeof name === "string") : undefined,
  );
}

/** In the user's order: the first that matches a name wins. */
function categoriesOf(value: unknown): GroupMap {
  const known = Object.entries(groupsOf(value)).filter(([kind]) => eventKinds.some((one) => one === kind));
  return Object.fromEntries(known);
}

/** Without a prototype: a key such as `__proto__` is a name like any other. */
function recordOf<T>(value: unknown, read: (entry: unknown) => T | undefined): Record<string, T> {
  const result = Object.create(null) as Record<string, T>;
  if (typeof value !== "object" || value === null) return result;
  for (const [key, entry] of Object.entries(value)) {
    const known = read(entry);
    if (known !== undefined && key !== "") result[key] = known;
  }
  return result;
}
