/**
 * Files of groups: our own (an object of lists, as the setting `heatflow.groups`) and CallFlow's configurations, whose map of
 * modules stands in one of several places (docs/formats.md 7).
 */
import { messageOf, RequestError } from "../model/errors";
import { checkGroups, exactPattern, LONGEST_PATTERN } from "./groupMap";
import type { GroupBy, GroupMap } from "./query";

/** What a file says of groups, and of what a graph starts with. */
export interface GroupFile {
  readonly form: "heatflow" | "callflow";
  readonly groups: GroupMap;
  /** Percent to filter at. */
  readonly filter?: number;
  readonly groupBy?: GroupBy;
  /** What stands in the file and is not taken, as sentences. */
  readonly notTaken: readonly string[];
}

type Json = Readonly<Record<string, unknown>>;

/** Where CallFlow's releases have their settings, and what they call the map of modules. The first one counts. */
const SECTIONS = ["", "schema", "scheme"] as const;
const MAPS = ["module_callsite_map", "module_map"] as const;
/** Keys by which a configuration is known that has no map. */
const OTHER_KEYS = ["experiment", "runs", "read_parameter", "filter_by", "filter_perc", "group_by", "schema", "scheme"];
const LISTED = 5;

/**
 * Reads a file of groups.
 *
 * @throws RequestError where it is neither form, with what is wrong
 */
export function readGroupFile(text: string): GroupFile {
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new RequestError(`This is no JSON: ${messageOf(error)}.`);
  }
  if (!isObject(content))
    throw new RequestError(
      "This must be an object: group name → list of function names, globs or /regular expressions/.",
    );
  const sections = SECTIONS.map((name) => ({ name, keys: name === "" ? content : content[name] }));
  const maps = sections.flatMap(({ name, keys }) =>
    MAPS.flatMap((key) => {
      const map = isObject(keys) ? keys[key] : undefined;
      return isObject(keys) && isObject(map) ? [{ where: name === "" ? key : `${name}.${key}`, keys, map }] : [];
    }),
  );
  if (maps.length > 0) return callflowFile(content, maps);
  if (OTHER_KEYS.some((key) => Object.hasOwn(content, key) && !Array.isArray(content[key])))
    throw new RequestError(
      "This looks like a configuration of CallFlow without a map of modules: there is no `module_callsite_map`, " +
        "`schema.module_map` or `scheme.module_map` to take groups from.",
    );
  return ownFile(content);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function ownFile(content: Json): GroupFile {
  const groups = emptyMap();
  for (const [group, patterns] of Object.entries(content)) {
    // What editors look for to know the file's schema.
    if (group === "$schema") {
      if (typeof patterns !== "string") throw new RequestError("$schema names a schema and is no group.");
      continue;
    }
    if (group === "") throw new RequestError("A group has no name.");
    groups[group] = patterns as readonly string[];
  }
  checkGroups(groups);
  return { form: "heatflow", groups, notTaken: [] };
}

/** Without a prototype: a key such as `__proto__` is a name like any other. */
function emptyMap(): Record<string, readonly string[]> {
  return Object.create(null) as Record<string, readonly string[]>;
}

interface CallflowMap {
  readonly where: string;
  /** What stands beside the map. */
  readonly keys: Json;
  readonly map: Json;
}

function callflowFile(content: Json, [first, ...others]: readonly CallflowMap[]): GroupFile {
  const notTaken: string[] = [];
  const groups = moduleMap(first, notTaken);
  for (const other of others) {
    moduleMap(other, []);
    notTaken.push(`${other.where}: ${first.where} is taken.`);
  }
  const { filter, groupBy } = startingValues(first.keys, notTaken);
  const known = ["$schema", "filter_by", "filter_perc", "group_by", "schema", "scheme", ...MAPS];
  const unknown = Object.keys(content).filter((key) => !known.includes(key));
  if (unknown.length > 0)
    notTaken.push(`${listed(unknown)}: recordings are opened by themselves, and nothing else of these is needed.`);
  return { form: "callflow", groups, ...(filter === undefined ? {} : { filter }), groupBy, notTaken };
}

/** Names of functions are exact: one that our patterns would read otherwise becomes the expression that means it. */
function moduleMap({ where, map }: CallflowMap, notTaken: string[]): GroupMap {
  const groups = emptyMap();
  const moduleOf = new Map<string, string>();
  for (const [module, names] of Object.entries(map)) {
    if (module === "") throw new RequestError(`A module of ${where} has no name.`);
    if (!Array.isArray(names) || !names.every((name) => typeof name === "string"))
      throw new RequestError(`Module "${module}" of ${where} needs a list of function names.`);
    const usable = names.filter((name) => name !== "" && exactPattern(name) !== undefined);
    if (usable.length < names.length)
      notTaken.push(
        `${names.length - usable.length} names of "${module}" are empty or, as patterns, longer than ${LONGEST_PATTERN} characters.`,
      );
    const isOther = (name: string) => (moduleOf.get(name) ?? module) !== module;
    const own = usable.filter((name) => !isOther(name));
    const double = usable.filter(isOther);
    if (double.length > 0)
      notTaken.push(`${listed(double)} of "${module}": in another module before, and that counts.`);
    const odd = own.filter((name) => /\.\*|^\^|\$$/.test(name));
    if (odd.length > 0)
      notTaken.push(
        `${listed(odd)} of "${module}" as a regular expression: it is taken as a name. Expressions are written /…/.`,
      );
    for (const name of own) moduleOf.set(name, module);
    groups[module] = [...new Set(own)].flatMap((name) => exactPattern(name) ?? []);
  }
  return groups;
}

function startingValues(keys: Json, notTaken: string[]): { filter?: number; groupBy: GroupBy } {
  const { filter_by: by, filter_perc: percent, group_by: given } = keys;
  const groupBy = given === "name" ? "function" : "map";
  if (given !== undefined && given !== "name" && given !== "module")
    notTaken.push(`group_by ${shown(given)}: there is "module" and "name".`);
  if (percent === undefined) return { groupBy };
  if (typeof percent !== "number" || !(percent >= 0 && percent <= 100)) {
    notTaken.push(`filter_perc ${shown(percent)}: it is no percentage from 0 to 100.`);
    return { groupBy };
  }
  if (by !== undefined && by !== "time (inc)") {
    notTaken.push(`filter_by ${shown(by)}, and filter_perc with it: functions are filtered by inclusive values.`);
    return { groupBy };
  }
  return { filter: percent, groupBy };
}

function shown(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 80);
}

function listed(names: readonly string[]): string {
  const first = names.slice(0, LISTED).join(", ");
  return names.length > LISTED ? `${first} and ${names.length - LISTED} more` : first;
}
