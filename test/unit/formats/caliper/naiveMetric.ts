import { type NaiveRecording, naiveSum } from "./naiveCali";

/**
 * The values of one metric by path and location, from what {@link readNaively} found: sums, extremes or, where a
 * recording has inclusive values only, those less the inclusive ones of the next recorded contexts below.
 */
export function naiveMetric(recording: NaiveRecording, name: string): Map<string, number> {
  const operations = name.split("#").slice(0, -1);
  const outer = operations.find((one) => one !== "sum" && one !== "inclusive" && one !== "scale");
  const level = name.includes("highwatermark");
  const { metadata } = recording.attributes.get(name) ?? { metadata: new Map<string, string>() };
  const nanoseconds = (metadata.get("attribute.unit") ?? metadata.get("time.unit")) === "nsec" || name.endsWith(".ns");
  const combined = new Map<string, Map<string, number>>();
  for (const [path, places] of recording.values.get(name) ?? []) {
    for (const [place, values] of places) {
      const finite = values.filter(Number.isFinite);
      const value =
        outer === "min"
          ? Math.min(...finite)
          : outer === "max" || outer === "any" || level
            ? Math.max(...finite)
            : naiveSum(values);
      const byPath = combined.get(place) ?? new Map<string, number>();
      combined.set(place, byPath.set(path, nanoseconds ? value / 1e9 : value));
    }
  }
  const result = new Map<string, number>();
  for (const [place, byPath] of combined) {
    for (const [path, value] of byPath) {
      const exclusive = operations.includes("inclusive") && outer === undefined ? value - below(byPath, path) : value;
      result.set(`${path} ${place}`, exclusive);
    }
  }
  return result;
}

/** Σ inclusive of the next recorded contexts below a path; time outside any region has none. */
function below(byPath: ReadonlyMap<string, number>, path: string): number {
  const own = JSON.parse(path) as string[];
  const found = [...byPath.keys()]
    .map((other) => JSON.parse(other) as string[])
    .filter((other) => own.length > 0 && other.length > own.length && own.every((name, at) => other[at] === name))
    .filter(
      (other, _, all) => !all.some((one) => one.length < other.length && one.every((name, at) => other[at] === name)),
    );
  return found.sort(compare).reduce((sum, other) => sum + (byPath.get(JSON.stringify(other)) ?? 0), 0);
}

function compare(a: readonly string[], b: readonly string[]): number {
  for (let at = 0; at < Math.min(a.length, b.length); at++) if (a[at] !== b[at]) return a[at] < b[at] ? -1 : 1;
  return a.length - b.length;
}
