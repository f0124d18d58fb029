/** The histogram's view: takes in messages, keeps what the user sees, and draws it. Starts at the end of this file. */
import "../shared/page.css";
import "../shared/panel.css";
import "./histogram.css";
import { parse } from "../../src/protocol/bounds";
import {
  type Controls,
  type FromHistogram,
  histogramState,
  type HistogramMessage,
  parseToHistogram,
  type ToHistogram,
} from "../../src/protocol/histogram";
import type { Problem } from "../../src/protocol/panel";
import { html } from "../shared/dom";
import { connect } from "../shared/host";
import { openMenu } from "../shared/menu";
import { Status } from "../shared/status";
import { visible } from "../shared/text";
import { heading, pairs, Tooltip } from "../shared/tooltip";
import { Brush } from "./brush";
import { histogramCsv } from "./csv";
import { binFacts, findMembers, limits, memberFacts, memberName, several, summary, title } from "./describe";
import type { Emphasis } from "./drawing";
import { type Intentions, listen, type Spot } from "./interaction";
import { spotMenu } from "./menu";
import { binAt, memberAt, memberBox, nearestBin } from "./scene";
import { type Shown, Stage } from "./stage";
import { Toolbar } from "./toolbar";
import { Twin } from "./twin";

class HistogramView {
  private readonly host = connect<ToHistogram, FromHistogram>(parseToHistogram, (message) => this.receive(message));
  private readonly status = new Status({
    cancel: () => this.host.post({ type: "cancel" }),
    retry: () => this.host.post({ type: "retry" }),
    open: () => this.host.post({ type: "open-data-set" }),
  });
  private readonly toolbar: Toolbar;
  private readonly title = html("h1", { class: "title" }, "Histogram");
  private readonly stage: Stage;
  private readonly twin: Twin;
  private readonly tooltip: Tooltip;
  private readonly brush = new Brush((bins, brush, revision) =>
    this.host.post({ type: "brush", revision, brush, bins: bins.slice() }),
  );
  private controls: Controls | undefined;
  private histogram: HistogramMessage | undefined;
  private tableShown = false;
  private activeBin = 0;
  private activeMember = 0;
  /** Where Shift and an arrow began. */
  private anchor: number | undefined;
  private pointed: Spot = {};
  private found: ReadonlySet<number> | undefined;

  constructor(app: HTMLElement) {
    this.toolbar = new Toolbar({
      metric: (metric) => this.host.post({ type: "set-metric", metric }),
      over: (over) => this.host.post({ type: "set-over", over }),
      clearRestriction: () => this.host.post({ type: "clear-restriction" }),
      by: (by) => this.host.post({ type: "set-by", by }),
      value: (value) => this.host.post({ type: "set-value", value }),
      bins: (bins) => this.host.post({ type: "set-bins", bins }),
      order: (order) => this.host.post({ type: "set-order", order }),
      search: (text) => this.search(text),
      next: (backwards) => this.goToNextFound(backwards),
      table: (shown) => this.showTable(shown),
      save: (format) => void this.save(format),
    });
    this.stage = new Stage(
      () => this.shown(),
      (size, isFirst) => this.host.post({ type: isFirst ? "ready" : "resize", ...size }),
    );
    this.twin = new Twin({
      toggle: (bin) => this.toggle(bin),
      point: (member) => this.moveTo({ member }, false),
      open: () => this.host.post({ type: "open" }),
      menu: (spot, at, element) => this.menu(spot, at, element),
    });
    app.append(
      this.toolbar.element,
      this.title,
      this.status.element,
      this.stage.element,
      this.twin.element,
      this.stage.legendElement,
    );
    this.tooltip = new Tooltip(app);
    listen(this.stage.drawing.element, this.intentions());
    const kept = parse(histogramState, this.host.kept());
    this.tableShown = kept?.table === true;
    this.toolbar.showTable(this.tableShown);
  }

  private receive(message: ToHistogram): void {
    switch (message.type) {
      case "controls":
        this.controls = message;
        this.toolbar.element.hidden = false;
        this.toolbar.show(message);
        return this.keep();
      case "histogram":
        return this.show(message);
      case "chosen":
        if (this.brush.hear(message)) this.chosenChanged();
        return;
      case "progress":
        return this.status.showProgress(message.fraction, message.message);
      case "problem":
        return this.showProblem(message);
      case "notice":
        return this.status.showNotice(visible(message.message));
    }
  }

  private show(histogram: HistogramMessage): void {
    const { drawing } = this.stage;
    if (histogram.revision === this.histogram?.revision) {
      // Told again: focus, brush and what is pointed at stay.
      this.histogram = histogram;
      this.brush.show(histogram);
      return this.chosenChanged();
    }
    const hadFocus = drawing.element.contains(document.activeElement);
    const wasOnLine = document.activeElement === drawing.handle;
    this.histogram = histogram;
    this.brush.show(histogram);
    this.activeBin = Math.max(0, Math.min(this.activeBin, histogram.counts.length - 1));
    this.activeMember = Math.max(0, Math.min(this.activeMember, histogram.line.keys.length - 1));
    this.anchor = undefined;
    this.pointed = {};
    this.tooltip.hide();
    this.title.textContent = title(histogram);
    this.found = findMembers(histogram, this.toolbar.search);
    this.stage.show(histogram);
    this.chosenChanged();
    if (hadFocus) (wasOnLine ? drawing.handle : drawing.bin(this.activeBin))?.focus();
  }

  private chosenChanged(): void {
    const { histogram } = this;
    if (!histogram) return;
    this.status.showSummary(summary(histogram, this.brush.chosen), histogram.notes.map(visible));
    this.tellFound();
    this.stage.emphasise();
    this.drawTable();
  }

  private showProblem(problem: Problem): void {
    this.status.showProblem(problem);
    // What was shown stays on screen, except where it is of something that is no longer asked for.
    this.toolbar.element.hidden = problem.kind === "unmeasured";
    if (problem.kind === "error" || problem.kind === "cancelled") return;
    this.histogram = undefined;
    this.brush.show(undefined);
    this.title.textContent = "Histogram";
    this.stage.clear();
    this.drawTable();
  }

  private get emphasis(): Emphasis {
    const { chosen, chosenMembers } = this.brush;
    const { activeBin, activeMember, pointed, found } = this;
    return {
      chosen,
      chosenMembers,
      activeBin,
      activeMember,
      pointedBin: pointed.bin,
      pointedMember: pointed.member,
      found,
    };
  }

  private shown(): Shown | undefined {
    return this.histogram && { histogram: this.histogram, emphasis: this.emphasis };
  }

  private drawTable(): void {
    const { histogram } = this;
    this.twin.element.hidden = !this.tableShown || !histogram;
    if (histogram && this.tableShown) this.twin.show(histogram, this.emphasis);
  }

  private intentions(): Intentions {
    return {
      spotAt: (x, y) => this.spotAt(x, y),
      nearestBin: (x) => this.stage.scene && nearestBin(this.stage.scene, x),
      point: (spot) => this.point(spot),
      leave: () => this.point({}),
      focus: (spot) => {
        if (spot.bin !== undefined) this.activeBin = spot.bin;
        this.point(spot);
      },
      brush: (from, to, how) => {
        this.activeBin = to;
        this.anchor = undefined;
        const isNew = this.brush.over(from, to, how);
        this.tooltip.hide();
        if (how.ended) {
          this.stage.drawing.bin(to)?.focus();
          this.chosenChanged();
        } else if (isNew) this.stage.emphasise();
      },
      toggle: (bin) => this.toggle(bin),
      extend: (to) => this.extend(to),
      clear: () => {
        this.anchor = undefined;
        this.brush.clear();
        this.chosenChanged();
      },
      moveTo: (spot) => {
        this.anchor = undefined;
        this.moveTo(spot, true);
      },
      open: () => this.host.post({ type: "open" }),
      menu: (spot, at) => {
        const { drawing } = this.stage;
        this.menu(spot, at, spot.bin === undefined ? drawing.handle : (drawing.bin(spot.bin) ?? drawing.handle));
      },
      search: () => this.toolbar.focusSearch(),
    };
  }

  private spotAt(x: number, y: number): Spot {
    const { scene } = this.stage;
    const members = this.histogram?.line.keys.length ?? 0;
    if (!scene || members === 0) return {};
    const bin = binAt(scene, x, y);
    return bin === undefined ? { member: memberAt(scene, members, x, y) } : { bin };
  }

  /** Explains what is pointed at or has the focus; nothing: nothing. */
  private point(spot: Spot): void {
    const { histogram } = this;
    const { scene, drawing } = this.stage;
    const isSame = spot.bin === this.pointed.bin && spot.member === this.pointed.member;
    this.pointed = spot;
    if (spot.member !== undefined) this.activeMember = spot.member;
    if (!isSame) this.stage.emphasise();
    if (!histogram || !scene || (spot.bin === undefined && spot.member === undefined)) return this.tooltip.hide();
    const { left, top } = drawing.element.getBoundingClientRect();
    const beside = (x: number, y: number, width: number, height: number) => ({
      left: left + x,
      top: top + y,
      right: left + x + width,
      bottom: top + y + height,
    });
    if (spot.bin !== undefined) {
      const { x, width } = scene.bins[spot.bin];
      const content = [
        heading(`bin ${spot.bin + 1} of ${histogram.counts.length}`),
        pairs(binFacts(histogram, spot.bin, this.brush.chosen)),
      ];
      return this.tooltip.show(content, beside(x, scene.plot.y, width, scene.plot.height));
    }
    const position = spot.member ?? 0;
    const { x, y, width, height } = memberBox(scene, histogram.line.keys.length, position);
    const content = [heading(memberName(histogram, position)), pairs(memberFacts(histogram, position))];
    return this.tooltip.show(content, beside(x, y, width, height));
  }

  /** @param focuses whether the focus goes there too */
  private moveTo({ bin, member }: Spot, focuses: boolean): void {
    const { histogram } = this;
    if (!histogram) return;
    const within = (at: number, count: number) => Math.max(0, Math.min(count - 1, at));
    const { drawing } = this.stage;
    if (bin !== undefined) this.activeBin = within(bin, histogram.counts.length);
    if (member !== undefined) this.activeMember = within(member, histogram.line.keys.length);
    const spot = bin === undefined ? { member: this.activeMember } : { bin: this.activeBin };
    this.stage.emphasiseNow();
    const element = bin === undefined ? drawing.handle : drawing.bin(this.activeBin);
    if (focuses && document.activeElement !== element) element?.focus();
    else this.point(spot);
  }

  private toggle(bin: number): void {
    this.anchor = undefined;
    this.brush.toggle(bin);
    this.chosenChanged();
  }

  private extend(to: number): void {
    this.anchor ??= this.activeBin;
    const { anchor } = this;
    this.moveTo({ bin: to }, true);
    this.brush.over(anchor, this.activeBin, { adds: false, ended: true, paced: true });
    this.chosenChanged();
  }

  private menu(spot: Spot, at: { x: number; y: number }, returnTo: { focus(): void }): void {
    const { histogram } = this;
    if (!histogram) return;
    this.tooltip.hide();
    const bin = spot.bin ?? histogram.line.bins[spot.member ?? 0];
    const name =
      spot.member === undefined
        ? `${limits(histogram, bin)}: ${several(histogram, histogram.counts[bin])}`
        : memberName(histogram, spot.member);
    const items = spotMenu(histogram, bin, this.brush.chosen, {
      choose: (bins) => {
        this.brush.set(bins);
        this.chosenChanged();
      },
      toggle: (own) => this.toggle(own),
      copyMembers: (own) => this.host.post({ type: "copy-members", revision: histogram.revision, bin: own }),
      open: () => this.host.post({ type: "open" }),
    });
    openMenu(name, items, at, returnTo);
  }

  private search(text: string): void {
    this.found = this.histogram && findMembers(this.histogram, text);
    this.tellFound();
    this.stage.emphasise();
    this.drawTable();
  }

  private tellFound(): void {
    const { found, histogram } = this;
    this.status.showFound(
      found && histogram ? `${found.size} of ${several(histogram, histogram.line.keys.length)} found` : "",
    );
  }

  /** The focus stays in the search. */
  private goToNextFound(backwards: boolean): void {
    const all = [...(this.found ?? [])].sort((a, b) => a - b);
    const at = all.indexOf(this.activeMember);
    const isShown = at >= 0 && this.pointed.member === this.activeMember;
    const next = !isShown ? all[backwards ? all.length - 1 : 0] : all.at((at + (backwards ? -1 : 1)) % all.length);
    if (next !== undefined) this.moveTo({ member: next }, false);
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
        ? histogramCsv(shown.histogram, shown.emphasis)
        : await this.stage.picture(format, shown, this.controls?.dataSet ?? "");
    this.host.post({ type: "save", format, content });
  }

  private keep(): void {
    if (this.controls) this.host.keep({ ...this.controls.restore, table: this.tableShown });
  }
}

const app = document.getElementById("app");
if (app) new HistogramView(app);
