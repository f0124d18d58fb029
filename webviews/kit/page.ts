/** A panel's page: takes in messages, keeps what people see and do, and shows it in frame, drawing, table and tooltip. */
import "./kit.css";
import * as v from "valibot";
import { MESSAGE_LIMIT, parse } from "../../src/protocol/bounds";
import type { FrameMessage, NoticeRow, Step, ToolControl } from "../../src/protocol/frame";
import {
  type FromEveryPage,
  type Problem,
  type SelectionMessage,
  toPageParser,
  type ToPage,
} from "../../src/protocol/panel";
import { html } from "../shared/dom";
import { connect } from "../shared/host";
import type { PageDefinition, SightSpec, TableSpec } from "./definition";
import { Explanations } from "./explanations";
import { picture, tablesCsv } from "./exports";
import { mountFrame } from "./frame/frame";
import type { Details, Frame, FrameModel, ProgressState } from "./frame/model";
import { openMenu } from "./overlay/menu";
import type { Tooltip } from "./overlay/tooltip";
import { Choice } from "./stage/choice";
import { type KeyMeaning, listen, type MoveKey } from "./stage/gestures";
import { type Box, type ChosenMarks, type Emphasis, isIn, type Mark, meets, type Point } from "./stage/scene";
import { marksBetween, nextMark } from "./stage/moving";
import type { Gesture } from "./stage/sight";
import { Stage, type StageHooks } from "./stage/stage";
import { emptyStateOf, isPassing, problemNotice } from "./problems";
import { Search } from "./search";
import { Sights } from "./sights";
import { Tables } from "./table/tables";

/** What the page itself keeps for a reload, beside the panel's state. */
const keptByPage = v.object({
  table: v.optional(v.boolean()),
  search: v.optional(v.pipe(v.string(), v.maxLength(1000))),
  seen: v.optional(v.unknown()),
});

const ZOOM = 1.5;
/** Tools of every panel that shows a part of its drawing. */
const ZOOMS: readonly (ToolControl & { readonly factor: number })[] = [
  { kind: "tool", id: "zoom-out", name: "Zoom out", icon: "zoom-out", key: "-", leaves: 7, factor: 1 / ZOOM },
  { kind: "tool", id: "zoom-in", name: "Zoom in", icon: "zoom-in", key: "+", leaves: 6, factor: ZOOM },
];
/** What a message may hold. */
const MOST_COPIED = 100_000;

/** Starts a panel's page. */
export function startPage<Content, ChosenPart, Seen, Part>(
  definition: PageDefinition<Content, ChosenPart, Seen, Part>,
): void {
  const app = document.getElementById("app");
  if (app) new Page(app, definition);
}

class Page<Content, ChosenPart, Seen, Part> {
  private readonly host;
  private readonly frame: Frame;
  private readonly stage: Stage<Content, Seen>;
  private readonly tooltip: Tooltip;
  private readonly choice: Choice;
  private readonly tables: Tables;
  private readonly search = new Search();
  private readonly sights: Sights<Content, Seen> | undefined;
  private readonly explanations: Explanations;
  /** Enter was pressed in the search before the host had answered it. */
  private nextWanted: { readonly backwards: boolean } | undefined;
  private framed: FrameMessage | undefined;
  private shown: { readonly revision: number; readonly content: Content } | undefined;
  /** What takes its place as soon as it is whole, with the mark that is selected in it. */
  private coming: { readonly revision: number; readonly content: Content; selected?: SelectionMessage } | undefined;
  private isReady = false;
  /** What is left of the content by the restriction. */
  private chosen: ChosenPart | undefined;
  private chosenMarks: ChosenMarks | undefined;
  /** The host has not said yet what is chosen of this content. */
  private isNew = true;
  private active: number | undefined;
  private pointed: number | undefined;
  private selected: number | undefined;
  /** Whether the host, or somebody here, has said what is selected in this content. */
  private isSelectionKnown = false;
  /** Where Shift and an arrow began. */
  private anchor: number | undefined;
  private tableShown: boolean;
  /** What the tables were made of. */
  private drawnTables: readonly unknown[] = [];
  private progress: ProgressState | undefined;
  private problem: Problem | undefined;
  private said: NoticeRow | undefined;
  private readonly closedNotices = new Set<string>();
  private isPending = false;

  constructor(
    app: HTMLElement,
    private readonly definition: PageDefinition<Content, ChosenPart, Seen, Part>,
  ) {
    const { members } = definition;
    const parser = toPageParser(definition.content, members?.schema ?? v.never(), definition.later?.schema);
    this.host = connect<ToPage<Content, ChosenPart, Part>, FromEveryPage>(
      (message) => parser(message) as ToPage<Content, ChosenPart, Part> | undefined,
      (message) => this.receive(message),
    );
    app.append(html("h1", { class: "unseen" }, definition.title));
    this.frame = mountFrame(app, {
      control: (id, value) => {
        const zoom = ZOOMS.find((tool) => tool.id === id);
        if (zoom && this.sights) this.sights.follow({ kind: "zoom", factor: zoom.factor });
        else this.host.post({ type: "control", id, value });
      },
      step: (id) => {
        const crumbs = this.crumbs();
        const crumb = crumbs.find((known) => known.id === id);
        if (crumb) this.sights?.follow(crumb.gesture);
        // Back from a part of what the last step shows.
        else if (crumbs.length > 0 && id === this.framed?.steps.at(-1)?.id) this.sights?.follow({ kind: "fit" });
        else this.host.post({ type: "step", id });
      },
      removeStep: (id) => this.host.post({ type: "remove-step", id }),
      removeChip: (id) => this.host.post({ type: "remove-chip", id }),
      noticeLink: (id) =>
        id === "retry" ? this.host.post({ type: "retry" }) : this.host.post({ type: "notice-link", id }),
      closeNotice: (id) => this.closeNotice(id),
      search: (text) => this.searchFor(text),
      nextFound: (backwards) => this.goToNextFound(backwards),
      toggleTable: () => this.showTable(!this.tableShown),
      save: (format) => void this.save(format),
      ...(definition.sight ? { fit: () => this.sights?.follow({ kind: "fit" }) } : {}),
      explain: () => this.explain(),
      cancel: () => this.host.post({ type: "cancel" }),
      button: (id) => {
        if (id === "open") this.host.post({ type: "open-data-set" });
        else this.host.post(id === "retry" ? { type: "retry" } : { type: "notice-link", id });
      },
      openPlace: () => this.use("open", this.selected),
      detail: (id) => this.use(id, this.selected),
    });
    this.tooltip = this.frame.tooltip;
    this.tables = new Tables(this.frame.table, {
      click: (mark, adds) => this.click(mark, adds),
      opening: (mark) => this.opening(mark),
      menu: (...what) => this.menuOf(...what),
    });
    this.choice = new Choice(
      (marks) => this.showChoice(marks),
      (marks, choice) => {
        if (this.shown) this.host.post({ type: "choose", revision: this.shown.revision, choice, marks: marks.slice() });
      },
    );
    const hooks: StageHooks<Content, Seen> = {
      place: this.frame.stage,
      shown: () => this.shown && { ...this.shown, seen: this.sights?.seen },
      label: () => (this.shown ? definition.name(this.shown.content) : definition.title),
      resized: (size) => this.resized(size),
    };
    this.stage =
      definition.stage?.(hooks) ??
      new Stage(
        hooks,
        (...what) => definition.draw(...what),
        definition.layer?.(() => this.shown?.content),
      );
    this.explanations = new Explanations((mark) => {
      if (this.shown) this.host.post({ type: "explain", revision: this.shown.revision, mark });
    });
    this.listen();
    const kept = parse(keptByPage, this.host.kept());
    this.tableShown = kept?.table === true;
    this.search.text = kept?.search;
    this.sights = definition.sight && this.sightsOf(definition.sight, parse(definition.sight.schema, kept?.seen));
    this.update();
  }

  private sightsOf(spec: SightSpec<Content, Seen>, seen: Seen | undefined): Sights<Content, Seen> {
    const content = () => this.shown?.content;
    const view = () => this.stage.view;
    const search = () => this.search.text ?? "";
    const page = {
      get content() {
        return content();
      },
      get view() {
        return view();
      },
      get search() {
        return search();
      },
      redraw: () => {
        this.point(undefined);
        this.stage.redraw();
        this.keep();
        this.update();
      },
      post: (look: unknown) => {
        if (this.shown) this.host.post({ type: "look", revision: this.shown.revision, look });
      },
    };
    return new Sights(spec, page, seen);
  }

  private receive(message: ToPage<Content, ChosenPart, Part>): void {
    switch (message.type) {
      case "frame":
        this.framed = message;
        this.keep();
        break;
      case "content":
        this.take(message.revision, message.content);
        break;
      case "part":
        this.add(message.revision, message.part);
        break;
      case "chosen":
        this.heardChosen(message.revision, message.choice, message.chosen);
        break;
      case "selection":
        if (message.revision === this.coming?.revision) this.coming.selected = message;
        if (message.revision !== this.shown?.revision) return;
        this.followSelection(message);
        break;
      case "explained":
        if (message.revision !== this.shown?.revision) return;
        this.explanations.hear(message.mark, message);
        if (this.pointed === message.mark) this.point(this.stage.mark(message.mark));
        break;
      case "progress":
        this.progress = { fraction: message.fraction, text: message.message };
        this.problem = undefined;
        break;
      case "problem":
        this.showProblem(message);
        break;
      case "notice":
        this.said = { id: "said", severity: "info", text: message.message };
        break;
    }
    this.update();
  }

  /** What is not whole yet waits: until then the content before stays. */
  private take(revision: number, content: Content): void {
    this.coming = { revision, content };
    if (this.definition.later?.isWhole(content) === false) return;
    this.coming = undefined;
    this.show(revision, content);
  }

  private add(revision: number, part: Part): void {
    const { coming, shown, definition } = this;
    const of = [coming, shown].find((one) => one?.revision === revision);
    const content = of && definition.later?.add(of.content, part);
    if (!of || content === undefined) return;
    if (of === coming) {
      this.take(revision, content);
      if (this.coming) this.coming.selected = coming?.selected;
      else if (coming?.selected) this.followSelection(coming.selected);
      return;
    }
    this.shown = { revision, content };
    this.stage.redraw();
  }

  private show(revision: number, content: Content): void {
    const hadFocus = this.stage.element.contains(document.activeElement);
    const isSame = revision === this.shown?.revision;
    const before = this.active === undefined ? undefined : this.stage.mark(this.active)?.key;
    this.shown = { revision, content };
    this.progress = this.problem = this.said = undefined;
    if (!isSame) {
      this.choice.begin();
      this.isNew = true;
      this.isSelectionKnown = false;
      this.chosen = this.chosenMarks = this.pointed = this.selected = this.anchor = undefined;
      this.search.begin();
      this.explanations.begin();
      this.sights?.begin();
      this.tooltip.hide();
    }
    this.stage.redraw();
    this.find();
    this.sights?.ask();
    const marks = this.stage.scene?.marks ?? [];
    if (!isSame) this.active = (marks.find(({ key }) => key === before) ?? marks.at(0))?.id;
    this.stage.emphasise(this.emphasis);
    if (hadFocus && !isSame && this.active !== undefined) this.stage.focus(this.active);
    if (this.nextWanted) this.goToNextFound(this.nextWanted.backwards);
  }

  private followSelection({ mark, place }: SelectionMessage): void {
    if (place && mark !== this.selected) this.sights?.follow({ kind: "reveal", place });
    this.select(mark !== undefined && (place || this.stage.mark(mark)) ? mark : undefined);
    this.active = this.selected ?? this.active;
  }

  private select(mark: number | undefined): void {
    this.selected = mark;
    this.isSelectionKnown = true;
  }

  private heardChosen(revision: number, choice: number, chosen: ChosenPart | undefined): void {
    const { shown, definition } = this;
    if (revision !== shown?.revision || !definition.members) return;
    const marks = chosen === undefined ? undefined : definition.members.marks(shown.content, chosen);
    if (!this.choice.heard(choice, marks?.keys() ?? [], this.isNew)) return;
    this.isNew = false;
    this.chosen = chosen;
    this.chosenMarks = marks;
    this.stage.emphasise(this.emphasis);
  }

  /** Shows what is being chosen from what the page has: the host's word comes later. */
  private showChoice(marks: ReadonlySet<number>): void {
    const { shown, definition } = this;
    if (!shown || !definition.members) return;
    this.chosen = definition.members.part(shown.content, marks);
    this.chosenMarks = this.chosen === undefined ? undefined : definition.members.marks(shown.content, this.chosen);
    this.update();
  }

  private showProblem(problem: Problem): void {
    this.progress = undefined;
    this.problem = problem;
    // What was shown stays on screen, except where it is of something that is no longer asked for.
    if (isPassing(problem)) return;
    this.shown = this.coming = undefined;
    this.tooltip.hide();
    this.stage.redraw();
  }

  private get emphasis(): Emphasis {
    const { pointed, selected, search, stage, chosenMarks: chosen } = this;
    // What has the focus may have gone out of sight.
    const isThere = this.active !== undefined && stage.mark(this.active) !== undefined;
    const active = isThere ? this.active : stage.scene?.marks.at(0)?.id;
    return { active, pointed, selected, found: search.found, chosen };
  }

  /** Frame and emphasis are shown once a frame, however often something changes. */
  private update(): void {
    this.stage.emphasise(this.emphasis);
    if (this.isPending) return;
    this.isPending = true;
    requestAnimationFrame(() => {
      this.isPending = false;
      this.frame.show(this.model());
      this.drawTables();
    });
  }

  private model(): FrameModel {
    const { shown, framed, definition, chosen, selected } = this;
    const content = shown?.content;
    const { text } = this.search;
    const { scene } = this.stage;
    const steps = [...(framed?.steps ?? []), ...this.crumbs()];
    return {
      // Where no choice would give a drawing there is none.
      controls:
        this.problem?.kind === "unmeasured"
          ? []
          : [...(framed?.controls ?? []), ...(framed && this.sights ? ZOOMS : [])],
      steps,
      chips: framed?.chips ?? [],
      summary: content === undefined ? [] : definition.summary(content, chosen),
      notices: this.notices(),
      search:
        text === undefined
          ? undefined
          : { text, count: content ? this.search.countText(definition.nouns(content)) : "" },
      progress: this.progress,
      empty: content === undefined && this.problem ? emptyStateOf(this.problem) : undefined,
      details: content === undefined || selected === undefined ? undefined : this.details(content, selected),
      legend: content && scene ? definition.legend(content, this.stage.view.theme, scene) : [],
      hint: content === undefined ? undefined : definition.hint?.(content),
      table: this.tableShown,
    };
  }

  private details(content: Content, mark: number): Details | undefined {
    if (this.definition.explains) this.explanations.want(mark);
    return this.definition.details?.(content, mark, this.explanations.of(mark));
  }

  private crumbs(): (Step & { readonly gesture: Gesture })[] {
    const { shown, sights } = this;
    const crumbs = shown && sights ? sights.spec.crumbs(shown.content, sights.seen) : [];
    return crumbs.map(({ text, gesture }, at) => ({ id: `crumb ${at}`, text, gesture }));
  }

  private notices(): NoticeRow[] {
    const { problem, shown, said } = this;
    const failed = problem && shown ? problemNotice(problem) : undefined;
    const own = (this.framed?.notices ?? []).filter(({ id }) => !this.closedNotices.has(id));
    return [failed, said, ...(shown ? own : [])].filter((notice) => notice !== undefined);
  }

  private closeNotice(id: string): void {
    if (id === "said") this.said = undefined;
    else if (id === "problem") this.problem = undefined;
    else this.closedNotices.add(id);
    this.update();
  }

  private resized(size: { width: number; height: number }): void {
    this.host.post({ type: this.isReady ? "resize" : "ready", ...size });
    this.isReady = true;
    this.tooltip.hide();
    this.sights?.ask();
  }

  private listen(): void {
    listen(this.stage.element, {
      point: (at) => this.point(this.stage.markAt(at.x, at.y)),
      leave: () => this.point(undefined),
      click: (at, adds) => {
        const mark = this.markAt(at);
        if (!mark) return;
        const sign = this.stage.signAt(at.x, at.y);
        this.click(mark.id, adds);
        if (sign?.mark === mark.id && !adds) this.use(sign.does, mark.id);
      },
      opening: (at) => {
        const mark = this.markAt(at);
        return mark && this.opening(mark.id);
      },
      menu: (at) => this.menu(at ? this.markAt(at)?.id : this.active, at),
      canBrush: (at) => {
        const brush = this.definition.members && this.stage.scene?.brush;
        return brush !== undefined && isIn(brush, at);
      },
      brush: (box, how) => this.brush(box, how),
      giveUp: () => {
        this.stage.showBrush(undefined);
        this.choice.giveUp();
      },
      canMove: () => this.sights !== undefined && this.shown !== undefined,
      pan: (at, dx, dy) => this.sights?.follow({ kind: "pan", at, dx, dy }),
      zoom: (at, factor) => this.sights?.follow({ kind: "zoom", at, factor }),
      focused: (mark) => {
        this.active = mark ?? this.active;
        // Tab may follow, and leads to the parts of this mark.
        this.stage.emphasise(this.emphasis, true);
        this.point(mark === undefined ? undefined : this.stage.mark(mark));
      },
      move: (key, extending) => this.move(key, extending),
      key: (key) => this.key(key),
    });
    window.addEventListener("keydown", (event) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
      if (event.key === "f") this.frame.openSearch();
      else if (isTyping(event.target) || !this.useKey(event)) return;
      event.preventDefault();
    });
  }

  /** @returns whether a tool has this key */
  private useKey({ key, shiftKey }: KeyboardEvent): boolean {
    // As some desktops do it again.
    const letter = key.toUpperCase() === "Y" ? "Shift+Z" : `${shiftKey ? "Shift+" : ""}${key.toUpperCase()}`;
    const tool = this.framed?.controls.find((control) => control.kind === "tool" && control.key === `Ctrl+${letter}`);
    if (tool?.kind !== "tool") return false;
    if (tool.disabled === undefined) this.host.post({ type: "control", id: tool.id, value: "" });
    return true;
  }

  private key(key: KeyMeaning): void {
    const { active } = this;
    switch (key) {
      case "open":
        return active !== undefined && this.isSeveral(active) ? this.key("fill") : this.use("open", active);
      case "toggle":
        return active !== undefined && this.canChoose(active) ? this.choice.toggle(active) : this.use("select", active);
      case "clear": {
        const whole = active === undefined ? undefined : this.stage.mark(active)?.within;
        this.anchor = undefined;
        if (whole !== undefined) return this.goTo(whole);
        if (this.chosenMarks) return this.choice.set([]);
        this.select(undefined);
        return this.update();
      }
      case "search":
        return this.frame.openSearch();
      case "explain":
        return this.explain();
      case "fit":
        return this.sights?.follow({ kind: "fit" });
      case "zoom-in":
      case "zoom-out": {
        const factor = key === "zoom-in" ? ZOOM : 1 / ZOOM;
        return this.sights?.follow({ kind: "zoom", factor, mark: active });
      }
      case "fill":
        return active === undefined ? undefined : this.fill(active);
    }
  }

  /** Explains what is pointed at or has the focus; nothing: nothing. */
  private point(mark: Mark | undefined): void {
    const isOther = mark?.id !== this.pointed;
    this.pointed = mark?.id;
    if (isOther) this.stage.emphasise(this.emphasis);
    if (!mark) {
      this.explanations.point(undefined);
      return this.tooltip.hide();
    }
    const { left, top } = this.stage.element.getBoundingClientRect();
    const { x, y, width, height } = mark.box;
    const beside = { left: left + x, top: top + y, right: left + x + width, bottom: top + y + height };
    const { name, place } = mark;
    if (!this.definition.explains || !this.shown)
      return this.tooltip.show({ name, place, facts: mark.facts(), note: mark.note?.() }, beside);
    if (!this.isSeveral(mark.id)) this.explanations.point(mark.id);
    const more = this.explanations.of(mark.id);
    const explanation = {
      ...{ name: mark.name, facts: [...mark.facts(), ...(more?.facts ?? [])] },
      ...(more?.place === undefined ? {} : { place: more.place }),
      note: this.definition.explains(this.shown.content),
    };
    this.tooltip.show(explanation, beside, this.sights ? "below" : "beside");
  }

  /** What is hit at a point: what only lies there can be pointed at, and nothing else. */
  private markAt({ x, y }: Point): Mark | undefined {
    const mark = this.stage.markAt(x, y);
    return mark && this.stage.mark(mark.id);
  }

  /** @param id of a mark of the content; one that is not drawn has a row in a table */
  private click(id: number, adds: boolean): void {
    const { members } = this.definition;
    const mark = this.stage.mark(id);
    if (!mark) return this.use("select", id);
    this.active = id;
    this.anchor = undefined;
    this.stage.focus(id);
    if (this.sights && (adds || this.isSeveral(id))) return this.fill(id);
    if (members && this.canChoose(id) && (adds || members.byClick))
      return adds ? this.choice.toggle(id) : this.choice.set([id]);
    this.use("select", mark.within ?? id);
  }

  private canChoose(mark: number): boolean {
    const { shown, definition } = this;
    return shown !== undefined && definition.members?.can(shown.content, mark) === true;
  }

  private fill(mark: number): void {
    const { shown, sights } = this;
    const place = shown && sights?.spec.placeOf(shown.content, mark);
    if (place) sights?.follow({ kind: "fill", place });
  }

  private isSeveral(mark: number): boolean {
    return this.shown !== undefined && this.sights?.spec.isSeveral(this.shown.content, mark) === true;
  }

  private opening(mark: number): (() => void) | undefined {
    if (this.isSeveral(mark)) return undefined;
    const now = this.lasting(mark);
    return () => {
      const meant = now();
      if (meant !== undefined) this.use("open", meant);
    };
  }

  /** What a mark is by then: other content may have come, which has other marks. */
  private lasting(mark: number): () => number | undefined {
    const revision = this.shown?.revision;
    const key = this.stage.mark(mark)?.key;
    return () => {
      if (this.shown?.revision === revision) return mark;
      const marks = this.definition.lasting && key !== undefined ? (this.stage.scene?.marks ?? []) : [];
      return marks.find((known) => known.key === key)?.id;
    };
  }

  /** Something is done with a mark, or with all that is drawn. */
  private use(action: string, mark: number | undefined): void {
    const { shown } = this;
    if (!shown) return;
    if (action === "select" || action === "open") this.select(mark);
    this.host.post({ type: "mark", action, revision: shown.revision, ...(mark === undefined ? {} : { mark }) });
    this.update();
  }

  private brush(box: Box, how: { adds: boolean; ended: boolean }): void {
    const { members } = this.definition;
    const { scene } = this.stage;
    if (!members || !scene?.brush) return;
    const inside = scene.marks.filter((mark) => this.canChoose(mark.id) && meets(mark.box, box));
    this.tooltip.hide();
    this.stage.showBrush(how.ended ? undefined : clipped(box, scene.brush));
    this.anchor = undefined;
    this.choice.drag(
      inside.map(({ id }) => id),
      how,
    );
    if (how.ended && inside.length > 0) this.goTo(inside[inside.length - 1].id);
  }

  private move(key: MoveKey, extending: boolean): void {
    const { scene } = this.stage;
    const { active } = this;
    const next = scene && nextMark(scene, active, key);
    if (!scene || next === undefined) return;
    if (extending && this.definition.members && active !== undefined) {
      this.anchor ??= active;
      this.choice.extend(marksBetween(scene, this.anchor, next).filter((id) => this.canChoose(id)));
    } else this.anchor = undefined;
    this.goTo(next);
  }

  private goTo(mark: number): void {
    const { sights, shown } = this;
    const place = shown && sights?.spec.placeOf(shown.content, mark);
    if (place) sights?.follow({ kind: "reveal", place });
    this.active = mark;
    this.stage.emphasise(this.emphasis);
    this.stage.focus(mark);
    // On a canvas the one element has had the focus already.
    this.point(this.stage.mark(mark));
  }

  private menu(mark: number | undefined, at: Point | undefined): void {
    const known = mark === undefined ? undefined : this.stage.mark(mark);
    if (!known) return;
    const { left, top } = this.stage.element.getBoundingClientRect();
    const { x, y, width, height } = known.box;
    const place = at ?? { x: x + width / 2, y: y + height / 2 };
    this.goTo(known.id);
    this.menuOf(
      known.id,
      known.name,
      { x: left + place.x, y: top + place.y },
      { focus: () => this.stage.focus(known.id) },
    );
  }

  private menuOf(mark: number, name: string, at: Point, returnTo: { focus(): void }): void {
    const { shown, definition, chosenMarks } = this;
    if (!shown || !definition.menu) return;
    this.tooltip.hide();
    const { revision } = shown;
    const items = definition.menu(shown.content, mark, chosenMarks).map(({ does, mark: other, ...entry }) => {
      const now = this.lasting(other ?? mark);
      const run = () => {
        const meant = now();
        if (typeof does === "string") return meant === undefined ? undefined : this.use(does, meant);
        if ("copy" in does) return this.host.post({ type: "copy", text: does.copy.slice(0, MOST_COPIED) });
        if (this.shown?.revision !== revision) return;
        if ("choose" in does) this.choice.set(does.choose);
        else this.sights?.follow(does.gesture);
      };
      return { ...entry, run };
    });
    openMenu(name.slice(0, 200), items, at, returnTo);
  }

  private find(): void {
    const { shown, definition } = this;
    this.search.look((text) => {
      if (!shown) return undefined;
      if (definition.sight) return definition.sight.found(shown.content, text);
      const wanted = text.toLowerCase();
      const inNames = () =>
        new Set(this.stage.scene?.marks.filter(({ name }) => name.toLowerCase().includes(wanted)).map(({ id }) => id));
      const marks = definition.find ? definition.find(shown.content, text) : inNames();
      return marks && { marks };
    });
  }

  private searchFor(text: string | undefined): void {
    this.search.text = text;
    this.search.begin();
    this.nextWanted = undefined;
    this.find();
    this.sights?.ask();
    this.keep();
    this.update();
  }

  /** The focus stays in the search. */
  private goToNextFound(backwards: boolean): void {
    const isAnswered = !this.sights || this.search.found !== undefined;
    this.nextWanted = isAnswered || (this.search.text ?? "") === "" ? undefined : { backwards };
    const next = this.search.next(backwards);
    if (next === undefined) return;
    this.active = next;
    const place = this.search.placeOf(next);
    if (place) this.sights?.follow({ kind: "reveal", place });
    // Of a drawing of which there is more than can be seen, what is gone to is marked for good.
    if (this.sights) this.use("select", next);
    this.update();
    this.point(this.stage.mark(next));
  }

  private showTable(shown: boolean): void {
    this.tableShown = shown;
    this.keep();
    this.update();
  }

  private specs(): readonly TableSpec<unknown>[] {
    const { shown, chosen, definition } = this;
    return shown ? definition.tables(shown.content, chosen) : [];
  }

  private drawTables(): void {
    const { search, selected, chosen, chosenMarks, shown } = this;
    const tables = [this.tableShown, shown?.content, chosen, search.found, selected, chosenMarks];
    // Progress and explanations come many times a second: a table that is being read stays as it is.
    if (tables.every((part, at) => part === this.drawnTables.at(at))) return;
    this.drawnTables = tables;
    const isSelected = (id: number) => id === selected || chosenMarks?.has(id) === true;
    this.tables.show(this.tableShown ? this.specs() : [], {
      found: search.found,
      isSelected,
      isKnown: this.isSelectionKnown,
    });
  }

  private async save(format: "svg" | "png" | "csv"): Promise<void> {
    const { shown } = this;
    if (!shown) return;
    const content = format === "csv" ? tablesCsv(this.specs()) : await this.picture(format, shown.content);
    this.host.post({ type: "save", format, content });
  }

  private async picture(format: "svg" | "png", content: Content): Promise<string> {
    const { stage, definition, framed, chosen } = this;
    const drawn = stage.picture();
    return picture(format, drawn?.shapes ?? [], stage.view, {
      title: [framed?.dataSet ?? "", definition.name(content)].join(" · "),
      summary: definition.summary(content, chosen),
      legend: drawn ? definition.legend(content, stage.view.theme, drawn.scene) : [],
    });
  }

  private explain(): void {
    const { left, top, right } = this.frame.stage.getBoundingClientRect();
    this.tooltip.show(this.definition.explanation, { left, top, right, bottom: top }, "below");
  }

  private keep(): void {
    const { framed, tableShown: table } = this;
    const search = this.search.text?.slice(0, 1000);
    const seen = this.sights?.seen;
    const state = { ...framed?.restore, table, ...(search === undefined ? {} : { search }), ...(seen ? { seen } : {}) };
    if (framed && JSON.stringify(state).length < MESSAGE_LIMIT) this.host.keep(state);
  }
}

function clipped(box: Box, { x, y, width, height }: Box): Box {
  const [left, top] = [Math.max(box.x, x), Math.max(box.y, y)];
  const right = Math.min(box.x + box.width, x + width);
  const bottom = Math.min(box.y + box.height, y + height);
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

/** In a text, keys are the text's own. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest("input:not([type=range]), textarea") !== null;
}
