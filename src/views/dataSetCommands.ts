import * as vscode from "vscode";
import type { DataSetInfo, Hierarchy } from "../engine/api";
import { joined } from "../model/texts";
import { formatValue } from "../model/units";
import { readMembers } from "../model/memberInput";
import { memberRanges } from "../model/members";
import { noMetricText } from "../session/notRecorded";
import { pickPaths } from "../session/pickPaths";
import type { Session } from "../session/session";
import { numberIn } from "../session/commandArguments";
import { hierarchyTexts } from "./dataSetRows";
import { overChoices } from "./overChoices";
import { askRestriction } from "./restrictCommand";
import { UserActions } from "./userActions";
import { notices } from "../session/notices";

export interface DataSetCommandParts {
  readonly session: Session;
  readonly log: vscode.LogOutputChannel;
  /** Shows what a recording is. */
  showPage(info: DataSetInfo): Thenable<unknown>;
  /** Leads to its row in the list of data sets, if the user did not wait long for it. */
  showRow(info: DataSetInfo, waitedMs: number): Thenable<unknown>;
}

const SHOW_PAGE = "Show Page";

/** Commands on data sets: open, close, reload, what is shown of them. */
export function registerDataSetCommands(parts: DataSetCommandParts): vscode.Disposable {
  const { session, log } = parts;
  const register = (name: string, run: (...args: unknown[]) => unknown) =>
    vscode.commands.registerCommand(`heatflow.${name}`, run);
  const chosen = (argument: unknown, question: string) => dataSetFor(session, numberIn(argument, "dataSet"), question);
  return vscode.Disposable.from(
    register("open", (resource, resources) => openRecordings(parts, resource, resources)),
    register("close", async (argument) => {
      const dataSet = numberIn(argument, "dataSet") ?? (await chosen(argument, "Close which data set?"))?.id;
      if (dataSet !== undefined) await session.close(dataSet);
    }),
    register("closeAll", async () => {
      const open = [...session.dataSets.map(({ id }) => id), ...session.closedRecordings.map(({ dataSet }) => dataSet)];
      for (const dataSet of open) await session.close(dataSet);
    }),
    register("reload", async (argument) => {
      const dataSet = numberIn(argument, "dataSet") ?? (await chosen(argument, "Read which data set again?"))?.id;
      if (dataSet !== undefined) await session.reload(dataSet);
    }),
    register("selectMetric", async (argument) => {
      const info = await chosen(argument, "Metric of which data set?");
      const metric = info && (numberIn(argument, "metric") ?? (await pickMetric(session, info)));
      if (info && metric !== undefined) {
        session.setCurrent(info.id);
        session.setMetric(info.id, metric);
      }
    }),
    register("selectOverRanks", async (argument) => {
      const info = await chosen(argument, "Ranks of which data set?");
      if (info) await pickOver(session, info);
    }),
    register("restrictTo", async (argument) => {
      const info = await chosen(argument, "Restrict which data set?");
      if (info && session.scope(info.id)) await askRestriction(session, info);
      else if (info) sayNothingToCombine(info);
    }),
    register("switchHierarchy", async (argument) => {
      const info = await chosen(argument, "Calling contexts of which data set?");
      const hierarchy = info && (await pickHierarchy(info));
      if (info && hierarchy) await session.setHierarchy(info.id, hierarchy);
    }),
    register("clearRestriction", (argument) => {
      const dataSet = numberIn(argument, "dataSet") ?? session.current?.id;
      if (dataSet === undefined) return;
      session.setRestriction(dataSet, undefined);
      session.setWindow(dataSet, undefined);
      session.setKinds(dataSet, undefined);
    }),
    register("showLog", () => log.show()),
  );
}

async function pickHierarchy(info: DataSetInfo): Promise<Hierarchy | undefined> {
  const items = info.hierarchies.map((hierarchy, at) => ({
    label: hierarchyTexts[hierarchy],
    description: at === 0 ? "shown" : "",
    hierarchy,
  }));
  const title = `What makes the calling contexts of ${info.name}`;
  return (await vscode.window.showQuickPick(items, { title }))?.hierarchy;
}

/** The one that is meant, the only one, or the one that the user picks. */
async function dataSetFor(
  session: Session,
  dataSet: number | undefined,
  question: string,
): Promise<DataSetInfo | undefined> {
  const { dataSets, current } = session;
  if (dataSet !== undefined) return dataSets.find(({ id }) => id === dataSet);
  if (dataSets.length === 0) {
    const choice = await notices.showInformationMessage("No performance data is open.", "Open…");
    if (choice) await vscode.commands.executeCommand("heatflow.open");
    return undefined;
  }
  if (dataSets.length === 1) return current;
  const items = dataSets.map((info) => ({ label: info.name, description: info.format.label, info }));
  items.sort((a, b) => Number(b.info === current) - Number(a.info === current));
  return (await vscode.window.showQuickPick(items, { title: question }))?.info;
}

async function openRecordings(parts: DataSetCommandParts, resource: unknown, resources: unknown): Promise<void> {
  const { session } = parts;
  const given = Array.isArray(resources) ? resources : [resource];
  const uris = given.filter((uri): uri is vscode.Uri => uri instanceof vscode.Uri);
  const chosen = uris.length > 0 ? uris : await pickPaths("Open Performance Data", OPENED_KINDS);
  if (chosen.length === 0) return;
  const asked = performance.now();
  const actions = new UserActions();
  try {
    const opened = await session.open(chosen, undefined, { quietly: true });
    const [first] = opened;
    if (!first) return;
    await parts.showRow(first, performance.now() - asked);
    // A page over a text that is being read would be in the way.
    const isPageShown = !actions.any;
    const actionsOn = { [SHOW_PAGE]: () => parts.showPage(first) };
    const lead = { text: `${first.name} is open.`, actions: actionsOn };
    session.announce(opened, isPageShown ? { isPageShown } : { lead });
    if (isPageShown) await parts.showPage(first);
  } finally {
    actions.dispose();
  }
}

const OPENED_KINDS = [
  {
    label: "$(file) Files…",
    detail: "One or several recordings, such as one file per rank or process",
    folder: false,
  },
  { label: "$(folder) Folder…", detail: "A database, or all recordings in a folder", folder: true },
];

async function pickMetric(session: Session, info: DataSetInfo): Promise<number | undefined> {
  if (!info.metrics.some(({ additive }) => additive)) {
    void notices.showInformationMessage(`${noMetricText(info)}, so there is none to choose.`);
    return undefined;
  }
  const shown = session.scope(info.id)?.metric;
  const items = info.metrics.flatMap((metric, index) =>
    metric.additive
      ? [
          {
            label: metric.name,
            description: `${formatValue(metric.total, metric.unit)} in total`,
            detail: joined([index === shown ? "shown" : "", metric.note], " · "),
            index,
          },
        ]
      : [],
  );
  const chosen = await vscode.window.showQuickPick(items, {
    title: `Metric of ${info.name}`,
    matchOnDescription: true,
  });
  return chosen?.index;
}

async function pickOver(session: Session, info: DataSetInfo): Promise<void> {
  const scope = session.scope(info.id);
  if (!scope) {
    sayNothingToCombine(info);
    return;
  }
  if (info.ranks.length === 0) {
    const why = info.metrics[scope.metric].reducedOverRanks ? "was combined over ranks when recorded" : "has no ranks";
    void notices.showInformationMessage(`${info.name} ${why}, so there is nothing to combine.`);
    return;
  }
  const chosen = await vscode.window.showQuickPick(overChoices(info, scope), { title: `Ranks of ${info.name}` });
  if (chosen?.over !== undefined) session.setOver(info.id, chosen.over);
  if (chosen?.ask === "rank") {
    const rank = await askRank(info, scope.chosen?.by === "rank" ? scope.chosen.members : info.ranks.map(String));
    if (rank !== undefined) session.setOver(info.id, { rank });
  }
  if (chosen?.ask === "restriction") await askRestriction(session, info, "rank");
}

function sayNothingToCombine(info: DataSetInfo): void {
  void notices.showInformationMessage(`${noMetricText(info)}, so there is nothing to combine over ranks.`);
}

/** @param known the ranks that count */
async function askRank(info: DataSetInfo, known: readonly string[]): Promise<number | undefined> {
  const read = (text: string) => readMembers(text, "rank", known);
  const text = await vscode.window.showInputBox({
    title: `One rank of ${info.name}`,
    prompt: `There are ranks ${memberRanges(known)}.`,
    validateInput: (value) => {
      const { members, problem } = read(value);
      return problem ?? (members?.length === 1 ? undefined : "One rank only.");
    },
    // As where members are asked for (restrictCommand.ts).
    ignoreFocusOut: true,
  });
  const [rank] = (text === undefined ? undefined : read(text).members) ?? [];
  return rank === undefined ? undefined : Number(rank);
}
