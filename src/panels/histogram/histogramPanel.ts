/** One histogram panel: joins a webview to the session. It computes nothing and decides nothing about numbers. */
import * as vscode from "vscode";
import type { DataSetInfo, Distribution, LocationUnit, MemberOrder, MetricInfo, Scope } from "../../engine/api";
import { memberRanges, unitName } from "../../model/members";
import {
  type FromHistogram,
  type HistogramState,
  parseFromHistogram,
  type ToHistogram,
} from "../../protocol/histogram";
import { spreadMessage } from "../../session/notRecorded";
import { graphWorld } from "../kit/comparedRecording";
import { pinOf, type Subject, subjectOf } from "../correlation/correlationSubjects";
import { DataSetPanel, type PanelParts, type Ready } from "../kit/dataSetPanel";
import { chosenFlags, chosenMessage, histogramMessage, membersOfBins, orderText } from "./histogramMessage";
import { showHottestLine } from "../kit/hottestLine";
import { problemOf } from "../kit/problems";
import { shorten } from "../kit/shorten";

/** What the panel remembers of itself. */
export type PanelState = Omit<HistogramState, "table">;

/** What was asked for: the restriction is no part of it, since it changes no value of a histogram. */
interface Asked {
  readonly dataSet: number;
  readonly metric: number;
  readonly by: LocationUnit;
  readonly subject: Subject | undefined;
  readonly value: "exclusive" | "inclusive";
  readonly bins: number;
  readonly order: string;
}

/** The histogram on screen. */
interface Shown {
  readonly asked: Asked;
  readonly distribution: Distribution;
  readonly revision: number;
  /** The restriction that is shown as chosen. */
  readonly chosen: Scope["chosen"];
}

export class HistogramPanel extends DataSetPanel<PanelState, FromHistogram, ToHistogram> {
  private readonly navigations = this.latest();
  private shown: Shown | undefined;
  /** Absent: the whole recording. */
  private subject: Subject | undefined;
  /** What was shown before a reload, until all that it needs is there. */
  private kept: HistogramState["subject"];
  private revision = 0;
  /** The last brush that was heard of. */
  private brush = 0;
  /** The view waits for a whole histogram. */
  private isAsking = false;

  constructor(parts: PanelParts, panel: vscode.WebviewPanel, state: PanelState) {
    super(parts, panel, state, { page: "histogram", title: "Histogram", saved: "histogram" });
    this.subject = this.selected;
    this.kept = this.subject ? undefined : state.subject;
    if (this.subject) this.keep(this.subject);
    const later = parts.session.onDidChangeDataSets(() => {
      // It may be a bar of a comparison with another recording, which is opened after this one.
      if (this.kept) void this.refresh();
    });
    panel.onDidDispose(() => later.dispose());
  }

  protected override parse(message: unknown): FromHistogram | undefined {
    return parseFromHistogram(message);
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
    const missing = this.bringBack(dataSet, scope);
    const by = this.unitIn(dataSet);
    const order = this.orderIn(dataSet);
    this.postControls(dataSet, scope, by, order.text);
    const metric = dataSet.metrics.at(scope.metric);
    const nothing = spreadMessage(dataSet, metric);
    if (nothing !== undefined || !by || !metric) {
      this.queries.abandon();
      this.forget();
      const message = shorten(nothing ?? "There is nothing to tell apart.", 4096);
      this.post({ type: "problem", kind: "empty", message });
      return;
    }
    const { value, bins } = this.state;
    const asked: Asked = {
      dataSet: dataSet.id,
      metric: scope.metric,
      by,
      subject: this.subject,
      value,
      bins,
      order: order.text,
    };
    if (this.shown && isSame(asked, this.shown.asked) && this.follows(scope, this.shown)) return;
    const run = this.queries.start((fraction, message) => this.post({ type: "progress", fraction, message }));
    this.isAsking = true;
    this.post({ type: "progress" });
    try {
      const { engine } = this.parts.session;
      const target = this.subject?.target;
      const query = { scope, by, target, value, bins, order: order.of };
      const distribution = await engine.distribution(query, run.task);
      run.task.check();
      // Asked again, as when links were found: a brush that is under way still means the same bins.
      const isKept =
        this.shown && isSame(asked, this.shown.asked) && haveSameBins(distribution, this.shown.distribution);
      if (!isKept) this.revision++;
      this.shown = { asked, distribution, revision: this.revision, chosen: scope.chosen };
      const notes = missing === undefined ? [] : [`${missing} This is the whole recording.`];
      const about = { metric, value, subject: this.subject?.name, order: order.of, orderMetric: order.metric, notes };
      this.post(histogramMessage(distribution, about, this.revision));
      this.postChosen(distribution.chosen);
    } catch (error) {
      if (!run.superseded) this.post(problemOf(error));
    } finally {
      if (!run.superseded) this.isAsking = false;
    }
  }

  /**
   * A restriction that was made or taken away changes what is highlighted only: it is told at once, in the pace of a brush.
   *
   * @returns whether that is all that has changed
   */
  private follows(scope: Scope, shown: Shown): boolean {
    const { chosen } = scope;
    const isKnown = chosen === undefined || chosen.by === shown.asked.by;
    if (this.isAsking || !isKnown || JSON.stringify(chosen) === JSON.stringify(shown.chosen)) return false;
    this.shown = { ...shown, chosen };
    this.postChosen(chosen && chosenFlags(shown.distribution, chosen));
    return true;
  }

  private postChosen(flags: Uint8Array | undefined): void {
    const { shown, brush } = this;
    if (shown) this.post(chosenMessage(shown.distribution, flags, { revision: shown.revision, brush }));
  }

  private postControls(dataSet: DataSetInfo, scope: Scope, by: LocationUnit | undefined, order: string): void {
    const { value, bins } = this.state;
    this.post({
      type: "controls",
      ...this.scopeControls(dataSet, scope),
      units: dataSet.units.map(({ by: unit, members }) => ({ by: unit, label: unitName(unit, members.length) })),
      ...(by ? { by } : {}),
      value,
      bins,
      order,
      orders: ordersOf(dataSet),
      restore: { ...this.state, order },
    });
  }

  protected override async answer(message: FromHistogram): Promise<void> {
    switch (message.type) {
      case "set-by":
        return this.change({ by: message.by });
      case "set-value":
        return this.change({ value: message.value });
      case "set-bins":
        return this.change({ bins: message.bins });
      case "set-order":
        return this.change({ order: message.order });
      case "brush":
        return this.restrict(message);
      case "copy-members":
        return this.copyMembers(message);
      case "open":
        return this.open();
    }
  }

  private change(change: Partial<PanelState>): Promise<void> {
    this.state = { ...this.state, ...change };
    return this.refresh();
  }

  private restrict({ revision, brush, bins }: { revision: number; brush: number; bins: readonly number[] }): void {
    const { shown } = this;
    if (shown?.revision !== revision) return;
    this.brush = brush;
    const { by, members, binOf } = shown.distribution;
    const wanted = new Set(bins);
    const keys = members.filter((_, member) => wanted.has(binOf[member]));
    this.parts.session.setRestriction(shown.asked.dataSet, keys.length > 0 ? { by, members: keys } : undefined);
  }

  private async copyMembers({ revision, bin }: { revision: number; bin: number }): Promise<void> {
    const { shown } = this;
    if (shown?.revision !== revision) return;
    await vscode.env.clipboard.writeText(memberRanges(membersOfBins(shown.distribution).at(bin) ?? []));
    this.notice("Copied.");
  }

  private async open(): Promise<void> {
    const scope = this.dataSet && this.parts.session.scope(this.dataSet.id);
    if (!scope) return;
    const run = this.navigations.start();
    const { subject, parts, panel } = this;
    try {
      const what = { target: subject?.target, name: subject?.name ?? "the recording" };
      const notice = await showHottestLine(parts, scope, what, run, { focus: true, beside: panel.viewColumn });
      if (notice !== undefined && !run.superseded) this.notice(notice);
    } catch (error) {
      if (!run.superseded) this.notice(problemOf(error).message);
    }
  }

  protected override async followSelection(): Promise<void> {
    const { selection } = this.parts.session;
    if (!this.dataSet || (selection && selection.dataSet !== this.dataSet.id)) return;
    if (selection?.target === this.subject?.target) return;
    this.subject = this.selected;
    this.kept = undefined;
    this.keep(this.subject);
    return this.refresh();
  }

  /** Remembers for a reload what is shown. */
  private keep(subject: Subject | undefined): void {
    const { session } = this.parts;
    this.state = { ...this.state, subject: subject && pinOf(subject, this.dataSet, graphWorld(session)) };
  }

  /** What was shown before a reload is shown again. @returns why it is not, in sentences */
  private bringBack(dataSet: DataSetInfo, scope: Scope): string | undefined {
    if (!this.kept) return undefined;
    const again = subjectOf(this.kept, dataSet, scope, graphWorld(this.parts.session));
    if (typeof again === "string") return again;
    this.subject = again;
    this.kept = undefined;
    return undefined;
  }

  /** What is selected in this panel's data set. */
  private get selected(): Subject | undefined {
    const { selection } = this.parts.session;
    if (!selection || selection.dataSet !== this.dataSet?.id) return undefined;
    return { target: selection.target, name: selection.name };
  }

  private unitIn({ units }: DataSetInfo): LocationUnit | undefined {
    return (units.find(({ by }) => by === this.state.by) ?? units.at(0))?.by;
  }

  /** The order that was chosen, where the recording has it; else by number. */
  private orderIn(dataSet: DataSetInfo): { of: MemberOrder; text: string; metric?: MetricInfo } {
    const { order } = this.state;
    if (!ordersOf(dataSet).includes(order)) return { of: "id", text: "id" };
    if (order === "id" || order === "value" || order === "host") return { of: order, text: order };
    const index = dataSet.metrics.findIndex((metric) => orderText({ metric: 0 }, metric) === order);
    return { of: { metric: index }, text: order, metric: dataSet.metrics[index] };
  }
}

/** What a line can be ordered by. */
function ordersOf({ metrics, units }: DataSetInfo): string[] {
  const summed = metrics.filter(({ additive, reducedOverRanks }) => additive && !reducedOverRanks).slice(0, 1000);
  return [
    "id",
    "value",
    ...(units.some(({ by }) => by === "host") ? ["host"] : []),
    ...summed.map((metric) => orderText({ metric: 0 }, metric)),
  ];
}

/** The same members in the same bins, on the same line. */
function haveSameBins(a: Distribution, b: Distribution): boolean {
  const areEqual = (left: ArrayLike<unknown>, right: ArrayLike<unknown>) =>
    left.length === right.length && Array.from(left).every((value, at) => value === right[at]);
  return (
    areEqual(a.members, b.members) &&
    areEqual(a.edges, b.edges) &&
    areEqual(a.binOf, b.binOf) &&
    areEqual(a.order, b.order)
  );
}

function isSame(a: Asked, b: Asked): boolean {
  return (Object.keys(a) as (keyof Asked)[]).every((key) => a[key] === b[key]);
}
