/** The super graph's view: takes in messages, keeps what the user sees, and draws it. Starts at the end of this file. */
import { parseToSuperGraph } from "../../src/protocol/graphColumns";
import "../shared/page.css";
import "../shared/panel.css";
import "./superGraph.css";
import "./steps.css";
import { parse } from "../../src/protocol/bounds";
import {
  type Controls,
  type FromSuperGraph,
  type GraphMessage,
  type GraphNumbers,
  laidOut,
  type LayoutMessage,
  superGraphState,
  type ToSuperGraph,
} from "../../src/protocol/superGraph";
import type { Problem } from "../../src/protocol/panel";
import { html } from "../shared/dom";
import { connect } from "../shared/host";
import { openMenu } from "../shared/menu";
import { Status } from "../shared/status";
import { plural, shortened, visible } from "../shared/text";
import { barMenu } from "./barMenu";
import { graphCsv } from "./csv";
import { barName, summary } from "./describe";
import { Explainer } from "./explainer";
import { type Intentions, listen, type Spot } from "./interaction";
import { neighbour, readingOrder } from "./order";
import { sameBar } from "./sameBar";
import type { HistogramsMessage } from "../../src/protocol/graphHalves";
import type { SceneExtras } from "./scene";
import { nextFound, searchBars } from "./search";
import { type Shown, Stage } from "./stage";
import { listenForUndo, StepList } from "./steps";
import { Toolbar } from "./toolbar";
import { Twin } from "./twin";

class SuperGraphView {
  private readonly host = connect<ToSuperGraph, FromSuperGraph>(parseToSuperGraph, (message) => this.receive(message));
  private readonly status = new Status({
    cancel: () => this.host.post({ type: "cancel" }),
    retry: () => this.host.post({ type: "retry" }),
    open: () => this.host.post({ type: "open-data-set" }),
  });
  private readonly toolbar: Toolbar;
  private readonly steps = new StepList({
    action: (action) => this.host.post({ type: "steps-action", action }),
    goTo: (key) => this.host.post({ type: "go-to-step", key }),
    remove: (key) => this.host.post({ type: "remove-step", key }),
  });
  private readonly stage: Stage;
  private readonly twin: Twin;
  private readonly explainer: Explainer;
  private controls: Controls | undefined;
  /** What is on screen. */
  private graph: GraphMessage | undefined;
  /** What takes its place as soon as its layout has come. */
  private coming: GraphNumbers | undefined;
  /** Of the graph on screen; they come after it. */
  private histograms: HistogramsMessage | undefined;
  private tableShown = false;
  /** The bar that Tab leads to. */
  private active = 0;
  private selected: number | undefined;
  private pointed: number | undefined;
  private found: ReadonlySet<number> | undefined;
  private lastFound: number | undefined;

  constructor(app: HTMLElement) {
    this.toolbar = new Toolbar({
      metric: (metric) => this.host.post({ type: "set-metric", metric }),
      over: (over) => this.host.post({ type: "set-over", over }),
      filter: (percent) => this.host.post({ type: "set-filter", percent }),
      groupBy: (groupBy) => this.host.post({ type: "set-group-by", groupBy }),
      search: () => this.search(),
      next: (backwards) => this.goToNextFound(backwards),
      zoom: (factor) => this.stage.zoom(factor),
      fit: () => this.stage.fit(),
      table: (shown) => this.showTable(shown),
      save: (format) => void this.save(format),
      halves: {
        histograms: (histograms) => this.host.post({ type: "set-histograms", histograms }),
        colour: (colour) => this.host.post({ type: "set-colour", colour }),
        below: (below) => this.host.post({ type: "set-below", below }),
        compare: () => this.host.post({ type: "compare" }),
        stopComparing: () => this.host.post({ type: "stop-comparing" }),
      },
      clearRestriction: () => this.host.post({ type: "clear-restriction" }),
    });
    this.stage = new Stage(() => this.shown(), {
      resized: (size, isFirst) => this.host.post({ type: isFirst ? "ready" : "resize", ...size }),
      moved: () => {
        this.explainer.hide();
        this.keep();
      },
      drew: () => this.drawTable(),
    });
    this.twin = new Twin({
      select: (bar) => this.select(bar),
      open: (bar, of) => this.open(bar, undefined, of),
      menu: (bar, at, element) => this.menu(bar, undefined, at, element),
    });
    app.append(
      html("h1", { class: "unseen" }, "Super graph"),
      this.toolbar.element,
      this.steps.element,
      this.status.element,
      this.stage.element,
      this.twin.element,
      this.stage.legendElement,
    );
    const { drawing, canvas } = this.stage;
    this.explainer = new Explainer(app, drawing.element);
    drawing.element.addEventListener("click", (event) => this.showHistogram(event));
    listen(drawing.element, this.intentions(), (x, y) => canvas.flowAt(x, y));
    listenForUndo((action) => this.host.post({ type: "steps-action", action }));
    this.restore();
  }

  private receive(message: ToSuperGraph): void {
    switch (message.type) {
      case "controls":
        this.controls = message;
        this.toolbar.element.hidden = false;
        this.toolbar.show(message, this.graph?.groupBy);
        this.stage.draw();
        return this.keep();
      case "histograms":
        if (this.graph?.revision !== message.revision) return;
        this.histograms = message.bars.length === this.graph.bars.length ? message : undefined;
        return this.stage.draw();
      case "graph":
        this.coming = message;
        return this.stage.drawing.prepare(message);
      case "layout":
        return this.layOut(message);
      case "selection":
        if (this.graph?.revision !== message.revision) return;
        return this.followSelection(message.bar);
      case "steps":
        return this.steps.show(message);
      case "progress":
        return this.status.showProgress(message.fraction, message.message);
      case "problem":
        return this.showProblem(message);
      case "notice":
        return this.status.showNotice(visible(message.message));
    }
  }

  private shown(): Shown | undefined {
    const { graph, active, selected, pointed, found } = this;
    return graph && { graph, emphasis: { active, selected, pointed, found }, extras: this.extras };
  }

  private get extras(): SceneExtras {
    const { histograms, controls } = this;
    const isShown = controls?.halves.histograms === histograms?.of && controls?.halves.noHistograms === undefined;
    return { histograms: isShown ? histograms : undefined, colour: controls?.halves.colour };
  }

  private layOut(layout: LayoutMessage): void {
    const { graph, coming } = this;
    const next = coming && laidOut(coming, layout);
    if (next) {
      this.coming = undefined;
      return this.showGraph(next);
    }
    // The panel has another size: which flows are drawn does not depend on it.
    const again = graph && laidOut(graph, { ...layout, transition: undefined });
    if (!again || again.flows.length !== graph.flows.length) return;
    this.graph = again;
    this.stage.draw();
  }

  private showGraph(graph: GraphMessage): void {
    const before = this.graph?.bars.length ? barName(this.graph, this.active) : undefined;
    const { transition } = graph;
    const from = transition && transition.revision === this.graph?.revision ? transition.from : undefined;
    const hadFocus = this.stage.drawing.element.contains(document.activeElement);
    this.graph = graph;
    this.histograms = undefined;
    this.pointed = undefined;
    this.selected = undefined;
    const same = graph.bars.findIndex((_, bar) => barName(graph, bar) === before);
    this.active = same >= 0 ? same : (readingOrder(graph)[0] ?? 0);
    if (this.controls) this.toolbar.show(this.controls, graph.groupBy);
    this.found = searchBars(graph, this.toolbar.search);
    this.lastFound = undefined;
    this.tellFound();
    // Last, since it has the page laid out, and nothing changes between that and the drawing.
    this.status.showSummary(summary(graph), [...graph.notes, ...graph.layoutNotes].map(visible));
    this.stage.show(graph, from);
    if (hadFocus) this.stage.drawing.focusable(this.active)?.focus();
  }

  private showProblem(problem: Problem): void {
    this.status.showProblem(problem);
    // What was shown stays on screen, except where it is of something that is no longer asked for.
    this.toolbar.element.hidden = problem.kind === "unmeasured";
    // Nor does it end what is being laid out: it may be about something else that was asked.
    if (problem.kind === "error" || problem.kind === "cancelled") return;
    this.graph = this.coming = undefined;
    this.stage.clear();
    this.drawTable();
  }

  private drawTable(): void {
    const { graph } = this;
    this.twin.element.hidden = !this.tableShown || !graph;
    if (graph && this.tableShown) this.twin.show(graph, this.selected, this.found, this.extras.histograms);
  }

  private intentions(): Intentions {
    const { drawing } = this.stage;
    return {
      point: (spot) => this.point(spot),
      leave: () => this.leave(),
      focus: (spot) => this.focused(spot),
      select: (bar) => this.select(bar),
      open: (bar, entry) => this.open(bar, entry),
      opening: (bar, entry) => {
        const { graph } = this;
        return () => this.open(bar, entry, graph);
      },
      menu: (bar, entry, at) => this.menu(bar, entry, at, drawing.focusable(bar, entry)),
      move: (bar, direction) => this.graph && this.goTo(neighbour(this.graph, bar, direction)),
      moveEntry: (bar, entry, step) => drawing.focusable(bar, Math.max(0, entry + step))?.focus(),
      up: (bar) => drawing.focusable(bar)?.focus(),
      zoom: (factor) => this.stage.zoom(factor),
      fit: () => this.stage.fit(),
      search: () => this.toolbar.focusSearch(),
    };
  }

  private point(spot: Spot): void {
    if (this.pointed !== spot.bar) {
      this.pointed = spot.bar;
      this.stage.draw();
    }
    this.explain(spot);
  }

  private leave(): void {
    this.explainer.hide();
    if (this.pointed === undefined) return;
    this.pointed = undefined;
    this.stage.draw();
  }

  private focused(spot: Spot): void {
    if (spot.bar === undefined) return;
    if (this.active !== spot.bar) {
      this.active = spot.bar;
      // At once: Tab may follow, and leads to the entry functions of this bar.
      this.stage.drawNow();
    }
    this.explain(spot);
  }

  private explain(spot: Spot): void {
    const { scene } = this.stage;
    if (this.graph && scene) this.explainer.show(this.graph, scene, spot, this.extras.histograms);
  }

  /** Moves the focus to a bar, and the bar into sight. */
  private goTo(bar: number): void {
    this.active = bar;
    this.stage.reveal(bar);
    this.stage.drawNow();
    this.stage.drawing.focusable(bar)?.focus();
  }

  /** @param of the graph that the bar is one of: another one may have come since */
  private select(bar: number, of = this.graph): void {
    const { graph } = this;
    const meant = graph && of && sameBar(of, { bar }, graph);
    if (!meant) return;
    this.selected = this.active = meant.bar;
    this.stage.draw();
    this.host.post({ type: "select", revision: graph.revision, bar: meant.bar });
  }

  /** A click on a histogram selects its bar, as any click on it, and shows it large. */
  private showHistogram({ target, detail }: MouseEvent): void {
    const mark = target instanceof Element ? target.closest("[data-histogram]") : null;
    if (!(mark instanceof SVGElement) || !this.graph || detail > 1) return;
    this.host.post({ type: "histogram", revision: this.graph.revision, bar: Number(mark.dataset.bar) });
  }

  /** @param of the graph that it was pointed at in, which may be gone */
  private open(bar: number, entry?: number, of = this.graph): void {
    const { graph } = this;
    const meant = graph && of && sameBar(of, { bar, entry }, graph);
    if (!meant) return;
    this.selected = meant.bar;
    this.stage.draw();
    this.host.post({ type: "open", revision: graph.revision, ...meant });
  }

  /** @param of the graph whose menu was open: another one may have come since */
  private ask(
    type: "histogram" | "why" | "correlate" | "hot-path" | "look-inside",
    bar: number,
    of: GraphMessage,
  ): void {
    const { graph } = this;
    const meant = graph && sameBar(of, { bar }, graph);
    if (meant) this.host.post({ type, revision: graph.revision, bar: meant.bar });
  }

  private followSelection(bar: number | undefined): void {
    this.selected = bar !== undefined && this.graph && bar < this.graph.bars.length ? bar : undefined;
    if (this.selected !== undefined) {
      this.active = this.selected;
      this.stage.reveal(this.selected);
    }
    this.stage.draw();
  }

  private menu(
    bar: number,
    entry: number | undefined,
    at: { x: number; y: number },
    returnTo: { focus(): void } | undefined,
  ): void {
    const { graph } = this;
    if (!graph) return;
    this.explainer.hide();
    const items = barMenu(graph, bar, entry, {
      open: (what, at) => this.open(what, at, graph),
      select: (what) => this.select(what, graph),
      showHistogram: (what) => this.ask("histogram", what, graph),
      why: (what) => this.ask("why", what, graph),
      correlate: (what) => this.ask("correlate", what, graph),
      followHotPath: (what) => this.ask("hot-path", what, graph),
      lookInside: (what) => this.ask("look-inside", what, graph),
      copy: (text) => this.host.post({ type: "copy", text }),
      operate: (kind, of) => this.host.post({ type: "operate", kind, revision: graph.revision, bar: of }),
      splitOff: (of, at) => this.host.post({ type: "split-off", revision: graph.revision, bar: of, entry: at }),
    });
    openMenu(shortened(barName(graph, bar)), items, at, returnTo ?? null);
  }

  private search(): void {
    if (!this.graph) return;
    this.found = searchBars(this.graph, this.toolbar.search);
    this.lastFound = undefined;
    this.tellFound();
    this.keep();
    this.stage.draw();
  }

  private tellFound(): void {
    const { found, graph } = this;
    this.status.showFound(found && graph ? `${found.size} of ${plural(graph.bars.length, "bar")} found` : "");
  }

  /** The focus stays in the search. */
  private goToNextFound(backwards: boolean): void {
    const { graph, found } = this;
    if (!graph || !found) return;
    this.lastFound = nextFound(graph, found, this.lastFound, backwards);
    if (this.lastFound === undefined) return;
    this.stage.reveal(this.lastFound);
    this.select(this.lastFound);
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
        ? graphCsv(shown.graph, shown.extras.histograms)
        : await this.stage.picture(format, shown, this.controls?.dataSet ?? "");
    this.host.post({ type: "save", format, content });
  }

  private keep(): void {
    if (!this.controls) return;
    this.host.keep({
      ...this.controls.restore,
      viewport: this.stage.view,
      table: this.tableShown,
      search: this.toolbar.search.slice(0, 1000),
    });
  }

  private restore(): void {
    const kept = parse(superGraphState, this.host.kept());
    this.stage.view = kept?.viewport;
    if (kept?.search) this.toolbar.search = kept.search;
    this.tableShown = kept?.table === true;
    this.toolbar.showTable(this.tableShown);
  }
}

const app = document.getElementById("app");
if (app) new SuperGraphView(app);
