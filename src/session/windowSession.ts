import * as vscode from "vscode";
import type { DataSetInfo, OverRanks, Scope } from "../engine/api";
import type { EngineClient } from "../engine/client";
import { CancelledError } from "../model/errors";
import { EngineHost, type StartEngine } from "./engineHost";
import { withCancellableProgress } from "./progress";
import { keyOf, matching, Recordings } from "./recordings";
import { planRecovery, recoveryMessage, type WorkerEnd } from "./recovery";
import { readSavedSession } from "./savedState";
import { scopeOf } from "./scopes";
import type { ClosedRecording, Selection, Session } from "./session";
import { currentSettings, type SourceFeed } from "./sourceFeed";
import { StableEngine } from "./stableEngine";
import { listOf, openedMessage } from "./openedMessage";

/** Key of the workspace's state under which the open recordings are kept. */
const STATE = "heatflow.session";

export interface SessionParts {
  readonly startEngine: StartEngine;
  readonly source: SourceFeed;
  readonly state: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
}

/** The one {@link Session} of a window. */
export class WindowSession implements Session, vscode.Disposable {
  readonly engine: StableEngine;
  readonly restored: Promise<void>;
  private readonly host: EngineHost;
  private readonly recordings: Recordings;
  private readonly opening = new Map<string, Promise<readonly DataSetInfo[]>>();
  private readonly ends: WorkerEnd[] = [];
  private reopening: number | undefined;
  private generation = 0;
  private selected: Selection | undefined;
  private readonly dataSetsEmitter = new vscode.EventEmitter<void>();
  private readonly scopeEmitter = new vscode.EventEmitter<{ dataSet: number }>();
  private readonly costsEmitter = new vscode.EventEmitter<void>();
  private readonly selectEmitter = new vscode.EventEmitter<Selection | undefined>();
  readonly onDidChangeDataSets = this.dataSetsEmitter.event;
  readonly onDidChangeScope = this.scopeEmitter.event;
  readonly onDidChangeCosts = this.costsEmitter.event;
  readonly onDidSelect = this.selectEmitter.event;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly parts: SessionParts) {
    const { source } = parts;
    this.recordings = new Recordings(readSavedSession(parts.state.get(STATE)));
    this.host = new EngineHost(
      parts.startEngine,
      (engine) => this.engineStarted(engine),
      (reason) => this.engineEnded(reason),
    );
    this.engine = new StableEngine(this.host);
    this.subscriptions = [
      source.onDidChangeSettings(() => this.tellEngine((engine) => engine.configure(source.sourceSettings()), true)),
      source.onDidChangeTexts(() => this.tellEngine((engine) => engine.setOpenTexts(source.unsavedTexts()), false)),
      source.onDidSave(() => this.costsEmitter.fire()),
      vscode.workspace.onDidChangeConfiguration((change) => this.configurationChanged(change)),
    ];
    this.restored = this.reopenAll();
  }

  get dataSets(): readonly DataSetInfo[] {
    return this.recordings.all.flatMap(({ info }) => info ?? []);
  }

  get closedRecordings(): readonly ClosedRecording[] {
    return this.recordings.all.flatMap(({ id, name, paths, info, reason }) =>
      info || reason === undefined ? [] : [{ dataSet: id, name, paths, reason }],
    );
  }

  get current(): DataSetInfo | undefined {
    return this.recordings.current?.info;
  }

  get selection(): Selection | undefined {
    return this.selected;
  }

  /** The worker, while one runs: for tests of what happens when it ends. */
  get runningEngine(): EngineClient | undefined {
    return this.host.running;
  }

  scope(dataSet?: number): Scope | undefined {
    const recording = dataSet === undefined ? this.recordings.current : this.recordings.get(dataSet);
    return recording?.info && scopeOf(recording.info, recording.choice, currentSettings().overRanks);
  }

  async open(uris: readonly vscode.Uri[]): Promise<readonly DataSetInfo[]> {
    const paths = uris.filter(({ scheme }) => scheme === "file").map(({ fsPath }) => fsPath);
    if (paths.length < uris.length) {
      const other = uris.find(({ scheme }) => scheme !== "file");
      void vscode.window.showErrorMessage(
        `Heatflow reads files of the machine it runs on; ${other?.scheme}: is not one. Copy the recording there first.`,
      );
    }
    if (paths.length === 0) return [];
    const known = this.recordings.withFiles(paths);
    if (known?.info) {
      this.setCurrent(known.id);
      return [known.info];
    }
    const key = keyOf(paths);
    const running = this.opening.get(key);
    if (running) return running;
    // A recording that is about to be reopened with the window is not read a second time.
    const opened = this.restoring(key) ? this.restored.then(() => this.open(uris)) : this.openNew(paths);
    this.opening.set(key, opened);
    return opened.finally(() => this.opening.delete(key));
  }

  async close(dataSet: number): Promise<void> {
    const engineId = this.recordings.get(dataSet)?.info && (await this.host.engineIdOf(dataSet));
    this.recordings.remove(dataSet);
    this.host.forget(dataSet);
    if (this.selected?.dataSet === dataSet) this.select(undefined);
    this.changed();
    if (engineId !== undefined) await this.host.running?.close(engineId).catch((error) => this.parts.log.warn(error));
  }

  async reload(dataSet: number): Promise<void> {
    const recording = this.recordings.get(dataSet);
    if (!recording) return;
    const before = recording.info && (await this.host.engineIdOf(dataSet));
    try {
      if (!recording.info) this.host.expect(dataSet);
      const info = await this.read(dataSet);
      this.host.replaced(dataSet, info.id);
      this.recordings.change(dataSet, { info: { ...info, id: dataSet }, name: info.name, reason: undefined });
      if (before !== undefined) await this.host.running?.close(before);
      this.changed();
      this.costsEmitter.fire();
    } catch (error) {
      this.reportFailure(`Could not read ${recording.name} again`, error);
      if (!recording.info) this.stayClosed(dataSet, error);
    }
  }

  setCurrent(dataSet: number): void {
    if (this.recordings.current?.id === dataSet) return;
    this.recordings.setCurrent(dataSet);
    this.changed();
  }

  setMetric(dataSet: number, metric: number): void {
    const recording = this.recordings.get(dataSet);
    const chosen = recording?.info?.metrics[metric];
    if (!recording?.info || !chosen) return;
    const before = this.scope(dataSet);
    // Times and other quantities start differently (semantics 1): a choice made for one kind says nothing for another.
    const sameKind = before && recording.info.metrics[before.metric].kind === chosen.kind;
    const over = sameKind ? recording.choice.over : undefined;
    this.recordings.change(dataSet, { choice: { ...recording.choice, metric: chosen.name, over } });
    this.scopeChanged(dataSet);
  }

  setOver(dataSet: number, over: OverRanks): void {
    const choice = this.recordings.get(dataSet)?.choice;
    this.recordings.change(dataSet, { choice: { ...choice, over } });
    this.scopeChanged(dataSet);
  }

  setRestriction(dataSet: number, ranks: readonly number[] | undefined): void {
    const choice = this.recordings.get(dataSet)?.choice;
    this.recordings.change(dataSet, { choice: { ...choice, ranks } });
    this.scopeChanged(dataSet);
  }

  select(selection: Selection | undefined): void {
    this.selected = selection;
    if (selection) this.setCurrent(selection.dataSet);
    this.selectEmitter.fire(selection);
  }

  dispose(): void {
    for (const part of this.subscriptions) part.dispose();
    for (const emitter of [this.dataSetsEmitter, this.scopeEmitter, this.costsEmitter, this.selectEmitter])
      emitter.dispose();
    void this.host.dispose();
  }

  private async openNew(paths: readonly string[]): Promise<readonly DataSetInfo[]> {
    const { log } = this.parts;
    try {
      const given = await withCancellableProgress(`Opening ${listOf(paths)}`, (task) =>
        this.host.engine().open({ paths }, task),
      );
      const infos = await Promise.all(given.map((info) => this.register(info)));
      if (infos.length > 0) this.recordings.setCurrent(infos[0].id);
      this.changed();
      for (const info of infos) log.info(`opened ${info.files.length} files as “${info.name}” in ${info.seconds} s`);
      this.announce(infos);
      return infos;
    } catch (error) {
      this.reportFailure(`Could not open ${listOf(paths)}`, error);
      return [];
    }
  }

  /** The data set under its own number; one that is open already is not listed twice. */
  private async register(info: DataSetInfo): Promise<DataSetInfo> {
    const known = this.recordings.withFiles(info.files);
    if (known?.info) {
      await this.host.running?.close(info.id);
      return known.info;
    }
    const recording = this.recordings.add(info);
    this.host.replaced(recording.id, info.id);
    return { ...info, id: recording.id };
  }

  private announce(infos: readonly DataSetInfo[]): void {
    const message = openedMessage(infos);
    if (!message) return;
    const show = message.warn ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
    void show(message.text, "Show Data Sets").then((choice) => {
      if (choice) void vscode.commands.executeCommand("heatflow.dataSets.focus");
    });
  }

  private async read(dataSet: number): Promise<DataSetInfo> {
    const recording = this.recordings.get(dataSet);
    if (!recording) throw new CancelledError();
    const { paths, hierarchy, name } = recording;
    const infos = await withCancellableProgress(`Opening ${name}`, (task) =>
      this.host.engine().open({ paths, hierarchy }, task),
    );
    const info = matching(infos, paths);
    if (!info) throw new Error("nothing readable is left in it");
    return info;
  }

  /** Opens everything that is listed and not open, one after the other, so that it is known which one fails. */
  private async reopenAll(): Promise<void> {
    const generation = ++this.generation;
    const waiting = this.recordings.all.filter(({ info, reason }) => !info && reason === undefined);
    for (const { id } of waiting) this.host.expect(id);
    // Not within activation: starting a worker takes time that the window needs to come up.
    await new Promise((resolve) => setImmediate(resolve));
    for (const { id, name } of waiting) {
      this.reopening = id;
      try {
        const info = await this.read(id);
        if (generation !== this.generation) return; // the worker ended meanwhile: a newer round is at work
        if (!this.recordings.get(id)) await this.host.running?.close(info.id);
        this.recordings.change(id, { info: { ...info, id }, name: info.name, reason: undefined });
        this.host.opened(id, info.id);
      } catch (error) {
        if (generation !== this.generation) return;
        this.reportFailure(`Could not reopen ${name}`, error);
        this.stayClosed(id, error);
      }
      this.changed();
    }
    this.reopening = undefined;
    if (waiting.length > 0) this.costsEmitter.fire();
  }

  private restoring(key: string): boolean {
    return this.recordings.all.some(({ info, reason, paths }) => !info && reason === undefined && keyOf(paths) === key);
  }

  private stayClosed(dataSet: number, error: unknown): void {
    const reason = error instanceof CancelledError ? "Opening was cancelled." : messageOf(error);
    this.recordings.change(dataSet, { info: undefined, reason });
    this.host.failed(dataSet, new Error(reason));
    this.changed();
  }

  private engineStarted(engine: EngineClient): void {
    const { source, log } = this.parts;
    const failed = (error: unknown) => log.warn(`the engine's settings: ${messageOf(error)}`);
    engine.configure(source.sourceSettings()).catch(failed);
    engine.setOpenTexts(source.unsavedTexts()).catch(failed);
  }

  private engineEnded(reason: string): void {
    const now = Date.now();
    const busyWith = [...this.host.busy.keys(), ...(this.reopening === undefined ? [] : [this.reopening])];
    this.host.busy.clear();
    this.ends.push({ atMs: now, busyWith });
    const { restart, leaveClosed } = planRecovery(this.ends, now);
    const listed = this.recordings.all.filter((recording) => recording.reason === undefined);
    const closing = listed.filter(({ id }) => !restart || leaveClosed.includes(id));
    for (const { id } of listed) this.recordings.change(id, { info: undefined });
    for (const { id } of closing) this.stayClosed(id, new Error(`The engine stopped: ${reason}.`));
    const opening = [...this.opening.keys()][0]?.split("\0");
    const message = recoveryMessage(
      reason,
      opening && listOf(opening),
      restart ? closing.map(({ name }) => name) : [],
      restart ? listed.length - closing.length : 0,
    );
    this.parts.log.error(message);
    void vscode.window.showErrorMessage(message, ...(restart ? [] : ["Restart"]), "Show Log").then((choice) => {
      if (choice === "Show Log") this.parts.log.show();
      if (choice === "Restart") this.restart(closing.map(({ id }) => id));
    });
    this.changed();
    if (restart) void this.reopenAll();
  }

  private restart(dataSets: readonly number[]): void {
    this.ends.length = 0;
    for (const id of dataSets) this.recordings.change(id, { reason: undefined });
    void this.reopenAll();
  }

  private tellEngine(tell: (engine: EngineClient) => Promise<void>, costsChange: boolean): void {
    const engine = this.host.running;
    if (!engine) return;
    tell(engine).then(
      () => costsChange && this.costsEmitter.fire(),
      (error) => this.parts.log.warn(messageOf(error)),
    );
  }

  private configurationChanged(change: vscode.ConfigurationChangeEvent): void {
    if (change.affectsConfiguration("heatflow.groups")) this.costsEmitter.fire();
    if (change.affectsConfiguration("heatflow.overRanks")) {
      for (const { id } of this.dataSets) this.scopeEmitter.fire({ dataSet: id });
    }
  }

  private reportFailure(what: string, error: unknown): void {
    if (error instanceof CancelledError) return;
    this.parts.log.error(`${what}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    if (error instanceof Error && error.name === "EngineGoneError") return; // told with the engine's end
    void vscode.window.showErrorMessage(`${what}. ${messageOf(error)}`, "Show Log").then((choice) => {
      if (choice) this.parts.log.show();
    });
  }

  private scopeChanged(dataSet: number): void {
    this.save();
    this.scopeEmitter.fire({ dataSet });
  }

  private changed(): void {
    this.save();
    this.dataSetsEmitter.fire();
  }

  private save(): void {
    void this.parts.state.update(STATE, this.recordings.saved());
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
