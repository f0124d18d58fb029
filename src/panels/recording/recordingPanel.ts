/** One data set's page: joins a webview to the session. */
import * as vscode from "vscode";
import type { DataSetInfo, HotPlace } from "../../engine/api";
import { type FromRecording, parseFromRecording, type ToRecording } from "../../protocol/recording";
import { Latest } from "../kit/latest";
import { pageHtml } from "../kit/page";
import type { PanelParts } from "../kit/dataSetPanel";
import { problemOf } from "../kit/problems";
import { recordingMessage } from "./recordingMessage";

/** Hot lines on the page. */
const HOT_LINES = 10;
/** Origin of selections made here. */
const ORIGIN = "recording";

export interface RecordingParts extends PanelParts {
  /** Shows the super graph of a data set. */
  showSuperGraph(dataSet: number): void;
}

export class RecordingPanel {
  private readonly queries = new Latest();
  private hot: readonly HotPlace[] = [];
  private isReady = false;
  private isOpening = false;
  private disposed = false;
  /** What opening the file gave: some files of a database are not listed among those that were read. */
  private opened: number | undefined;
  /** Why opening the file gave nothing. */
  private failure: unknown;

  constructor(
    private readonly parts: RecordingParts,
    private readonly panel: vscode.WebviewPanel,
    private readonly uri: vscode.Uri,
  ) {
    const { session } = parts;
    const subscriptions = [
      panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message)),
      session.onDidChangeDataSets(() => void this.refresh()),
      session.onDidChangeCosts(() => void this.refresh()),
      session.onDidChangeScope(({ dataSet }) => {
        if (dataSet === this.dataSet?.id) void this.refresh();
      }),
    ];
    panel.onDidDispose(() => {
      this.disposed = true;
      this.queries.abandon();
      for (const subscription of subscriptions) subscription.dispose();
    });
    panel.webview.html = pageHtml(panel.webview, parts.extensionUri, "recording", "Recording");
  }

  /** The open data set that this file is a part of. */
  private get dataSet(): DataSetInfo | undefined {
    const { dataSets } = this.parts.session;
    return (
      dataSets.find(({ files }) => files.includes(this.uri.fsPath)) ?? dataSets.find(({ id }) => id === this.opened)
    );
  }

  private receive(raw: unknown): void {
    const message = parseFromRecording(raw);
    if (message) void this.answer(message).catch((error) => this.fail(error));
  }

  private async answer(message: FromRecording): Promise<void> {
    const { session, navigator } = this.parts;
    const { dataSet } = this;
    switch (message.type) {
      case "ready":
      case "retry":
        this.isReady = true;
        return this.open();
      case "set-metric":
        if (dataSet && message.metric < dataSet.metrics.length) session.setMetric(dataSet.id, message.metric);
        return;
      case "clear-restriction":
        if (dataSet) session.setRestriction(dataSet.id, undefined);
        return;
      case "open-line": {
        const place = this.hot.at(message.line);
        if (!place || !dataSet) return;
        const target = { kind: "context", context: place.context } as const;
        session.select({ dataSet: dataSet.id, target, name: place.name, origin: ORIGIN });
        return navigator.go(place.link, { focus: message.focus, beside: this.panel.viewColumn });
      }
      case "show":
        return this.show(message.view);
    }
  }

  /** Reads the recording, unless the session has it or is about to reopen it. */
  private async open(): Promise<void> {
    const { session } = this.parts;
    this.post({ type: "progress", message: "Opening the recording…" });
    this.isOpening = true;
    try {
      await session.restored;
      if (this.disposed) return;
      if (!this.dataSet) {
        this.failure = undefined;
        const [first] = await session.open([this.uri], (failure) => (this.failure = failure));
        this.opened = first?.id;
      }
    } finally {
      this.isOpening = false;
    }
    return this.refresh();
  }

  private async refresh(): Promise<void> {
    if (!this.isReady || this.isOpening) return;
    const { session } = this.parts;
    const { dataSet } = this;
    const scope = dataSet && session.scope(dataSet.id);
    if (!dataSet) return this.sayClosed();
    // Nothing that adds up: facts and what happened in time are there all the same.
    if (!scope) return this.post(recordingMessage(dataSet, undefined, []));
    const run = this.queries.start();
    try {
      const hot = await session.engine.hotPlaces({ scope, limit: HOT_LINES }, run.task);
      if (run.superseded) return;
      this.hot = hot;
      this.post(recordingMessage(dataSet, scope, hot));
    } catch (error) {
      if (!run.superseded) this.fail(error);
    }
  }

  private sayClosed(): void {
    if (this.failure !== undefined) return this.fail(this.failure);
    const closed = this.parts.session.closedRecordings.find(({ paths }) => paths.includes(this.uri.fsPath));
    const message = closed?.reason ?? "This recording is not open.";
    this.post({ type: "problem", message, advice: "Open it again, or look at its text." });
  }

  private async show(view: Extract<FromRecording, { type: "show" }>["view"]): Promise<void> {
    const { dataSet } = this;
    if (view === "text") return vscode.commands.executeCommand("vscode.openWith", this.uri, "default");
    if (dataSet) this.parts.session.setCurrent(dataSet.id);
    if (view !== "superGraph") return vscode.commands.executeCommand(`heatflow.${view}.focus`);
    if (dataSet) this.parts.showSuperGraph(dataSet.id);
  }

  private fail(error: unknown): void {
    const { message, advice } = problemOf(error);
    this.post({ type: "problem", message, ...(advice === undefined ? {} : { advice }) });
  }

  private post(message: ToRecording): void {
    if (!this.disposed) void this.panel.webview.postMessage(message);
  }
}
