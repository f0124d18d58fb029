/** Paths of overlapping events, by looking at every event for every stretch between two times. */
import fc from "fast-check";

export interface NamedEvent {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Few times and names: equal starts, equal ends, no length, recursion and overlaps by little and by much all occur. */
export const overlappingEvents: fc.Arbitrary<NamedEvent[]> = fc.array(
  fc
    .record({ name: fc.constantFrom("f", "g", "h", "k"), start: fc.nat(20), length: fc.nat(12) })
    .map(({ name, start, length }) => ({ name, start, end: start + length })),
  { maxLength: 14, size: "max" },
);

/** In the order in which they began: of equal starts the longer one first, then as they stand in the list. */
export function inOrderOfBegin<Event extends NamedEvent>(events: readonly Event[]): Event[] {
  return [...events].sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Stretches between two times, each with the events that are open in it, outermost first. */
export function pathsOver<Event extends NamedEvent>(
  events: readonly Event[],
): { from: number; to: number; path: Event[] }[] {
  const sorted = inOrderOfBegin(events);
  const times = [...new Set(events.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  return times.slice(1).flatMap((to, at) => {
    const from = times[at];
    const path = sorted.filter(({ start, end }) => start <= from && end >= to);
    return path.length > 0 ? [{ from, to, path }] : [];
  });
}

/** Path of each event when it begins, itself last, in the order in which they began. */
export function pathsAtBegin<Event extends NamedEvent>(events: readonly Event[]): Event[][] {
  const sorted = inOrderOfBegin(events);
  return sorted.map((event, at) => [...sorted.slice(0, at).filter(({ end }) => end > event.start), event]);
}

export function textOf(path: readonly NamedEvent[]): string {
  return path.map(({ name }) => name).join("/");
}

/** Time by path in a window, as text. */
export function timesByPath(events: readonly NamedEvent[], begin = -Infinity, end = Infinity): Map<string, number> {
  const times = new Map<string, number>();
  for (const { from, to, path } of pathsOver(events)) {
    const length = Math.min(to, end) - Math.max(from, begin);
    if (length > 0) times.set(textOf(path), (times.get(textOf(path)) ?? 0) + length);
  }
  return times;
}

/** Time that the events of a name cover in a window: moments in which several of them are open count once. */
export function coveredBy(events: readonly NamedEvent[], name: string, begin = -Infinity, end = Infinity): number {
  return pathsOver(events.filter((event) => event.name === name)).reduce(
    (sum, { from, to }) => sum + Math.max(0, Math.min(to, end) - Math.max(from, begin)),
    0,
  );
}
