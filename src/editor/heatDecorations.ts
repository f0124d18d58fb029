import * as vscode from "vscode";
import { entryOf } from "../model/maps";
import type { DocumentMovement } from "../engine/api";
import { Latest } from "../session/latest";
import type { HeatBy } from "../session/settings";
import { shownUnit } from "../session/scopeChoice";
import type { Session } from "../session/session";
import { currentSettings } from "../session/sourceFeed";
import type { DocumentCostSource } from "./documentCosts";
import { decorationsOf } from "./differenceTexts";
import { EditorWidths } from "./editorWidths";
import { HEAT_LEVELS, type LineDecoration, placedTexts } from "./heat";

/** Costs are asked for again when typing pauses this long; meanwhile VS Code moves the decorations with their lines. */
const EDIT_PAUSE_MS = 150;
/** A column of costs has a decoration on each line: of longer documents they stay behind the lines. */
const MAX_COLUMN_LINES = 20_000;
/** VS Code drops white space at an end of a text. */
const NO_BREAK_SPACE = "\u00a0";

/** Decorations that were set last, and the version of the document that they are of. */
interface Shown {
  readonly version: number;
  readonly lines: readonly LineDecoration[];
}

/** Heat in gutter, background and overview ruler, and the cost behind the line's end, of all visible editors. */
export class HeatDecorations implements vscode.Disposable {
  private types: DecorationTypes | undefined;
  private readonly widths = new EditorWidths();
  private readonly latest = new Map<vscode.TextEditor, Latest>();
  private readonly shown = new Map<string, Shown>();
  private readonly shownEmitter = new vscode.EventEmitter<vscode.Uri>();
  private readonly subscriptions: vscode.Disposable[];
  /** What the decorations of an editor are of. */
  private readonly scopes = new WeakMap<vscode.TextEditor, string>();
  private readonly pauses = new Map<string, ReturnType<typeof setTimeout>>();
  /** The decorations of a document were set. */
  readonly onDidShow = this.shownEmitter.event;

  constructor(
    private readonly session: Session,
    private readonly costs: DocumentCostSource,
    private readonly extensionUri: vscode.Uri,
  ) {
    this.subscriptions = [
      costs.onDidChange(() => this.refreshAll()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.editorsChanged()),
      this.widths,
      this.widths.onDidChange(() => this.placeAgain()),
      vscode.workspace.onDidChangeTextDocument(({ document }) => this.edited(document)),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("heatflow.heat")) this.refreshAll();
      }),
    ];
    this.refreshAll();
  }

  /** What was last set for a document, by line. */
  of(uri: vscode.Uri): readonly LineDecoration[] {
    return this.shown.get(uri.toString())?.lines ?? [];
  }

  dispose(): void {
    for (const pause of this.pauses.values()) clearTimeout(pause);
    const types = this.types ? [...this.types.levels, ...this.types.less, this.types.text, this.types.column] : [];
    for (const part of [...this.subscriptions, ...this.latest.values(), ...types, this.shownEmitter]) part.dispose();
  }

  private refreshAll(): void {
    for (const editor of vscode.window.visibleTextEditors) void this.refresh(editor);
  }

  private editorsChanged(): void {
    const visible = new Set(vscode.window.visibleTextEditors);
    for (const [editor, latest] of this.latest) {
      if (visible.has(editor)) continue;
      latest.dispose();
      this.latest.delete(editor);
    }
    this.refreshAll();
  }

  /** Editors are wider or narrower now. Lines of an edited text are elsewhere: new costs of it are on their way. */
  private placeAgain(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const shown = this.shown.get(editor.document.uri.toString());
      if (shown?.version === editor.document.version) this.set(editor, shown.lines);
    }
  }

  private edited(document: vscode.TextDocument): void {
    const name = document.uri.toString();
    clearTimeout(this.pauses.get(name));
    this.pauses.set(
      name,
      setTimeout(() => {
        this.pauses.delete(name);
        for (const editor of vscode.window.visibleTextEditors)
          if (editor.document === document) void this.refresh(editor);
      }, EDIT_PAUSE_MS),
    );
  }

  private async refresh(editor: vscode.TextEditor): Promise<void> {
    if (editor.document.uri.scheme !== "file") return;
    await entryOf(this.latest, editor, () => new Latest()).run(async (token) => {
      const { document } = editor;
      const settings = currentSettings();
      const scope = this.session.scope();
      const metric = scope && this.session.current?.metrics[scope.metric];
      if (!settings.heatEnabled || !metric) return this.set(editor, []);
      const version = document.version;
      const { scopeKey } = this.costs;
      const { found: soon, late } = await this.costs.soon(document, this.scopes.get(editor));
      if (late && !token.isCancellationRequested) this.set(editor, []);
      const found = soon ?? (await late);
      // Without an answer the decorations that are there stay: they move with the text, and the next answer corrects them.
      if (!found || token.isCancellationRequested || document.version !== version) return;
      this.scopes.set(editor, scopeKey);
      const { minimumShare, inlineCost } = settings;
      const show = (moved: DocumentMovement | undefined, heatBy: HeatBy) =>
        this.set(editor, decorationsOf(found, { unit: shownUnit(metric), minimumShare, inlineCost, heatBy, moved }));
      const movement = await this.costs.movementSoon(document);
      const isOutdated = () => token.isCancellationRequested || document.version !== version;
      if (isOutdated()) return;
      // What has no events has its heat by time, whatever the setting is.
      const isMoving = movement.found !== undefined || movement.late !== undefined;
      const heatBy = isMoving ? settings.heatBy : "time";
      show(movement.found, heatBy);
      const moved = await movement.late;
      if (moved && !isOutdated()) show(moved, heatBy);
    });
  }

  private set(editor: vscode.TextEditor, decorations: readonly LineDecoration[]): void {
    const { document } = editor;
    if (decorations.length === 0 && !this.types) return; // nothing was ever shown
    this.types ??= decorationTypes(this.extensionUri);
    const present = decorations.filter(({ line }) => line >= 1 && line <= document.lineCount);
    const tabSize = Number(editor.options.tabSize) || 4;
    const rangesOf = (level: number, isLess: boolean) =>
      present
        .filter((one) => one.level === level && (one.isLess === true) === isLess)
        .map(({ line }) => document.lineAt(line - 1).range);
    this.types.levels.forEach((type, level) => editor.setDecorations(type, rangesOf(level, false)));
    this.types.less.forEach((type, level) => editor.setDecorations(type, rangesOf(level, true)));
    const withText = present.flatMap(({ line, text, calls }) => (text === undefined ? [] : [{ line, text, calls }]));
    const { columnWidth, texts } = placedTexts(
      withText.map(({ line, text, calls }) => ({ code: document.lineAt(line - 1).text, text, calls })),
      tabSize,
      document.lineCount > MAX_COLUMN_LINES ? Number.POSITIVE_INFINITY : this.widths.columnsOf(editor),
    );
    const behind = texts.flatMap((placed, at) =>
      placed.behind === undefined
        ? []
        : [textAt(document.lineAt(withText[at].line - 1).range.end, "after", placed.behind)],
    );
    const inColumn = new Map(withText.map(({ line }, at) => [line, texts[at].inColumn]));
    const column = Array.from({ length: columnWidth === undefined ? 0 : document.lineCount }, (_, at) =>
      textAt(
        new vscode.Position(at, 0),
        "before",
        (inColumn.get(at + 1) ?? "").padStart(columnWidth ?? 0, NO_BREAK_SPACE),
      ),
    );
    editor.setDecorations(this.types.text, behind);
    editor.setDecorations(this.types.column, column);
    this.shown.set(document.uri.toString(), { version: document.version, lines: present });
    this.shownEmitter.fire(document.uri);
  }
}

function textAt(at: vscode.Position, side: "before" | "after", contentText: string): vscode.DecorationOptions {
  return { range: new vscode.Range(at, at), renderOptions: { [side]: { contentText } } };
}

interface DecorationTypes {
  readonly levels: readonly vscode.TextEditorDecorationType[];
  /** Of lines that cost less in a comparison: blue, and hollow in the gutter. */
  readonly less: readonly vscode.TextEditorDecorationType[];
  readonly text: vscode.TextEditorDecorationType;
  /** Left of all lines of a document. */
  readonly column: vscode.TextEditorDecorationType;
}

/** One type per level and one for text, made once for all files. */
function decorationTypes(extensionUri: vscode.Uri): DecorationTypes {
  const color = new vscode.ThemeColor("heatflow.inlineCost");
  return {
    levels: Array.from({ length: HEAT_LEVELS }, (_, level) => heatType(extensionUri, level)),
    less: Array.from({ length: HEAT_LEVELS }, (_, level) => heatType(extensionUri, level, true)),
    text: vscode.window.createTextEditorDecorationType({
      after: { color, margin: "0 0 0 3ch" },
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    }),
    column: vscode.window.createTextEditorDecorationType({
      before: { color, margin: "0 2ch 0 0" },
      rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    }),
  };
}

function heatType(extensionUri: vscode.Uri, level: number, isLess = false): vscode.TextEditorDecorationType {
  const number = level + 1;
  const icon = (theme: string) =>
    vscode.Uri.joinPath(extensionUri, "media", "heat", `${isLess ? "less-" : ""}${theme}-${number}.svg`);
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor(isLess ? `heatflow.less${number}` : `heatflow.heat${number}`),
    overviewRulerColor: new vscode.ThemeColor(
      isLess ? "heatflow.overviewRulerLess" : `heatflow.overviewRuler${number}`,
    ),
    overviewRulerLane: vscode.OverviewRulerLane.Right,
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
    light: { gutterIconPath: icon("light"), gutterIconSize: "contain" },
    dark: { gutterIconPath: icon("dark"), gutterIconSize: "contain" },
  });
}
