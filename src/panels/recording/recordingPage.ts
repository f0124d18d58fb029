/** Fills a custom editor with the page of the recording that its file belongs to, which is opened for it. */
import * as vscode from "vscode";
import type { SessionDataSet } from "../../session/session";
import { Panel } from "../kit/panel";
import type { PanelParts } from "../kit/parts";
import type { PanelSource } from "../kit/panelSource";
import { problemOf } from "../kit/problems";
import { recordingDefinition, type Remedy, type Way } from "./definition";

/** Ways that are panels. */
const panelCommands: ReadonlyMap<Way, string> = new Map([
  ["flameGraph", "heatflow.showFlameGraph"],
  ["histogram", "heatflow.histogram"],
  ["correlation", "heatflow.correlation"],
  ["timeline", "heatflow.showTimeline"],
  ["overview", "heatflow.showOverview"],
  ["summary", "heatflow.showSummary"],
  ["metrics", "heatflow.showMetrics"],
  ["communication", "heatflow.showCommunication"],
  ["application", "heatflow.showApplication"],
  ["treemap", "heatflow.showTreemap"],
  ["codeTreemap", "heatflow.showCodeTreemap"],
  ["hardware", "heatflow.showHardware"],
  ["clocks", "heatflow.showClocks"],
]);

/** @param showSuperGraph of a data set */
export function fillRecordingPage(
  parts: PanelParts & { showSuperGraph(dataSet: number): void },
  panel: vscode.WebviewPanel,
  uri: vscode.Uri,
): void {
  const source = new FileSource(parts, uri);
  const go = async (way: Way | Remedy): Promise<void> => {
    if (way === "text") return void (await vscode.commands.executeCommand("vscode.openWith", uri, "default"));
    const { dataSet } = source;
    if (way === "recordAgain")
      return void (await vscode.commands.executeCommand("heatflow.runTracedBuild", { again: dataSet?.files[0] }));
    if (dataSet) parts.session.setCurrent(dataSet.id);
    if (way === "locateSource") return void (await vscode.commands.executeCommand("heatflow.locateSource"));
    if (way === "compare")
      return void (await vscode.commands.executeCommand("heatflow.compareRuns", { dataSet: dataSet?.id }));
    const command = panelCommands.get(way);
    if (command) await vscode.commands.executeCommand(command, { dataSet: dataSet?.id, from: panel.viewColumn });
    else if (way !== "superGraph") await vscode.commands.executeCommand(`heatflow.${way}.focus`);
    else if (dataSet) parts.showSuperGraph(dataSet.id);
  };
  new Panel(parts, panel, recordingDefinition(go), source, {});
}

class FileSource implements PanelSource {
  readonly hasFile = true;
  readonly isOpenedFirst = true;
  /** What opening the file gave: some files of a database are not listed among those that were read. */
  private opened: number | undefined;
  /** Why opening the file gave nothing. */
  private failure: unknown;

  constructor(
    private readonly parts: PanelParts,
    private readonly uri: vscode.Uri,
  ) {}

  get dataSet(): SessionDataSet | undefined {
    const { dataSets } = this.parts.session;
    return (
      dataSets.find(({ files }) => files.includes(this.uri.fsPath)) ?? dataSets.find(({ id }) => id === this.opened)
    );
  }

  /** Reads the recording, unless the session has it or is about to reopen it. */
  async open(isWanted: () => boolean): Promise<string | undefined> {
    const { session } = this.parts;
    await session.restored;
    if (this.dataSet || !isWanted()) return undefined;
    this.failure = undefined;
    const opened = await session.open([this.uri], (failure) => (this.failure = failure), { quietly: true });
    session.announce(opened, { isPageShown: true });
    this.opened = opened.at(0)?.id;
    return undefined;
  }

  closed() {
    const link = { id: "text", text: "Reopen with Text Editor" };
    if (this.failure !== undefined) return { ...problemOf(this.failure), action: "open", link } as const;
    const closed = this.parts.session.closedRecordings.find(({ paths }) => paths.includes(this.uri.fsPath));
    const message = closed?.reason ?? "This recording is not open.";
    return { kind: "closed", message, advice: "Open it again, or view its text.", action: "open", link } as const;
  }
}
