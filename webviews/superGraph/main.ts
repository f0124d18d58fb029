/** The super graph's view: takes in messages, keeps what the user sees, and draws it. Starts at the end of this file. */
import "../shared/page.css";
import "./superGraph.css";
import { parse } from "../../src/protocol/bounds";
import {
  type Controls,
  type FromSuperGraph,
  type GraphMessage,
  parseToSuperGraph,
  type Problem,
  superGraphState,
  type ToSuperGraph,
} from "../../src/protocol/superGraph";
import { html } from "../shared/dom";
import { connect } from "../shared/host";
import { openMenu } from "../shared/menu";
import { measureIn, plural, visible } from "../shared/text";
import { onThemeChange, readTheme } from "../shared/theme";
import { Tooltip } from "../shared/tooltip";
import { Viewport } from "../shared/viewport";
import { graphCsv } from "./csv";
import { barAsText, barName, summary } from "./describe";
import { barDetails, entryDetails, flowDetails } from "./details";
import { Drawing, type Emphasis, FONT_SIZE, LINE_HEIGHT } from "./drawing";
import { FlowCanvas } from "./flowCanvas";
import { listen, type Spot } from "./interaction";
import { legend } from "./legend";
import { neighbour, readingOrder } from "./order";
import { pictureHeight, pngBase64, svgText } from "./pictures";
import { buildScene, fitView, type Fonts, layoutSize, markCount, type Scene, SVG_LIMIT } from "./scene";
import { searchBars } from "./search";
import { Status } from "./status";
import { Toolbar } from "./toolbar";
import { Twin } from "./twin";

class SuperGraphView {
  private readonly host = connect<ToSuperGraph, FromSuperGraph>(parseToSuperGraph, (message) => this.receive(message));
  private readonly drawing = new Drawing();
  private readonly canvas = new FlowCanvas();
  private readonly status = new Status({
    cancel: () => this.host.post({ type: "cancel" }),
    retry: () => this.host.post({ type: "retry" }),
    open: () => this.host.post({ type: "open-data-set" }),
  });
  private readonly toolbar: Toolbar;
  private readonly twin: Twin;
  private readonly tooltip: Tooltip;
  private readonly viewport: Viewport;
  private readonly stage = html("div", { class: "stage" });
  private readonly legendPlace = html("div", { class: "legend-place" });
  private theme = readTheme();
  private fonts = this.readFonts();
  private controls: Controls | undefined;
  private graph: GraphMessage | undefined;
  private scene: Scene | undefined;
  private size = { width: 0, height: 0 };
  private active = 0;
  private selected: number | undefined;
  private pointed: number | undefined;
  private found: ReadonlySet<number> | undefined;
  private lastFound = -1;
  private drawPending = false;
  /** Everything is in sight, and stays so when graph or size change; ends when the user zooms or pans. */
  private isFitted = true;

  constructor(app: HTMLElement) {
    this.toolbar = new Toolbar({
      metric: (metric) => this.host.post({ type: "set-metric", metric }),
      over: (over) => this.host.post({ type: "set-over", over }),
      filter: (percent) => this.host.post({ type: "set-filter", percent }),
      groupBy: (groupBy) => this.host.post({ type: "set-group-by", groupBy }),
      search: () => this.search(),
      next: (backwards) => this.nextFound(backwards),
      zoom: (factor) => this.viewport.zoom(factor),
      fit: () => this.fit(),
      table: (shown) => this.showTable(shown),
      save: (format) => void this.save(format),
      clearRestriction: () => this.host.post({ type: "clear-restriction" }),
    });
    this.twin = new Twin({
      select: (bar) => this.select(bar),
      open: (bar) => this.open(bar),
      menu: (bar, at, element) => this.menu(bar, undefined, at, element),
    });
    this.stage.append(this.canvas.element, this.drawing.element);
    app.append(
      html("h1", { class: "unseen" }, "Super graph"),
      this.toolbar.element,
      this.status.element,
      this.stage,
      this.twin.element,
      this.legendPlace,
    );
    this.tooltip = new Tooltip(app);
    this.viewport = new Viewport(this.drawing.element, () => {
      this.isFitted = false;
      this.tooltip.hide();
      this.keep();
      this.draw();
    });
    listen(this.drawing.element, this.intentions(), (x, y) => this.canvas.flowAt(x, y));
    onThemeChange(() => {
      this.theme = readTheme();
      this.fonts = this.readFonts();
      this.draw();
    });
    this.restore();
    new ResizeObserver(() => this.resized()).observe(this.stage);
  }

  private receive(message: ToSuperGraph): void {
    switch (message.type) {
      case "controls":
        this.controls = message;
        this.toolbar.show(message, this.graph?.groupBy);
        return this.keep();
      case "graph":
        return this.showGraph(message);
      case "layout":
        if (this.graph?.revision !== message.revision) return;
        if (message.geometry.bars.length !== this.graph.bars.length) return;
        if (message.geometry.flows.length !== this.graph.flows.length) return;
        this.graph = { ...this.graph, geometry: message.geometry };
        return this.draw();
      case "selection":
        if (this.graph?.revision !== message.revision) return;
        return this.followSelection(message.bar);
      case "progress":
        return this.status.showProgress(message.fraction, message.message);
      case "problem":
        return this.showProblem(message);
      case "notice":
        return this.status.showNotice(visible(message.message));
    }
  }

  private showGraph(graph: GraphMessage): void {
    const activeName = this.graph && this.graph.bars.length > 0 ? barName(this.graph, this.active) : undefined;
    const hadFocus = this.drawing.element.contains(document.activeElement);
    this.graph = graph;
    this.pointed = undefined;
    this.selected = undefined;
    const same = graph.bars.findIndex((_, bar) => barName(graph, bar) === activeName);
    this.active = same >= 0 ? same : (readingOrder(graph)[0] ?? 0);
    this.drawing.show(graph, markCount(graph) > SVG_LIMIT);
    this.status.showSummary(summary(graph), graph.notes.map(visible));
    if (this.controls) this.toolbar.show(this.controls, graph.groupBy);
    this.found = searchBars(graph, this.toolbar.search);
    this.tellFound();
    this.drawNow();
    if (hadFocus) this.drawing.focusable(this.active)?.focus();
  }

  private showProblem(problem: Problem): void {
    this.status.showProblem(problem);
    // What was shown stays on screen, except where it is of something that is no longer asked for.
    if (problem.kind !== "empty" && problem.kind !== "closed") return;
    this.graph = undefined;
    this.scene = undefined;
    this.drawing.clear();
    this.canvas.clear();
    this.legendPlace.replaceChildren();
    this.twin.element.hidden = true;
  }

  /** Many things change at once while zooming: they are drawn once a frame. */
  private draw(): void {
    if (this.drawPending) return;
    this.drawPending = true;
    requestAnimationFrame(() => this.drawNow());
  }

  private drawNow(): void {
    this.drawPending = false;
    const { graph, theme, size } = this;
    if (!graph || size.width === 0) return;
    if (this.isFitted) this.viewport.set(fitView(graph, size));
    const first = [this.selected, this.pointed].filter((bar) => bar !== undefined);
    const scene = buildScene(graph, this.viewport.view, size, this.fonts, first);
    this.scene = scene;
    this.drawing.update(scene, theme, this.emphasis());
    if (markCount(graph) > SVG_LIMIT) this.canvas.update(graph, scene, theme, this.emphasis());
    else this.canvas.clear();
    const hasHidden = graph.bars.some(({ hidden }) => hidden !== 0);
    this.legendPlace.replaceChildren(
      legend({ unit: graph.unit, hottest: scene.hottest, pixelsPerUnit: scene.pixelsPerUnit, hasHidden }, theme),
    );
    this.drawTable();
  }

  private drawTable(): void {
    if (this.graph && !this.twin.element.hidden) this.twin.show(this.graph, this.selected, this.found);
  }

  private emphasis(): Emphasis {
    return { active: this.active, selected: this.selected, pointed: this.pointed, found: this.found };
  }

  private resized(): void {
    const { width, height } = this.stage.getBoundingClientRect();
    if (width < 1 || height < 1) return;
    const isFirst = this.size.width === 0;
    if (Math.round(width) === this.size.width && Math.round(height) === this.size.height) return;
    this.size = { width: Math.round(width), height: Math.round(height) };
    this.host.post({ type: isFirst ? "ready" : "resize", ...layoutSize(this.size) });
    this.draw();
  }

  private intentions() {
    const { drawing } = this;
    return {
      point: (spot: Spot) => this.point(spot),
      leave: () => this.leave(),
      focus: (spot: Spot) => this.focused(spot),
      select: (bar: number) => this.select(bar),
      open: (bar: number, entry?: number) => this.open(bar, entry),
      menu: (bar: number, entry: number | undefined, at: { x: number; y: number }) =>
        this.menu(bar, entry, at, drawing.focusable(bar, entry)),
      move: (bar: number, direction: Parameters<typeof neighbour>[2]) => {
        if (this.graph) this.goTo(neighbour(this.graph, bar, direction));
      },
      moveEntry: (bar: number, entry: number, step: number) =>
        drawing.focusable(bar, Math.max(0, entry + step))?.focus(),
      up: (bar: number) => drawing.focusable(bar)?.focus(),
      zoom: (factor: number) => this.viewport.zoom(factor),
      fit: () => this.fit(),
      search: () => this.toolbar.focusSearch(),
    };
  }

  /** Explains what is under the pointer, beside it. */
  private point(spot: Spot): void {
    const { graph, scene } = this;
    if (!graph || !scene) return;
    if (this.pointed !== spot.bar) {
      this.pointed = spot.bar;
      this.draw();
    }
    this.explain(spot);
  }

  private explain(spot: Spot): void {
    const { graph, scene } = this;
    if (!graph || !scene) return;
    const { left, top } = this.drawing.element.getBoundingClientRect();
    const bar = spot.bar ?? (spot.flow === undefined ? undefined : graph.flows[spot.flow].target);
    if (bar === undefined) return;
    const entry = spot.entry === undefined ? undefined : scene.bars[bar].entries.at(spot.entry);
    const box = entry ?? scene.bars[bar];
    const content =
      spot.entry !== undefined
        ? entryDetails(graph, bar, spot.entry)
        : spot.flow !== undefined && spot.bar === undefined
          ? flowDetails(graph, spot.flow)
          : barDetails(graph, bar);
    this.tooltip.show(content, {
      left: left + box.x,
      top: top + Math.max(0, box.y),
      right: left + box.x + box.width,
      bottom: top + box.y + box.height,
    });
  }

  private leave(): void {
    this.tooltip.hide();
    if (this.pointed === undefined) return;
    this.pointed = undefined;
    this.draw();
  }

  private focused(spot: Spot): void {
    if (spot.bar === undefined) return;
    if (this.active !== spot.bar) {
      this.active = spot.bar;
      // At once: Tab may follow, and leads to the entry functions of this bar.
      this.drawNow();
    }
    this.explain(spot);
  }

  /** Moves the focus to a bar, and the bar into sight. */
  private goTo(bar: number): void {
    this.active = bar;
    this.reveal(bar);
    this.drawNow();
    this.drawing.focusable(bar)?.focus();
  }

  private reveal(bar: number): void {
    const box = this.scene?.bars.at(bar);
    if (box) this.viewport.reveal(box);
  }

  private select(bar: number): void {
    const { graph } = this;
    if (!graph) return;
    this.selected = bar;
    this.active = bar;
    this.draw();
    this.host.post({ type: "select", revision: graph.revision, bar });
  }

  private open(bar: number, entry?: number): void {
    const { graph } = this;
    if (!graph) return;
    this.selected = bar;
    this.draw();
    this.host.post({ type: "open", revision: graph.revision, bar, ...(entry === undefined ? {} : { entry }) });
  }

  private followSelection(bar: number | undefined): void {
    this.selected = bar !== undefined && this.graph && bar < this.graph.bars.length ? bar : undefined;
    if (this.selected !== undefined) {
      this.active = this.selected;
      this.reveal(this.selected);
    }
    this.draw();
  }

  private menu(
    bar: number,
    entry: number | undefined,
    at: { x: number; y: number },
    returnTo: { focus(): void } | undefined,
  ): void {
    const { graph } = this;
    if (!graph) return;
    this.tooltip.hide();
    const { entries } = graph.bars[bar];
    const openEntries = (entry === undefined ? entries.slice(0, 5).map((_, index) => index) : [entry]).map((index) => {
      const { name, place } = entries[index];
      const text = place === undefined ? name : `${name} (${place})`;
      return {
        label: `Go to entry ${text.slice(0, 80)}`,
        ...(entry === undefined ? {} : { key: "Enter" }),
        run: () => this.open(bar, index),
      };
    });
    openMenu(
      barName(graph, bar).slice(0, 200),
      [
        { label: "Open hottest line", ...(entry === undefined ? { key: "Enter" } : {}), run: () => this.open(bar) },
        { label: "Select in all views", key: "Space", run: () => this.select(bar) },
        ...openEntries,
        { label: "Copy numbers", run: () => this.host.post({ type: "copy", text: barAsText(graph, bar) }) },
        {
          label: "Copy name",
          run: () => this.host.post({ type: "copy", text: (graph.bars[bar].group || " ").slice(0, 4096) }),
        },
      ],
      at,
      returnTo ?? null,
    );
  }

  private fit(): void {
    this.isFitted = true;
    this.tooltip.hide();
    this.keep();
    this.draw();
  }

  private search(): void {
    if (!this.graph) return;
    this.found = searchBars(this.graph, this.toolbar.search);
    this.lastFound = -1;
    this.tellFound();
    this.keep();
    this.draw();
  }

  private tellFound(): void {
    const { found, graph } = this;
    this.status.showFound(found && graph ? `${found.size} of ${plural(graph.bars.length, "bar")} found` : "");
  }

  /** Enter in the search goes through what was found, from left to right; the focus stays in the search. */
  private nextFound(backwards: boolean): void {
    const { graph, found } = this;
    if (!graph || !found || found.size === 0) return;
    const order = readingOrder(graph).filter((bar) => found.has(bar));
    const step = backwards ? -1 : 1;
    this.lastFound = (this.lastFound + step + order.length) % order.length;
    const bar = order[this.lastFound];
    this.reveal(bar);
    this.select(bar);
  }

  private showTable(shown: boolean): void {
    this.twin.element.hidden = !shown || !this.graph;
    this.toolbar.showTable(shown);
    this.keep();
    this.drawTable();
  }

  private async save(format: "svg" | "png" | "csv"): Promise<void> {
    const { graph } = this;
    if (!graph) return this.status.showNotice("There is nothing to save yet.");
    if (format === "csv") return this.host.post({ type: "save", format, content: graphCsv(graph) });
    const scene = buildScene(graph, fitView(graph, this.size), this.size, this.fonts);
    const emphasis = { active: this.active, selected: this.selected };
    const picture = svgText(graph, scene, this.theme, emphasis, visible(this.controls?.dataSet ?? ""));
    const content = format === "svg" ? picture : await pngBase64(picture, scene.width, pictureHeight(scene));
    this.host.post({ type: "save", format, content });
  }

  private keep(): void {
    if (!this.controls) return;
    this.host.keep({
      ...this.controls.restore,
      ...(this.isFitted ? {} : { viewport: this.viewport.view }),
      table: !this.twin.element.hidden,
      search: this.toolbar.search.slice(0, 1000),
    });
  }

  private restore(): void {
    const kept = parse(superGraphState, this.host.kept());
    if (kept?.viewport) this.viewport.view = kept.viewport;
    if (kept?.search) this.toolbar.search = kept.search;
    if (kept?.table) {
      this.twin.element.hidden = false;
      this.toolbar.showTable(true);
    }
  }

  private readFonts(): Fonts {
    const { font } = this.theme;
    return {
      name: measureIn(`600 ${FONT_SIZE}px ${font}`),
      rest: measureIn(`${FONT_SIZE}px ${font}`),
      lineHeight: LINE_HEIGHT,
    };
  }
}

const app = document.getElementById("app");
if (app) new SuperGraphView(app);
