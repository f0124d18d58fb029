/** A panel's page: joins frame, drawing, table and tooltip, what the host says and what people do (`page/`). */
import "./kit.css";
import * as v from "valibot";
import { parse } from "../../src/protocol/bounds";
import { type FromEveryPage, type Stretch, toPageParser, type ToPage } from "../../src/protocol/panel";
import { connect } from "../shared/host";
import { AsideList } from "./aside";
import type { PageDefinition } from "./definition";
import { Explanations } from "./explanations";
import { mountFrame } from "./frame/frame";
import { hostActions } from "./frame/hostActions";
import type { FrameActions } from "./frame/model";
import { MarkActions } from "./page/actions";
import { Interaction } from "./page/interaction";
import { Messages } from "./page/messages";
import { Searching } from "./page/searching";
import { Showing } from "./page/showing";
import { type PageParts, PageState } from "./page/state";
import { PLAY, Player } from "./player";
import { Search } from "./search";
import { Sights } from "./sights";
import { Choice } from "./stage/choice";
import { Stage, type StageHooks } from "./stage/stage";
import { Strip } from "./strip";
import { Tables } from "./table/tables";
import { onThemeChange } from "./theme/theme";

/** What the page itself keeps for a reload, beside the panel's state. */
const keptByPage = v.object({
  table: v.optional(v.boolean()),
  search: v.optional(v.pipe(v.string(), v.maxLength(1000))),
  seen: v.optional(v.unknown()),
});

/** Starts a panel's page. */
export function startPage<Content, ChosenPart, Seen, Part>(
  definition: PageDefinition<Content, ChosenPart, Seen, Part>,
): void {
  const app = document.getElementById("app");
  if (app) new Page(app, definition);
}

class Page<Content, ChosenPart, Seen, Part> {
  private readonly parts: PageParts<Content, ChosenPart, Seen, Part>;
  private readonly state: PageState<Content, ChosenPart>;
  private readonly showing: Showing<Content, ChosenPart, Seen, Part>;
  private readonly actions: MarkActions<Content, ChosenPart, Seen, Part>;
  private readonly interaction: Interaction<Content, ChosenPart, Seen, Part>;
  private readonly searching: Searching<Content, ChosenPart, Seen, Part>;
  private readonly messages: Messages<Content, ChosenPart, Seen, Part>;

  constructor(app: HTMLElement, definition: PageDefinition<Content, ChosenPart, Seen, Part>) {
    const parser = toPageParser(definition.content, definition.members?.schema ?? v.never(), definition.later?.schema);
    const host = connect<ToPage<Content, ChosenPart, Part>, FromEveryPage>(
      (message) => parser(message) as ToPage<Content, ChosenPart, Part> | undefined,
      (message) => this.messages.receive(message),
    );
    const kept = parse(keptByPage, host.kept());
    this.state = new PageState(kept?.table === true);
    const frame = mountFrame(app, this.frameActions(definition));
    const search = new Search();
    search.text = kept?.search;
    this.parts = {
      definition,
      state: this.state,
      host,
      frame,
      search,
      stage: this.stageIn(frame.stage, definition),
      tables: new Tables(frame.table, {
        click: (mark, adds) => this.interaction.click(mark, adds),
        opening: (mark) => this.actions.opening(mark),
        menu: (...what) => this.actions.menuOf(...what),
        follow: (gesture) => this.parts.sights?.follow(gesture),
      }),
      strip: new Strip(frame.strip, (gesture) => this.parts.sights?.follow(gesture)),
      aside: new AsideList(frame.side, (mark) => this.interaction.click(mark, false)),
      choice: new Choice(
        (marks) => this.messages.showChoice(marks),
        (marks, choice) => this.postRevised({ type: "choose", choice, marks: marks.slice() }),
      ),
      explanations: new Explanations((mark) => this.postRevised({ type: "explain", mark })),
      sights: this.sightsOf(definition, kept?.seen),
      player: this.playerOf(definition),
    };
    this.showing = new Showing(this.parts);
    this.actions = new MarkActions(this.parts, this.showing);
    this.interaction = new Interaction(this.parts, this.showing, this.actions);
    this.searching = new Searching(this.parts, this.showing, this.actions, this.interaction);
    this.messages = new Messages(this.parts, this.showing, this.interaction, this.searching);
    this.interaction.listen();
    window.addEventListener("focus", () => this.messages.pageFocused());
    onThemeChange(() => this.showing.update());
    this.showing.update();
  }

  /** Says something of the content that is shown; where there is none, nothing. */
  private postRevised(
    message:
      | { type: "choose"; choice: number; marks: number[] }
      | { type: "explain"; mark: number }
      | { type: "look"; look: unknown },
  ): void {
    const { shown } = this.state;
    if (shown) this.parts.host.post({ ...message, revision: shown.revision });
  }

  private frameActions({ sight }: PageDefinition<Content, ChosenPart, Seen, Part>): FrameActions {
    const post = (message: FromEveryPage) => this.parts.host.post(message);
    const fit = () => this.parts.sights?.follow({ kind: "fit" });
    return {
      ...hostActions(post),
      control: (id, value) => {
        const { sights, player } = this.parts;
        if (player && id === PLAY) return player.toggle();
        const tool = this.showing.sightTools().find((one) => one.id === id);
        if (tool && sights) sights.follow(tool.gesture);
        else post({ type: "control", id, value });
      },
      step: (id) => {
        const crumbs = this.showing.crumbs();
        const crumb = crumbs.find((known) => known.id === id);
        if (crumb) this.parts.sights?.follow(crumb.gesture);
        // Back from a part of what the last step shows.
        else if (crumbs.length > 0 && id === this.state.framed?.steps.at(-1)?.id) fit();
        else post({ type: "step", id });
      },
      closeNotice: (id) => this.showing.closeNotice(id),
      search: (text) => this.searching.searchFor(text),
      nextFound: (backwards) => this.searching.goToNextFound(backwards),
      toggleTable: () => this.showing.showTable(!this.state.tableShown),
      save: (format) => void this.showing.save(format),
      ...(sight ? { fit } : {}),
      explain: () => this.showing.explain(),
      openPlace: () => this.actions.use("open", this.state.selected),
      detail: (id) => {
        const action = this.showing.details()?.actions.find((one) => one.id === id);
        if (action) this.interaction.detail(action);
      },
      goTo: (mark) => {
        this.interaction.goTo(mark);
        this.actions.use("select", mark);
      },
    };
  }

  private stageIn(
    place: HTMLElement,
    definition: PageDefinition<Content, ChosenPart, Seen, Part>,
  ): Stage<Content, Seen> {
    const { state } = this;
    const hooks: StageHooks<Content, Seen> = {
      place,
      shown: () => state.shown && { ...state.shown, seen: this.parts.sights?.seen },
      label: () => (state.shown ? definition.name(state.shown.content) : definition.title),
      resized: (size) => this.interaction.resized(size),
    };
    const draw: typeof definition.draw = (...what) => definition.draw(...what);
    return (
      definition.stage?.(hooks) ??
      new Stage(
        hooks,
        draw,
        definition.layer?.(() => state.shown?.content),
      )
    );
  }

  private playerOf({ player }: PageDefinition<Content, ChosenPart, Seen, Part>): Player<Content> | undefined {
    if (!player) return undefined;
    const move = (window: Stretch) => this.parts.host.post({ type: "window", window });
    return new Player(
      player,
      () => this.state.shown?.content,
      move,
      () => this.showing.update(),
    );
  }

  private sightsOf(
    { sight }: PageDefinition<Content, ChosenPart, Seen, Part>,
    seen: unknown,
  ): Sights<Content, Seen> | undefined {
    if (!sight) return undefined;
    const [content, view, search] = [
      () => this.state.shown?.content,
      () => this.parts.stage.view,
      () => this.parts.search.text ?? "",
    ];
    const hasTable = () => this.state.tableShown;
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
      get hasTable() {
        return hasTable();
      },
      openTable: () => this.showing.showTable(true),
      redraw: () => {
        this.interaction.point(undefined);
        this.parts.stage.redraw();
        this.showing.keep();
        this.showing.update();
      },
      post: (look: unknown) => this.postRevised({ type: "look", look }),
      tell: (window: Stretch | undefined) => this.parts.host.post({ type: "window", ...(window ? { window } : {}) }),
    };
    return new Sights(sight, page, parse(sight.schema, seen));
  }
}
