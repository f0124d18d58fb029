import { bundleStartedAt } from "./session/bundleStart"; // first: what follows it is measured
import { createRequire } from "node:module";
import { join } from "node:path";
import * as vscode from "vscode";
import { registerCommitDiff } from "./editor/commitDiff";
import { CostHover } from "./editor/costHover";
import { CostLenses } from "./editor/costLenses";
import { DocumentCostSource } from "./editor/documentCosts";
import { DriftStatus } from "./editor/driftStatus";
import { registerEditorCommands } from "./editor/editorCommands";
import type { LineDecoration } from "./editor/heat";
import { HeatDecorations } from "./editor/heatDecorations";
import { HotLineCommands } from "./editor/hotLineCommands";
import { registerRowCommands } from "./editor/rowCommands";
import { registerHotPath } from "./editor/hotPathCommand";
import { MissingSources } from "./editor/missingSources";
import { LineNavigator } from "./editor/navigator";
import { SourceLocator } from "./editor/sourceLocator";
import { startEngine } from "./engine/thread/client";
import { LazyPanels, showPage } from "./panels/lazyPanels";
import type * as panelBundle from "./panels/panels";
import { keepContextKeys } from "./session/contextKeys";
import type { Session } from "./session/session";
import { currentSettings, SourceFeed } from "./session/sourceFeed";
import { WindowSession } from "./session/windowSession";
import { registerTasks } from "./tasks/lazyTasks";
import type * as taskBundle from "./tasks/tasks";
import { CallingContextsView } from "./views/callingContextsView";
import { registerCompareCommands } from "./views/compareCommands";
import { registerDataSetCommands } from "./views/dataSetCommands";
import { DataSetsView } from "./views/dataSetsView";
import { HotFunctionsView } from "./views/hotFunctionsView";
import { registerSelectCommands } from "./views/selectByNumber";
import { StatusBar } from "./views/statusBar";

/** Between this and `activate` VS Code prepares the context by itself: that time is not the extension's. */
const bundleLoadedAt = performance.now();

/** What tests inside VS Code see of the extension; not meant for other extensions. */
export interface HeatflowApi {
  readonly session: Session;
  /** For evaluating the bundle, and for `activate`. */
  readonly activationMilliseconds: number;
  /** What was last set for a document, by line. */
  decorations(uri: vscode.Uri): readonly LineDecoration[];
  readonly engine: {
    /** Ends the worker as a crash would. */
    kill(): Promise<void>;
  };
}

/** Makes the parts and hands them to each other. Nothing is read or computed here: the worker starts when it is needed. */
export function activate(context: vscode.ExtensionContext): HeatflowApi {
  const activateStartedAt = performance.now();
  const log = vscode.window.createOutputChannel("Heatflow", { log: true });
  const { extensionUri } = context;
  const source = new SourceFeed((context.storageUri ?? context.globalStorageUri).fsPath);
  const session = new WindowSession({
    startEngine: (onExit) => {
      const { memoryLimitMegabytes, cacheLimitGigabytes, unpackedRatio } = currentSettings();
      return startEngine({
        workerFile: join(context.extensionPath, "dist", "worker.js"),
        wasmFolder: join(context.extensionPath, "dist"),
        memoryLimitMegabytes,
        // One place for all windows, so that whichever starts next removes what another left behind.
        cacheFolder: join(context.globalStorageUri.fsPath, "traces"),
        cacheLimitGigabytes,
        unpackedRatio,
        onExit,
      });
    },
    source,
    state: context.workspaceState,
    log,
  });
  const locator = new SourceLocator();
  const navigator = new LineNavigator(new MissingSources(session, locator));
  const costs = new DocumentCostSource(session, log);
  const decorations = new HeatDecorations(session, costs, extensionUri);
  const panels = new LazyPanels(() => {
    const { openPanels } = requireBuilt(context, "panels.js") as typeof panelBundle;
    const load = (file: string) => requireBuilt(context, file);
    return openPanels({ session, navigator, extensionUri }, context.workspaceState, log, load);
  });
  const dataSets = new DataSetsView(session, log);
  context.subscriptions.push(
    log,
    source,
    session,
    keepContextKeys(session),
    costs,
    decorations,
    new CostLenses(session, costs),
    new CostHover(session, costs, log),
    new DriftStatus(costs, decorations.onDidShow),
    new HotLineCommands(session, costs, navigator),
    registerHotPath(session, navigator),
    registerEditorCommands(session, navigator, locator),
    registerRowCommands(session, navigator),
    registerCommitDiff(session),
    dataSets,
    new HotFunctionsView(session, navigator, log),
    new CallingContextsView(session, navigator, log),
    new StatusBar(session),
    registerDataSetCommands({ session, log, showPage, showRow: ({ id }, waitedMs) => dataSets.show(id, waitedMs) }),
    panels,
    registerCompareCommands(session, (dataSet) => panels.showSuperGraph(dataSet)),
    registerSelectCommands(session, (dataSet) => panels.showSuperGraph(dataSet)),
    registerTasks(() => {
      const { openTasks } = requireBuilt(context, "tasks.js") as typeof taskBundle;
      const trackerFolder = join(context.extensionPath, "tracker");
      return openTasks({ session, log, trackerFolder, showPage });
    }),
    vscode.commands.registerCommand("heatflow.openWalkthrough", () =>
      vscode.commands.executeCommand("workbench.action.openWalkthrough", `${context.extension.id}#begin`, false),
    ),
  );
  const activationMilliseconds = bundleLoadedAt - bundleStartedAt + (performance.now() - activateStartedAt);
  log.info(`activated in ${activationMilliseconds.toFixed(1)} ms`);
  return {
    session,
    activationMilliseconds,
    decorations: (uri) => decorations.of(uri),
    engine: { kill: async () => session.runningEngine?.kill() },
  };
}

/** Another bundle of the extension, evaluated now. */
function requireBuilt({ extensionPath }: vscode.ExtensionContext, file: string): unknown {
  const built = join(extensionPath, "dist", file);
  return createRequire(built)(built);
}
