/** All panels: what the second bundle begins with. Each has its line here, or in `ensembles.ts`, and its names in `lazyPanels.ts`. */
import type * as vscode from "vscode";
import { application } from "./application/definition";
import { allRecordings, clocks } from "./clocks/definition";
import { codeTreemap } from "./codeTreemap/definition";
import { communication } from "./communication/definition";
import { correlation } from "./correlation/definition";
import { flameGraphCommands } from "./flameGraph/commands";
import { flameGraph } from "./flameGraph/definition";
import { hardware } from "./hardware/definition";
import { histogram } from "./histogram/definition";
import type { PanelParts } from "./kit/parts";
import { Panels } from "./kit/panels";
import type { PanelHost } from "./lazyPanels";
import type * as ensembleBundle from "./ensembles";
import { metrics } from "./metrics/definition";
import { AnalysesStore } from "./overview/analyses";
import { overview } from "./overview/definition";
import { fillRecordingPage } from "./recording/recordingPage";
import { superGraph } from "./superGraph/definition";
import { importGroups } from "./superGraph/importGroups";
import { SavedStepsStore } from "./superGraph/savedSteps";
import { summary } from "./summary/definition";
import { treemap } from "./treemap/definition";
import { timeline } from "./timeline/definition";
import { exportWindowCommand } from "./timeline/exporting";
import { TimelineNotesStore } from "./timeline/notes";

/** What bundles of some of the panels take from this one. */
export * from "./shared";

/**
 * @param storage where steps of super graphs are saved by name, and what is kept of timelines and overviews
 * @param load evaluates another bundle of the extension
 */
export function openPanels(
  given: Omit<PanelParts, "rooms">,
  storage: vscode.Memento,
  log: vscode.LogOutputChannel,
  load: (file: string) => unknown,
): PanelHost {
  const parts: PanelParts = { ...given, rooms: new Map() };
  const { session } = parts;
  const superGraphs = new Panels(parts, superGraph(new SavedStepsStore(storage)));
  const histograms = new Panels(parts, histogram);
  const correlations = new Panels(parts, correlation);
  const flameGraphs = new Panels(parts, flameGraph);
  const timelines = new Panels(parts, timeline(new TimelineNotesStore(storage)));
  const communications = new Panels(parts, communication);
  const overviews = new Panels(parts, overview(new AnalysesStore(storage)));
  const treemaps = new Panels(parts, treemap);
  const codeTreemaps = new Panels(parts, codeTreemap);
  const hardwares = new Panels(parts, hardware);
  const summaries = new Panels(parts, summary);
  const clockGrids = new Panels(parts, clocks, allRecordings(session));
  const applications = new Panels(parts, application);
  const metricRows = new Panels(parts, metrics);
  let loaded: ensembleBundle.EnsemblePanels | undefined;
  const ensembles = () => (loaded ??= (load("ensembles.js") as typeof ensembleBundle).openEnsembles(parts));
  const kindOfEnsembles = (id: keyof ensembleBundle.EnsemblePanels["kinds"]): vscode.WebviewPanelSerializer => ({
    deserializeWebviewPanel: (panel, kept) => ensembles().kinds[id].deserializeWebviewPanel(panel, kept),
  });
  const showSuperGraph = (dataSet: number | undefined) => void superGraphs.show({ dataSet });
  const kinds = {
    "heatflow.superGraph": superGraphs,
    "heatflow.histogram": histograms,
    "heatflow.correlation": correlations,
    "heatflow.flameGraph": flameGraphs,
    "heatflow.timeline": timelines,
    "heatflow.communication": communications,
    "heatflow.overview": overviews,
    "heatflow.hardware": hardwares,
    "heatflow.treemap": treemaps,
    "heatflow.codeTreemap": codeTreemaps,
    "heatflow.application": applications,
    "heatflow.summary": summaries,
    "heatflow.clocks": clockGrids,
    "heatflow.metrics": metricRows,
  };
  return {
    kinds: {
      ...kinds,
      "heatflow.ensemble": kindOfEnsembles("heatflow.ensemble"),
      "heatflow.ensembleRuns": kindOfEnsembles("heatflow.ensembleRuns"),
    },
    commands: {
      "heatflow.histogram": async (argument) => {
        // Nothing is handed back: VS Code would write it out.
        await histograms.show(argument);
      },
      "heatflow.correlation": async (argument) => {
        await correlations.show(argument);
      },
      "heatflow.showTimeline": async (argument) => {
        await timelines.show(argument);
      },
      "heatflow.timeline.exportWindow": (argument) => exportWindowCommand(session, argument),
      "heatflow.showCommunication": async (argument) => {
        await communications.show(argument);
      },
      "heatflow.showTreemap": async (argument) => {
        await treemaps.show(argument);
      },
      "heatflow.showCodeTreemap": async (argument) => {
        await codeTreemaps.show(argument);
      },
      "heatflow.showHardware": async (argument) => {
        await hardwares.show(argument);
      },
      "heatflow.showSummary": async (argument) => {
        await summaries.show(argument);
      },
      "heatflow.showClocks": async (argument) => {
        await clockGrids.show(argument);
      },
      "heatflow.showApplication": async (argument) => {
        await applications.show(argument);
      },
      "heatflow.showMetrics": async (argument) => {
        await metricRows.show(argument);
      },
      "heatflow.showEnsemble": (argument) => ensembles().commands["heatflow.showEnsemble"](argument),
      "heatflow.openEnsemble": (argument, all) => ensembles().commands["heatflow.openEnsemble"](argument, all),
      "heatflow.showEnsembleRuns": (argument) => ensembles().commands["heatflow.showEnsembleRuns"](argument),
      "heatflow.importGroups": (argument) => importGroups(argument, log),
      "heatflow.showOverview": async (argument) => {
        await overviews.show(argument);
      },
      ...flameGraphCommands(session, flameGraphs),
    },
    showSuperGraph,
    fillPage: (panel, file) => fillRecordingPage({ ...parts, showSuperGraph }, panel, file),
    dispose: () => [...Object.values(kinds), ...(loaded ? [loaded] : [])].forEach((kind) => kind.dispose()),
  };
}
