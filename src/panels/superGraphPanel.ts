/** One super graph panel: joins a webview to the session. It computes nothing and decides nothing about numbers. */
import * as vscode from "vscode";
import type { DataSetInfo, GraphQuery, SourceLink, SuperGraph, Target } from "../engine/api";
import type { Task } from "../model/task";
import { chosenText } from "../model/members";
import { overRanksText, parseOverRanks } from "../model/metrics";
import {
  type FromSuperGraph,
  groupChoices,
  parseFromSuperGraph,
  type SuperGraphState,
  type ToSuperGraph,
} from "../protocol/superGraph";
import { superGraphMessage } from "../session/notRecorded";
import { rankCount } from "../session/scopes";
import type { Navigator, Session } from "../session/session";
import { currentSettings } from "../session/sourceFeed";
import { geometryOf, graphMessage, shorten } from "./graphMessage";
import { layoutSize } from "./layoutSize";
import { Latest } from "./latest";
import { pageHtml, webviewOptions } from "./page";
import { problemOf } from "./problems";
import { saveAs } from "./save";

export interface PanelParts {
  readonly session: Session;
  readonly navigator: Navigator;
  readonly extensionUri: vscode.Uri;
}

/** What the panel remembers of itself; metric and ranks are the session's. */
export type PanelState = Pick<SuperGraphState, "files" | "filter" | "groupBy">;

/** The graph on screen. */
interface Shown {
  readonly query: GraphQuery;
  readonly graph: SuperGraph;
  /** What heights show; the mean where `graph` has minima or maxima. */
  readonly heights: SuperGraph;
  readonly revision: number;
}

/** Origin of selections made here, which the panel does not follow. */
const ORIGIN = "superGraph";

/** The longest time between the clicks of a double click, as desktops have it. */
const DOUBLE_CLICK_MS = 500;

export class SuperGraphPanel {
  private readonly queries = new Latest();
  private readonly layouts = new Latest();
  private readonly navigations = new Latest();
  private readonly subscriptions: vscode.Disposable[] = [];
  /** Known as soon as the view is ready; nothing is asked for before. */
  private size: { width: number; height: number } | undefined;
  private shown: Shown | undefined;
  private revision = 0;
  private knownDataSet: number | undefined;
  private disposed = false;
  /** The session has reopened what was open before the window was reloaded. */
  private restored = false;

  constructor(
    private readonly parts: PanelParts,
    readonly panel: vscode.WebviewPanel,
    private state: PanelState,
  ) {
    const { session } = parts;
    panel.webview.options = webviewOptions(parts.extensionUri);
    panel.iconPath = vscode.Uri.joinPath(parts.extensionUri, "media", "heatflow.svg");
    panel.title = this.title();
    this.subscriptions.push(
      panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message)),
      session.onDidChangeDataSets(() => this.dataSetsChanged()),
      session.onDidChangeScope(({ dataSet }) => {
        if (dataSet === this.dataSet?.id) void this.refresh();
      }),
      session.onDidChangeCosts(() => void this.refresh()),
      session.onDidSelect(() => void this.followSelection().catch((error) => this.notice(problemOf(error).message))),
    );
    void session.restored.then(() => {
      this.restored = true;
      this.dataSetsChanged();
    });
    panel.onDidDispose(() => {
      this.disposed = true;
      for (const latest of [this.queries, this.layouts, this.navigations]) latest.abandon();
      for (const subscription of this.subscriptions) subscription.dispose();
    });
    panel.webview.html = pageHtml(panel.webview, parts.extensionUri, "superGraph", "Super Graph");
  }

  get files(): readonly string[] {
    return this.state.files;
  }

  /** The open data set of this panel's files: its id changes when it is reloaded, the files stay. */
  get dataSet(): DataSetInfo | undefined {
    return this.parts.session.dataSets.find((candidate) => hasFiles(candidate, this.state.files));
  }

  private title(): string {
    const { dataSet } = this;
    return dataSet ? `Super Graph · ${dataSet.name}` : "Super Graph";
  }

  private dataSetsChanged(): void {
    this.panel.title = this.title();
    if (this.dataSet?.id === this.knownDataSet && this.shown) return;
    void this.refresh();
  }

  /** Asks for the graph anew; an answer that is still on its way is no longer wanted. */
  private async refresh(): Promise<void> {
    const { dataSet, size } = this;
    if (!size) return;
    const scope = dataSet && this.parts.session.scope(dataSet.id);
    this.knownDataSet = dataSet?.id;
    const nothing = dataSet && superGraphMessage(dataSet);
    if (nothing !== undefined) {
      this.queries.abandon();
      this.shown = undefined;
      this.post({ type: "problem", kind: "unmeasured", message: shorten(nothing, 4096) });
      return;
    }
    if (!dataSet || !scope) {
      this.queries.abandon();
      this.shown = undefined;
      const name = shorten(baseName(this.state.files[0] ?? "The recording"), 200);
      if (this.restored)
        this.post({ type: "problem", kind: "closed", message: `${name} is not open.`, action: "open" });
      else this.post({ type: "progress", message: `Opening ${name}` });
      return;
    }
    const query: GraphQuery = {
      scope,
      filter: this.state.filter,
      groupBy: this.state.groupBy,
      ...(this.state.groupBy === "map" ? { map: currentSettings().groups } : {}),
    };
    this.postControls(dataSet, query);
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
      const layout = await engine.layout(heights, layoutSize(size));
      run.task.check();
      this.shown = { query, graph, heights, revision: ++this.revision };
      this.post(graphMessage({ graph, heights, layout }, this.revision, rankCount(dataSet, scope)));
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
      const layout = await this.parts.session.engine.layout(shown.heights, layoutSize(size));
      if (run.superseded || shown !== this.shown) return;
      this.post({ type: "layout", revision: shown.revision, geometry: geometryOf({ ...shown, layout }) });
    } catch (error) {
      if (!run.superseded) this.post(problemOf(error));
    }
  }

  private postControls(dataSet: DataSetInfo, { scope, filter, groupBy }: GraphQuery): void {
    const over = overRanksText(scope.over);
    const ranks = rankCount(dataSet, scope);
    const restriction = scope.chosen && chosenText(scope.chosen);
    const hasMap = Object.keys(currentSettings().groups).length > 0;
    this.post({
      type: "controls",
      dataSet: shorten(dataSet.name, 4096),
      metrics: dataSet.metrics.slice(0, 1000).map(({ name, unit, note }) => ({
        name: shorten(name, 200),
        unit: shorten(unit, 100),
        ...(note === undefined ? {} : { note: shorten(note, 400) }),
      })),
      metric: scope.metric,
      over,
      ranks,
      ...(restriction === undefined ? {} : { restriction: shorten(restriction, 4096) }),
      filter,
      groupBy,
      groupings: groupChoices.filter((choice) => choice !== "auto" && (choice !== "map" || hasMap)),
      restore: { ...this.state, metric: shorten(dataSet.metrics.at(scope.metric)?.name ?? "", 4096), over },
    });
  }

  private receive(raw: unknown): void {
    const message = parseFromSuperGraph(raw);
    if (message) void this.answer(message).catch((error) => this.post(problemOf(error)));
  }

  private async answer(message: FromSuperGraph): Promise<void> {
    const { session } = this.parts;
    const dataSet = this.dataSet?.id;
    switch (message.type) {
      case "ready":
        this.size = { width: message.width, height: message.height };
        return this.refresh();
      case "resize":
        this.size = { width: message.width, height: message.height };
        return this.relayout();
      case "set-metric":
        if (dataSet !== undefined) session.setMetric(dataSet, message.metric);
        return;
      case "set-over": {
        const over = parseOverRanks(message.over);
        if (dataSet !== undefined && over) session.setOver(dataSet, over);
        return;
      }
      case "set-filter":
        this.state = { ...this.state, filter: message.percent };
        return this.refresh();
      case "set-group-by":
        this.state = { ...this.state, groupBy: message.groupBy };
        return this.refresh();
      case "select":
        return this.select(message.revision, message.bar);
      case "open":
        return this.open(message);
      case "clear-restriction":
        if (dataSet !== undefined) session.setRestriction(dataSet, undefined);
        return;
      case "cancel":
        return this.queries.cancel();
      case "retry":
        return this.refresh();
      case "open-data-set":
        await session.open(this.state.files.map((file) => vscode.Uri.file(file)));
        return;
      case "copy":
        await vscode.env.clipboard.writeText(message.text);
        return this.notice("Copied.");
      case "save": {
        const file = await saveAs(message, this.state.files[0]);
        if (file) this.notice(`Saved as ${file.fsPath}.`);
      }
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

  /** No other editor group is there yet. */
  private get isAlone(): boolean {
    return vscode.window.tabGroups.all.every((group) => group.viewColumn === this.panel.viewColumn);
  }

  private async open(message: { revision: number; bar: number; entry?: number }): Promise<void> {
    const target = this.targetOf(message.revision, message.bar);
    if (!target) return;
    this.parts.session.select({ ...target, origin: ORIGIN });
    if (message.entry === undefined) return this.goToHotLine(target, true);
    const link = await this.linkOfEntry(message.bar, message.entry);
    if (link) await this.parts.navigator.go(link, { focus: true, beside: this.panel.viewColumn });
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
      const [place] = await this.parts.session.engine.hotPlaces(shown.query.scope, target, 1, run.task);
      if (run.superseded) return;
      if (!place) return this.notice(`No line is known for ${shorten(name, 200)}.`);
      const { places, reason, missingFile } = place.link;
      // A click must not ask anything: what needs an answer waits for Enter or a double click.
      if (!focus && places.length !== 1) {
        if (places.length > 1)
          return this.notice(`${shorten(place.name, 200)} has ${places.length} likely places. Press Enter to choose.`);
        const remedy = missingFile === undefined ? "" : " Press Enter to locate the file.";
        return this.notice(`${shorten(place.name, 200)}: ${shorten(reason, 1000)}${remedy}`);
      }
      await this.parts.navigator.go(place.link, { focus, beside: this.panel.viewColumn });
    } catch (error) {
      if (!run.superseded) this.notice(problemOf(error).message);
    }
  }

  /** Highlights the bar of what was selected elsewhere. */
  private async followSelection(): Promise<void> {
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

  private notice(message: string): void {
    this.post({ type: "notice", message });
  }

  private post(message: ToSuperGraph): void {
    if (!this.disposed) void this.panel.webview.postMessage(message);
  }
}

/** Whether a data set came from exactly these files. */
export function hasFiles(dataSet: DataSetInfo, files: readonly string[]): boolean {
  return dataSet.files.length === files.length && dataSet.files.every((file, at) => file === files[at]);
}

function baseName(file: string): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
}
