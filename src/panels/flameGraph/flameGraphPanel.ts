/** One flame graph panel: joins a webview to the session. It computes nothing and decides nothing about numbers. */
import type * as vscode from "vscode";
import type { DataSetInfo, FlameDetails, FlameOf, FlameQuery, GraphQuery, Scope } from "../../engine/api";
import type { Task } from "../../model/task";
import {
  type FlameLook,
  type FlamePane,
  type FromFlameGraph,
  parseFromFlameGraph,
  type ToFlameGraph,
} from "../../protocol/flameGraph";
import { flameGraphMessage } from "../../session/notRecorded";
import { rankCount, shownUnit } from "../../session/scopes";
import { overRanksText } from "../../model/metrics";
import { CancelledError, RequestError } from "../../model/errors";
import { comparedText, graphWorld } from "../kit/comparedRecording";
import { DataSetPanel, hasFiles, type PanelParts, type Ready } from "../kit/dataSetPanel";
import { FLAME_LIMITS, flameMessage, type FlamePanelState, keptState, notKeptNote } from "./flameMessage";
import { placeText } from "../../model/placeText";
import type { Latest } from "../kit/latest";
import { problemOf } from "../kit/problems";
import { shorten } from "../kit/shorten";

interface Shown {
  readonly dataSet: DataSetInfo;
  readonly scope: Scope;
  readonly revision: number;
  readonly panes: ReadonlyMap<FlamePane, FlameQuery>;
}

/** Origin of selections made here, which the panel does not follow. */
const ORIGIN = "flameGraph";
/** The longest time between the clicks of a double click, as desktops have it. */
const DOUBLE_CLICK_MS = 500;
/** Levels that are asked for before the view has said how many it has room for. */
const FIRST_LEVELS = 60;

type Rectangle = Pick<Extract<FromFlameGraph, { type: "select" }>, "pane" | "revision" | "node">;

export class FlameGraphPanel extends DataSetPanel<FlamePanelState, FromFlameGraph, ToFlameGraph> {
  private readonly navigations = this.latest();
  private readonly explanations = this.latest();
  private readonly choices = this.latest();
  private readonly looking = new Map<FlamePane, Latest>();
  /** How wide the drawings are, in the metric's unit. */
  private readonly widths = new Map<FlamePane, number>();
  private readonly looks = new Map<FlamePane, FlameLook>();
  private shown: Shown | undefined;
  /** What rectangles in sight are of. */
  private drawn: Shown | undefined;
  private revision = 0;
  /** What {@link otherId} was when the drawing was asked for. */
  private shownOther: number | undefined;

  constructor(parts: PanelParts, panel: vscode.WebviewPanel, state: FlamePanelState) {
    super(parts, panel, state, { page: "flameGraph", title: "Flame Graph", saved: "flame-graph" });
    const later = parts.session.onDidChangeDataSets(() => {
      if (this.otherId !== this.shownOther) void this.refresh();
    });
    panel.onDidDispose(() => later.dispose());
  }

  /** Shows a function between its callers and its callees. */
  async showSandwich(id: number): Promise<void> {
    const { dataSet } = this;
    const scope = dataSet && this.parts.session.scope(dataSet.id);
    const run = this.choices.start();
    const row = scope && (await this.functions(scope)).find((candidate) => candidate.function === id);
    // Something else was chosen while its name was looked up.
    if (!row || run.superseded) return;
    return this.change({ mode: "sandwich", function: { name: row.name, detail: row.detail } });
  }

  /** Shows the contexts of a bar of the super graph; of two recordings that are compared, those of this one. */
  showBar(query: GraphQuery, bar: string): Promise<void> {
    const graph = JSON.stringify({ ...query, scope: undefined, compared: undefined });
    const compared = query.compared && graphWorld(this.parts.session).filesOf(query.compared.dataSet);
    return this.change({ mode: "bar", bar: { id: bar, graph, ...(compared ? { compared: compared.slice() } : {}) } });
  }

  showRecording(): Promise<void> {
    return this.change({ mode: "recording" });
  }

  protected override parse(message: unknown): FromFlameGraph | undefined {
    return parseFromFlameGraph(message);
  }

  protected override get isShown(): boolean {
    return this.shown !== undefined;
  }

  protected override forget(): void {
    this.shown = this.drawn = undefined;
  }

  protected override unmeasured(dataSet: DataSetInfo): string | undefined {
    return flameGraphMessage(dataSet);
  }

  /** The view says anew what is in sight. */
  protected override async resized(): Promise<void> {
    return undefined;
  }

  protected override async show({ dataSet, scope }: Ready): Promise<void> {
    this.shownOther = this.otherId;
    this.postControls(dataSet, scope);
    if (this.hasNoShares(dataSet, scope)) return;
    const run = this.queries.start((fraction, message) => this.post({ type: "progress", fraction, message }));
    this.post({ type: "progress" });
    try {
      const panes = await this.panesOf(dataSet, scope);
      run.task.check();
      this.shown = { dataSet, scope, revision: ++this.revision, panes };
      for (const pane of panes.keys()) await this.send(this.shown, pane, this.looks.get(pane), run.task);
      // The drawing stands, whatever becomes of what is highlighted in it.
      await this.followSelection(true).catch((error) => run.superseded || this.notice(problemOf(error).message));
    } catch (error) {
      if (run.superseded) return;
      // What the view looks at meanwhile must not be answered out of the drawing before, over what is said now.
      if (!(error instanceof CancelledError)) this.forget();
      this.post(problemOf(error));
    }
  }

  private async change(state: Partial<FlamePanelState>): Promise<void> {
    this.choices.abandon();
    // What is chosen now takes the place of what was not kept.
    const notKept = state.mode ? undefined : this.state.notKept;
    this.state = { ...this.state, ...state, notKept };
    this.looks.clear();
    return this.refresh();
  }

  /** What each part of the stage shows. */
  private async panesOf(dataSet: DataSetInfo, scope: Scope): Promise<Map<FlamePane, FlameQuery>> {
    const { mode, order, bar, function: wanted } = this.state;
    const query = (of: FlameOf): FlameQuery => ({ scope, of, order });
    if (mode === "bar" && bar) {
      const graph = JSON.parse(bar.graph) as Omit<GraphQuery, "scope">;
      const compared = bar.compared && graphWorld(this.parts.session).compared({ info: dataSet, scope }, bar.compared);
      if (typeof compared === "string")
        throw new RequestError(`${shorten(bar.id, 200)} is a bar of a comparison. ${compared}`);
      const asked = { ...graph, scope, ...(compared ? { compared } : {}) };
      return new Map([["bar", query({ kind: "bar", query: asked, bar: bar.id })]]);
    }
    if (mode === "sandwich" && wanted) {
      const rows = await this.functions(scope);
      const row = rows.find(({ name, detail }) => name === wanted.name && detail === wanted.detail);
      if (!row) throw new Error(`There is no function ${shorten(wanted.name, 200)} in this recording any more.`);
      return new Map([
        ["callers", query({ kind: "callers", function: row.function })],
        ["callees", query({ kind: "callees", function: row.function })],
      ]);
    }
    return new Map([["recording", query({ kind: "recording" })]]);
  }

  /** The recording that the bar's graph compares with, while it is open. */
  private get otherId(): number | undefined {
    const { mode, bar } = this.state;
    const compared = mode === "bar" ? bar?.compared : undefined;
    return compared && this.parts.session.dataSets.find((candidate) => hasFiles(candidate, compared))?.id;
  }

  /** Whose contexts are shown, where the bar is one of two recordings together. */
  private comparisonNote(dataSet: DataSetInfo, pane: FlamePane): string[] {
    const compared = pane === "bar" ? this.state.bar?.compared : undefined;
    if (!compared) return [];
    const own = shorten(dataSet.name, 200);
    return [`The bar is of ${own} ${comparedText(this.parts.session, compared)}; only contexts of ${own} are shown.`];
  }

  /** What the panel had shown before a reload that could not keep it. */
  private notKeptNotes(): string[] {
    const { notKept } = this.state;
    return notKept ? [notKeptNote(notKept)] : [];
  }

  private functions(scope: Scope) {
    return this.parts.session.engine.hotFunctions({ scope, by: "inclusive", limit: Number.MAX_SAFE_INTEGER });
  }

  private async send(shown: Shown, pane: FlamePane, look: FlameLook | undefined, task: Task): Promise<void> {
    const query = shown.panes.get(pane);
    if (!query) return;
    const { engine } = this.parts.session;
    const { scope, dataSet } = shown;
    const { colour } = this.state;
    const { name, unit } = dataSet.metrics[scope.metric];
    for (const mostRectangles of FLAME_LIMITS) {
      const window = {
        from: look?.from ?? 0,
        to: look?.to ?? 1,
        asShares: true,
        width: look?.width ?? this.size?.width ?? 1000,
        firstDepth: look?.firstDepth ?? 0,
        endDepth: look?.endDepth ?? FIRST_LEVELS,
        mostRectangles,
        ...(look?.search === undefined ? {} : { search: look.search }),
        ...(colour === "exclusive" ? {} : { groupBy: colour }),
      };
      const flames = await engine.flames({ query, window }, task);
      task.check();
      this.widths.set(pane, flames.width);
      const notes = [...this.notKeptNotes(), ...this.comparisonNote(dataSet, pane), ...flames.notes];
      const message = flameMessage(
        { ...flames, notes },
        {
          pane,
          revision: shown.revision,
          metric: shorten(name, 200),
          unit: shorten(shownUnit({ name, unit }), 200),
          over: overRanksText(scope.over),
          ranks: rankCount(dataSet, scope),
        },
      );
      if (!message) continue;
      // The view may have moved on while this was asked for, the more so where smaller answers were tried: what it looks at
      // now is answered by itself.
      if (this.shown !== shown || this.looks.get(pane) !== look) return;
      this.drawn = shown;
      this.post(message);
      return;
    }
  }

  private postControls(dataSet: DataSetInfo, scope: Scope): void {
    const { mode, order, colour, bar } = this.state;
    this.post({
      type: "controls",
      ...this.scopeControls(dataSet, scope),
      mode,
      ...(this.state.function ? { function: shorten(this.state.function.name, 400) } : {}),
      ...(bar ? { bar: shorten(bar.id, 400) } : {}),
      order,
      colour,
      restore: keptState(this.state),
    });
  }

  protected override async answer(message: FromFlameGraph): Promise<void> {
    switch (message.type) {
      case "set-mode":
        return this.change({ mode: message.mode });
      case "set-order":
        return this.change({ order: message.order });
      case "set-colour":
        this.state = { ...this.state, colour: message.colour };
        return this.refresh();
      case "look":
        return this.look(message);
      case "select":
        return this.select(message);
      case "open":
        return this.goTo(message, true);
      case "explain":
        return this.explain(message);
      case "sandwich": {
        const details = await this.detailsOf(message, this.explanations);
        return details && this.showSandwich(details.function);
      }
    }
  }

  private async look(look: FlameLook): Promise<void> {
    this.looks.set(look.pane, look);
    const { shown } = this;
    if (!shown) return;
    const latest = this.looking.get(look.pane) ?? this.latest();
    this.looking.set(look.pane, latest);
    const run = latest.start();
    try {
      await this.send(shown, look.pane, look, run.task);
    } catch (error) {
      if (!run.superseded && shown === this.shown) this.post(problemOf(error));
    }
  }

  /** What a rectangle in sight is of: where another drawing is being computed, or that was cancelled, the one before. */
  private drawingOf({ revision }: Rectangle): Shown | undefined {
    return [this.shown, this.drawn].find((known) => known?.revision === revision);
  }

  private async detailsOf(rectangle: Rectangle, latest: Latest): Promise<FlameDetails | undefined> {
    const { pane, node } = rectangle;
    const query = this.drawingOf(rectangle)?.panes.get(pane);
    if (!query) return undefined;
    const run = latest.start();
    try {
      const details = await this.parts.session.engine.flameDetails({ query, node }, run.task);
      return run.superseded ? undefined : details;
    } catch (error) {
      if (!run.superseded) this.notice(problemOf(error).message);
      return undefined;
    }
  }

  private async explain({ pane, revision, node }: Rectangle): Promise<void> {
    const details = await this.detailsOf({ pane, revision, node }, this.explanations);
    if (!details) return;
    const place = placeText(details.link);
    this.post({
      type: "explained",
      pane,
      revision,
      node,
      path: details.path.map((name) => shorten(name, 300)),
      pathBefore: details.pathBefore,
      contexts: details.contexts,
      ...(place === undefined ? {} : { place: shorten(place, 300) }),
    });
  }

  /** Selects for every view and shows the line; the focus stays in the panel (semantics 3). */
  private async select(rectangle: Rectangle): Promise<void> {
    if (this.isAlone) {
      // A new editor group beside takes half of the width: the second click of a double click would miss its rectangle.
      const run = this.navigations.start();
      await new Promise((resolve) => setTimeout(resolve, DOUBLE_CLICK_MS));
      if (run.superseded) return;
    }
    await this.goTo(rectangle, false);
  }

  private async goTo(rectangle: Rectangle, focus: boolean): Promise<void> {
    const drawing = this.drawingOf(rectangle);
    const details = await this.detailsOf(rectangle, this.navigations);
    if (!details || !drawing) return;
    const { context, link } = details;
    const name = shorten(details.name, 200);
    this.parts.session.select({
      dataSet: drawing.scope.dataSet,
      target: { kind: "context", context },
      name,
      origin: ORIGIN,
    });
    // A click must not ask anything: what needs an answer waits for Enter or a double click.
    if (!focus && link.places.length > 1)
      return this.notice(`${name} has ${link.places.length} likely places. Press Enter to choose.`);
    if (!focus && link.places.length === 0) {
      const remedy = link.missingFile === undefined ? "" : " Press Enter to locate the file.";
      return this.notice(`${name}: ${shorten(link.reason, 1000)}${remedy}`);
    }
    await this.parts.navigator.go(link, { focus, beside: this.panel.viewColumn });
  }

  /** @param own whether what was selected here is followed too: it may have moved */
  protected override async followSelection(own = false): Promise<void> {
    const { shown } = this;
    const { selection, engine } = this.parts.session;
    if (!shown || (selection?.origin === ORIGIN && !own)) return;
    for (const [pane, query] of shown.panes) {
      const target = selection?.dataSet === shown.scope.dataSet ? selection.target : undefined;
      const context =
        target?.kind === "bar"
          ? (await engine.hotPlaces({ scope: shown.scope, target, limit: 1 })).at(0)?.context
          : undefined;
      const wanted = context === undefined ? target : ({ kind: "context", context } as const);
      const found = wanted && (await engine.flamePlace({ query, target: wanted }));
      if (shown !== this.shown || selection !== this.parts.session.selection) return;
      const width = this.widths.get(pane) || 1;
      const place = found && { ...found, x: found.x / width, width: found.width / width };
      this.post({ type: "selection", pane, revision: shown.revision, ...(place ? { place } : {}) });
    }
  }
}
