import type { SourceLink } from "./sourceLinks";

/** Where a link leads, in few words; undefined where to nowhere. */
export function placeText({ places, summary }: Pick<SourceLink, "places" | "summary">): string | undefined {
  if (summary !== undefined) return summary;
  if (places.length === 0) return undefined;
  const [{ file, line }] = places;
  const place = fileAndLine(file, line);
  return places.length === 1 ? place : `${place} and ${places.length - 1} more`;
}

/** `/src/solver.cpp` and 97 as `solver.cpp:97`. */
export function fileAndLine(file: string, line: number): string {
  return `${fileName(file)}:${line}`;
}

/** `solver.cpp` of `/src/solver.cpp`; recorded paths may be those of another system. */
export function fileName(file: string): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
}

/** Endings of files and folders of tools. */
const ENDING =
  /(?<=[^/\\])\.(?:cali|json|jsonl|gz|xml|db|metric-db|mdb|mt|m|hpctrace|trace|paje|callgrind|perf|perf-script|csv|svg|txt|log)$/i;

/** `run` of `run.cali`, and all of `callgrind.out.22496` and `callgrind.O3`, whose ends tell them from others. */
export function withoutEnding(name: string): string {
  return name.replace(ENDING, "");
}
