/** The correlation's view: takes in messages, keeps what the user sees, and draws it. Starts at the end of this file. */
import "../shared/page.css";
import "../shared/panel.css";
import "./correlation.css";
import { parse } from "../../src/protocol/bounds";
import {
  type Controls,
  correlationState,
  type FromCorrelation,
  parseToCorrelation,
  type ScatterMessage,
  type ToCorrelation,
} from "../../src/protocol/correlation";
import type { Problem } from "../../src/protocol/panel";
import { html } from "../shared/dom";
import { connect } from "../shared/host";
import { openMenu } from "../shared/menu";
import { Status } from "../shared/status";
import { plural, visible } from "../shared/text";
import { heading, pairs, Tooltip } from "../shared/tooltip";
import { findMarks, isOfCode, markFacts, markName, markSentence, summary } from "./describe";
import { type Intentions, listen, type Point } from "./interaction";
import { markMenu } from "./markMenu";
import { ChosenMembers } from "./members";
import { type Box, isOnLine, markAt, marksIn, nearest, orderByX } from "./scene";
import { scatterCsv } from "./scatterCsv";
import { type Shown, Stage } from "./stage";
import { legend, lineDetails, statistics } from "./statistics";
import { Toolbar } from "./toolbar";
import { Twin } from "./twin";

class CorrelationView {
  private readonly host = connect<ToCorrelation, FromCorrelation>(parseToCorrelation, (message) =>
    this.receive(message),
  );
  private readonly status = new Status({
    cancel: () => this.host.post({ type: "cancel" }),
    retry: () => this.host.post({ type: "retry" }),
    open: () => this.host.post({ type: "open-data-set" }),
  });
  private readonly toolbar: Toolbar;
  private readonly stage: Stage;
  private readonly twin: Twin;
  private readonly tooltip: Tooltip;
  private readonly facts = html("section", { class: "statistics", "aria-label": "Statistics", hidden: true });
  private readonly legendPlace = html("div", { class: "legend-place" });
  private readonly chosen = new ChosenMembers((choice, marks) => this.tellChoice(choice, marks));
  private controls: Controls | undefined;
  private scatter: ScatterMessage | undefined;
  private order: readonly number[] = [];
  private tableShown = false;
  private active = 0;
  private selected: number | undefined;
  private found: ReadonlySet<number> | undefined;
  private lastFound: number | undefined;

  constructor(app: HTMLElement) {
    this.toolbar = new Toolbar({
      points: (points) => this.host.post({ type: "set-points", points }),
      axis: (axis, change) => this.host.post({ type: "set-axis", axis, ...change }),
      swap: () => this.host.post({ type: "swap-axes" }),
      search: () => this.search(),
      next: (backwards) => this.goToNextFound(backwards),
      table: (shown) => this.showTable(shown),
      save: (format) => void this.save(format),
      clearRestriction: () => this.host.post({ type: "clear-restriction" }),
    });
    this.stage = new Stage(() => this.shown(), {
      ready: (size) => this.host.post({ type: "ready", ...size }),
      drew: () => this.drawTable(),
    });
    this.twin = new Twin({
      select: ({ mark }) => this.use(mark),
      // A double click may end when another scatter is there.
      open: ({ scatter, mark }) => scatter.revision === this.scatter?.revision && this.open(mark),
      menu: ({ mark }, at, element) => this.menuOf(mark, at, element),
    });
    app.append(
      html("h1", { class: "unseen" }, "Correlation"),
      this.toolbar.element,
      this.status.element,
      html("div", { class: "beside" }, this.stage.element, this.facts),
      this.twin.element,
      this.legendPlace,
    );
    this.tooltip = new Tooltip(app);
    listen(this.stage.drawing.element, this.intentions());
    this.restore();
  }

  private receive(message: ToCorrelation): void {
    switch (message.type) {
      case "controls":
        this.controls = message;
        this.toolbar.element.hidden = false;
        this.toolbar.show(message);
        return this.keep();
      case "scatter":
        return this.showScatter(message);
      case "chosen":
        if (this.scatter?.revision !== message.revision) return;
        this.chosen.heard(message.choice, message.chosen);
        return this.changed();
      case "selection":
        if (this.scatter?.revision !== message.revision) return;
        this.selected = message.mark !== undefined && message.mark < this.order.length ? message.mark : undefined;
        if (this.selected !== undefined) this.active = this.selected;
        return this.stage.draw();
      case "progress":
        return this.status.showProgress(message.fraction, message.message);
      case "problem":
        return this.showProblem(message);
      case "notice":
        return this.status.showNotice(visible(message.message));
    }
  }

  private shown(): Shown | undefined {
    const { scatter, active, selected, found, chosen } = this;
    return scatter && { scatter, emphasis: { active, selected, found, chosen: chosen.marks } };
  }

  private showScatter(scatter: ScatterMessage): void {
    const before = this.scatter && this.order.length > 0 ? markName(this.scatter, this.active) : undefined;
    const isSameKind = this.scatter?.points === scatter.points;
    const hadFocus = this.stage.drawing.focusable(this.active) === document.activeElement && this.order.length > 0;
    this.scatter = scatter;
    this.order = orderByX(scatter);
    this.selected = undefined;
    this.tooltip.hide();
    this.chosen.begin(scatter);
    const same = isSameKind ? this.order.find((mark) => markName(scatter, mark) === before) : undefined;
    this.active = same ?? this.order.at(0) ?? 0;
    this.found = findMarks(scatter, this.toolbar.search);
    this.lastFound = undefined;
    this.tellFound();
    this.facts.hidden = false;
    this.facts.replaceChildren(...statistics(scatter));
    this.stage.show(scatter, this.order);
    this.changed();
    if (hadFocus) this.stage.drawing.focusable(this.active)?.focus();
  }

  /** What is chosen, or what is shown, is another. */
  private changed(): void {
    const { scatter, chosen } = this;
    if (!scatter) return;
    this.status.showSummary(summary(scatter, chosen.marks), scatter.notes.map(visible));
    this.legendPlace.replaceChildren(legend(scatter, chosen.marks !== undefined, this.stage.theme));
    this.stage.draw();
  }

  private showProblem(problem: Problem): void {
    this.status.showProblem(problem);
    this.toolbar.element.hidden = problem.kind === "unmeasured";
    // What was shown stays on screen, except where it is of something that is no longer asked for.
    if (problem.kind === "error" || problem.kind === "cancelled") return;
    this.scatter = undefined;
    this.facts.hidden = true;
    this.legendPlace.replaceChildren();
    this.stage.clear();
    this.drawTable();
  }

  private drawTable(): void {
    const { scatter } = this;
    this.twin.element.hidden = !this.tableShown || !scatter;
    if (scatter && this.tableShown) this.twin.show(scatter, this.chosen.marks, this.selected, this.found);
  }

  private intentions(): Intentions {
    return {
      point: (at) => this.point(at),
      leave: () => this.tooltip.hide(),
      focus: (mark) => this.focused(mark),
      click: (at, added) => this.click(at, added),
      opening: (at) => this.opening(at),
      menu: (at) => this.menu(at),
      brushing: (box) => this.stage.showBrush(box),
      brushed: (box, end, added) => this.brushed(box, end, added),
      move: (by, extend) => this.move(by, extend),
      toggle: () => this.use(this.active),
      open: () => this.open(this.active),
      clear: () => this.chosen.clear(),
      search: () => this.toolbar.focusSearch(),
    };
  }

  private at(place: Point, run: (mark: number) => void): void {
    const mark = this.stage.scene && markAt(this.stage.scene, place);
    if (mark !== undefined) run(mark);
  }

  private point(place: Point): void {
    const { scatter } = this;
    const { scene } = this.stage;
    if (!scatter || !scene) return;
    const mark = markAt(scene, place);
    if (mark !== undefined) return this.explain(mark);
    if (!isOnLine(scene, place)) return this.tooltip.hide();
    this.explainLine(place);
  }

  private focused(mark: number | undefined): void {
    const { scene } = this.stage;
    if (mark !== undefined) {
      if (this.active !== mark) {
        this.active = mark;
        this.stage.draw();
      }
      return this.explain(mark);
    }
    if (scene?.line)
      this.explainLine({ x: (scene.line.x1 + scene.line.x2) / 2, y: (scene.line.y1 + scene.line.y2) / 2 });
  }

  private explain(mark: number): void {
    const { scatter } = this;
    const { scene } = this.stage;
    if (!scatter || !scene || mark >= scene.x.length) return;
    const facts = markFacts(scatter, mark, this.chosen.marks?.has(mark));
    const reach = scene.radius + 2;
    this.showBeside([heading(markName(scatter, mark)), pairs(facts)], { x: scene.x[mark], y: scene.y[mark] }, reach);
  }

  private explainLine(place: Point): void {
    if (this.scatter) this.showBeside(lineDetails(this.scatter), place, 8);
  }

  private showBeside(content: readonly Node[], { x, y }: Point, reach: number): void {
    const { left, top } = this.stage.drawing.element.getBoundingClientRect();
    this.tooltip.show(content, {
      left: left + x - reach,
      top: top + y - reach,
      right: left + x + reach,
      bottom: top + y + reach,
    });
  }

  /** A plain click on a member leads to it; what is chosen is changed by a brush, or with a key held down. */
  private click(place: Point, added: boolean): void {
    this.at(place, (mark) => {
      this.goTo(mark);
      this.chosen.moved();
      if (added || (this.scatter && isOfCode(this.scatter.points))) this.use(mark);
    });
  }

  /** Chooses a member or no longer does; selects a context or function. */
  private use(mark: number): void {
    const { scatter } = this;
    if (!scatter) return;
    if (!isOfCode(scatter.points)) return this.canChoose(scatter) ? this.chosen.toggle(mark) : undefined;
    this.selected = this.active = mark;
    this.stage.draw();
    this.host.post({ type: "select", revision: scatter.revision, mark });
  }

  private opening(place: Point): (() => void) | undefined {
    const revision = this.scatter?.revision;
    const mark = this.stage.scene && markAt(this.stage.scene, place);
    if (mark === undefined) return undefined;
    return () => {
      // Another scatter has other marks.
      if (this.scatter?.revision === revision) this.open(mark);
    };
  }

  private open(mark: number): void {
    const { scatter } = this;
    if (!scatter) return;
    if (!isOfCode(scatter.points)) return;
    this.selected = mark;
    this.stage.draw();
    this.host.post({ type: "open", revision: scatter.revision, mark });
  }

  private brushed(box: Box, end: Point, added: boolean): void {
    const { scatter } = this;
    const { scene } = this.stage;
    if (!scatter || !scene) return;
    const marks = marksIn(scene, box);
    if (!isOfCode(scatter.points)) {
      if (this.canChoose(scatter)) this.chosen.choose(marks, added);
      return;
    }
    // One thing is selected: of those in the brush the one nearest to where it ended.
    const inside = new Set(marks);
    const mark = nearest(scene.x, scene.y, end, (candidate) => inside.has(candidate));
    if (mark !== undefined) this.use(mark);
  }

  /** A cell stands for many members, of which only one is named here. */
  private canChoose({ density, nouns }: ScatterMessage): boolean {
    if (density) this.status.showNotice(`There are too many ${nouns[1]} to choose here: the histogram can.`);
    return !density;
  }

  private tellChoice(choice: number, marks: readonly number[]): void {
    const { scatter } = this;
    if (scatter) this.host.post({ type: "choose", revision: scatter.revision, choice, marks: marks.slice() });
    this.changed();
  }

  private move(by: number | "first" | "last", extend: boolean): void {
    const { order, active, scatter } = this;
    if (order.length === 0 || !scatter) return;
    const last = order.length - 1;
    const position = order.indexOf(active);
    const next = by === "first" ? 0 : by === "last" ? last : Math.max(0, Math.min(last, position + by));
    this.goTo(order[next]);
    if (!extend || isOfCode(scatter.points)) this.chosen.moved();
    else if (this.canChoose(scatter)) this.chosen.extend(order, active, order[next]);
  }

  private goTo(mark: number): void {
    this.active = mark;
    this.stage.drawNow();
    this.stage.drawing.focusable(mark)?.focus();
  }

  private menu(place: Point | undefined): void {
    const { scene } = this.stage;
    if (!scene) return;
    const mark = place ? markAt(scene, place) : this.active;
    if (mark === undefined) return;
    const { left, top } = this.stage.drawing.element.getBoundingClientRect();
    const at = place ?? { x: scene.x[mark], y: scene.y[mark] };
    this.goTo(mark);
    this.menuOf(mark, { x: left + at.x, y: top + at.y }, this.stage.drawing.focusable(mark));
  }

  private menuOf(mark: number, at: Point, returnTo: { focus(): void } | undefined): void {
    const { scatter, chosen } = this;
    if (!scatter) return;
    this.tooltip.hide();
    const items = markMenu(scatter, mark, chosen.marks, {
      toggle: () => this.use(mark),
      only: () => chosen.choose([mark]),
      others: () => chosen.choose(this.order.filter((other) => !chosen.marks?.has(other))),
      clear: () => chosen.clear(),
      select: () => this.use(mark),
      open: () => this.open(mark),
      copy: () => this.host.post({ type: "copy", text: markSentence(scatter, mark) }),
    });
    openMenu(markName(scatter, mark).slice(0, 200), items, at, returnTo ?? null);
  }

  private search(): void {
    if (!this.scatter) return;
    this.found = findMarks(this.scatter, this.toolbar.search);
    this.lastFound = undefined;
    this.tellFound();
    this.keep();
    this.stage.draw();
  }

  private tellFound(): void {
    const { found, scatter } = this;
    const [one, many] = scatter?.density ? ["cell", "cells"] : (scatter?.nouns ?? ["", ""]);
    this.status.showFound(found && scatter ? `${found.size} of ${plural(scatter.called.length, one, many)} found` : "");
  }

  /** The focus stays in the search. */
  private goToNextFound(backwards: boolean): void {
    const { found, scatter } = this;
    if (!found || !scatter) return;
    const order = this.order.filter((mark) => found.has(mark));
    if (order.length === 0) return;
    const at = this.lastFound === undefined ? -1 : order.indexOf(this.lastFound);
    this.lastFound = backwards ? order.at(at < 0 ? -1 : at - 1) : order[(at + 1) % order.length];
    if (this.lastFound === undefined) return;
    this.active = this.lastFound;
    this.stage.drawNow();
    if (isOfCode(scatter.points)) this.use(this.lastFound);
    this.explain(this.lastFound);
  }

  private showTable(shown: boolean): void {
    this.tableShown = shown;
    this.toolbar.showTable(shown);
    this.keep();
    this.drawTable();
  }

  private async save(format: "svg" | "png" | "csv"): Promise<void> {
    const shown = this.shown();
    if (!shown) return this.status.showNotice("There is nothing to save yet.");
    const content =
      format === "csv"
        ? scatterCsv(shown.scatter, this.chosen.marks)
        : await this.stage.picture(format, shown, visible(this.controls?.dataSet ?? ""));
    this.host.post({ type: "save", format, content });
  }

  private keep(): void {
    if (!this.controls) return;
    const search = this.toolbar.search.slice(0, 1000);
    this.host.keep({ ...this.controls.restore, table: this.tableShown, search });
  }

  private restore(): void {
    const kept = parse(correlationState, this.host.kept());
    if (kept?.search) this.toolbar.search = kept.search;
    this.tableShown = kept?.table === true;
    this.toolbar.showTable(this.tableShown);
  }
}

const app = document.getElementById("app");
if (app) new CorrelationView(app);
