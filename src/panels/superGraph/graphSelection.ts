/** What is done with the bars of a super graph panel: selected, opened, followed, and named in commands. */
import * as vscode from "vscode";
import type { Scope, SourceLink, Target } from "../../engine/api";
import type { FromSuperGraph } from "../../protocol/superGraph";
import type { Selection } from "../../session/session";
import type { PanelParts } from "../kit/dataSetPanel";
import { showHottestLine } from "../kit/hottestLine";
import type { Latest } from "../kit/latest";
import { problemOf } from "../kit/problems";
import { barAt, type GraphHalf, type GraphHalves, type HalfBar } from "./superGraphDrawing";

/** What selections need of the panel whose bars they are about. */
export interface SelectingPanel {
  /** What is on screen. */
  shown(): DrawnGraphs | undefined;
  /** What is on screen or was just before, by its number: a click may be under way when the next graph comes. */
  drawn(revision: number): DrawnGraphs | undefined;
  /** Its editor group. */
  column(): vscode.ViewColumn | undefined;
  /** No other editor group is there yet. */
  isAlone(): boolean;
  /** Lines that were gone to, of which only the latest is wanted. */
  readonly navigations: Latest;
  highlight(revision: number, bar: number | undefined): void;
  notice(text: string): void;
}

export interface DrawnGraphs {
  readonly all: GraphHalves;
  readonly revision: number;
}

/** A bar on screen as what a selection is about. */
interface BarTarget {
  readonly dataSet: number;
  readonly target: Target;
  readonly name: string;
  readonly at: HalfBar;
}

/** A bar that the view names. */
type NamedBar = Readonly<Pick<Extract<FromSuperGraph, { type: "select" }>, "revision" | "bar">>;

/** Origin of selections made here, which the panel does not follow. */
const ORIGIN = "superGraph";

/** The longest time between the clicks of a double click, as desktops have it. */
const DOUBLE_CLICK_MS = 500;

export class GraphSelection {
  constructor(
    private readonly parts: PanelParts,
    private readonly panel: SelectingPanel,
  ) {}

  /** Selects a bar for every view and shows its hot line; the focus stays in the panel (semantics 3). */
  async select(named: NamedBar): Promise<void> {
    const target = this.targetOf(named);
    if (!target) return;
    this.choose(target);
    if (this.panel.isAlone()) {
      // A new editor group beside takes half of the graph's width: the second click of a double click would miss its bar.
      const run = this.panel.navigations.start();
      await new Promise((resolve) => setTimeout(resolve, DOUBLE_CLICK_MS));
      if (run.superseded) return;
    }
    await this.goToHotLine(target, false);
  }

  /** Selects a bar and moves the focus to its hot line, or to where one of its entries is. */
  async open(named: NamedBar, entry?: number): Promise<void> {
    const target = this.targetOf(named);
    if (!target) return;
    this.choose(target);
    if (entry === undefined) return this.goToHotLine(target, true);
    const link = await this.linkOfEntry(target.at, entry);
    if (link) await this.parts.navigator.go(link, { focus: true, beside: this.panel.column() });
  }

  /** Selects a bar and runs a command that is about what is selected. */
  async run(command: string, named: NamedBar, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const target = this.targetOf(named);
    if (!target) return;
    this.choose(target);
    // Which group is active may be known late, where the focus came with this click.
    await vscode.commands.executeCommand(command, { dataSet: target.dataSet, from: this.panel.column(), ...more });
  }

  /** Where an entry leads: what is not linked yet, since its bar has many entries, is linked now. */
  private async linkOfEntry({ half, bar }: HalfBar, entry: number): Promise<SourceLink | undefined> {
    const link = half.graph.bars[bar].entries.at(entry)?.link;
    // A preview that is still being looked for must not come after this.
    const run = this.panel.navigations.start();
    if (!link || link.places.length > 0) return link;
    try {
      const asked = { query: half.query, bar: half.graph.bars[bar].id, entry };
      const linked = await this.parts.session.engine.linkOfEntry(asked, run.task);
      return run.superseded ? undefined : linked;
    } catch (error) {
      if (!run.superseded) this.panel.notice(problemOf(error).message);
      return undefined;
    }
  }

  private targetOf({ revision, bar }: NamedBar): BarTarget | undefined {
    const drawn = this.panel.drawn(revision);
    const at = drawn && barAt(drawn.all, bar);
    if (!at) return undefined;
    const { query, graph } = at.half;
    // A graph of before may be of a comparison whose other recording was closed.
    const isOpen = ({ dataSet }: Scope) => this.parts.session.dataSets.some((one) => one.id === dataSet);
    if (!isOpen(query.scope) || (query.compared && !isOpen(query.compared))) return undefined;
    const { id } = graph.bars[at.bar];
    const target: Target = { kind: "bar", query, bar: id };
    return { dataSet: query.scope.dataSet, target, name: id, at };
  }

  private choose({ dataSet, target, name }: BarTarget): void {
    this.parts.session.select({ dataSet, target, name, origin: ORIGIN });
  }

  private async goToHotLine({ target, name, at }: BarTarget, focus: boolean): Promise<void> {
    const run = this.panel.navigations.start();
    try {
      const options = { focus, beside: this.panel.column() };
      const notice = await showHottestLine(this.parts, at.half.query.scope, { target, name }, run, options);
      if (notice !== undefined && !run.superseded) this.panel.notice(notice);
    } catch (error) {
      if (!run.superseded) this.panel.notice(problemOf(error).message);
    }
  }

  /** Highlights the bar of what was selected elsewhere. */
  async follow(): Promise<void> {
    const shown = this.panel.shown();
    const { selection, engine } = this.parts.session;
    if (!shown) return;
    const post = (bar: number | undefined) => {
      if (shown === this.panel.shown()) this.panel.highlight(shown.revision, bar);
    };
    const half = selection && halfOf(shown.all, selection);
    if (!selection || !half) return post(undefined);
    const { target } = selection;
    const id =
      target.kind === "bar" && target.query === half.query
        ? target.bar
        : await engine.barOf({ query: half.query, target });
    if (selection !== this.parts.session.selection) return;
    const at = half.graph.bars.findIndex((bar) => bar.id === id);
    const before = shown.all.plan.merged ? 0 : shown.all.halves.indexOf(half) * half.graph.bars.length;
    post(at < 0 ? undefined : before + at);
  }
}

/** The graph that a selection is of: the one that it was made in, else the first of its data set. */
function halfOf({ halves }: GraphHalves, { dataSet, target }: Selection): GraphHalf | undefined {
  const own = halves.filter(({ query }) => query.scope.dataSet === dataSet);
  return own.find(({ query }) => target.kind === "bar" && target.query === query) ?? own.at(0);
}
