import fs from "node:fs/promises";
import * as vscode from "vscode";
import type { DataSetInfo, EnsembleOptions, Hierarchy, OpenRequest } from "../engine/api";
import { type EngineClient, EngineGoneError } from "../engine/thread/client";
import { CancelledError, FormatError, headline, messageOf, RequestError } from "../model/errors";
import { entryOf } from "../model/maps";
import { counted, shorten, someOf } from "../model/texts";
import { formatValue } from "../model/units";
import { EngineHost, type StartEngine, type Work } from "./engineHost";
import { listOf } from "./openedMessage";
import { OpenedNotice } from "./openedNotice";
import { openAsking, type Opened } from "./opening";
import { digestOf, matching, type Recording, type Recordings } from "./recordings";
import { planRecovery, recoveryMessage, type WorkerEnd } from "./recovery";
import type { OpenedAs, OpeningProgress, SessionDataSet } from "./session";
import type { SourceFeed } from "./sourceFeed";
import { notices } from "./notices";

/** Characters of a message about a file that cannot be read: one line. */
const LONGEST_LINE = 200;
/** Recordings that one message names. */
const MOST_NAMED = 10;
/** More paths than these are files that were chosen one by one. */
const MOST_FOLDERS = 64;

export interface LibraryParts {
  readonly startEngine: StartEngine;
  readonly source: SourceFeed;
  readonly log: vscode.LogOutputChannel;
}

interface Failure {
  readonly dataSet: number;
  readonly name: string;
  readonly error: unknown;
}

type Reading = { readonly info: DataSetInfo } & Pick<Recording, "answer" | "hierarchy" | "readAtMs">;

/** Opens, reads again and closes recordings, and opens them anew when the worker has ended. */
export class RecordingLibrary implements vscode.Disposable {
  readonly host: EngineHost;
  readonly notice = new OpenedNotice();
  private readonly opening = new Map<string, Promise<readonly SessionDataSet[]>>();
  /** How often each data set was read again: of several readings at once only the last one counts. */
  private readonly readings = new Map<number, number>();
  private readonly ends: WorkerEnd[] = [];
  private reopening: number | undefined;
  /** Names of new recordings that are being opened, for the message when the worker ends over them. */
  private readonly openingNew = new Set<string>();
  private generation = 0;
  /** The latest round of {@link reopenAll}. */
  private round: Promise<void> = Promise.resolve();
  /** Cancels what is being read of each listed recording. */
  private readonly stops = new Map<number, Set<() => void>>();
  private readonly changeEmitter = new vscode.EventEmitter<void>();
  private readonly reopenedEmitter = new vscode.EventEmitter<void>();
  private readonly progressEmitter = new vscode.EventEmitter<OpeningProgress>();
  readonly onDidProgress = this.progressEmitter.event;
  /** The list of recordings, or what is open of it, changed. */
  readonly onDidChange = this.changeEmitter.event;
  /** Recordings are open again, or were read again: what was computed from them is to be asked for again. */
  readonly onDidReopen = this.reopenedEmitter.event;

  constructor(
    private readonly recordings: Recordings,
    private readonly parts: LibraryParts,
  ) {
    this.host = new EngineHost(
      parts.startEngine,
      (engine) => this.engineStarted(engine),
      (reason, work) => this.engineEnded(reason, work),
    );
  }

  /**
   * @param restored settles when recordings of an earlier window are open again
   * @param failed gets the error instead of the user
   */
  async open(
    paths: readonly string[],
    restored: Promise<void>,
    failed?: (error: unknown) => void,
    as: OpenedAs = {},
  ): Promise<readonly SessionDataSet[]> {
    const { ensemble } = as;
    const key = digestOf(paths, ensemble);
    const running = this.opening.get(key);
    if (running) return running;
    // A recording that is about to be reopened with the window is not read a second time.
    const opened = this.restoring(key)
      ? restored.then(() => this.openedBy(paths, ensemble))
      : this.openKnown(paths, ensemble).then((known) => known ?? this.openNew(paths, failed, as));
    this.opening.set(key, opened);
    return opened.finally(() => this.opening.delete(key));
  }

  async close(dataSet: number): Promise<void> {
    const engineId = this.recordings.get(dataSet)?.info && this.host.engineIdOf(dataSet);
    this.recordings.remove(dataSet);
    this.host.forget(dataSet);
    for (const stop of this.stops.get(dataSet) ?? []) stop();
    this.changed();
    if (engineId !== undefined) await this.closeInEngine(engineId);
  }

  /** @param hierarchy what makes the calling contexts, where it is to be another than before */
  async reload(dataSet: number, hierarchy?: Hierarchy): Promise<void> {
    const recording = this.recordings.get(dataSet);
    if (!recording) return;
    const reading = (this.readings.get(dataSet) ?? 0) + 1;
    this.readings.set(dataSet, reading);
    const overtaken = () => this.readings.get(dataSet) !== reading || !this.recordings.get(dataSet);
    try {
      if (!recording.info) this.host.expect(dataSet);
      const { info, ...how } = await this.read(dataSet, hierarchy);
      // What is shown now, not when the reading began: another reading may have come between.
      if (overtaken()) return await this.closeInEngine(info.id);
      const before = this.recordings.get(dataSet)?.info && this.host.engineIdOf(dataSet);
      this.host.replaced(dataSet, info.id);
      this.recordings.opened(dataSet, info, how);
      if (before !== undefined) await this.closeInEngine(before);
      this.changed();
      this.reopenedEmitter.fire();
    } catch (error) {
      if (overtaken()) return;
      this.reportFailure(`Could not read ${recording.name} again`, error);
      const { info, reason } = this.recordings.get(dataSet) ?? {};
      // What the engine's end interrupted is opened again by the next round.
      if (!info && !(isEngineGone(error) && reason === undefined)) this.stayClosed(dataSet, error);
    }
  }

  /** Opens everything that is listed and not open. Settles when that is done, also if the engine ends meanwhile. */
  async reopenAll(): Promise<void> {
    let round = this.startRound();
    for (let next: Promise<void> | undefined = round; next; next = round === this.round ? undefined : this.round) {
      round = next;
      await round;
    }
  }

  private startRound(): Promise<void> {
    this.round = this.reopenInTurn();
    return this.round;
  }

  /** Opens one recording after the other, so that it is known which one fails. */
  private async reopenInTurn(): Promise<void> {
    const generation = ++this.generation;
    const waiting = this.recordings.waiting;
    for (const { id } of waiting) this.host.expect(id);
    // Not within activation: starting a worker takes time that the window needs to come up.
    await new Promise((resolve) => setImmediate(resolve));
    const failures: Failure[] = [];
    try {
      await this.reopenEach(waiting, generation, failures);
    } finally {
      // Some were closed, or read again, while others were read.
      this.showFailures(failures.filter(({ dataSet }) => this.recordings.get(dataSet)?.reason !== undefined));
    }
    if (waiting.length > 0 && generation === this.generation) this.reopenedEmitter.fire();
  }

  /** @param failures gets what could not be opened */
  private async reopenEach(waiting: readonly Recording[], generation: number, failures: Failure[]): Promise<void> {
    // Closed, or read by another question, while others were read.
    const isWaiting = (id: number) => this.recordings.waiting.some((one) => one.id === id);
    for (const { id, name } of waiting) {
      if (generation !== this.generation) return; // the worker ended meanwhile: a newer round is at work
      if (!isWaiting(id)) continue;
      try {
        this.reopening = id;
        const { info, ...how } = await this.read(id);
        if (generation !== this.generation || !isWaiting(id)) void this.closeInEngine(info.id);
        if (generation !== this.generation) return;
        if (isWaiting(id)) {
          this.recordings.opened(id, info, how);
          this.host.opened(id, info.id);
        }
      } catch (error) {
        if (generation !== this.generation) return;
        if (isWaiting(id)) {
          if (this.logFailure(`Could not reopen ${name}`, error)) failures.push({ dataSet: id, name, error });
          this.stayClosed(id, error);
        }
      }
      this.reopening = undefined; // before listeners run: what fails from here on is not this recording's doing
      this.changed();
    }
  }

  dispose(): void {
    this.generation++;
    this.changeEmitter.dispose();
    this.reopenedEmitter.dispose();
    this.progressEmitter.dispose();
    void this.host.dispose();
  }

  private openedBy(paths: readonly string[], ensemble?: EnsembleOptions): SessionDataSet[] {
    return this.recordings.openedBy(paths, ensemble).flatMap(({ info }) => info ?? []);
  }

  /** What these paths have opened before is shown, not read anew; but a folder may have other files now. */
  private async openKnown(
    paths: readonly string[],
    ensemble?: EnsembleOptions,
  ): Promise<readonly SessionDataSet[] | undefined> {
    const known = this.recordings.openedBy(paths, ensemble);
    if (known.length === 0) return undefined;
    const [{ id, readAtMs }] = known;
    if (await foldersChanged(paths, readAtMs ?? 0)) {
      if (known.length > 1) return undefined;
      await this.reload(id);
    }
    this.recordings.setCurrent(id);
    this.changed();
    return this.openedBy(paths, ensemble);
  }

  private async openNew(
    paths: readonly string[],
    failed: ((error: unknown) => void) | undefined,
    as: OpenedAs,
  ): Promise<readonly SessionDataSet[]> {
    const { log } = this.parts;
    const { ensemble } = as;
    const name = listOf(paths);
    try {
      this.openingNew.add(name);
      const readAtMs = Date.now();
      const opened = await this.openWithProgress({ paths, ensemble }, name);
      const how = { answer: opened.answer, readAtMs, ensemble };
      const several = opened.infos.length > 1;
      const before = new Set(this.recordings.all.map(({ id }) => id));
      const infos = await Promise.all(
        opened.infos.map((info) => this.register(info, { ...how, paths: several ? info.files : paths })),
      );
      this.recordings.noteOpening(
        paths,
        infos.map(({ id }) => id),
        ensemble,
      );
      if (infos.length > 0) this.recordings.setCurrent(infos[0].id);
      this.changed();
      for (const { name, files, seconds } of infos)
        log.info(`opened “${name}” (${counted(files.length, "file")}) in ${formatValue(seconds, "s")}`);
      this.notice.opened(infos.filter(({ id }) => !before.has(id)));
      if (!as.quietly) this.notice.announce(infos);
      return infos;
    } catch (error) {
      this.reportFailure(`Could not open ${name}`, error, failed === undefined);
      failed?.(error);
      return [];
    } finally {
      this.openingNew.delete(name);
    }
  }

  /** The data set under its own number; one that is open already is not listed twice. */
  private async register(
    info: DataSetInfo,
    how: Pick<Recording, "paths" | "answer" | "readAtMs" | "ensemble">,
  ): Promise<SessionDataSet> {
    const known = this.recordings.withFiles(info.files, how.ensemble);
    if (known?.info) {
      await this.closeInEngine(info.id);
      return known.info;
    }
    if (known) {
      this.recordings.opened(known.id, info, how);
      this.host.replaced(known.id, info.id);
      return { ...info, id: known.id, key: known.key };
    }
    const { id, key } = this.recordings.add(info, how);
    this.host.replaced(id, info.id);
    return { ...info, id, key };
  }

  /**
   * Opens with progress, which panels get as well: in bytes, if all files are known.
   *
   * @throws EngineGoneError if the engine ended meanwhile: its numbers mean nothing to the next one
   */
  private async openWithProgress(
    request: OpenRequest,
    name: string,
    started?: (cancel: () => void) => void,
  ): Promise<Opened> {
    let bytes = NaN;
    void sizeOf(request.paths).then((size) => (bytes = size));
    let engine: EngineClient | undefined;
    const opened = await openAsking(
      () => (engine = this.host.engine()),
      request,
      name,
      () => bytes,
      (fraction, message) =>
        this.progressEmitter.fire({ text: `${name}: ${message}`, ...(fraction === undefined ? {} : { fraction }) }),
      started,
    );
    if (engine !== this.host.running) throw new EngineGoneError("it ended after it had read the recording");
    return opened;
  }

  private async read(dataSet: number, chosen?: Hierarchy): Promise<Reading> {
    const recording = this.recordings.get(dataSet);
    if (!recording) throw new CancelledError();
    const { paths, name, ensemble } = recording;
    const hierarchy = chosen ?? recording.hierarchy;
    const readAtMs = Date.now();
    const request = { paths, hierarchy, answer: recording.answer, ensemble };
    const stops = entryOf(this.stops, dataSet, () => new Set<() => void>());
    let stop = () => undefined as void;
    const noteStop = (cancel: () => void) => {
      stops.add((stop = cancel));
    };
    const { infos, answer } = await this.openWithProgress(request, name, noteStop).finally(() => {
      stops.delete(stop);
      if (stops.size === 0) this.stops.delete(dataSet);
    });
    const info = matching(infos, recording);
    // Files that were written anew may belong to several runs now: only the one that is listed stays open.
    for (const other of infos) if (other !== info) void this.closeInEngine(other.id);
    if (!info) throw new Error("nothing readable is left in it");
    return { info, answer, hierarchy, readAtMs };
  }

  /** Closes a data set by the present engine's number. */
  private async closeInEngine(engineId: number): Promise<void> {
    await this.host.running?.close({ dataSet: engineId }).catch((error) => this.parts.log.warn(String(error)));
  }

  private restoring(key: string): boolean {
    return this.recordings.waiting.some(
      ({ paths, files, ensemble }) => files === key || digestOf(paths, ensemble) === key,
    );
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

  private engineEnded(reason: string, work: Work): void {
    const now = Date.now();
    const busyWith = [...work.dataSets, ...(work.reading && this.reopening !== undefined ? [this.reopening] : [])];
    this.reopening = undefined;
    this.generation++;
    this.ends.push({ atMs: now, busyWith });
    const { restart, leaveClosed } = planRecovery(this.ends, now);
    const listed = this.recordings.all.filter((recording) => recording.reason === undefined);
    const closing = listed.filter(({ id }) => !restart || leaveClosed.includes(id));
    for (const { id } of listed) this.recordings.change(id, { info: undefined });
    for (const { id } of closing) this.stayClosed(id, new Error(`The engine stopped: ${reason}.`));
    const message = recoveryMessage(
      reason,
      this.openingNew.size > 0 ? [...this.openingNew].join(", ") : undefined,
      restart ? closing.map(({ name }) => name) : [],
      restart ? listed.length - closing.length : 0,
    );
    this.parts.log.error(message);
    void notices.showErrorMessage(message, ...(restart ? [] : ["Restart"]), "Show Log").then((choice) => {
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

  /** @param show whether nothing else shows it to the user */
  private reportFailure(what: string, error: unknown, show = true): void {
    if (this.logFailure(what, error) && show) this.showFailure(what, error);
  }

  /** @returns whether the user has to know: of what was cancelled they do, and the engine's end is reported by itself */
  private logFailure(what: string, error: unknown): boolean {
    if (error instanceof CancelledError) return false;
    // What is wrong with a file is said in full by its message; anything else is a fault of ours, and its stack is logged.
    const expected = error instanceof FormatError || error instanceof RequestError;
    const details = error instanceof Error && !expected ? (error.stack ?? error.message) : messageOf(error);
    this.parts.log.error(`${what}: ${details}`);
    return !isEngineGone(error);
  }

  private showFailure(what: string, error: unknown): void {
    if (!(error instanceof FormatError)) {
      void notices.showErrorMessage(`${what}. ${messageOf(error)}`, "Show Log").then((choice) => {
        if (choice) this.parts.log.show();
      });
      return;
    }
    this.showWithDetails(shorten(headline(error.problem, what), LONGEST_LINE), messageOf(error));
  }

  /** One message, however many recordings could not be reopened. */
  private showFailures(failures: readonly Failure[]): void {
    const [first] = failures;
    if (failures.length === 0) return;
    if (failures.length === 1) return this.showFailure(`Could not reopen ${first.name}`, first.error);
    const names = failures.map(({ name }) => name);
    const details = failures.map(({ name, error }) => `${name}: ${messageOf(error)}`);
    const line = `Could not reopen ${failures.length} recordings: ${someOf(names, MOST_NAMED)}.`;
    this.showWithDetails(shorten(line, LONGEST_LINE), details.slice(0, MOST_NAMED).join("\n\n"));
  }

  private showWithDetails(line: string, detail: string): void {
    void notices.showErrorMessage(line, "Details").then((choice) => {
      if (choice) void notices.showErrorMessage(line, { modal: true, detail });
    });
  }

  private changed(): void {
    this.changeEmitter.fire();
  }
}

function isEngineGone(error: unknown): boolean {
  return error instanceof Error && error.name === "EngineGoneError";
}

/** Whether a folder among these paths got or lost files since. */
async function foldersChanged(paths: readonly string[], sinceMs: number): Promise<boolean> {
  for (const path of paths.slice(0, MOST_FOLDERS)) {
    const status = await fs.stat(path).catch(() => undefined);
    if (status?.isDirectory() && status.mtimeMs > sinceMs) return true;
  }
  return false;
}

/** Bytes of files; NaN where one is a folder, or cannot be looked at. */
async function sizeOf(paths: readonly string[]): Promise<number> {
  const sizes = paths.map(async (path) => {
    const status = await fs.stat(path);
    return status.isFile() ? status.size : NaN;
  });
  return (await Promise.all(sizes).catch(() => [NaN])).reduce((sum, size) => sum + size, 0);
}
