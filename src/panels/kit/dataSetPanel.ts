/**
 * What every panel of a data set does alike: it finds its data set by its files, asks again when numbers change, says what
 * went wrong, and does what every view's controls ask for. It computes nothing and decides nothing about numbers.
 */
import * as vscode from "vscode";
import type { DataSetInfo, Scope } from "../../engine/api";
import { chosenText } from "../../model/members";
import { overRanksText, parseOverRanks } from "../../model/metrics";
import type { FromEveryView, ScopeControls, ToEveryView } from "../../protocol/panel";
import { superGraphMessage } from "../../session/notRecorded";
import { combinedUnit, rankCount } from "../../session/scopeChoice";
import type { Navigator, Session } from "../../session/session";
import { Latest } from "./latest";
import { pageHtml, webviewOptions } from "./page";
import { problemOf } from "./problems";
import { saveAs } from "./save";
import { shorten } from "./shorten";

export interface PanelParts {
  readonly session: Session;
  readonly navigator: Navigator;
  readonly extensionUri: vscode.Uri;
}

/** What a panel is called. */
export interface PanelKind {
  /** Folder under webviews/. */
  readonly page: string;
  readonly title: string;
  /** In the name of a file that is saved. */
  readonly saved: string;
}

/** What every panel remembers of itself: which data set it is of. */
export interface FilesState {
  readonly files: readonly string[];
  /** Stays the same when it is read again, with other files too; absent: the data set of exactly these files. */
  readonly dataSet?: string;
}

/** A data set with the values to show, and a size to draw into. */
export interface Ready {
  readonly dataSet: DataSetInfo;
  readonly scope: Scope;
  readonly size: { readonly width: number; readonly height: number };
}

export abstract class DataSetPanel<State extends FilesState, In extends { readonly type: string }, Out> {
  protected readonly queries = new Latest();
  private readonly subscriptions: vscode.Disposable[] = [];
  private readonly runs: Latest[] = [this.queries];
  /** Known as soon as the view is ready; nothing is asked for before. */
  protected size: Ready["size"] | undefined;
  private knownDataSet: number | undefined;
  private disposed = false;
  /** The session has reopened what was open before the window was reloaded. */
  private restored = false;

  constructor(
    protected readonly parts: PanelParts,
    readonly panel: vscode.WebviewPanel,
    protected state: State,
    private readonly kind: PanelKind,
  ) {
    const { session } = parts;
    panel.webview.options = webviewOptions(parts.extensionUri);
    panel.iconPath = vscode.Uri.joinPath(parts.extensionUri, "media", "heatflow.svg");
    panel.title = this.title();
    this.subscriptions.push(
      panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message)),
      panel.onDidChangeViewState(() => this.visibilityChanged()),
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
      for (const latest of this.runs) latest.abandon();
      for (const subscription of this.subscriptions) subscription.dispose();
    });
    panel.webview.html = pageHtml(panel.webview, parts.extensionUri, kind.page, kind.title);
  }

  get files(): readonly string[] {
    return this.state.files;
  }

  get dataSetKey(): string | undefined {
    return this.state.dataSet;
  }

  /** The panel's data set while it is open. */
  get dataSet(): DataSetInfo | undefined {
    const { files, dataSet } = this.state;
    return this.parts.session.dataSets.find((candidate) =>
      dataSet === undefined ? hasFiles(candidate, files) : candidate.key === dataSet,
    );
  }

  /** The message when it is one of the view's. */
  protected abstract parse(message: unknown): In | undefined;
  /** Does what the view asks for beyond what every view may ask for. */
  protected abstract answer(message: In): Promise<void> | void;
  /** Asks for everything on screen and sends it. Called whenever numbers or size may have changed. */
  protected abstract show(ready: Ready): Promise<void>;
  /** Nothing is on screen any more that a click could be about. */
  protected abstract forget(): void;
  /** Whether what was asked for last is on screen. */
  protected abstract get isShown(): boolean;
  /** Highlights what was selected elsewhere. */
  protected abstract followSelection(): Promise<void>;
  /** Why a data set has nothing to draw, whatever the controls say; undefined where it has. */
  protected unmeasured(dataSet: DataSetInfo): string | undefined {
    return superGraphMessage(dataSet);
  }
  /** The area changed its size; a panel that need not ask anew overrides this. */
  protected resized(): Promise<void> {
    return this.refresh();
  }

  /** A line of work of which only the newest is wanted, and nothing once the panel is closed. */
  protected latest(): Latest {
    const latest = new Latest();
    this.runs.push(latest);
    return latest;
  }

  /** Asks for everything anew; an answer that is still on its way is no longer wanted. */
  protected async refresh(): Promise<void> {
    const { dataSet, size } = this;
    if (!size) return;
    const scope = dataSet && this.parts.session.scope(dataSet.id);
    this.knownDataSet = dataSet?.id;
    const nothing = dataSet && this.unmeasured(dataSet);
    if (nothing !== undefined) {
      this.queries.abandon();
      this.forget();
      this.post({ type: "problem", kind: "unmeasured", message: shorten(nothing, 4096) });
      return;
    }
    if (!dataSet || !scope) {
      this.queries.abandon();
      this.forget();
      const name = shorten(baseName(this.state.files[0] ?? "The recording"), 200);
      if (this.restored)
        this.post({ type: "problem", kind: "closed", message: `${name} is not open.`, action: "open" });
      else this.post({ type: "progress", message: `Opening ${name}` });
      return;
    }
    return this.show({ dataSet, scope, size });
  }

  /** Says so where the metric has no positive total: there are no shares of it to draw. */
  protected hasNoShares(dataSet: DataSetInfo, scope: Scope): boolean {
    const metric = dataSet.metrics.at(scope.metric);
    if (metric && metric.total > 0) return false;
    this.queries.abandon();
    this.forget();
    this.post({
      type: "problem",
      kind: "empty",
      message: metric
        ? `The total of ${shorten(metric.name, 200)} is not positive, so there are no shares to draw.`
        : "The recording has no metric.",
      advice: "Choose another metric.",
    });
    return true;
  }

  /** What the controls of every view show. */
  protected scopeControls(dataSet: DataSetInfo, scope: Scope): ScopeControls {
    return {
      dataSet: shorten(dataSet.name, 4096),
      metrics: dataSet.metrics.slice(0, 1000).map(({ name, unit, note }) => ({
        name: shorten(name, 200),
        unit: shorten(unit, 100),
        ...(note === undefined ? {} : { note: shorten(note, 400) }),
      })),
      metric: scope.metric,
      over: overRanksText(scope.over),
      ranks: rankCount(dataSet, scope),
      unit: combinedUnit(dataSet, scope),
      ...(scope.chosen ? { restriction: shorten(chosenText(scope.chosen), 4096) } : {}),
    };
  }

  /** No other editor group is there yet. */
  protected get isAlone(): boolean {
    return vscode.window.tabGroups.all.every((group) => group.viewColumn === this.panel.viewColumn);
  }

  protected notice(message: string): void {
    this.post({ type: "notice", message: shorten(message, 8192) });
  }

  protected post(message: Out | ToEveryView): void {
    if (!this.disposed) void this.panel.webview.postMessage(message);
  }

  private title(): string {
    const { dataSet } = this;
    return dataSet ? `${this.kind.title} · ${dataSet.name}` : this.kind.title;
  }

  /** VS Code ends the page of a panel that is not in sight: nothing is asked for it until the next one says its size. */
  private visibilityChanged(): void {
    if (this.panel.visible) return;
    this.size = undefined;
    for (const latest of this.runs) latest.abandon();
    this.forget();
  }

  private dataSetsChanged(): void {
    this.panel.title = this.title();
    if (this.dataSet?.id === this.knownDataSet && this.isShown) return;
    void this.refresh();
  }

  private receive(raw: unknown): void {
    const message = this.parse(raw);
    if (message) void this.hear(message).catch((error) => this.post(problemOf(error)));
  }

  private async hear(message: In): Promise<void> {
    if (!(await this.answerOfEveryPanel(message as FromEveryView))) await this.answer(message);
  }

  private async openAgain(): Promise<void> {
    const { files, dataSet } = this.state;
    const { session } = this.parts;
    if (dataSet !== undefined && (await session.openAgain(dataSet))) return;
    await session.open(files.map((file) => vscode.Uri.file(file)));
  }

  /** @returns whether the message was one of those that every view may send */
  private async answerOfEveryPanel(message: FromEveryView): Promise<boolean> {
    const { session } = this.parts;
    const dataSet = this.dataSet?.id;
    switch (message.type) {
      case "ready":
        this.size = { width: message.width, height: message.height };
        await this.refresh();
        return true;
      case "resize":
        this.size = { width: message.width, height: message.height };
        await this.resized();
        return true;
      case "set-metric":
        if (dataSet !== undefined) session.setMetric(dataSet, message.metric);
        return true;
      case "set-over": {
        const over = parseOverRanks(message.over);
        if (dataSet !== undefined && over) session.setOver(dataSet, over);
        return true;
      }
      case "clear-restriction":
        if (dataSet !== undefined) session.setRestriction(dataSet, undefined);
        return true;
      case "cancel":
        this.queries.cancel();
        return true;
      case "retry":
        await this.refresh();
        return true;
      case "open-data-set":
        await this.openAgain();
        return true;
      case "copy":
        await vscode.env.clipboard.writeText(message.text);
        this.notice("Copied.");
        return true;
      case "save": {
        const file = await saveAs(message, this.state.files[0], this.kind);
        if (file) this.notice(`Saved as ${file.fsPath}.`);
        return true;
      }
      default:
        return false;
    }
  }
}

/** Whether a data set came from exactly these files. */
export function hasFiles(dataSet: DataSetInfo, files: readonly string[]): boolean {
  return dataSet.files.length === files.length && dataSet.files.every((file, at) => file === files[at]);
}

function baseName(file: string): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
}
