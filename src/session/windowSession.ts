import * as vscode from "vscode";
import type { Chosen, Engine, Hierarchy, OverRanks, Renamed, Scope, TimeWindow } from "../engine/api";
import type { EngineClient } from "../engine/thread/client";
import { EnsembleFolders } from "./ensembleFolders";
import { RecordingLibrary, type LibraryParts } from "./recordingLibrary";
import { distinctNames } from "../model/recordingNames";
import type { EventKind } from "../model/eventKinds";
import { joined } from "../model/texts";
import { MovedWindows } from "./movedWindows";
import { Recordings } from "./recordings";
import { readSavedSession, type SavedSession } from "./savedState";
import { restrictionTexts, type ScopeChoice, scopeOf } from "./scopeChoice";
import type {
  Announced,
  ClosedRecording,
  EnsembleDifference,
  EnsembleTarget,
  Highlight,
  OpenedAs,
  RunComparison,
  Selection,
  Session,
  SessionDataSet,
} from "./session";
import { currentSettings } from "./sourceFeed";
import { SelectionFinder } from "./selectionFinder";
import { stableEngine } from "./stableEngine";
import { SymbolFeed } from "./symbolFeed";
import { notices } from "./notices";

/** Key of the workspace's state under which the open recordings are kept. */
const STATE = "heatflow.session";

/** Choices are written when nothing else is chosen this long. */
const SETTLED_MS = 300;

export interface SessionParts extends LibraryParts {
  readonly state: vscode.Memento;
}

/** The one {@link Session} of a window. */
export class WindowSession implements Session, vscode.Disposable {
  readonly engine: Engine;
  readonly restored: Promise<void>;
  private readonly recordings: Recordings;
  private readonly library: RecordingLibrary;
  private readonly folders: EnsembleFolders;
  private selected: Selection | undefined;
  private highlighted: Highlight | undefined;
  /** Also while one of the two is being reopened. */
  private compared: RunComparison | undefined;
  private target: EnsembleTarget | undefined;
  private difference: EnsembleDifference | undefined;
  private pairs: SavedSession["renamed"];
  private readonly finder: SelectionFinder;
  /** Recordings under the names that tell them apart. */
  private readonly named = new WeakMap<SessionDataSet, SessionDataSet>();
  private listed: { readonly [list in "open" | "named"]: readonly SessionDataSet[] } = { open: [], named: [] };
  private readonly dataSetsEmitter = new vscode.EventEmitter<void>();
  private readonly scopeEmitter = new vscode.EventEmitter<{ dataSet: number }>();
  private readonly costsEmitter = new vscode.EventEmitter<void>();
  private readonly targetEmitter = new vscode.EventEmitter<void>();
  private readonly selectEmitter = new vscode.EventEmitter<Selection | undefined>();
  private readonly highlightEmitter = new vscode.EventEmitter<Highlight | undefined>();
  readonly onDidChangeDataSets = this.dataSetsEmitter.event;
  readonly onDidChangeScope = this.scopeEmitter.event;
  readonly onDidChangeCosts = this.costsEmitter.event;
  readonly onDidChangeTarget = this.targetEmitter.event;
  readonly onDidSelect = this.selectEmitter.event;
  readonly onDidHighlight = this.highlightEmitter.event;
  readonly windows = new MovedWindows();
  readonly onDidProgress: Session["onDidProgress"];
  private readonly subscriptions: vscode.Disposable[];
  /** Until the state is written. */
  private saving: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly parts: SessionParts) {
    const { source } = parts;
    const saved = readSavedSession(parts.state.get(STATE));
    this.recordings = new Recordings(saved);
    this.compared = saved.comparison;
    this.target = saved.ensembleTarget;
    this.difference = saved.ensembleDifference;
    this.pairs = saved.renamed;
    const symbols = new SymbolFeed(parts.log);
    this.library = new RecordingLibrary(this.recordings, {
      ...parts,
      startEngine: (onExit) => {
        const engine = parts.startEngine(onExit);
        void symbols.follow(engine);
        return engine;
      },
    });
    this.folders = new EnsembleFolders(this.recordings, (dataSet) => this.reload(dataSet));
    this.engine = stableEngine(this.library.host);
    this.finder = new SelectionFinder(this.engine);
    const configure = (engine: EngineClient) => engine.configure(source.sourceSettings());
    const sendTexts = (engine: EngineClient) => engine.setOpenTexts(source.unsavedTexts());
    this.subscriptions = [
      this.library.onDidChange(() => this.changed()),
      this.library.onDidChange(() => this.folders.update()),
      this.library.onDidReopen(() => this.costsEmitter.fire()),
      source.onDidChangeSettings(() => this.updateEngine(configure, true)),
      source.onDidChangeTexts(() => this.updateEngine(sendTexts, false)),
      source.onDidSave((file) =>
        this.updateEngine((engine) => engine.setOpenTexts([...source.unsavedTexts(), { file }]), true),
      ),
      symbols.onDidChange(() => this.costsEmitter.fire()),
      symbols.onDidMiss(() => this.updateEngine(configure, true)),
      vscode.workspace.onDidChangeConfiguration((change) => this.configurationChanged(change)),
      symbols,
      this.library,
      this.folders,
      this.windows,
    ];
    this.onDidProgress = this.library.onDidProgress;
    this.restored = this.library.reopenAll();
  }

  get dataSets(): readonly SessionDataSet[] {
    const open = this.recordings.all.flatMap(({ info }) => info ?? []);
    // Asked with each look at a scope, a bar or a line: names are made when the recordings change.
    if (open.length !== this.listed.open.length || open.some((info, at) => info !== this.listed.open[at])) {
      const names = distinctNames(open);
      this.listed = { open, named: open.map((info, at) => this.calledAs(info, names[at])) };
    }
    return this.listed.named;
  }

  get closedRecordings(): readonly ClosedRecording[] {
    return this.recordings.all.flatMap(({ id, key, name, paths, info, reason }) =>
      info || reason === undefined ? [] : [{ dataSet: id, key, name, paths, reason }],
    );
  }

  get current(): SessionDataSet | undefined {
    const id = this.recordings.current?.info?.id;
    return id === undefined ? undefined : this.dataSets.find((one) => one.id === id);
  }

  get selection(): Selection | undefined {
    return this.selected;
  }

  get highlight(): Highlight | undefined {
    return this.highlighted;
  }

  get comparison(): RunComparison | undefined {
    const { compared } = this;
    const isOpen = (id: number | undefined) => id !== undefined && this.recordings.get(id)?.info !== undefined;
    return isOpen(compared?.baseline) && isOpen(compared?.candidate) ? compared : undefined;
  }

  get trustedFolders(): readonly string[] {
    return vscode.workspace.isTrusted ? this.parts.source.sourceSettings().folders : [];
  }

  get ensembleTarget(): EnsembleTarget | undefined {
    const { target } = this;
    return target && this.recordings.get(target.dataSet)?.info ? target : undefined;
  }

  get ensembleDifference(): EnsembleDifference | undefined {
    const { difference } = this;
    return difference && this.recordings.get(difference.dataSet)?.info ? difference : undefined;
  }

  get renamed(): Renamed {
    return this.pairs;
  }

  /** The worker, while one runs: for tests of what happens when it ends. */
  get runningEngine(): EngineClient | undefined {
    return this.library.host.running;
  }

  scope(dataSet?: number): Scope | undefined {
    const recording = dataSet === undefined ? this.recordings.current : this.recordings.get(dataSet);
    return recording?.info && this.scopeOf(recording.info, recording.choice);
  }

  async open(
    uris: readonly vscode.Uri[],
    failed?: (error: unknown) => void,
    as: OpenedAs = {},
  ): Promise<readonly SessionDataSet[]> {
    const paths = uris.filter(({ scheme }) => scheme === "file").map(({ fsPath }) => fsPath);
    if (paths.length < uris.length) {
      const other = uris.find(({ scheme }) => scheme !== "file");
      void notices.showErrorMessage(
        `Heatflow reads files of the machine it runs on; ${other?.scheme}: is not one. Copy the recording there first.`,
      );
    }
    return paths.length === 0 ? [] : this.library.open(paths, this.restored, failed, as);
  }

  announce(dataSets: readonly SessionDataSet[], how?: Announced): void {
    this.library.notice.announce(dataSets, how);
  }

  async openAgain(key: string): Promise<boolean> {
    const closed = this.closedRecordings.find((one) => one.key === key);
    if (closed) await this.reload(closed.dataSet);
    const known = closed ? undefined : this.recordings.openingOf(key);
    if (known) await this.library.open(known.paths, this.restored, undefined, { ensemble: known.ensemble });
    return closed !== undefined || known !== undefined;
  }

  async close(dataSet: number): Promise<void> {
    if (this.selected?.dataSet === dataSet) this.select(undefined);
    if (this.highlighted?.dataSet === dataSet) this.setHighlight(undefined);
    this.windows.show(dataSet, undefined);
    if (Object.values(this.compared ?? {}).includes(dataSet)) this.compare(undefined);
    if (this.target?.dataSet === dataSet) this.setEnsembleTarget(undefined);
    if (this.difference?.dataSet === dataSet) this.setEnsembleDifference(undefined);
    await this.library.close(dataSet);
  }

  async reload(dataSet: number): Promise<void> {
    // Files of source that were added since are listed anew.
    const { running } = this.library.host;
    await running?.configure(this.parts.source.sourceSettings()).catch((error) => this.parts.log.warn(String(error)));
    await this.library.reload(dataSet);
  }

  async setHierarchy(dataSet: number, hierarchy: Hierarchy): Promise<void> {
    // Contexts have other numbers in another tree.
    if (this.selected?.dataSet === dataSet) this.select(undefined);
    await this.library.reload(dataSet, hierarchy);
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
    if (before?.metric === metric) return;
    if ((before?.window ?? before?.kinds) && !chosen.ofEvents) {
      const { window, kinds } = restrictionTexts(before);
      const text = `${chosen.name} is not recorded over time: remove the restriction to ${joined([window, kinds], ", ")} to see it.`;
      void notices.showInformationMessage(text);
      return;
    }
    // Times and other quantities start differently (semantics 1): a choice made for one kind says nothing for another.
    const sameKind = before && recording.info.metrics[before.metric].kind === chosen.kind;
    const over = sameKind ? recording.choice.over : undefined;
    this.recordings.change(dataSet, { choice: { ...recording.choice, metric: chosen.name, over }, before: undefined });
    this.scopeChanged(dataSet);
  }

  setOver(dataSet: number, over: OverRanks): void {
    const choice = this.recordings.get(dataSet)?.choice;
    this.recordings.change(dataSet, { choice: { ...choice, over }, before: undefined });
    this.scopeChanged(dataSet);
  }

  setRestriction(dataSet: number, chosen: Chosen | undefined): void {
    const choice = this.recordings.get(dataSet)?.choice;
    this.recordings.change(dataSet, { choice: { ...choice, chosen } });
    this.scopeChanged(dataSet);
  }

  setWindow(dataSet: number, window: TimeWindow | undefined): void {
    const choice = this.recordings.get(dataSet)?.choice;
    this.recordings.change(dataSet, { choice: { ...choice, window } });
    this.scopeChanged(dataSet);
  }

  setKinds(dataSet: number, kinds: readonly EventKind[] | undefined): void {
    const choice = this.recordings.get(dataSet)?.choice;
    this.recordings.change(dataSet, { choice: { ...choice, kinds } });
    this.scopeChanged(dataSet);
  }

  select(selection: Selection | undefined): void {
    this.selected = selection;
    if (selection) {
      this.setCurrent(selection.dataSet);
      this.finder.note(selection, this.recordings.get(selection.dataSet)?.info);
    }
    this.setHighlight(undefined);
    this.selectEmitter.fire(selection);
  }

  setHighlight(highlight: Highlight | undefined): void {
    if (highlight === this.highlighted) return;
    this.highlighted = highlight;
    this.highlightEmitter.fire(highlight);
  }

  compare(comparison: RunComparison | undefined): void {
    const before = this.compared;
    this.recordings.showAsBefore(Object.values(before ?? {}));
    this.compared = comparison?.baseline === comparison?.candidate ? undefined : comparison;
    if (this.compared) this.alignCompared(this.compared.baseline);
    this.comparisonChanged(before);
  }

  setRenamed(renamed: Renamed): void {
    this.pairs = renamed.map(([before, after]) => [before, after]);
    this.comparisonChanged(this.compared);
  }

  setEnsembleTarget(target: EnsembleTarget | undefined): void {
    const before = this.target;
    if (before?.dataSet === target?.dataSet && before?.run === target?.run) return;
    this.target = target;
    this.save();
    this.targetEmitter.fire();
  }

  setEnsembleDifference(difference: EnsembleDifference | undefined): void {
    if (JSON.stringify(difference) === JSON.stringify(this.difference)) return;
    this.difference = difference;
    this.save();
    this.targetEmitter.fire();
  }

  dispose(): void {
    if (this.saving) this.save();
    for (const part of this.subscriptions) part.dispose();
    const { dataSetsEmitter, scopeEmitter, costsEmitter, targetEmitter, selectEmitter, highlightEmitter } = this;
    const emitters = [dataSetsEmitter, scopeEmitter, costsEmitter, targetEmitter, selectEmitter, highlightEmitter];
    for (const emitter of emitters) emitter.dispose();
  }

  private scopeOf(info: SessionDataSet, choice: ScopeChoice): Scope | undefined {
    const { overRanks, categories } = currentSettings();
    return scopeOf(info, choice, overRanks, categories);
  }

  /** @param costsChange whether costs may change, unless the engine knows that they do not */
  private updateEngine(update: (engine: EngineClient) => Promise<boolean | void>, costsChange: boolean): void {
    const engine = this.library.host.running;
    if (!engine) return;
    update(engine).then(
      (changed) => costsChange && changed !== false && this.costsEmitter.fire(),
      (error) => this.parts.log.warn(String(error)),
    );
  }

  private configurationChanged(change: vscode.ConfigurationChangeEvent): void {
    if (["groups", "categories"].some((name) => change.affectsConfiguration(`heatflow.${name}`)))
      this.costsEmitter.fire();
    if (change.affectsConfiguration("heatflow.overRanks")) {
      for (const { id } of this.dataSets) this.scopeEmitter.fire({ dataSet: id });
    }
  }

  /** Of two recordings that are compared, the other one shows what this one does, where it has that. @returns the other one */
  private alignCompared(dataSet: number): number[] {
    const both = Object.values(this.compared ?? {});
    const scope = this.scope(dataSet);
    const metric = scope && this.recordings.get(dataSet)?.info?.metrics[scope.metric];
    if (!both.includes(dataSet) || !metric) return [];
    const others = both.filter((id) => id !== dataSet);
    for (const id of others) {
      const other = this.recordings.get(id);
      if (other?.info?.metrics.some(({ name }) => name === metric.name))
        this.recordings.change(id, {
          choice: { ...other.choice, metric: metric.name, over: scope.over },
          before: other.before ?? { metric: other.choice.metric, over: other.choice.over },
        });
    }
    return others;
  }

  /** Numbers of what is compared now, and of what was. */
  private comparisonChanged(before: RunComparison | undefined): void {
    this.save();
    const all = [...Object.values(before ?? {}), ...Object.values(this.compared ?? {})];
    for (const dataSet of new Set(all)) this.scopeEmitter.fire({ dataSet });
  }

  private scopeChanged(dataSet: number): void {
    // A brush changes it several times per second: what it comes to is written.
    clearTimeout(this.saving);
    this.saving = setTimeout(() => this.save(), SETTLED_MS);
    for (const id of [dataSet, ...this.alignCompared(dataSet)]) this.scopeEmitter.fire({ dataSet: id });
  }

  private changed(): void {
    this.save();
    if (this.selected && !this.isThere(this.selected)) this.select(undefined);
    this.dataSetsEmitter.fire();
    void this.findSelected().catch((error) => this.parts.log.debug(String(error)));
  }

  private async findSelected(): Promise<void> {
    const { selected } = this;
    const reading = selected && this.recordings.get(selected.dataSet)?.info;
    const found = reading && (await this.finder.found(selected, reading));
    if (reading && found !== selected && selected === this.selected) this.select(found);
  }

  /**
   * Whether what is selected can still be asked for: a bar may be one of a comparison whose other recording was closed. What is being
   * reopened counts as there.
   */
  private isThere({ dataSet, target }: Selection): boolean {
    const compared = target.kind === "bar" ? target.query.compared : undefined;
    return [dataSet, compared?.dataSet ?? dataSet].every((id) => this.recordings.get(id) !== undefined);
  }

  /** The same object for as long as it is called the same: who kept it knows it again. */
  private calledAs(info: SessionDataSet, name: string): SessionDataSet {
    if (name === info.name) return info;
    const known = this.named.get(info);
    if (known?.name === name) return known;
    const named = { ...info, name };
    this.named.set(info, named);
    return named;
  }

  private save(): void {
    clearTimeout(this.saving);
    this.saving = undefined;
    void this.parts.state.update(STATE, {
      ...this.recordings.saved(),
      comparison: this.compared,
      renamed: this.pairs,
      ensembleTarget: this.target,
      ensembleDifference: this.difference,
    } satisfies SavedSession);
  }
}
