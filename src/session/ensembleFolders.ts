/** Folders of ensembles that are open: runs are added as they come (semantics 10). */
import fs from "node:fs/promises";
import path from "node:path";
import * as vscode from "vscode";
import { counted, someOf } from "../model/texts";
import type { Recording, Recordings } from "./recordings";
import { currentSettings } from "./sourceFeed";

/** Files that nothing has happened to this long are whole. */
const SETTLED_MS = 2000;
/** Runs that are named where some were added. */
const MOST_NAMED = 3;
const SAID_MS = 8000;
/** More paths than these are files that were chosen one by one. */
const MOST_PATHS = 64;
const MANIFEST = /\.heatflow-runs\.json$/;

export class EnsembleFolders implements vscode.Disposable {
  private readonly watched = new Map<number, Watched>();

  /** @param again reads a recording again */
  constructor(
    private readonly recordings: Pick<Recordings, "all" | "get">,
    private readonly again: (dataSet: number) => Promise<void>,
  ) {}

  /** Other recordings are open now. */
  update(): void {
    const open = this.recordings.all.filter(({ ensemble, info }) => ensemble && info);
    for (const { id, paths } of open)
      if (!this.watched.has(id))
        this.watched.set(
          id,
          new Watched(
            paths,
            () => void this.read(id),
            () => this.filesOf(id),
          ),
        );
    for (const [id, watched] of this.watched) {
      if (open.some((one) => one.id === id)) continue;
      watched.dispose();
      this.watched.delete(id);
    }
  }

  dispose(): void {
    for (const watched of this.watched.values()) watched.dispose();
    this.watched.clear();
  }

  private filesOf(id: number): readonly string[] {
    return this.recordings.get(id)?.info?.files ?? [];
  }

  private async read(id: number): Promise<void> {
    if (!currentSettings().watchEnsembles) return;
    const before = namesOf(this.recordings.get(id));
    await this.again(id);
    const recording = this.recordings.get(id);
    const added = [...namesOf(recording)].filter((name) => !before.has(name));
    if (!recording || added.length === 0) return;
    const text = `${counted(added.length, "run")} came to ${recording.name}: ${someOf(added, MOST_NAMED)}`;
    void vscode.window.setStatusBarMessage(`$(add) Heatflow: ${text}`, SAID_MS);
  }
}

function namesOf(recording: Recording | undefined): ReadonlySet<string> {
  return new Set(recording?.info?.ensemble?.names);
}

/** What happens in the folders of one ensemble. */
class Watched implements vscode.Disposable {
  private readonly watchers: vscode.Disposable[] = [];
  /** Files that came since it was read last. */
  private readonly fresh = new Set<string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isDisposed = false;

  /** @param files that it is read from */
  constructor(
    paths: readonly string[],
    private readonly changed: () => void,
    private readonly files: () => readonly string[],
  ) {
    for (const one of paths.slice(0, MOST_PATHS)) void this.watch(one);
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    for (const watcher of this.watchers) watcher.dispose();
  }

  /** Files that were chosen by themselves do not become more. */
  private async watch(given: string): Promise<void> {
    const isFolder = await fs.stat(given).then((status) => status.isDirectory(), () => false); // prettier-ignore
    if (this.isDisposed || !(isFolder || MANIFEST.test(given))) return;
    const folder = isFolder ? given : path.dirname(given);
    const watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(vscode.Uri.file(folder), "**/*"),
    );
    const isHidden = (file: string) => path.relative(folder, file).split(path.sep).some((part) => part.startsWith(".")); // prettier-ignore
    const hear = (happened: (file: string) => boolean) => (uri: vscode.Uri) => {
      if (!isHidden(uri.fsPath) && happened(uri.fsPath)) this.wait();
    };
    this.watchers.push(
      watcher,
      watcher.onDidCreate(hear((file) => this.fresh.add(file).has(file))),
      // What is written on and on without being a run, as a log is, is nothing new.
      watcher.onDidChange(hear((file) => this.fresh.has(file) || file === given || this.files().includes(file))),
      watcher.onDidDelete(hear((file) => this.fresh.delete(file) || this.files().includes(file))),
    );
  }

  private wait(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.fresh.clear();
      this.changed();
    }, SETTLED_MS);
  }
}
