/** A manifest of runs, `*.heatflow-runs.json`: files or globs, names, parameters. */
import path from "node:path";
import * as v from "valibot";
import type { Folders } from "../../formats/folders";
import { FormatError } from "../../model/errors";
import { appendAll } from "../../model/longLists";
import { matchesGlob } from "../../supergraph/groupMap";
import { filesBelow } from "./runFolders";

export const MANIFEST = /\.heatflow-runs\.json$/;

const parameter = v.union([v.string(), v.number(), v.boolean()]);
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(1000));

const manifestSchema = v.strictObject({
  $schema: v.optional(v.string()),
  pattern: v.optional(name),
  runs: v.pipe(
    v.array(
      v.strictObject({
        files: v.union([name, v.pipe(v.array(name), v.minLength(1))]),
        name: v.optional(name),
        // A map: records would leave out what objects have themselves (`constructor`).
        parameters: v.optional(v.map(name, parameter)),
      }),
    ),
    v.minLength(1),
  ),
});

/** What a manifest says of some runs. */
export interface ManifestRun {
  /** Absolute. */
  readonly files: readonly string[];
  /** Of the one run that the files are. */
  readonly name?: string;
  readonly parameters: ReadonlyMap<string, string>;
}

export interface Manifest {
  readonly pattern?: string;
  readonly runs: readonly ManifestRun[];
}

/**
 * @param file of the manifest, absolute: what it names lies in its folder or below
 * @throws FormatError where it is none, names something elsewhere, or a glob that nothing matches
 */
export async function readManifest(file: string, text: string, folders: Folders): Promise<Manifest> {
  const { pattern, runs } = parsed(file, text);
  const folder = path.dirname(file);
  let below: readonly string[] | undefined;
  const found: ManifestRun[] = [];
  for (const { files, name, parameters = new Map<string, never>() } of runs) {
    const named: string[] = [];
    for (const one of [files].flat()) {
      const wanted = inside(file, folder, one);
      if (!/[*?]/.test(one)) {
        named.push(wanted);
        continue;
      }
      below ??= await filesBelow(folder, folders);
      const matching = below.filter((path) => path !== file && matchesPath(wanted, path));
      if (matching.length === 0)
        throw wrong(file, `"${one}", which no file matches`, "a glob of files beside the manifest or below");
      appendAll(named, matching);
    }
    const texts = [...parameters].map(([key, value]) => [key, String(value)] as const);
    found.push({ files: named, parameters: new Map(texts), ...(name === undefined ? {} : { name }) });
  }
  const names = found.flatMap(({ name }) => name ?? []);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw wrong(file, `two runs named "${twice}"`, "a name of its own for each run");
  return { ...(pattern === undefined ? {} : { pattern }), runs: found };
}

function parsed(file: string, text: string): v.InferOutput<typeof manifestSchema> {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ""), parametersAsMap);
  } catch (problem) {
    throw wrong(file, `no JSON (${(problem as Error).message})`, "a JSON object");
  }
  const result = v.safeParse(manifestSchema, value);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const where = v.getDotPath(issue) ?? "the whole";
  throw wrong(file, `${issue.received} at ${where}`, issue.expected?.replace("Map", "Object") ?? "another value");
}

function parametersAsMap(key: string, value: unknown): unknown {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return key === "parameters" && isObject ? new Map(Object.entries(value)) : value;
}

/** @throws FormatError where a path leads out of the manifest's folder: who opens it has not asked for that */
function inside(file: string, folder: string, named: string): string {
  const absolute = path.resolve(folder, named);
  if (!absolute.startsWith(folder.endsWith(path.sep) ? folder : folder + path.sep))
    throw wrong(file, `"${named}", which lies elsewhere`, "files in the manifest's folder or below");
  return absolute;
}

/** Folder by folder; `**` stands for any number of them. */
export function matchesPath(glob: string, file: string): boolean {
  const [patterns, parts] = [glob.split("/"), file.split("/")];
  // As matchesGlob: two pointers, and one way back to the last `**`.
  let [pattern, at] = [0, 0];
  let [star, from] = [-1, 0];
  while (at < parts.length) {
    if (patterns[pattern] === "**") {
      [star, from] = [pattern++, at];
    } else if (pattern < patterns.length && matchesGlob(patterns[pattern], parts[at])) {
      pattern++;
      at++;
    } else if (star >= 0) {
      pattern = star + 1;
      at = ++from;
    } else return false;
  }
  while (patterns[pattern] === "**") pattern++;
  return pattern === patterns.length;
}

function wrong(file: string, found: string, expected: string): FormatError {
  return new FormatError({
    file,
    found,
    expected,
    advice: "docs/ensembles.md shows what a manifest of runs looks like.",
  });
}
