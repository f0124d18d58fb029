/** One correlation panel: joins a webview to the session. It computes nothing and decides nothing about numbers. */
import type * as vscode from "vscode";
import type { CorrelationAxis, DataSetInfo, PointKind, Scope, Target } from "../../engine/api";
import { unitName } from "../../model/members";
import { MARK_LIMIT } from "../../protocol/bounds";
import {
  type AxisControls,
  type AxisName,
  axisNames,
  type AxisState,
  type CorrelationState,
  type FromCorrelation,
  parseFromCorrelation,
  type ToCorrelation,
} from "../../protocol/correlation";
import { spreadMessage } from "../../session/notRecorded";
import { overText } from "../../session/scopes";
import { type AboutAxis, sameValueNotes, scatter } from "./correlationMessage";
import { graphWorld } from "../kit/comparedRecording";
import { pinOf, type Subject, subjectOf } from "./correlationSubjects";
import { DataSetPanel, type PanelParts, type Ready } from "../kit/dataSetPanel";
import { showHottestLine } from "../kit/hottestLine";
import { problemOf } from "../kit/problems";
import { shorten } from "../kit/shorten";

/** What the panel remembers of itself. */
export type PanelState = Omit<CorrelationState, "table" | "search">;

/** The scatter on screen. */
interface Shown {
  readonly dataSet: number;
  readonly scope: Scope;
  readonly points: PointKind;
  readonly revision: number;
  /** Of each mark. */
  readonly names: readonly string[];
  /** Of each mark that is a context or function. */
  readonly ids: readonly number[];
  /** What was asked for but for the restriction, which changes no value of a member. */
  readonly asked: string;
  /** The restriction that is shown as chosen. */
  readonly chosen: Scope["chosen"];
}

/** Origin of selections made here. */
const ORIGIN = "correlation";

/** The longest time between the clicks of a double click, as desktops have it. */
const DOUBLE_CLICK_MS = 500;

export class CorrelationPanel extends DataSetPanel<PanelState, FromCorrelation, ToCorrelation> {
  private readonly navigations = this.latest();
  private shown: Shown | undefined;
  /** What was asked for last is of this selection; also undefined where no axis follows it. */
  private followed: Target | undefined;
  /** What was pinned since the window started; what was pinned before is built from the state. */
  private readonly pinned: Partial<Record<AxisName, Subject>> = {};
  private revision = 0;
  /** The last choice of members that was heard of. */
  private choice = 0;

  constructor(parts: PanelParts, panel: vscode.WebviewPanel, state: PanelState) {
    super(parts, panel, state, { page: "correlation", title: "Correlation", saved: "correlation" });
    const later = parts.session.onDidChangeDataSets(() => {
      // What was kept may be a bar of a comparison with another recording, which is opened after this one.
      const { state, pinned } = this;
      if (axisNames.some((name) => state[name].of === "pinned" && !pinned[name])) void this.refresh();
    });
    panel.onDidDispose(() => later.dispose());
  }

  /** Keeps the exclusive value of what is selected now on y; x follows the selection. */
  pinSelected(): void {
    const { x, y } = this.state;
    const { selected } = this;
    if (!selected) return;
    this.state = { ...this.state, x: { ...x, value: "exclusive", of: "selection" }, y: { ...y, value: "exclusive" } };
    this.pinTo("y", selected);
    void this.refresh();
  }

  protected override parse(message: unknown): FromCorrelation | undefined {
    return parseFromCorrelation(message);
  }

  protected override get isShown(): boolean {
    return this.shown !== undefined;
  }

  protected override forget(): void {
    this.shown = undefined;
  }

  /** The view draws into any size what it has. */
  protected override async resized(): Promise<void> {}

  protected override async show({ dataSet, scope }: Ready): Promise<void> {
    const points = this.pointsIn(dataSet);
    const [x, y] = [this.axisOf("x", dataSet, scope), this.axisOf("y", dataSet, scope)];
    this.postControls(dataSet, scope, points);
    const isOfCode = points === "context" || points === "function";
    const nothing = isOfCode
      ? undefined
      : (spreadMessage(dataSet, x.about.metric) ?? spreadMessage(dataSet, y.about.metric));
    if (nothing !== undefined) {
      this.queries.abandon();
      this.forget();
      this.post({ type: "problem", kind: "empty", message: shorten(nothing, 4096), advice: "Choose other points." });
      return;
    }
    const axes = isOfCode ? { x: withoutTarget(x.axis), y: withoutTarget(y.axis) } : { x: x.axis, y: y.axis };
    const asked = JSON.stringify([points, axes, scope.over], (key, part: unknown) =>
      key === "chosen" ? undefined : part,
    );
    this.followed = this.followedBy(points);
    if (this.follows(scope, points, asked)) return;
    const run = this.queries.start((fraction, message) => this.post({ type: "progress", fraction, message }));
    this.post({ type: "progress" });
    try {
      const { engine } = this.parts.session;
      const answer = await engine.correlation({ ...axes, points, mostPoints: MARK_LIMIT }, run.task);
      run.task.check();
      const revision = ++this.revision;
      const shown = {
        x: isOfCode ? { ...x.about, of: undefined } : x.about,
        y: isOfCode ? { ...y.about, of: undefined } : y.about,
      };
      const about = {
        points,
        ...shown,
        ...(isOfCode ? { over: overText(dataSet, scope) } : {}),
        notes: [...sameValueNotes(answer, shown, this.following(points)), ...this.notesOn(dataSet, scope, points)],
      };
      const { message, marks } = scatter(answer, about, { revision, choice: this.choice });
      this.shown = {
        dataSet: dataSet.id,
        scope,
        points,
        revision,
        names: marks.map((at) => answer.names[at]),
        ids: marks.map((at) => answer.ids[at]),
        asked,
        chosen: scope.chosen,
      };
      this.post(message);
      this.postSelection();
    } catch (error) {
      if (!run.superseded) this.post(problemOf(error));
    }
  }

  /**
   * A restriction of members that was made or taken away changes what is marked only: it is told at once.
   *
   * @returns whether that is all that has changed
   */
  private follows({ chosen }: Scope, points: PointKind, asked: string): boolean {
    const { shown } = this;
    if (shown?.asked !== asked || points === "context" || points === "function") return false;
    if (chosen && chosen.by !== points) return false;
    if (JSON.stringify(chosen) === JSON.stringify(shown.chosen)) return false;
    this.queries.abandon();
    this.shown = { ...shown, chosen };
    const keys = new Set(chosen?.members);
    const marks = [...shown.names.keys()].filter((mark) => keys.has(shown.names[mark]));
    const { revision } = shown;
    this.post({ type: "chosen", revision, choice: this.choice, ...(chosen ? { chosen: marks } : {}) });
    return true;
  }

  protected override async answer(message: FromCorrelation): Promise<void> {
    switch (message.type) {
      case "set-points":
        this.state = { ...this.state, points: message.points };
        return this.refresh();
      case "set-axis":
        this.setAxis(message);
        return this.refresh();
      case "swap-axes": {
        const { x, y } = this.state;
        const { pinned } = this;
        this.state = { ...this.state, x: y, y: x };
        [pinned.x, pinned.y] = [pinned.y, pinned.x];
        return this.refresh();
      }
      case "choose":
        return this.choose(message);
      case "select":
        return this.select(message, false);
      case "open":
        return this.select(message, true);
    }
  }

  protected override async followSelection(): Promise<void> {
    const { shown, dataSet } = this;
    const scope = dataSet && this.parts.session.scope(dataSet.id);
    if (!dataSet || !scope) return;
    const points = this.pointsIn(dataSet);
    if (!shown || this.followedBy(points) !== this.followed) return this.refresh();
    // What could be pinned has another name now.
    this.postControls(dataSet, scope, points);
    this.postSelection();
  }

  private postSelection(): void {
    const { shown } = this;
    const target = this.selected?.target;
    if (!shown || (shown.points !== "context" && shown.points !== "function")) return;
    const id =
      target?.kind === "function" && shown.points === "function"
        ? target.function
        : target?.kind === "context" && shown.points === "context"
          ? target.context
          : undefined;
    const mark = id === undefined ? -1 : shown.ids.indexOf(id);
    this.post({ type: "selection", revision: shown.revision, ...(mark < 0 ? {} : { mark }) });
  }

  private postControls(dataSet: DataSetInfo, scope: Scope, points: PointKind): void {
    const axis = (name: AxisName): AxisControls => {
      const { metric, value, of } = this.state[name];
      const index =
        metric === undefined ? -1 : dataSet.metrics.findIndex((candidate) => keptName(candidate) === metric);
      const pinned = subjectIn(this.pinnedOn(name, dataSet, scope))?.name;
      return {
        ...(index < 0 ? {} : { metric: index }),
        value,
        of: of === "pinned" && pinned === undefined ? "selection" : of,
        ...(pinned === undefined ? {} : { pinned: shorten(pinned, 4096) }),
      };
    };
    const { selected } = this;
    this.post({
      type: "controls",
      ...this.scopeControls(dataSet, scope),
      kinds: kindsOf(dataSet).map((kind) => ({ kind, label: labelOf(kind) })),
      points,
      additive: dataSet.metrics.flatMap(({ additive }, at) => (additive && at < 1000 ? [at] : [])),
      x: axis("x"),
      y: axis("y"),
      ...(selected ? { selected: shorten(selected.name, 4096) } : {}),
      restore: this.state,
    });
  }

  private notesOn(dataSet: DataSetInfo, scope: Scope, points: PointKind): string[] {
    const isOfCode = points === "context" || points === "function";
    const notes: string[] = [];
    if (!isOfCode)
      for (const name of axisNames) {
        const why = this.state[name].of === "pinned" ? this.pinnedOn(name, dataSet, scope) : undefined;
        if (typeof why === "string")
          notes.push(`${why} Now ${name} is of ${this.selected ? "the selection" : "the whole recording"}.`);
      }
    if (isOfCode && dataSet.units.length === 0) {
      const why = spreadMessage(dataSet, dataSet.metrics.at(0));
      if (why !== undefined) notes.push(why);
    }
    const following = this.following(points);
    if (!this.selected && following > 0)
      notes.push(
        `Nothing is selected: ${following === 2 ? "both axes are" : `${this.state.x.of === "selection" ? "x" : "y"} is`} of the whole recording.`,
      );
    // Functions are what a call graph measures.
    if (dataSet.estimated && points !== "function") notes.push("estimated from a call graph");
    return notes;
  }

  private axisOf(name: AxisName, dataSet: DataSetInfo, scope: Scope): { axis: CorrelationAxis; about: AboutAxis } {
    const { metric: wanted, value, of } = this.state[name];
    const found = dataSet.metrics.findIndex((candidate) => candidate.additive && keptName(candidate) === wanted);
    const metric = found < 0 ? scope.metric : found;
    const subject =
      of === "whole"
        ? undefined
        : ((of === "pinned" ? subjectIn(this.pinnedOn(name, dataSet, scope)) : undefined) ?? this.selected);
    return {
      axis: { scope: { ...scope, metric }, value, ...(subject ? { target: subject.target } : {}) },
      about: { metric: dataSet.metrics[metric], value, of: subject?.name },
    };
  }

  private setAxis({ axis, metric, value, of }: Extract<FromCorrelation, { type: "set-axis" }>): void {
    const changed: { -readonly [Key in keyof AxisState]: AxisState[Key] } = { ...this.state[axis] };
    if (metric !== undefined) changed.metric = metric < 0 ? undefined : keptName(this.dataSet?.metrics.at(metric));
    if (value !== undefined) changed.value = value;
    if (of !== undefined && of !== "pin") changed.of = of;
    this.state = { ...this.state, [axis]: changed };
    const { selected } = this;
    if (of === "pin" && selected) this.pinTo(axis, selected);
  }

  private pinTo(axis: AxisName, subject: Subject): void {
    this.pinned[axis] = subject;
    const pin = pinOf(subject, this.dataSet, graphWorld(this.parts.session));
    this.state = { ...this.state, [axis]: { ...this.state[axis], of: "pinned", pin } };
  }

  /** A string says why what an axis was kept on cannot be built again. */
  private pinnedOn(axis: AxisName, dataSet: DataSetInfo, scope: Scope): Subject | string | undefined {
    const { pin } = this.state[axis];
    return this.pinned[axis] ?? (pin && subjectOf(pin, dataSet, scope, graphWorld(this.parts.session)));
  }

  /** What is selected in this panel's data set. */
  private get selected(): Subject | undefined {
    const { selection } = this.parts.session;
    if (!selection || selection.dataSet !== this.dataSet?.id) return undefined;
    return { target: selection.target, name: selection.name };
  }

  /** What the numbers on screen depend on of the selection. */
  private followedBy(points: PointKind): Target | undefined {
    return this.following(points) > 0 ? this.selected?.target : undefined;
  }

  /** How many axes show a value of what is selected. */
  private following(points: PointKind): number {
    if (points === "context" || points === "function") return 0;
    const { x, y } = this.state;
    return [x, y].filter(({ of }) => of === "selection").length;
  }

  private pointsIn(dataSet: DataSetInfo): PointKind {
    const kinds = kindsOf(dataSet);
    return kinds.find((kind) => kind === this.state.points) ?? kinds[0];
  }

  private choose({ revision, choice, marks }: { revision: number; choice: number; marks: readonly number[] }): void {
    const { shown } = this;
    if (shown?.revision !== revision || shown.points === "context" || shown.points === "function") return;
    this.choice = choice;
    // In the order of all members, as a restriction is written.
    const members = [...new Set(marks)].sort((a, b) => a - b).flatMap((mark) => shown.names.at(mark) ?? []);
    this.parts.session.setRestriction(shown.dataSet, members.length > 0 ? { by: shown.points, members } : undefined);
  }

  /** Selects a context or function for every view and shows its hot line (semantics 3). */
  private async select({ revision, mark }: { revision: number; mark: number }, focus: boolean): Promise<void> {
    const { shown, parts, panel } = this;
    if (shown?.revision !== revision || mark >= shown.ids.length) return;
    if (shown.points !== "context" && shown.points !== "function") return;
    const id = shown.ids[mark];
    const name = shown.names[mark];
    const target: Target =
      shown.points === "context" ? { kind: "context", context: id } : { kind: "function", function: id };
    parts.session.select({ dataSet: shown.dataSet, target, name, origin: ORIGIN });
    const run = this.navigations.start();
    try {
      // A new editor group beside would take the point away from under the second click of a double click.
      if (!focus && this.isAlone) await new Promise((resolve) => setTimeout(resolve, DOUBLE_CLICK_MS));
      if (run.superseded) return;
      const notice = await showHottestLine(parts, shown.scope, { target, name }, run, {
        focus,
        beside: panel.viewColumn,
      });
      if (notice !== undefined && !run.superseded) this.notice(notice);
    } catch (error) {
      if (!run.superseded) this.notice(problemOf(error).message);
    }
  }
}

/** What points can stand for in a recording, what it has several of first. */
function kindsOf({ units, contexts }: DataSetInfo): PointKind[] {
  return [...units.map(({ by }) => by), "function", ...(contexts > 0 ? (["context"] as const) : [])];
}

function labelOf(kind: PointKind): string {
  if (kind === "function") return "functions";
  return kind === "context" ? "calling contexts" : unitName(kind, 2);
}

/** A metric's name as far as it is kept for a reload. */
function keptName(metric: { readonly name: string } | undefined): string | undefined {
  return metric && shorten(metric.name, 4096);
}

function subjectIn(pinned: Subject | string | undefined): Subject | undefined {
  return typeof pinned === "string" ? undefined : pinned;
}

function withoutTarget({ scope, value }: CorrelationAxis): CorrelationAxis {
  return { scope, value };
}
