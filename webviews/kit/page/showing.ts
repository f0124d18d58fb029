/** What a page shows of what it knows: frame, what stands out in the drawing, tables, and what is saved and kept. */
import { MESSAGE_LIMIT } from "../../../src/protocol/bounds";
import type { NoticeRow, Step, ToolControl } from "../../../src/protocol/frame";
import type { Aside } from "../aside";
import type { SightTool, TableSpec } from "../definition";
import { picture, tablesCsv } from "../exports";
import { highlightEntry } from "../highlight";
import type { Details, FrameModel, LegendEntry } from "../frame/model";
import { wordLegend } from "../legend";
import { emptyStateOf, problemNotice } from "../problems";
import type { Emphasis } from "../stage/scene";
import type { Gesture } from "../stage/sight";
import type { StripPicture } from "../strip";
import { type PageParts, type PageState, ZOOMS } from "./state";

/** Pixels that a drawing leaves, from which on they say something of what is selected, or of the whole. */
const LEAST_PANE = 120;

/** What is said of an answer that is not the exact one. */
const NEARNESS = { refining: "refining…", nearest: "not refined" };
const NEAR = "the nearest of what is known";

export class Showing<Content, ChosenPart, Seen, Part> {
  private readonly state: PageState<Content, ChosenPart>;
  private readonly closedNotices = new Set<string>();
  /** What the tables were made of. */
  private drawnTables: readonly unknown[] = [];
  private isPending = false;

  constructor(private readonly parts: PageParts<Content, ChosenPart, Seen, Part>) {
    this.state = parts.state;
  }

  /** What stands out in the drawing. */
  get emphasis(): Emphasis {
    const { pointed, selected, chosenMarks: chosen } = this.state;
    const { search, stage } = this.parts;
    // What has the focus may have gone out of sight.
    const isThere = this.state.active !== undefined && stage.mark(this.state.active) !== undefined;
    const active = isThere ? this.state.active : this.firstMark;
    return { active, pointed, selected, found: search.found, chosen };
  }

  /** The mark that keys begin at; undefined where there is none. */
  get firstMark(): number | undefined {
    const { definition, stage } = this.parts;
    const { shown } = this.state;
    const own = shown && definition.firstMark?.(shown.content);
    if (own !== undefined && stage.mark(own)) return own;
    return stage.scene?.many ? stage.scene.many.next(undefined, "Home") : stage.scene?.marks.at(0)?.id;
  }

  /** Frame and emphasis are shown once a frame, however often something changes. */
  update(): void {
    this.parts.stage.emphasise(this.emphasis);
    if (this.isPending) return;
    this.isPending = true;
    requestAnimationFrame(() => {
      this.isPending = false;
      const aside = this.aside();
      const picture = this.strip();
      this.parts.aside.show(aside);
      this.parts.frame.show({ ...this.model(), side: aside !== undefined, strip: picture !== undefined });
      this.parts.strip.show(picture, this.parts.stage.view);
      this.drawTables();
    });
  }

  private model(): FrameModel {
    const { shown, framed, selected } = this.state;
    const { definition, search, stage } = this.parts;
    const content = shown?.content;
    const { text } = search;
    const { scene } = stage;
    const steps = [...(framed?.steps ?? []), ...this.crumbs()];
    return {
      // Where no choice would give a drawing there is none.
      controls:
        this.state.problem?.kind === "unmeasured" ? [] : [...(framed?.controls ?? []), ...(framed ? this.tools() : [])],
      steps,
      chips: framed?.chips ?? [],
      lead: content === undefined ? undefined : definition.lead?.(content),
      summary: this.summary(),
      notices: this.notices(),
      search:
        text === undefined ? undefined : { text, count: content ? search.countText(definition.nouns(content)) : "" },
      progress: this.state.progress,
      empty: content === undefined && this.state.problem ? emptyStateOf(this.state.problem) : undefined,
      details: this.details(),
      pane: content === undefined ? undefined : this.pane(content, selected),
      keepsDetails: definition.details !== undefined && this.state.tableShown,
      legend:
        content && scene
          ? [
              ...this.nearLegend(),
              ...this.highlightLegend(content),
              ...definition.legend(content, stage.view.theme, scene),
            ]
          : [],
      hint: content === undefined ? undefined : definition.hint?.(content),
      table: this.state.tableShown,
    };
  }

  /** In each of its lengths it says first that it is not what was asked yet. */
  private summary(): readonly string[] {
    const { shown, chosen } = this.state;
    if (!shown) return [];
    const wordings = this.parts.definition.summary(shown.content, chosen, this.parts.sights?.seen);
    const { near } = shown;
    return near ? wordings.map((text) => `${NEARNESS[near]} · ${text}`) : wordings;
  }

  /** Where the row above has no room for it, it is said below the drawing. */
  private nearLegend(): readonly LegendEntry[] {
    const near = this.state.shown?.near;
    return near ? [wordLegend(NEARNESS[near], NEAR)] : [];
  }

  private highlightLegend(content: Content): readonly LegendEntry[] {
    const { definition, stage } = this.parts;
    const { highlighted } = stage.view;
    if (!highlighted) return [];
    // Of a kind of work all others stand back, wherever it is drawn.
    const note = highlighted.kinds.size > 0 ? undefined : definition.highlightNote?.(content, highlighted);
    return [highlightEntry(highlighted, note, stage.view.theme)];
  }

  private aside(): Aside | undefined {
    const { shown } = this.state;
    return shown && this.parts.definition.aside?.(shown.content);
  }

  private strip(): StripPicture | undefined {
    const { shown } = this.state;
    const { sights, stage } = this.parts;
    return shown && sights?.spec.strip?.(shown.content, sights.seen, stage.view);
  }

  /** Tools that move what is in sight. */
  sightTools(): readonly SightTool[] {
    const { sights } = this.parts;
    return sights ? (sights.spec.tools?.(this.state.shown?.content, sights.seen) ?? ZOOMS) : [];
  }

  private tools(): readonly ToolControl[] {
    const { player } = this.parts;
    return [...this.sightTools(), ...(player ? [player.tool()] : [])];
  }

  /** What the strip says: of what was measured, else of what is selected. */
  details(): Details | undefined {
    const { shown, selected: mark } = this.state;
    const { definition, explanations } = this.parts;
    const content = shown?.content;
    if (content === undefined) return undefined;
    const measured = this.measured();
    if (measured || mark === undefined) return measured;
    const { awaited } = this;
    if (awaited !== undefined) explanations.want(awaited);
    return definition.details?.(content, mark, explanations.of(mark));
  }

  /** The selected mark, of which the host has still to say what it knows. */
  get awaited(): number | undefined {
    const { shown, selected: mark } = this.state;
    const { definition, explanations, sights } = this.parts;
    const isExplained = definition.explains !== undefined || definition.hasPlaces === true;
    if (!shown || mark === undefined || !isExplained || explanations.of(mark)) return undefined;
    return sights?.spec.isSeveral(shown.content, mark) === true ? undefined : mark;
  }

  /** What is said of what is measured. */
  measured(): Details | undefined {
    const { shown } = this.state;
    const { sights } = this.parts;
    return shown && sights?.spec.measured?.(shown.content, sights.seen);
  }

  private pane(content: Content, mark: number | undefined): FrameModel["pane"] {
    const { definition, stage, sights, explanations } = this.parts;
    const top = definition.pane?.top(content, sights?.seen, stage.view);
    if (top === undefined || stage.view.height - top < LEAST_PANE) return undefined;
    const pane = definition.pane?.of(content, mark, mark === undefined ? undefined : explanations.of(mark));
    return pane && { ...pane, top };
  }

  /** The way to what is in sight, after the host's steps. */
  crumbs(): (Step & { readonly gesture: Gesture })[] {
    const { shown } = this.state;
    const { sights } = this.parts;
    const crumbs = shown && sights ? sights.spec.crumbs(shown.content, sights.seen) : [];
    return crumbs.map(({ text, gesture }, at) => ({ id: `crumb ${at}`, text, gesture }));
  }

  private notices(): NoticeRow[] {
    const { problem, shown, said } = this.state;
    const failed = problem && shown ? problemNotice(problem) : undefined;
    const own = (this.state.framed?.notices ?? []).filter(({ id }) => !this.closedNotices.has(id));
    return [failed, said, ...(shown ? own : [])].filter((notice) => notice !== undefined);
  }

  closeNotice(id: string): void {
    if (id === "said") this.state.said = undefined;
    else if (id === "problem") this.state.problem = undefined;
    else this.closedNotices.add(id);
    this.update();
  }

  showTable(shown: boolean): void {
    if (this.state.tableShown === shown) return;
    this.state.tableShown = shown;
    this.parts.sights?.ask();
    this.keep();
    this.update();
  }

  private openTable(): string | undefined {
    const { shown } = this.state;
    const { sights } = this.parts;
    return shown && sights?.spec.openTable?.(shown.content, sights.seen);
  }

  private specs(): readonly TableSpec<unknown>[] {
    const { shown, chosen } = this.state;
    return shown ? this.parts.definition.tables(shown.content, chosen, this.openTable()) : [];
  }

  private drawTables(): void {
    const { selected, chosen, chosenMarks, shown } = this.state;
    const { search } = this.parts;
    const parts = [shown?.content, chosen, search.found, selected, chosenMarks, this.openTable()];
    const tables = [this.state.tableShown, ...parts];
    // Progress and explanations come many times a second: a table that is being read stays as it is.
    if (tables.every((part, at) => part === this.drawnTables.at(at))) return;
    this.drawnTables = tables;
    const isSelected = (id: number) => id === selected || chosenMarks?.has(id) === true;
    this.parts.tables.show(this.state.tableShown ? this.specs() : [], {
      found: search.found,
      isSelected,
      isKnown: this.state.isSelectionKnown,
    });
  }

  /** Sends the drawing, or its tables, to be saved. */
  async save(format: "svg" | "png" | "csv"): Promise<void> {
    const { shown } = this.state;
    if (!shown) return;
    const content =
      format === "csv" ? tablesCsv(this.specs(), this.notesOfFile()) : await this.picture(format, shown.content);
    this.parts.host.post({ type: "save", format, content });
  }

  private async picture(format: "svg" | "png", content: Content): Promise<string> {
    const { framed } = this.state;
    const { stage, definition } = this.parts;
    const drawn = stage.picture();
    const { marks = [], endsWithMarks } = drawn?.scene ?? {};
    const lowest = marks.reduce((most, { box }) => Math.max(most, box.y + box.height), 0);
    const height = endsWithMarks ? Math.min(stage.view.height, lowest + 8) : stage.view.height;
    return picture(
      format,
      drawn?.shapes ?? [],
      { ...stage.view, height },
      {
        title: [framed?.dataSet ?? "", definition.name(content)].join(" · "),
        summary: this.wordings(content),
        notes: this.notesOfFile(),
        legend: drawn ? definition.legend(content, stage.view.theme, drawn.scene) : [],
      },
    );
  }

  /** A file has one line for what is named first and for the summary. */
  private wordings(content: Content): string[] {
    const { definition, sights } = this.parts;
    const { before = "", wordings: leads = [] } = definition.lead?.(content) ?? {};
    const lead = leads.slice(0, 1).map((wording) => `${before} ${wording}`.trimStart());
    return definition.summary(content, this.state.chosen, sights?.seen).map((words) => [...lead, words].join(" · "));
  }

  /** What the panel says beside the drawing, closed or not: who gets a file cannot ask for it. */
  private notesOfFile(): string[] {
    const { framed, shown } = this.state;
    const near = shown?.near ? [NEAR] : [];
    const chips = (framed?.chips ?? []).map(({ text, said }) => said ?? `restriction: ${text}`);
    return [...near, ...chips, ...(framed?.notices ?? []).map(({ text }) => text)];
  }

  /** Shows what is to be known of panels like this one. */
  explain(): void {
    const { frame, definition } = this.parts;
    const { left, top, right } = frame.stage.getBoundingClientRect();
    frame.tooltip.help(definition.explanation, { left, top, right, bottom: top });
  }

  /** Keeps what is to be there again after a reload. */
  keep(): void {
    const { sights, host } = this.parts;
    const { framed, tableShown: table } = this.state;
    const search = this.parts.search.text?.slice(0, 1000);
    const seen = sights?.seen;
    const state = { ...framed?.restore, table, ...(search === undefined ? {} : { search }), ...(seen ? { seen } : {}) };
    if (framed && JSON.stringify(state).length < MESSAGE_LIMIT) host.keep(state);
  }
}
