import type { SourceLink } from "./sourceLinks";

/** Where a link leads, in few words; undefined where to nowhere. */
export function placeText({ places, summary }: Pick<SourceLink, "places" | "summary">): string | undefined {
  if (summary !== undefined) return summary;
  if (places.length === 0) return undefined;
  const [{ file, line }] = places;
  const place = `${file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1)}:${line}`;
  return places.length === 1 ? place : `${place} and ${places.length - 1} more`;
}
