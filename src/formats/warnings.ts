import type { Warning } from "../model/dataSet";
import type { Position } from "../model/errors";

/** The kind of warnings about a file that ends before its recording does. */
export const TRUNCATED = "truncated";

/** Warnings by kind: of each kind the first ones, the others are counted. Bounded, however many lines they concern. */
export class WarningList {
  private readonly kinds = new Map<string, { count: number; readonly file: string; readonly first: Warning[] }>();

  constructor(private readonly mostOfKind: number) {}

  /** @param kind what places with this problem have in common */
  note(kind: string, file: string, at: Position | undefined, message: () => string): void {
    let known = this.kinds.get(kind);
    if (known === undefined) this.kinds.set(kind, (known = { count: 0, file, first: [] }));
    const cut = kind === TRUNCATED ? { isCut: true as const } : {};
    if (++known.count <= this.mostOfKind) known.first.push({ message: message(), file, at, ...cut });
  }

  /** @param further a sentence for those that were only counted */
  all(further: (count: number, kind: string) => string): Warning[] {
    return [...this.kinds].flatMap(([kind, { count, file, first }]) => {
      const more = count - first.length;
      return more === 0 ? first : [...first, { message: further(more, kind), file }];
    });
  }
}

/**
 * One warning per sentence that holds for something: `12 events have no time`.
 *
 * @param sentences with how each goes on behind a single one, where it is written otherwise then
 */
export function countedWarnings(
  file: string | undefined,
  sentences: readonly (readonly [count: number, what: string, ofOne?: string])[],
): Warning[] {
  return sentences
    .filter(([count]) => count > 0)
    .map(([count, what, ofOne]) => ({ message: `${count} ${count === 1 ? (ofOne ?? what) : what}`, file }));
}
