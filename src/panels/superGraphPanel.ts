/** One super graph panel: joins a webview to the session. It computes nothing and decides nothing about numbers. */
import * as vscode from "vscode";
import type { DataSetInfo, GraphLayout, GraphQuery, NearLayout, SourceLink, SuperGraph, Target } from "../engine/api";
import type { Task } from "../model/task";
import {
  type FromSuperGraph,
  groupChoices,
  parseFromSuperGraph,
  type SuperGraphState,
  type ToSuperGraph,
} from "../protocol/superGraph";
import { overText } from "../session/scopes";
import { currentSettings } from "../session/sourceFeed";
import { DataSetPanel, type PanelParts, type Ready } from "./dataSetPanel";
import { geometryOf, graphMessage } from "./graphMessage";
import { nearLayout, transition } from "./graphTransition";
import { showHottestLine } from "./hottestLine";
import { layoutSize } from "./layoutSize";
import { problemOf } from "./problems";
import type { SavedStepsStore } from "./savedSteps";
import { shorten } from "./shorten";
import { type DrawnQuery, SuperGraphSteps } from "./superGraphSteps";

/** What the panel remembers of itself; metric and ranks are the session's. */
export type PanelState = Pick<SuperGraphState, "files" | "filter" | "groupBy" | "steps">;

/** The graph on screen. */
interface Shown extends DrawnQuery {
  /** What heights show; the mean where `graph` has minima or maxima. */
  readonly heights: SuperGraph;
  /** Where its bars and flows were in the graph before it. */
  readonly near?: NearLayout;
  /** Another one when the panel changes its size. */
  layout: GraphLayout;
}

/** Origin of selections made here, which the panel does not follow. */
const ORIGIN = "superGraph";

/** Graphs that a click may still be about, since it was under way when the next one came. */
const KEPT_GRAPHS = 4;

/** The longest time between the clicks of a double click, as desktops have it. */
const DOUBLE_CLICK_MS = 500;

export class SuperGraphPanel extends DataSetPanel<PanelState, FromSuperGraph, ToSuperGraph> {
  private readonly layouts = this.latest();
  private readonly navigations = this.latest();
  private shown: Shown | undefined;
  private revision = 0;
  /** Latest first. */
  private drawn: readonly Shown[] = [];
  private readonly steps: SuperGraphSteps;

  constructor(parts: PanelParts, saved: SavedStepsStore, panel: vscode.WebviewPanel, state: PanelState) {
    super(parts, panel, state, { page: "superGraph", title: "Super Graph", saved: "super-graph" });
    this.steps = new SuperGraphSteps(
      {
        session: parts.session,
        saved,
        dataSet: () => this.dataSet,
        drawn: (revision) => this.drawn.find((known) => known.revision === revision),
        changed: () => {
          this.state = { files: this.state.files, ...this.steps.state };
          return this.refresh();
        },
        post: (message) => this.post(message),
        notice: (text) => this.notice(text),
      },
      state,
    );
  }

  protected override parse(message: unknown): FromSuperGraph | undefined {
    return parseFromSuperGraph(message);
  }

  protected override get isShown(): boolean {
    return this.shown !== undefined;
  }

  protected override forget(): void {
    this.shown = undefined;
    this.drawn = [];
  }

  protected override resized(): Promise<void> {
    return this.relayout();
  }

  protected override async show({ dataSet, scope, size }: Ready): Promise<void> {
    const query: GraphQuery = {
      scope,
      ...this.steps.query,
      ...(this.state.groupBy === "map" ? { map: currentSettings().groups } : {}),
    };
    this.postControls(dataSet, query);
    this.steps.tell();
    const metric = dataSet.metrics.at(scope.metric);
    if (!metric || !(metric.total > 0)) {
      this.queries.abandon();
      this.shown = undefined;
      this.post({
        type: "problem",
        kind: "empty",
        message: metric
          ? `The total of ${shorten(metric.name, 200)} is not positive, so there are no shares to draw.`
          : "The recording has no metric.",
        advice: "Choose another metric.",
      });
      return;
    }
    const run = this.queries.start((fraction, message) => this.post({ type: "progress", fraction, message }));
    this.post({ type: "progress" });
    try {
      const { engine } = this.parts.session;
      const graph = await engine.superGraph(query, run.task);
      const heights = await this.heightsOf(query, graph, run.task);
      run.task.check();
      const before = this.shown?.query.scope.dataSet === scope.dataSet ? this.shown : undefined;
      const origins = before && (await engine.barOrigins(before.query, query, run.task));
      const near = before && origins && nearLayout(before, heights, origins);
      const layout = await engine.layout(heights, { ...layoutSize(size), near });
      run.task.check();
      this.shown = { query, graph, heights, near, layout, revision: ++this.revision };
      this.drawn = [this.shown, ...this.drawn].slice(0, KEPT_GRAPHS);
      this.steps.tell(this.shown);
      const from = before && origins && transition(before, origins);
      this.post(graphMessage({ graph, heights, layout, transition: from }, this.revision, overText(dataSet, scope)));
      if (this.size !== size) void this.relayout();
      await this.followSelection();
    } catch (error) {
      if (!run.superseded) this.post(problemOf(error));
    }
  }

  /** Minima and maxima do not add up: the drawing shows the mean, the texts say the extremes (semantics 2.4). */
  private async heightsOf(query: GraphQuery, graph: SuperGraph, task: Task): Promise<SuperGraph> {
    const { scope } = query;
    if (scope.over !== "max" && scope.over !== "min") return graph;
    return this.parts.session.engine.superGraph({ ...query, scope: { ...scope, over: "mean" } }, task);
  }

  private async relayout(): Promise<void> {
    const { shown, size } = this;
    if (!shown || !size) return;
    const run = this.layouts.start();
    try {
      const layout = await this.parts.session.engine.layout(shown.heights, { ...layoutSize(size), near: shown.near });
      if (run.superseded || shown !== this.shown) return;
      shown.layout = layout;
      this.post({ type: "layout", revision: shown.revision, geometry: geometryOf({ ...shown, layout }) });
    } catch (error) {
      if (!run.superseded) this.post(problemOf(error));
    }
  }

  private postControls(dataSet: DataSetInfo, { scope, filter, groupBy }: GraphQuery): void {
    const hasMap = Object.keys(currentSettings().groups).length > 0;
    const controls = this.scopeControls(dataSet, scope);
    this.post({
      type: "controls",
      ...controls,
      filter,
      groupBy,
      groupings: groupChoices.filter((choice) => choice !== "auto" && (choice !== "map" || hasMap)),
      restore: {
        ...this.state,
        metric: shorten(dataSet.metrics.at(scope.metric)?.name ?? "", 4096),
        over: controls.over,
      },
    });
  }

  protected override async answer(message: FromSuperGraph): Promise<void> {
    switch (message.type) {
      case "set-filter":
        return this.steps.setFilter(message.percent);
      case "set-group-by":
        return this.steps.setGroupBy(message.groupBy);
      case "select":
        return this.select(message.revision, message.bar);
      case "open":
        return this.open(message);
      case "histogram":
        return this.selectAndRun("heatflow.histogram", message);
      case "why":
        return this.selectAndRun("heatflow.whyHere", message, { selected: 1 });
      case "hot-path":
        return this.selectAndRun("heatflow.hotPath", message);
      case "look-inside":
        return this.selectAndRun("heatflow.flameGraph.lookInside", message);
      case "correlate":
        return this.selectAndRun("heatflow.correlation", message, { pin: true });
      case "operate":
      case "split-off":
      case "steps-action":
      case "go-to-step":
      case "remove-step":
        return this.steps.answer(message);
    }
  }

  /** Selects a bar for every view and shows its hot line; the focus stays in the panel (semantics 3). */
  private async select(revision: number, bar: number): Promise<void> {
    const target = this.targetOf(revision, bar);
    if (!target) return;
    this.parts.session.select({ ...target, origin: ORIGIN });
    if (this.isAlone) {
      // A new editor group beside takes half of the graph's width: the second click of a double click would miss its bar.
      const run = this.navigations.start();
      await new Promise((resolve) => setTimeout(resolve, DOUBLE_CLICK_MS));
      if (run.superseded) return;
    }
    await this.goToHotLine(target, false);
  }

  private async open(message: { revision: number; bar: number; entry?: number }): Promise<void> {
    const target = this.targetOf(message.revision, message.bar);
    if (!target) return;
    this.parts.session.select({ ...target, origin: ORIGIN });
    if (message.entry === undefined) return this.goToHotLine(target, true);
    const link = await this.linkOfEntry(message.bar, message.entry);
    if (link) await this.parts.navigator.go(link, { focus: true, beside: this.panel.viewColumn });
  }

  /** Runs a command that is about what is selected. */
  private async selectAndRun(
    command: string,
    { revision, bar }: { revision: number; bar: number },
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    const target = this.targetOf(revision, bar);
    if (!target) return;
    this.parts.session.select({ ...target, origin: ORIGIN });
    await vscode.commands.executeCommand(command, { dataSet: target.dataSet, ...more });
  }

  /** Where an entry leads: what is not linked yet, since its bar has many entries, is linked now. */
  private async linkOfEntry(bar: number, entry: number): Promise<SourceLink | undefined> {
    const { shown } = this;
    const link = shown?.graph.bars.at(bar)?.entries.at(entry)?.link;
    // A preview that is still being looked for must not come after this.
    const run = this.navigations.start();
    if (!shown || !link || link.places.length > 0) return link;
    const linked = await this.parts.session.engine.superGraph({ ...shown.query, linkEveryEntry: true }, run.task);
    return run.superseded ? undefined : linked.bars.at(bar)?.entries.at(entry)?.link;
  }

  private targetOf(revision: number, bar: number) {
    const { shown } = this;
    if (!shown || shown.revision !== revision || bar >= shown.graph.bars.length) return undefined;
    const { id } = shown.graph.bars[bar];
    const target: Target = { kind: "bar", query: shown.query, bar: id };
    return { dataSet: shown.query.scope.dataSet, target, name: id };
  }

  private async goToHotLine({ target, name }: { target: Target; name: string }, focus: boolean): Promise<void> {
    const { shown } = this;
    if (!shown) return;
    const run = this.navigations.start();
    try {
      const options = { focus, beside: this.panel.viewColumn };
      const notice = await showHottestLine(this.parts, shown.query.scope, { target, name }, run, options);
      if (notice !== undefined && !run.superseded) this.notice(notice);
    } catch (error) {
      if (!run.superseded) this.notice(problemOf(error).message);
    }
  }

  /** Highlights the bar of what was selected elsewhere. */
  protected override async followSelection(): Promise<void> {
    const { shown } = this;
    const { selection, engine } = this.parts.session;
    if (!shown) return;
    const post = (bar: number | undefined) => {
      if (shown === this.shown) this.post({ type: "selection", revision: shown.revision, bar });
    };
    if (!selection || selection.dataSet !== shown.query.scope.dataSet) return post(undefined);
    const id =
      selection.target.kind === "bar" && selection.target.query === shown.query
        ? selection.target.bar
        : await engine.barOf(shown.query, selection.target);
    if (selection !== this.parts.session.selection) return;
    const at = shown.graph.bars.findIndex((bar) => bar.id === id);
    post(at < 0 ? undefined : at);
  }
}
