import * as vscode from "vscode";
import type { HotPlace, Scope } from "../engine/api";
import type { Task } from "../model/task";
import { taskOfToken, Latest } from "../session/latest";
import { noMetricText } from "../session/notRecorded";
import type { Navigator, Session } from "../session/session";
import { shownScope } from "../session/targetScope";
import { currentSettings } from "../session/sourceFeed";
import { withCancellableProgress } from "../session/progress";
import { ignoreCancelled } from "../model/errors";
import type { DocumentCostSource } from "./documentCosts";
import { type ChangedPlace, changedPlaces } from "./changedPlaces";
import { decorationsOf } from "./differenceTexts";
import { filesByCost, firstLinked, hotLinesOf, nextFile, nextLine } from "./hotLines";
import { notices } from "../session/notices";

/** Places that are looked at to find hot lines and files. */
const MOST_PLACES = 500;

/** "Go to hottest line", "next" and "previous hot line". */
export class HotLineCommands implements vscode.Disposable {
  private readonly latest = new Latest();
  private readonly registrations: vscode.Disposable;

  constructor(
    private readonly session: Session,
    private readonly costs: DocumentCostSource,
    private readonly navigator: Navigator,
  ) {
    const register = vscode.commands.registerCommand;
    this.registrations = vscode.Disposable.from(
      register("heatflow.goToHottestLine", () => this.goToHottest()),
      register("heatflow.nextHotLine", () => this.step(1)),
      register("heatflow.previousHotLine", () => this.step(-1)),
    );
  }

  dispose(): void {
    this.registrations.dispose();
    this.latest.dispose();
  }

  private async goToHottest(): Promise<void> {
    const scope = shownScope(this.session);
    if (!scope) return this.sayWhyNone();
    const places = await withCancellableProgress("Finding the hottest line", (task) =>
      this.places(scope, 50, task),
    ).catch(ignoreCancelled);
    if (!places) return;
    const place = firstLinked(places) ?? places.at(0);
    if (!place) {
      void notices.showInformationMessage("No line of this data set has a cost.");
      return;
    }
    const { name } = place;
    const { dataSet, target } =
      "target" in place
        ? place
        : { dataSet: scope.dataSet, target: { kind: "context", context: place.context } as const };
    this.session.select({ dataSet, target, name, origin: "hotLines" });
    await this.navigator.go(place.link, { focus: true });
  }

  /** By cost; of a comparison by |difference|. */
  private places(scope: Scope, limit: number, task: Task): Promise<(HotPlace | ChangedPlace)[]> {
    const { compared } = this.costs;
    const { engine } = this.session;
    return compared ? changedPlaces(engine, compared, limit, task) : engine.hotPlaces({ scope, limit }, task);
  }

  private sayWhyNone(): void {
    const info = this.session.current;
    const text = info ? `${noMetricText(info)}, so no line is hottest.` : "No performance data is open.";
    void notices.showInformationMessage(text);
  }

  private async step(step: 1 | -1): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    const here = editor ? await this.hotLines(editor.document) : [];
    const line = editor && nextLine(here, editor.selection.active.line + 1, step);
    if (editor && line !== undefined) return goTo(editor, line);
    await this.latest.run(async (token) => {
      const scope = shownScope(this.session);
      if (!scope) return this.sayWhyNone();
      const places = await this.places(scope, MOST_PLACES, taskOfToken(token));
      const files = filesByCost(places);
      let file = nextFile(files, editor?.document.uri.fsPath, step);
      // A file all of whose lines are below the least share is passed over; each file is looked at once.
      for (let tried = 0; file !== undefined && tried < files.length; tried++, file = nextFile(files, file, step)) {
        const lines = await this.hotLinesOfFile(file);
        if (token.isCancellationRequested) return;
        const next = step === 1 ? lines.at(0) : lines.at(-1);
        if (next === undefined) continue;
        const reason = "The next hot line by file.";
        const link = { places: [{ file, line: next }], rule: "definition", reason, considered: [] } as const;
        return this.navigator.go(link, { focus: true });
      }
      void notices.showInformationMessage("There are no more hot lines.");
    });
  }

  private async hotLinesOfFile(file: string): Promise<number[]> {
    try {
      return await this.hotLines(await vscode.workspace.openTextDocument(vscode.Uri.file(file)));
    } catch {
      return []; // gone or not text: there is nothing to go to
    }
  }

  private async hotLines(document: vscode.TextDocument): Promise<number[]> {
    const { minimumShare } = currentSettings();
    const options = { unit: "1", minimumShare, inlineCost: false };
    const found = await this.costs.shownOf(document);
    return found ? hotLinesOf(decorationsOf(found, options)) : [];
  }
}

function goTo(editor: vscode.TextEditor, line: number): void {
  const { document } = editor;
  const at = document.lineAt(Math.min(line, document.lineCount) - 1);
  const start = new vscode.Position(at.lineNumber, at.firstNonWhitespaceCharacterIndex);
  editor.selection = new vscode.Selection(start, start);
  editor.revealRange(at.range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}
