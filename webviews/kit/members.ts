/** Members that are looked for by their numbers, and restricted to. Pure. */
import type { MenuEntry } from "./definition";
import type { Fact } from "./stage/scene";

/**
 * Positions of the members that are looked for: `4`, `0-3, 8`; `0` also finds what belongs to rank 0, such as its threads.
 *
 * @returns undefined while nothing is searched for
 */
export function findMembers(keys: readonly string[], text: string): ReadonlySet<number> | undefined {
  const wanted = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (wanted.length === 0) return undefined;
  const tests = wanted.map((part) => {
    const range = /^(\d{1,12})\s*[-–]\s*(\d{1,12})$/.exec(part);
    if (!range) return (key: string) => key === part || key.startsWith(`${part}.`);
    return (key: string) => Number(key) >= Number(range[1]) && Number(key) <= Number(range[2]);
  });
  return new Set([...keys.keys()].filter((position) => tests.some((test) => test(keys[position]))));
}

/** What is to be chosen from: a mark, and all others. */
export interface Choosable {
  readonly mark: number;
  /** `rank 4`, `3 ranks of this bin`; and shorter, in what is done with it. */
  readonly name: string;
  readonly short?: string;
  /** What can be chosen, and how many members that are without the mark. */
  readonly all: readonly number[];
  readonly others: number;
  /** What is chosen. */
  readonly now: readonly number[];
}

/** Menu entries that restrict to a mark, add it or take it away, or restrict to all others. */
export function choiceEntries({ mark, name, short = name, all, others, now }: Choosable): MenuEntry[] {
  const without = (marks: readonly number[]) => marks.filter((other) => other !== mark);
  return [
    { label: `Restrict to ${name}`, does: { choose: [mark] } },
    now.includes(mark)
      ? { label: `Take ${short} away`, key: "Space", does: { choose: without(now) } }
      : { label: `Add ${short}`, key: "Space", does: { choose: [...now, mark] } },
    { label: `Restrict to the other ${others.toLocaleString("en")}`, does: { choose: without(all) } },
  ];
}

/** What "?" says of restricting. */
export const RESTRICTING: readonly Fact[] = [
  ["drag, Space", "restricts all views to the marked ones"],
  ["Esc", "removes the restriction"],
];

export const unrestrict: MenuEntry = { label: "Remove the restriction", key: "Esc", does: { choose: [] } };
