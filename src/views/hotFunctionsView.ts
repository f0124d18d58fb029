import * as vscode from "vscode";
import type { ComparedPair, FunctionRow, HotState, Scope, Target } from "../engine/api";
import { comparedPair, whyNotCompared } from "../session/comparedScopes";
import { bothText, differenceText } from "../model/differences";
import { shownOf } from "../model/shortName";
import { counted, joined } from "../model/texts";
import { hottestPlace } from "../session/hottestPlace";
import { functionsMessage, hasStatesOnly, rankingNote } from "../session/notRecorded";
import type { Navigator, Selection, Session } from "../session/session";
import { currentSettings } from "../session/sourceFeed";
import { shownScope, shownScopeText } from "../session/targetScope";
import { type CostScale, costsOf, costTooltip, labelOf, type RowCosts, stateCosts, stateTooltip } from "./costTexts";
import { type ChangedRow, changedRows, rowOfFunction } from "./changedRows";
import { CostTree } from "./costTree";
import { emptyWith } from "./dropFiles";
import { scaleOf } from "./scale";

/** Functions shown at first, and further ones with each click on the last row. */
const PAGE = 100;
const ORIGIN = "hotFunctions";
const NOTHING_OPEN = "Open performance data, or drop a recording here, to see its hot functions.";

type CostRow = FunctionRow | ChangedRow | HotState;
type Row = CostRow | "more";
type By = "exclusive" | "inclusive";

/** Functions by exclusive or inclusive cost, or states of lanes if the recording has no metric; a click selects one and opens its hot line, if that is in its own file. */
export class HotFunctionsView extends CostTree<Row> {
  private rows: readonly CostRow[] = [];
  private scale: CostScale = { unit: "1", total: undefined };
  private by: By = "exclusive";
  private limit = PAGE;

  constructor(session: Session, navigator: Navigator, log: vscode.LogOutputChannel) {
    super(session, navigator, log, ORIGIN);
    this.register({
      byInclusive: () => this.sortBy("inclusive"),
      byExclusive: () => this.sortBy("exclusive"),
      more: () => this.showMore(),
      open: (id: unknown) => this.openRow(id),
    });
    this.sortBy("exclusive");
  }

  override getParent(): undefined {
    return undefined;
  }

  override getTreeItem(row: Row): vscode.TreeItem {
    if (row === "more") {
      const item = new vscode.TreeItem("More…");
      item.command = { command: "heatflow.hotFunctions.more", title: "Show More" };
      return item;
    }
    const { first, further } = this.costsOf(row);
    const item = new vscode.TreeItem(labelOf(first, shownOf(row)));
    item.description = further;
    if (!isOfFunction(row)) this.describeState(item, row);
    else if ("difference" in row) this.describeChange(item, row);
    else {
      item.id = `${this.session.current?.id}/${row.function}`;
      item.tooltip = costTooltip(row, this.view.description ?? "", this.scale);
      item.iconPath = new vscode.ThemeIcon("symbol-function");
    }
    // Commands of functions need a function of the profile.
    if (isOfFunction(row)) item.contextValue = "function";
    item.command = {
      command: "heatflow.hotFunctions.open",
      title: "Open Hot Line",
      arguments: [this.rows.indexOf(row)],
    };
    return item;
  }

  protected override async rowsOf(row: Row | undefined): Promise<Row[]> {
    if (row) return [];
    const scope = shownScope(this.session);
    this.say(scope);
    const { current } = this.session;
    if (current && hasStatesOnly(current)) return this.states(current.id);
    const nothing = current && functionsMessage(current);
    if (!scope || nothing !== undefined) return emptyWith(this.view, nothing ?? NOTHING_OPEN);
    const pair = comparedPair(this.session);
    this.view.message =
      joined([whyNotCompared(this.session) ?? "", current ? rankingNote(current) : ""], " ") || undefined;
    const rows = pair
      ? await this.changedRows(pair)
      : await this.session.engine.hotFunctions({ scope, by: this.by, limit: this.limit + 1 });
    this.scale = await scaleOf(this.session, scope);
    this.rows = rows.slice(0, this.limit);
    return rows.length > this.limit ? [...this.rows, "more"] : [...this.rows];
  }

  private async states(dataSet: number): Promise<Row[]> {
    const { categories } = currentSettings();
    const { states, lanes, laneSeconds } = await this.session.engine.hotStates({ dataSet, categories });
    this.scale = { unit: "s", total: laneSeconds };
    this.view.description = `time of ${counted(lanes, "lane")}`;
    this.view.message = undefined;
    const timed = states.filter(({ seconds }) => seconds > 0);
    this.rows = timed.slice(0, this.limit);
    return timed.length > this.limit ? [...this.rows, "more"] : [...this.rows];
  }

  private async changedRows({ baseline, candidate, renamed }: ComparedPair): Promise<ChangedRow[]> {
    const sides = { baseline: [baseline], candidate: [candidate], renamed };
    const query = { ...sides, value: this.by, limit: this.limit + 1, linked: 0 };
    const { rows } = await this.session.engine.comparison(query);
    return changedRows(rows, { baseline, candidate });
  }

  private costsOf(row: CostRow): RowCosts {
    if (!isOfFunction(row)) return stateCosts(row, this.scale);
    if (!("difference" in row)) return costsOf(row, this.by, this.scale);
    return { first: differenceText(row.baseline, row.candidate, this.scale.unit), further: "" };
  }

  private describeState(item: vscode.TreeItem, state: HotState): void {
    item.id = `${this.session.current?.id}/state/${state.name}`;
    item.tooltip = stateTooltip(state, this.view.description ?? "", this.scale);
    item.iconPath = new vscode.ThemeIcon("symbol-event");
  }

  private describeChange(item: vscode.TreeItem, row: ChangedRow): void {
    const { difference } = row;
    const { unit } = this.scale;
    item.id = `${row.dataSet}/${row.function}`;
    item.tooltip = [row.name, `${this.by} ${bothText(row, unit)}`, this.view.description ?? ""].join("\n");
    const [icon, colour] = difference > 0 ? ["arrow-up", "charts.orange"] : ["arrow-down", "charts.blue"];
    item.iconPath = new vscode.ThemeIcon(icon, new vscode.ThemeColor(colour));
  }

  protected override refresh(): void {
    this.limit = PAGE;
    this.changeEmitter.fire(undefined);
  }

  private sortBy(by: By): void {
    this.by = by;
    void vscode.commands.executeCommand("setContext", "heatflow.hotFunctionsBy", by);
    this.refresh();
  }

  private showMore(): void {
    this.limit += PAGE * 5;
    this.changeEmitter.fire(undefined);
  }

  private say(scope: Scope | undefined): void {
    const info = this.session.current;
    this.view.description = scope && info ? shownScopeText(this.session, info, scope) : undefined;
    if (scope) this.view.message = undefined;
  }

  private async openRow(at: unknown): Promise<void> {
    const row = typeof at === "number" ? this.rows.at(at) : undefined;
    if (row && !isOfFunction(row)) return this.openState(row);
    const scope = row && shownScope(this.session, "difference" in row ? row.dataSet : undefined);
    if (!scope || !row) return;
    const target = { kind: "function", function: row.function } as const;
    const { dataSet } = scope;
    const { engine } = this.session;
    await this.open(dataSet, target, row.name, async (task) => {
      const place = await hottestPlace(this.session, scope, target, task);
      // A row is a function: where its hottest line is code that was inlined from elsewhere, the row's menu leads to that line. A row of
      // a comparison is a change, and leads to where that is.
      const link = place && (place.isInlined && !("difference" in row) ? place.definition : place.link);
      return link && link.places.length > 0 ? link : engine.link({ dataSet, target }, task);
    });
  }

  /** Goes to the line with most of a state's time, if it has one. */
  private async openState({ lines }: HotState): Promise<void> {
    const link = lines.at(0)?.link;
    if (link && link.places.length > 0) await this.goTo(link);
  }

  protected override follow(selection: Selection | undefined): void {
    const scope = shownScope(this.session);
    if (!selection || selection.origin === ORIGIN || !this.view.visible || scope?.dataSet !== selection.dataSet) return;
    this.reveal(selection, async () =>
      rowOfFunction(this.rows.filter(isOfFunction), selection.dataSet, await this.functionOf(selection.target, scope)),
    );
  }

  private async functionOf(target: Target, scope: Scope): Promise<number | undefined> {
    if (target.kind === "function") return target.function;
    const { engine } = this.session;
    if (target.kind === "context") return (await engine.describeContext({ scope, context: target.context })).function;
    return (await engine.hotPlaces({ scope, target, limit: 1 })).at(0)?.function;
  }
}

function isOfFunction(row: CostRow): row is FunctionRow | ChangedRow {
  return !("longestSeconds" in row);
}
