import * as vscode from "vscode";
import { chosenList, chosenText } from "../model/members";
import { counted, cutList, joined, shorten } from "../model/texts";
import { hasMovement } from "../model/trace";
import { distinctWarnings, timesText, warningText } from "../model/warningTexts";
import {
  comparableWith,
  comparedNames,
  comparedRuns,
  currentPairOrWhyNot,
  offeredToCompare,
  pairOrWhyNot,
} from "../session/comparedScopes";
import { sameFolderFirst, shortPair } from "../model/recordingNames";
import { chosenNames } from "../session/chosenRuns";
import { overText, restrictionTexts } from "../session/scopeChoice";
import type { Session, SessionDataSet } from "../session/session";
import { shownScopeText, shownTarget } from "../session/targetScope";
import { currentSettings } from "../session/sourceFeed";

/** Characters of what is restricted to, in a tooltip; and of names of runs in the status bar. */
const [MOST_LIST, SHORT_LIST] = [400, 40];

/** What all numbers on screen mean: data set, metric, how ranks are combined; and the restriction as a removable chip. */
export class StatusBar implements vscode.Disposable {
  private readonly shown = vscode.window.createStatusBarItem("heatflow.shown", vscode.StatusBarAlignment.Left, 50);
  private readonly chip = vscode.window.createStatusBarItem("heatflow.restriction", vscode.StatusBarAlignment.Left, 49);
  private readonly target = vscode.window.createStatusBarItem("heatflow.target", vscode.StatusBarAlignment.Left, 49);
  private readonly cut = vscode.window.createStatusBarItem("heatflow.cut", vscode.StatusBarAlignment.Left, 48);
  /** What is compared, as a chip; else what would be by a click. */
  private readonly comparison = vscode.window.createStatusBarItem(
    "heatflow.comparison",
    vscode.StatusBarAlignment.Left,
    47,
  );
  /** Of what would be compared: VS Code forgets each one that another takes the place of, and a click that comes just then leads nowhere. */
  private offer: vscode.Command | undefined;
  /** Counts questions for it: only the latest answer is shown. */
  private offers = 0;
  private readonly subscriptions: vscode.Disposable[];

  constructor(private readonly session: Session) {
    this.shown.name = "Heatflow: Data Set and Metric";
    this.chip.name = "Heatflow: Restriction";
    this.comparison.name = "Heatflow: Comparison";
    this.shown.command = "heatflow.switchShown";
    this.chip.command = "heatflow.clearRestriction";
    this.target.name = "Heatflow: Target Run";
    this.target.command = "heatflow.endTarget";
    this.target.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
    this.cut.name = "Heatflow: Incomplete Recording";
    this.cut.command = "heatflow.dataSets.focus";
    this.chip.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
    const update = () => this.update();
    this.subscriptions = [
      session.onDidChangeDataSets(update),
      session.onDidChangeScope(update),
      session.onDidChangeTarget(update),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration("heatflow.heat")) update();
      }),
      vscode.commands.registerCommand("heatflow.switchShown", () => this.switchShown()),
      vscode.commands.registerCommand("heatflow.endTarget", () => session.setEnsembleTarget(undefined)),
      vscode.commands.registerCommand("heatflow.endDifference", () => session.setEnsembleDifference(undefined)),
    ];
    this.update();
  }

  dispose(): void {
    for (const part of [...this.subscriptions, this.shown, this.chip, this.target, this.cut, this.comparison])
      part.dispose();
  }

  private update(): void {
    this.updateComparison();
    this.updateTarget();
    const info = this.session.current;
    const scope = this.session.scope();
    this.updateCut(this.session);
    if (!info) {
      this.shown.hide();
      this.chip.hide();
      return;
    }
    const isByBytes = currentSettings().heatBy === "bytes" && info.trace !== undefined && hasMovement(info.trace);
    const heat = isByBytes ? " · heat: bytes moved" : "";
    this.shown.text = `$(flame) ${info.name} · ${scope ? shownScopeText(this.session, info, scope) : "no metric"}${heat}`;
    this.shown.tooltip = scope
      ? "Heatflow: switch data set, metric, or how ranks are combined"
      : "Heatflow: no metric of this recording adds up. Switch data set";
    this.shown.show();
    // Numbers of runs mean something to the engine alone.
    const runs = chosenNames(scope?.chosen, info)?.join(", ");
    const restriction = {
      ...restrictionTexts(scope ?? {}),
      ...(runs !== undefined && runs.length <= SHORT_LIST ? { restriction: runs } : {}),
    };
    if (Object.keys(restriction).length > 0) {
      this.chip.text = `${Object.values(restriction).join(" · ")} $(close)`;
      const all = scope?.chosen && { restriction: cutList(runs ?? chosenList(scope.chosen), MOST_LIST) };
      const shown = Object.values({ ...restriction, ...all }).join(", ");
      this.chip.tooltip = `Heatflow: all numbers are restricted to ${shown}. Click to show all of the recording again.`;
      this.chip.show();
    } else this.chip.hide();
  }

  /** The run of an ensemble that lines and trees are of. */
  private updateTarget(): void {
    const { session } = this;
    const target = shownTarget(session);
    if (!target) return this.target.hide();
    this.target.text = `$(target) ${shorten(target.run, 60)} $(close)`;
    const runs = counted(session.current?.ensemble?.names.length ?? 0, "run");
    this.target.tooltip = `Heatflow: lines, trees and ensemble panels show ${target.run} beside ${runs}. Click for no target run.`;
    this.target.show();
  }

  /** As long as a recording is open whose end is missing; of one that is not shown, with its name. */
  private updateCut({ current, dataSets }: Pick<Session, "current" | "dataSets">): void {
    const ofCut = ({ warnings }: SessionDataSet) => warnings.filter(({ isCut }) => isCut);
    const all = dataSets.filter((one) => ofCut(one).length > 0);
    const said = distinctWarnings(all.flatMap(ofCut));
    if (said.length === 0) return this.cut.hide();
    const names = all.some(({ id }) => id === current?.id) ? [] : all.map(({ name }) => shorten(name, 40));
    this.cut.text = joined(["$(warning)", joined(names, ", "), "incomplete"], " ");
    const lines = said.map(({ warning, count }) => joined([warningText(warning), timesText(count)], " "));
    this.cut.tooltip = ["Heatflow: numbers are too low, a part of the recording is missing", ...lines].join("\n");
    this.cut.show();
  }

  private updateComparison(): void {
    const { current } = this.session;
    const runs = comparedRuns(this.session);
    const names = runs?.names ?? comparedNames(this.session);
    const offered = ++this.offers;
    if (names) {
      const [baseline, candidate] = shortPair(names[0], names[1]);
      this.comparison.text = `$(git-compare) ${baseline} → ${candidate} $(close)`;
      const said = runs ? `lines, trees and the ensemble ${differenceWords(names)}.` : this.comparedText(names);
      this.comparison.tooltip = `Heatflow: ${said} Click to end the comparison.`;
      this.comparison.backgroundColor = new vscode.ThemeColor("statusBarItem.warningBackground");
      this.comparison.command = runs ? "heatflow.endDifference" : "heatflow.endComparison";
      this.comparison.show();
      return;
    }
    if (!current || comparableWith(this.session, current).length === 0) return this.comparison.hide();
    // An offer stays until the engine has compared the names of functions.
    if (this.comparison.command !== this.offer) this.comparison.hide();
    void offeredToCompare(this.session, current).then(([other]) => {
      if (offered === this.offers) this.offerComparison(current, other);
    });
  }

  /** @param other undefined if there is no recording of the same program */
  private offerComparison(current: SessionDataSet, other: SessionDataSet | undefined): void {
    if (!other) return this.comparison.hide();
    const { name } = other;
    this.comparison.text = `$(git-compare) Compare with ${name}`;
    this.comparison.tooltip = `Heatflow: compare ${current.name} with ${name}`;
    this.comparison.backgroundColor = undefined;
    const argument = { dataSet: current.id, baseline: other.id };
    if (JSON.stringify(this.offer?.arguments) !== JSON.stringify([argument]))
      this.offer = { command: "heatflow.compareRuns", title: "Compare Runs", arguments: [argument] };
    this.comparison.command = this.offer;
    this.comparison.show();
  }

  /** Where the difference is shown: what another recording or another metric on screen leaves out of it is said. */
  private comparedText(names: readonly [string, string]): string {
    const what = differenceWords(names);
    const pair = currentPairOrWhyNot(this.session);
    if (typeof pair !== "string") return `lines, trees and panels ${what}.`;
    if (typeof pairOrWhyNot(this.session) === "string") return `no difference is shown. ${pair}`;
    return `panels of the two ${what}. ${pair}`;
  }

  private async switchShown(): Promise<void> {
    const { session } = this;
    const info = session.current;
    const scope = session.scope();
    if (!info) return;
    const separator = (label: string) => ({ label, kind: vscode.QuickPickItemKind.Separator, run: () => undefined });
    const run = (command: string) => () => vscode.commands.executeCommand(command, { dataSet: info.id });
    const items = [
      ...(scope
        ? [
            separator("What is shown"),
            ...(info.trace && hasMovement(info.trace)
              ? [
                  {
                    label: "$(flame) Heat…",
                    description: currentSettings().heatBy === "bytes" ? "by bytes moved now" : "by time now",
                    run: run("heatflow.switchHeat"),
                  },
                ]
              : []),
            {
              label: "$(symbol-ruler) Metric…",
              description: info.metrics[scope.metric].name,
              run: run("heatflow.selectMetric"),
            },
            ...(info.units.length === 0
              ? []
              : [
                  {
                    label: "$(filter) Restrict to…",
                    description: scope.chosen ? `${chosenText(scope.chosen)} now` : "all of it now",
                    run: run("heatflow.restrictTo"),
                  },
                ]),
            ...(info.ranks.length === 0
              ? []
              : [
                  {
                    label: "$(server) Ranks…",
                    description: overText(info, scope),
                    run: run("heatflow.selectOverRanks"),
                  },
                ]),
          ]
        : []),
      ...(session.dataSets.length > 1 ? [separator("Data set")] : []),
      ...sameFolderFirst(session.dataSets, info)
        .filter(({ id }) => id !== info.id)
        .map(({ id, name, format }) => ({
          label: `$(graph) ${name}`,
          description: format.label,
          run: () => session.setCurrent(id),
        })),
    ];
    if (items.length === 0) return vscode.commands.executeCommand("heatflow.dataSets.focus");
    await (await vscode.window.showQuickPick(items, { title: info.name }))?.run();
  }
}

function differenceWords([baseline, candidate]: readonly [string, string]): string {
  return `show what ${candidate} costs more (+) or less (−) than ${baseline}`;
}
