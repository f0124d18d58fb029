/** One super graph panel: joins a webview to the session. It computes nothing and decides nothing about numbers. */
import * as vscode from "vscode";
import type { DataSetInfo, GraphLayout, GraphQuery, NearLayout, Scope } from "../../engine/api";
import type { FromHalves, HalvesControls } from "../../protocol/graphHalves";
import type { FromSteps } from "../../protocol/graphSteps";
import {
  type FromSuperGraph,
  groupChoices,
  parseFromSuperGraph,
  type SentToSuperGraph,
  type SuperGraphState,
} from "../../protocol/superGraph";
import { overText } from "../../session/scopeChoice";
import { currentSettings } from "../../session/sourceFeed";
import { comparedRecording, comparedText, pickCompared } from "../kit/comparedRecording";
import { DataSetPanel, hasFiles, type PanelParts, type Ready } from "../kit/dataSetPanel";
import { graphMessage, type GraphOnScreen } from "./graphMessage";
import { nearLayout, transition } from "./graphTransition";
import { type HalvesPlan, histogramUnit, planHalves } from "./halvesPlan";
import { GraphSelection } from "./graphSelection";
import { layoutMessage } from "./layoutMessage";
import { layoutSize } from "./layoutSize";
import { problemOf } from "../kit/problems";
import type { SavedStepsStore } from "./savedSteps";
import { shorten } from "../kit/shorten";
import { askGraphs, askHistograms, barAt, type GraphHalves, layOut, onScreen } from "./superGraphDrawing";
import type { DrawnQuery, OtherGraph } from "./superGraphDrawing";
import { SuperGraphSteps } from "./superGraphSteps";

/** What the panel remembers of itself; metric and ranks are the session's. */
export type PanelState = Pick<
  SuperGraphState,
  "files" | "dataSet" | "filter" | "groupBy" | "steps" | "histograms" | "colour" | "below" | "compared"
>;

/** The graph on screen; of two, query and graph are the first one's. */
interface Shown extends DrawnQuery {
  readonly all: GraphHalves;
  readonly screen: GraphOnScreen;
  /** Where its bars and flows were in the graph before it. */
  readonly near?: NearLayout;
  /** Another one when the panel changes its size. */
  layout: GraphLayout;
}

/** Graphs that a click may still be about, since it was under way when the next one came. */
const KEPT_GRAPHS = 4;

export class SuperGraphPanel extends DataSetPanel<PanelState, FromSuperGraph, SentToSuperGraph> {
  private readonly layouts = this.latest();
  private readonly histograms = this.latest();
  private shown: Shown | undefined;
  private revision = 0;
  /** Latest first. */
  private drawn: readonly Shown[] = [];
  private readonly steps: SuperGraphSteps;
  private readonly bars: GraphSelection;
  /** What {@link otherId} was when the graph was asked for. */
  private shownOther: number | undefined;

  constructor(parts: PanelParts, saved: SavedStepsStore, panel: vscode.WebviewPanel, state: PanelState) {
    super(parts, panel, state, { page: "superGraph", title: "Super Graph", saved: "super-graph" });
    this.steps = new SuperGraphSteps(
      {
        session: parts.session,
        saved,
        dataSet: () => this.dataSet,
        drawn: (revision) => this.drawnAs(revision),
        other: () => this.shown?.other,
        changed: () => {
          this.state = { ...this.state, steps: undefined, ...this.steps.state };
          return this.refresh();
        },
        post: (message) => this.post(message),
        notice: (text) => this.notice(text),
      },
      state,
    );
    this.bars = new GraphSelection(parts, {
      shown: () => this.shown,
      drawn: (revision) => this.drawnAs(revision),
      column: () => this.panel.viewColumn,
      isAlone: () => this.isAlone,
      navigations: this.latest(),
      highlight: (revision, bar) => this.post({ type: "selection", revision, bar }),
      notice: (text) => this.notice(text),
    });
    const { session } = parts;
    const subscriptions = [
      session.onDidChangeScope(({ dataSet }) => {
        if (dataSet === this.otherId) void this.refresh();
      }),
      session.onDidChangeDataSets(() => {
        if (this.otherId !== this.shownOther) void this.refresh();
      }),
    ];
    panel.onDidDispose(() => vscode.Disposable.from(...subscriptions).dispose());
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
    const common: Omit<GraphQuery, "scope"> = {
      ...this.steps.query,
      ...(this.state.groupBy === "map" ? { map: currentSettings().groups } : {}),
    };
    this.shownOther = this.otherId;
    const other = comparedRecording(this.parts.session, dataSet, this.state.compared);
    const plan = planHalves({ info: dataSet, scope }, other, this.state);
    this.postControls(dataSet, scope, plan);
    this.steps.tell();
    if (this.hasNoShares(dataSet, scope)) return;
    const run = this.queries.start((fraction, message) => this.post({ type: "progress", fraction, message }));
    this.post({ type: "progress" });
    try {
      const { engine } = this.parts.session;
      const all = await askGraphs(engine, common, plan, run.task);
      const { query, graph, heights } = all.halves[0];
      const before = this.before(all);
      const origins = before && (await engine.barOrigins({ before: before.query, after: query }, run.task));
      // A call may be answered just when it is cancelled: a graph that is not wanted would never get its layout.
      run.task.check();
      const near = before && origins && nearLayout(before, heights, origins);
      const screen = onScreen(all);
      const revision = ++this.revision;
      const laidOut = layOut(engine, all, screen, { ...layoutSize(size), near });
      // Meanwhile the view takes in what is being laid out.
      this.post(graphMessage(screen, revision, overText(dataSet, scope)));
      const layout = await laidOut;
      run.task.check();
      const from = before && origins && transition(before, origins);
      this.shown = { query, graph, other: otherGraph(all), all, screen, near, layout, revision };
      this.drawn = [this.shown, ...this.drawn].slice(0, KEPT_GRAPHS);
      this.steps.tell(this.shown);
      this.post(layoutMessage({ ...screen, layout, transition: from }, revision));
      void this.tellHistograms(this.shown);
      if (this.size !== size) void this.relayout();
      // The graph stands, whatever becomes of what is highlighted in it.
      await this.followSelection().catch((error) => run.superseded || this.notice(problemOf(error).message));
    } catch (error) {
      if (!run.superseded) this.post(problemOf(error));
    }
  }

  /** The graph that this one moves from: where both are one graph of the same recording. */
  private before({ halves }: GraphHalves): Shown | undefined {
    const { shown } = this;
    const isSame = shown?.query.scope.dataSet === halves[0].query.scope.dataSet;
    return shown && isSame && shown.all.halves.length === 1 && halves.length === 1 ? shown : undefined;
  }

  /** After the graph is drawn, which does not wait for them. */
  private async tellHistograms(shown: Shown): Promise<void> {
    const { histograms: of = "exclusive" } = this.state;
    const [{ planned }] = shown.all.halves;
    const unit = histogramUnit(planned.info, planned.scope);
    const run = this.histograms.start();
    if (of === "off" || typeof unit === "string") return;
    try {
      const { engine } = this.parts.session;
      const histograms = await askHistograms(engine, shown.all, { of, by: unit.by }, run.task);
      if (run.superseded || shown !== this.shown) return;
      this.post({ type: "histograms", revision: shown.revision, ...histograms });
    } catch (error) {
      if (!run.superseded) this.notice(problemOf(error).message);
    }
  }

  private drawnAs(revision: number): Shown | undefined {
    return this.drawn.find((known) => known.revision === revision);
  }

  private async relayout(): Promise<void> {
    const { shown, size } = this;
    if (!shown || !size) return;
    const run = this.layouts.start();
    try {
      const { all, screen, near, revision } = shown;
      const layout = await layOut(this.parts.session.engine, all, screen, { ...layoutSize(size), near });
      if (run.superseded || shown !== this.shown) return;
      shown.layout = layout;
      this.post(layoutMessage({ ...screen, layout }, revision));
    } catch (error) {
      if (!run.superseded) this.post(problemOf(error));
    }
  }

  private postControls(dataSet: DataSetInfo, scope: Scope, plan: HalvesPlan): void {
    const { filter, groupBy } = this.state;
    const hasMap = Object.keys(currentSettings().groups).length > 0;
    const controls = this.scopeControls(dataSet, scope);
    this.post({
      type: "controls",
      ...controls,
      filter,
      groupBy,
      groupings: groupChoices.filter((choice) => choice !== "auto" && (choice !== "map" || hasMap)),
      halves: this.halvesControls(dataSet, scope, plan),
      restore: {
        ...this.state,
        metric: shorten(dataSet.metrics.at(scope.metric)?.name ?? "", 4096),
        over: controls.over,
      },
    });
  }

  private halvesControls(dataSet: DataSetInfo, scope: Scope, { pair }: HalvesPlan): HalvesControls {
    const { histograms = "exclusive", colour = "exclusive", below = true, compared } = this.state;
    const unit = histogramUnit(dataSet, scope);
    return {
      ...{ histograms, colour, below },
      ...(typeof unit === "string" ? { noHistograms: unit } : {}),
      ...(pair ? { pair } : {}),
      ...(compared ? { compared: comparedText(this.parts.session, compared) } : {}),
    };
  }

  protected override async answer(message: FromSuperGraph): Promise<void> {
    switch (message.type) {
      case "set-filter":
        return this.steps.setFilter(message.percent);
      case "set-group-by":
        return this.steps.setGroupBy(message.groupBy);
      case "set-histograms":
      case "set-colour":
      case "set-below":
      case "compare":
      case "stop-comparing":
        return this.answerHalves(message);
      case "select":
        return this.bars.select(message);
      case "open":
        return this.bars.open(message, message.entry);
      case "histogram":
        return this.bars.run("heatflow.histogram", message);
      case "why":
        return this.bars.run("heatflow.whyHere", message, { selected: 1 });
      case "hot-path":
        return this.bars.run("heatflow.hotPath", message);
      case "look-inside":
        return this.bars.run("heatflow.flameGraph.lookInside", message);
      case "correlate":
        return this.bars.run("heatflow.correlation", message, { pin: true });
      case "operate":
      case "split-off":
      case "steps-action":
      case "go-to-step":
      case "remove-step":
        return this.steps.answer(this.inFirstGraph(message));
    }
  }

  /** Operations are those of the structure: a bar of the lower graph means the same one above, and so do its entries. */
  private inFirstGraph(message: FromSteps): FromSteps {
    if (message.type !== "operate" && message.type !== "split-off") return message;
    const all = this.drawnAs(message.revision)?.all;
    const at = all && barAt(all, message.bar);
    if (!all || !at) return message;
    const { bar } = at;
    if (message.type === "operate") return { ...message, bar };
    const name = at.half.graph.bars[bar].entries.at(message.entry)?.name;
    const entry = all.halves[0].graph.bars[bar].entries.findIndex((own) => own.name === name);
    return { ...message, bar, entry: Math.max(0, entry) };
  }

  private async answerHalves(message: FromHalves): Promise<void> {
    switch (message.type) {
      case "set-histograms":
        this.state = { ...this.state, histograms: message.histograms };
        return this.changeControls();
      case "set-colour":
        this.state = { ...this.state, colour: message.colour };
        return this.changeControls();
      case "set-below":
        this.state = { ...this.state, below: message.below };
        return this.refresh();
      case "compare":
        return this.compare();
      case "stop-comparing":
        this.state = { ...this.state, compared: undefined };
        return this.refresh();
    }
  }

  /** Asks which recording to compare this one with, and shows both. */
  async compare(): Promise<void> {
    const { dataSet } = this;
    const files = dataSet && (await pickCompared(this.parts.session, dataSet));
    if (!files) return;
    this.state = { ...this.state, compared: files.slice() };
    await this.refresh();
  }

  /** What is drawn stays; only what the controls show is another one. */
  private async changeControls(): Promise<void> {
    const { dataSet, shown } = this;
    const scope = dataSet && this.parts.session.scope(dataSet.id);
    if (!dataSet || !scope || !shown) return;
    this.postControls(dataSet, scope, shown.all.plan);
    await this.tellHistograms(shown);
  }

  /** Data set of the recording that this one is compared with, while it is open. */
  private get otherId(): number | undefined {
    const { compared } = this.state;
    return compared && this.parts.session.dataSets.find((candidate) => hasFiles(candidate, compared))?.id;
  }

  /** Highlights the bar of what was selected elsewhere. */
  protected override followSelection(): Promise<void> {
    return this.bars.follow();
  }
}

function otherGraph({ plan, halves }: GraphHalves): OtherGraph | undefined {
  const other = halves.at(1);
  return other && { query: other.query, kind: plan.pair ?? "members", name: other.planned.name };
}
