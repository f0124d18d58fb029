/** One of the views of an ensemble's runs: what the page asks of each. */
import type { EnsembleRunsChosen, EnsembleRunsContent } from "../../src/protocol/ensembleRuns";
import type { Explained } from "../../src/protocol/panel";
import type { Aside } from "../kit/aside";
import type { MenuEntry, TableSpec } from "../kit/definition";
import type { Details, Lead, LegendEntry } from "../kit/frame/model";
import { choiceEntries, unrestrict } from "../kit/members";
import type { ChosenMarks, DrawView, Fact, Scene } from "../kit/stage/scene";
import type { Theme } from "../kit/theme/theme";
import { svg } from "../shared/dom";
import { plural, visible } from "../shared/text";

export interface RunsViewPage<Content extends EnsembleRunsContent> {
  draw(content: Content, view: DrawView): Scene;
  tables(content: Content, chosen: EnsembleRunsChosen | undefined): readonly TableSpec<unknown>[];
  legend(content: Content, theme: Theme): readonly LegendEntry[];
  hint: string;
  summary(content: Content): readonly string[];
  name(content: Content): string;
  nouns: readonly [string, string];
  /** Names of what marks stand for, from the mark of this number on. */
  named(content: Content): readonly { readonly first: number; readonly names: readonly string[] }[];
  /** Marks that a search finds by what else is known of them: `ranks 8`. @param term in small letters */
  withTerm?(content: Content, term: string): readonly number[];
  /** The first mark that is a run, which can be chosen; absent, or undefined: none is. */
  firstRun?(content: Content): number | undefined;
  /** Marks that stand for runs without being those: only these are left where one is chosen. Absent: none. */
  can?(content: Content, mark: number): boolean;
  /** The runs' marks that some marks stand for; absent: themselves. */
  chosenBy?(content: Content, marks: ReadonlySet<number>): readonly number[];
  /** Marks all of whose runs are among these marks: they are chosen with them. Absent: none. */
  chosenWith?(content: Content, marks: ReadonlySet<number>): readonly number[];
  /** All runs that one is drawn like, and what they have in common. */
  alike?(content: Content, mark: number): { readonly name: string; readonly marks: readonly number[] };
  facts(content: Content, mark: number): readonly Fact[];
  aside?(content: Content): Aside | undefined;
  lead?(content: Content): Lead | undefined;
  /** What else can be done with its marks: an action of the host's definition. */
  action?: Details["actions"][number];
}

/** What a mark is called; marks are of this content. */
export function nameOf<Content extends EnsembleRunsContent>(
  page: RunsViewPage<Content>,
  content: Content,
  mark: number,
): string {
  const part = page.named(content).findLast(({ first }) => mark >= first);
  return visible(part?.names[mark - part.first] ?? "") || "(no name)";
}

export function isRun<Content extends EnsembleRunsContent>(
  page: RunsViewPage<Content>,
  content: Content,
  mark: number,
): boolean {
  const first = page.firstRun?.(content);
  return first !== undefined && mark >= first;
}

/** A run, or what stands for some. */
export function canChoose<Content extends EnsembleRunsContent>(
  page: RunsViewPage<Content>,
  content: Content,
  mark: number,
): boolean {
  if (page.can) return page.can(content, mark);
  return isRun(page, content, mark) || (page.chosenBy !== undefined && page.firstRun?.(content) !== undefined);
}

export function menuOf<Content extends EnsembleRunsContent>(
  page: RunsViewPage<Content>,
  content: Content,
  mark: number,
  chosen: ChosenMarks | undefined,
): readonly MenuEntry[] {
  const name = nameOf(page, content, mark);
  const numbers = page.facts(content, mark).map(([what, ...values]) => `  ${what}: ${values.join(" ")}`);
  const copy: MenuEntry = { label: "Copy numbers", does: { copy: [name, ...numbers].join("\n") }, group: "copy" };
  if (!isRun(page, content, mark))
    return [
      { label: "Go to hottest line", icon: "go-to-file", key: "Enter", does: "open", group: "go" },
      ...(page.action
        ? [{ label: page.action.name, icon: page.action.icon, does: page.action.id, group: "go" } as const]
        : []),
      { label: "Select in all views", key: "Space", does: "select", group: "go" },
      ...(page.can?.(content, mark) === true
        ? [{ label: "Only these runs", icon: "filter", does: { choose: [mark] }, group: "change" } as const]
        : []),
      ...(chosen && page.can ? [unrestrict] : []),
      copy,
    ];
  const first = page.firstRun?.(content) ?? 0;
  const all = (page.named(content).find((part) => part.first === first)?.names ?? []).map((_, at) => first + at);
  const now = [...(chosen?.keys() ?? [])].filter((one) => isRun(page, content, one));
  const isTarget = content.view === "runs" && content.target === mark;
  return [
    ...(content.view === "runs"
      ? [
          {
            label: isTarget ? "No target" : "Make it the target",
            icon: "target",
            does: "target",
            group: "show",
          } as const,
        ]
      : []),
    ...alikeEntries(page, content, mark),
    ...choiceEntries({ mark, name: name.slice(0, 80), short: "this run", all, others: all.length - 1, now }),
    ...(chosen ? [unrestrict] : []),
    copy,
  ];
}

/** All of a run's group at once, without drawing around them. */
function alikeEntries<Content extends EnsembleRunsContent>(
  page: RunsViewPage<Content>,
  content: Content,
  mark: number,
): readonly MenuEntry[] {
  const group = page.alike?.(content, mark);
  if (!group) return [];
  const label = `Only the ${plural(group.marks.length, "run")} of ${group.name.slice(0, 60)}`;
  return [{ label, icon: "filter", does: { choose: group.marks } }];
}

export function detailsOf<Content extends EnsembleRunsContent>(
  page: RunsViewPage<Content>,
  content: Content,
  mark: number,
  more: Explained | undefined,
): Details | undefined {
  const isKnown = page.named(content).some(({ first, names }) => mark >= first && mark < first + names.length);
  if (!isKnown) return undefined;
  const isTargetable = content.view === "runs";
  return {
    name: nameOf(page, content, mark),
    ...(more?.place === undefined ? {} : { place: more.place }),
    numbers: page.facts(content, mark),
    actions: isTargetable
      ? [{ id: "target", name: content.target === mark ? "No target" : "Make it the target", icon: "target" }]
      : content.view === "projection"
        ? []
        : [
            ...(page.action ? [page.action] : []),
            { id: "open", name: "Go to hottest line", icon: "go-to-file", key: "Enter" },
          ],
  };
}

/** A small line for the legend, in a box of 16 by 10 pixels. */
export function lineSign(d: string, stroke: string, dash = "none"): SVGSVGElement {
  const line = svg("path", { d, stroke, fill: "none", "stroke-width": 1.5, "stroke-dasharray": dash });
  return svg("svg", { width: 16, height: 10, "aria-hidden": "true" }, line);
}
