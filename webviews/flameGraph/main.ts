/** The flame graph's view: takes in messages, keeps what the user sees, and draws it. Starts at the end of this file. */
import "../shared/page.css";
import "../shared/panel.css";
import "./flameGraph.css";
import { parse } from "../../src/protocol/bounds";
import {
  type FlameControls,
  type FlameExplanation,
  type FlameMode,
  type FlamePane,
  type FlamesMessage,
  flameState,
  type FromFlameGraph,
  parseToFlameGraph,
  type ToFlameGraph,
} from "../../src/protocol/flameGraph";
import type { Problem } from "../../src/protocol/panel";
import { pictureText } from "../shared/pictureText";
import { html, svg } from "../shared/dom";
import { connect } from "../shared/host";
import { openMenu } from "../shared/menu";
import { pngBase64 } from "../shared/png";
import { Status } from "../shared/status";
import { measureIn, visible } from "../shared/text";
import { onThemeChange, readTheme } from "../shared/theme";
import { heading, pairs, Tooltip } from "../shared/tooltip";
import { facts, flamesCsv, foundText, pathText, sentence, summary } from "./describe";
import { legend } from "./legend";
import { FONT_SIZE } from "./marks";
import { asSvg } from "./paint";
import { Pane, type PaneListeners } from "./pane";
import { Toolbar } from "./toolbar";
import { Twin } from "./twin";

const panesOf: Readonly<Record<FlameMode, readonly FlamePane[]>> = {
  recording: ["recording"],
  sandwich: ["callers", "callees"],
  bar: ["bar"],
};
function titleOf(kind: FlamePane, { function: wanted = "", bar = "" }: FlameControls): string {
  if (kind === "recording") return "Flame graph";
  if (kind === "bar") return `Inside ${visible(bar).slice(0, 80)}`;
  return `${kind === "callers" ? "Callers" : "Callees"} of ${visible(wanted).slice(0, 80)}`;
}

/** What is only passed over is not asked about. */
const POINTED_MS = 120;
const TITLE_HEIGHT = 18;
const FOOT = 24;

class FlameGraphView {
  private readonly host = connect<ToFlameGraph, FromFlameGraph>(parseToFlameGraph, (message) => this.receive(message));
  private readonly status = new Status({
    cancel: () => this.host.post({ type: "cancel" }),
    retry: () => this.host.post({ type: "retry" }),
    open: () => this.host.post({ type: "open-data-set" }),
  });
  private readonly toolbar: Toolbar;
  private readonly twin: Twin;
  private readonly tooltip: Tooltip;
  private readonly stage = html("div", { class: "stage" });
  private readonly legendPlace = html("div", { class: "legend-place" });
  private readonly live = html("div", { class: "unseen", role: "status", "aria-live": "polite" });
  private theme = readTheme();
  private measure = measureIn(`${FONT_SIZE}px ${this.theme.font}`);
  private panes: Pane[] = [];
  private controls: FlameControls | undefined;
  private tableShown = false;
  private ready = false;
  private pointing: { pane: FlamePane; at: number; node: number } | undefined;
  private pause: number | undefined;
  private lastFound = -1;
  /** Drawings whose answer to the search is still on its way, and whether Enter was pressed meanwhile. */
  private readonly searching = new Set<FlamePane>();
  private nextWanted: { backwards: boolean } | undefined;
  private readonly asked = new Map<FlamePane, number>();

  constructor(app: HTMLElement) {
    this.toolbar = new Toolbar({
      metric: (metric) => this.host.post({ type: "set-metric", metric }),
      over: (over) => this.host.post({ type: "set-over", over }),
      clearRestriction: () => this.host.post({ type: "clear-restriction" }),
      mode: (mode) => this.host.post({ type: "set-mode", mode }),
      order: (order) => this.host.post({ type: "set-order", order }),
      colour: (colour) => this.host.post({ type: "set-colour", colour }),
      search: () => this.search(),
      next: (backwards) => this.goToNextFound(backwards),
      zoom: (factor) => this.panes.forEach((pane) => pane.zoomBy(factor)),
      fit: () => this.panes.forEach((pane) => pane.fit()),
      table: (shown) => this.showTable(shown),
      save: (format) => void this.save(format),
    });
    this.twin = new Twin({
      select: (pane, node) => this.select(pane, node),
      open: (pane, node, revision) => {
        // A double click may end when other rectangles are there.
        if (this.pane(pane)?.rectangles?.message.revision === revision) this.open(pane, node);
      },
      menu: (pane, at, where, element) => this.menu(pane, at, where, element),
    });
    app.append(
      html("h1", { class: "unseen" }, "Flame graph"),
      this.toolbar.element,
      this.status.element,
      this.stage,
      this.twin.element,
      this.legendPlace,
      this.live,
    );
    this.tooltip = new Tooltip(app);
    const kept = parse(flameState, this.host.kept());
    if (kept?.search) this.toolbar.search = kept.search;
    this.tableShown = kept?.table === true;
    this.toolbar.showTable(this.tableShown);
    onThemeChange(() => {
      this.theme = readTheme();
      this.measure = measureIn(`${FONT_SIZE}px ${this.theme.font}`);
      this.draw();
    });
    new ResizeObserver(() => this.begin()).observe(this.stage);
  }

  private begin(): void {
    const { width, height } = this.stage.getBoundingClientRect();
    if (this.ready || width < 1 || height < 1) return;
    this.ready = true;
    this.host.post({ type: "ready", width: Math.round(width), height: Math.round(height) });
  }

  private receive(message: ToFlameGraph): void {
    switch (message.type) {
      case "controls":
        return this.showControls(message);
      case "flames":
        return this.showFlames(message);
      case "selection": {
        const pane = this.pane(message.pane);
        if (!pane || pane.rectangles?.message.revision !== message.revision) return;
        if (message.place && message.place.node !== pane.selected) pane.reveal(message.place);
        pane.select(message.place?.node);
        return this.drawTable();
      }
      case "explained":
        return this.explained(message);
      case "progress":
        return this.status.showProgress(message.fraction, message.message);
      case "problem":
        return this.showProblem(message);
      case "notice":
        return this.status.showNotice(visible(message.message));
    }
  }

  private showControls(controls: FlameControls): void {
    const before = this.controls;
    this.controls = controls;
    this.toolbar.element.hidden = false;
    this.toolbar.show(controls);
    const subject = ({ mode, order, function: id, bar, restore }: FlameControls) =>
      JSON.stringify([mode, order, id, bar, restore.bar?.graph, restore.function?.detail]);
    if (before && subject(before) === subject(controls)) return this.keep();
    const kept = before === undefined ? parse(flameState, this.host.kept()) : undefined;
    this.panes = panesOf[controls.mode].map((kind) => {
      const pane = new Pane(kind, titleOf(kind, controls), this.listeners(), () => ({
        theme: this.theme,
        measure: this.measure,
      }));
      const zoom = kept?.mode === controls.mode ? kept.zooms?.[kind] : undefined;
      if (zoom) pane.zoom = zoom;
      return pane;
    });
    this.tooltip.hide();
    this.searching.clear();
    this.stage.replaceChildren(...this.panes.map(({ element }) => element));
    this.keep();
  }

  private showFlames(message: FlamesMessage): void {
    const pane = this.pane(message.pane);
    if (!pane) return;
    pane.show(message);
    this.status.showSummary(
      summary(this.messages),
      [...new Set(this.messages.flatMap(({ notes }) => notes))].map(visible),
    );
    this.status.showFound(foundText(this.messages));
    this.legendPlace.replaceChildren(legend(message, this.theme));
    this.drawTable();
    this.searching.delete(message.pane);
    if (this.nextWanted && this.searching.size === 0) this.goToNextFound(this.nextWanted.backwards);
  }

  private showProblem(problem: Problem): void {
    this.status.showProblem(problem);
    // What was shown stays on screen, except where it is of something that is no longer asked for.
    this.toolbar.element.hidden = problem.kind === "unmeasured";
    if (problem.kind === "error" || problem.kind === "cancelled") return;
    for (const pane of this.panes) pane.clear();
    this.legendPlace.replaceChildren();
    this.drawTable();
  }

  private get messages(): FlamesMessage[] {
    return this.panes.flatMap(({ rectangles }) => rectangles?.message ?? []);
  }

  private pane(kind: FlamePane): Pane | undefined {
    return this.panes.find((pane) => pane.kind === kind);
  }

  private listeners(): PaneListeners {
    return {
      moved: (kind) => this.ask(kind),
      select: (kind, node) => this.select(kind, node),
      open: (kind, node) => this.open(kind, node),
      point: (kind, at, focused) => this.point(kind, at, focused),
      menu: (kind, at, where) => this.menu(kind, at, where),
      search: () => this.toolbar.focusSearch(),
    };
  }

  /** Many things change at once while zooming: what is in sight is asked for once a frame. */
  private ask(kind: FlamePane): void {
    if (this.asked.has(kind)) return;
    const frame = requestAnimationFrame(() => {
      this.asked.delete(kind);
      const wanted = this.pane(kind)?.wanted;
      const search = this.toolbar.search.slice(0, 1000);
      if (wanted) this.host.post({ type: "look", pane: kind, ...wanted, ...(search === "" ? {} : { search }) });
      this.keep();
    });
    this.asked.set(kind, frame);
  }

  private select(kind: FlamePane, node: number): void {
    const pane = this.pane(kind);
    const revision = pane?.rectangles?.message.revision;
    if (!pane || revision === undefined) return;
    for (const other of this.panes) if (other !== pane) other.select(undefined);
    pane.select(node);
    this.drawTable();
    this.host.post({ type: "select", pane: kind, revision, node });
  }

  private open(kind: FlamePane, node: number): void {
    const revision = this.pane(kind)?.rectangles?.message.revision;
    if (revision !== undefined) this.host.post({ type: "open", pane: kind, revision, node });
  }

  private point(kind: FlamePane, at: number | undefined, focused: boolean): void {
    window.clearTimeout(this.pause);
    const rectangles = this.pane(kind)?.rectangles;
    if (at === undefined || !rectangles) {
      this.pointing = undefined;
      this.tooltip.hide();
      return;
    }
    const { node, revision } = rectangles.message;
    if (focused) this.live.textContent = sentence(rectangles, at);
    if (this.pointing?.pane === kind && this.pointing.node === node[at] && !focused) return;
    this.pointing = { pane: kind, at, node: node[at] };
    this.explain(undefined);
    if (rectangles.isRun(at)) return;
    this.pause = window.setTimeout(
      () => this.host.post({ type: "explain", pane: kind, revision, node: node[at] }),
      POINTED_MS,
    );
  }

  private explained(message: FlameExplanation): void {
    const { pointing } = this;
    const rectangles = this.pane(message.pane)?.rectangles;
    if (rectangles?.message.revision !== message.revision) return;
    if (pointing?.pane === message.pane && pointing.node === message.node) this.explain(message);
  }

  private explain(more: FlameExplanation | undefined): void {
    const { pointing } = this;
    const pane = pointing && this.pane(pointing.pane);
    const box = pointing && pane?.boxInWindow(pointing.at);
    if (!pointing || !pane?.rectangles || !box) return;
    const name = heading(pane.rectangles.name(pointing.at));
    const path = more && html("p", { class: "path", dir: "ltr" }, pathText(more));
    const rows = pairs(facts(pane.rectangles, pointing.at, more));
    // Below it, so that the rectangle itself stays in sight.
    const middle = (box.left + box.right) / 2;
    const beside = { left: middle, right: middle, top: box.bottom + 4, bottom: box.bottom + 4 };
    this.tooltip.show(path ? [name, path, rows] : [name, rows], beside);
  }

  private menu(kind: FlamePane, at: number, where: { x: number; y: number }, returnTo?: HTMLElement): void {
    const pane = this.pane(kind);
    const rectangles = pane?.rectangles;
    if (!pane || !rectangles) return;
    this.tooltip.hide();
    const { node, revision, x, width } = rectangles.message;
    const zoom = {
      label: "Zoom to this",
      key: "Z",
      run: () => pane.zoomTo({ x: x[at], width: width[at] }),
    };
    const name = rectangles.name(at);
    const numbers = [name, ...facts(rectangles, at, undefined).map(([label, value]) => `  ${label}: ${value}`)].join(
      "\n",
    );
    const copy = {
      label: "Copy numbers",
      run: () => this.host.post({ type: "copy", text: numbers.slice(0, 100_000) }),
    };
    const items = rectangles.isRun(at)
      ? [zoom, copy]
      : [
          { label: "Go to line", key: "Enter", run: () => this.open(kind, node[at]) },
          { label: "Select in all views", key: "Space", run: () => this.select(kind, node[at]) },
          zoom,
          { label: "Zoom out to everything", key: "0", run: () => pane.fit() },
          {
            label: "Show in sandwich: callers and callees",
            run: () => this.host.post({ type: "sandwich", pane: kind, revision, node: node[at] }),
          },
          copy,
          { label: "Copy name", run: () => this.host.post({ type: "copy", text: name.slice(0, 100_000) }) },
        ];
    openMenu(name.slice(0, 200), items, where, returnTo ?? pane);
  }

  private search(): void {
    this.lastFound = -1;
    this.nextWanted = undefined;
    for (const { kind } of this.panes) {
      this.searching.add(kind);
      this.ask(kind);
    }
  }

  /** The focus stays in the search. */
  private goToNextFound(backwards: boolean): void {
    this.nextWanted = this.searching.size > 0 ? { backwards } : undefined;
    if (this.nextWanted) return;
    const all = this.panes.flatMap((pane) =>
      (pane.rectangles?.message.found?.places ?? []).map((place) => ({ pane, place })),
    );
    if (all.length === 0) return;
    const next = this.lastFound + (backwards ? -1 : 1);
    this.lastFound = this.lastFound < 0 && backwards ? all.length - 1 : (next + all.length) % all.length;
    const { pane, place } = all[this.lastFound];
    pane.reveal(place);
    this.select(pane.kind, place.node);
  }

  private showTable(shown: boolean): void {
    this.tableShown = shown;
    this.toolbar.showTable(shown);
    this.keep();
    this.drawTable();
  }

  private drawTable(): void {
    this.twin.element.hidden = !this.tableShown || this.messages.length === 0;
    if (!this.twin.element.hidden) this.twin.show(this.panes);
  }

  private draw(): void {
    for (const pane of this.panes) pane.draw();
    const message = this.messages.at(-1);
    if (message) this.legendPlace.replaceChildren(legend(message, this.theme));
  }

  private async save(format: "svg" | "png" | "csv"): Promise<void> {
    if (this.messages.length === 0) return this.status.showNotice("There is nothing to save yet.");
    if (format === "csv") {
      const shown = this.panes.flatMap(({ rectangles }) => rectangles ?? []);
      return this.host.post({ type: "save", format, content: flamesCsv(shown) });
    }
    const { text, width, height } = this.picture();
    const content = format === "svg" ? text : await pngBase64(text, width, height);
    this.host.post({ type: "save", format, content });
  }

  /** What is in sight, one drawing below the other. */
  private picture(): { text: string; width: number; height: number } {
    const { theme } = this;
    const words = (y: number, content: string) => svg("text", { x: 4, y, fill: theme.foreground }, content);
    let top = 0;
    let width = 1;
    const parts: SVGElement[] = [];
    for (const pane of this.panes) {
      const { marks, height, width: wide } = pane.picture();
      if (this.panes.length > 1) parts.push(words(top + 13, pane.kind));
      parts.push(asSvg(marks, theme, top + TITLE_HEIGHT, height));
      top += TITLE_HEIGHT + height;
      width = Math.max(width, Math.ceil(wide));
    }
    const height = Math.ceil(top + FOOT);
    const line = `${visible(this.controls?.dataSet ?? "")} · ${summary(this.messages)} · width: inclusive`;
    const root = svg(
      "svg",
      { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": theme.font, "font-size": FONT_SIZE },
      svg("rect", { width, height, fill: theme.background }),
      ...parts,
      words(top + 16, line),
    );
    const text = pictureText(root);
    return { text, width, height };
  }

  private keep(): void {
    if (!this.controls) return;
    this.host.keep({
      ...this.controls.restore,
      zooms: Object.fromEntries(this.panes.map(({ kind, zoom }) => [kind, zoom])),
      table: this.tableShown,
      search: this.toolbar.search.slice(0, 1000),
    });
  }
}

const app = document.getElementById("app");
if (app) new FlameGraphView(app);
