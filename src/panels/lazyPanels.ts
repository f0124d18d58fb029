/** Ways to panels, registered without their code: that is a bundle of its own, loaded when the first panel is asked for. */
import * as path from "node:path";
import * as vscode from "vscode";

/** Kinds of panels that VS Code brings back after the window was reloaded. */
const kinds = [
  "heatflow.superGraph",
  "heatflow.histogram",
  "heatflow.correlation",
  "heatflow.flameGraph",
  "heatflow.timeline",
  "heatflow.communication",
  "heatflow.overview",
  "heatflow.hardware",
  "heatflow.treemap",
  "heatflow.codeTreemap",
  "heatflow.summary",
  "heatflow.clocks",
  "heatflow.application",
  "heatflow.metrics",
  "heatflow.ensemble",
  "heatflow.ensembleRuns",
] as const;

const commands = [
  "heatflow.histogram",
  "heatflow.correlation",
  "heatflow.showFlameGraph",
  "heatflow.showTimeline",
  "heatflow.timeline.exportWindow",
  "heatflow.showCommunication",
  "heatflow.showOverview",
  "heatflow.showHardware",
  "heatflow.showTreemap",
  "heatflow.showCodeTreemap",
  "heatflow.showSummary",
  "heatflow.showClocks",
  "heatflow.showApplication",
  "heatflow.showMetrics",
  "heatflow.showEnsemble",
  "heatflow.openEnsemble",
  "heatflow.showEnsembleRuns",
  "heatflow.hotFunctions.showInSandwich",
  "heatflow.callingContexts.showInFlameGraph",
  "heatflow.flameGraph.lookInside",
  "heatflow.importGroups",
] as const;

const PAGE = "heatflow.recording";
/** The same page for files whose names say little (`*.json`, `*.xml`): offered by "Reopen Editor With…", never the default. */
const OTHER_PAGE = "heatflow.otherRecording";
/** Files that each of them is contributed for: of others, VS Code shows an editor's id in place of its name. */
const PAGE_FILES =
  /^(.*\.(cali|metric-db|hpctrace|paje|trace|perf-script|pt\.trace\.json)(\.gz)?|experiment(\.xml|.*\.(mdb|mt))|(meta|profile|cct|trace)\.db)$|(^|\.)callgrind\.out(\.|$)/;
const OTHER_FILES = /(\.(json|gz|xml|mdb|db|callgrind|perf)|perf\.txt|^perf\.(data|rank.*\.txt)|^callgrind\..*)$/;

type Commands<Name extends string> = Readonly<Record<Name, (argument: unknown, all?: unknown) => unknown>>;

/** What the second bundle gives; it registers nothing with VS Code itself. */
export interface PanelHost extends vscode.Disposable {
  readonly kinds: Readonly<Record<(typeof kinds)[number], vscode.WebviewPanelSerializer>>;
  readonly commands: Commands<(typeof commands)[number]>;
  showSuperGraph(dataSet: number | undefined): void;
  /** Fills a custom editor with the page of the recording that a file belongs to. */
  fillPage(panel: vscode.WebviewPanel, file: vscode.Uri): void;
}

export class LazyPanels implements vscode.Disposable {
  private readonly registrations: vscode.Disposable[];
  private loaded: PanelHost | undefined;

  constructor(private readonly load: () => PanelHost) {
    const { registerWebviewPanelSerializer: serialize, registerCustomEditorProvider: edit } = vscode.window;
    this.registrations = [
      ...kinds.map((kind) =>
        serialize(kind, {
          deserializeWebviewPanel: (panel, kept) => this.host.kinds[kind].deserializeWebviewPanel(panel, kept),
        }),
      ),
      ...commands.map((name) =>
        vscode.commands.registerCommand(name, (argument: unknown, all: unknown) =>
          this.host.commands[name](argument, all),
        ),
      ),
      ...[PAGE, OTHER_PAGE].map((kind) => edit(kind, this.pages(), { supportsMultipleEditorsPerDocument: true })),
    ];
  }

  showSuperGraph(dataSet: number | undefined): void {
    this.host.showSuperGraph(dataSet);
  }

  dispose(): void {
    for (const part of this.registrations) part.dispose();
    this.loaded?.dispose();
  }

  private get host(): PanelHost {
    return (this.loaded ??= this.load());
  }

  private pages(): vscode.CustomReadonlyEditorProvider {
    return {
      // The engine reads the file; there is nothing here to be let go of.
      openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
      resolveCustomEditor: ({ uri }, panel) => this.host.fillPage(panel, uri),
    };
  }
}

/** The editor of a recording's page that VS Code has a name for. @param file its name without folders */
export function editorFor(file: string): string {
  return !PAGE_FILES.test(file) && OTHER_FILES.test(file) ? OTHER_PAGE : PAGE;
}

/** Opens a data set's page; the focus stays where it is, on the row of what was opened. */
export function showPage({ files }: { readonly files: readonly string[] }): Thenable<unknown> {
  const options: vscode.TextDocumentShowOptions = { preserveFocus: true, preview: false };
  return vscode.commands.executeCommand(
    "vscode.openWith",
    vscode.Uri.file(files[0]),
    editorFor(path.basename(files[0])),
    options,
  );
}
