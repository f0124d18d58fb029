/** A page that is read: the kit's frame around text and tables in place of a drawing. */
import "./kit.css";
import * as v from "valibot";
import type { FrameMessage, NoticeRow } from "../../src/protocol/frame";
import { type FromEveryPage, type Problem, toPageParser, type ToPage } from "../../src/protocol/panel";
import { html, replaceAll } from "../shared/dom";
import { connect } from "../shared/host";
import { icon } from "./icons";
import { mountFrame } from "./frame/frame";
import { hostActions } from "./frame/hostActions";
import type { Frame, ProgressState } from "./frame/model";
import { Press } from "./table/press";
import { emptyStateOf, isPassing, problemNotice } from "./problems";

/** What the parts of a document may do. */
export interface DocumentActions {
  /** Chooses a value of one of the panel's controls. */
  choose(control: string, value: string): void;
  /** Selects (`select`) or opens (`open`) what a mark of this content stands for. */
  use(action: string, mark: number): void;
  /** The same, of what a double click begins on: nothing where there is other content at its end. */
  opening(mark: number): () => void;
}

export interface DocumentDefinition<Content> {
  readonly title: string;
  readonly content: v.GenericSchema<unknown, Content>;
  /** Built anew for every content. @param ways the panel's tools by their names, for a text has the room; the toolbar has them in its menu alone */
  parts(content: Content, actions: DocumentActions, ways: Node): readonly Node[];
  /** In one line, the longest wording first. */
  summary(content: Content): readonly string[];
}

type Tool = Extract<FrameMessage["controls"][number], { readonly kind: "tool" }>;

export function startDocument<Content>(definition: DocumentDefinition<Content>): void {
  const app = document.getElementById("app");
  if (app) new DocumentPage(app, definition);
}

class DocumentPage<Content> {
  private readonly host;
  private readonly frame: Frame;
  private readonly body = html("article", { class: "document" });
  private readonly ways = html("nav", { class: "ways", "aria-label": "Views" });
  private shownWays = "";
  private framed: FrameMessage | undefined;
  private shown: { readonly revision: number; readonly content: Content } | undefined;
  private readonly press: Press;
  /** Content that came while something was pressed, whose click is still about the content on screen. */
  private held: { readonly revision: number; readonly content: Content } | undefined;
  private progress: ProgressState | undefined;
  /** Notices of the host that were closed: the next one takes their place. */
  private readonly closedNotices = new Set<string>();
  private problem: Problem | undefined;
  private said: NoticeRow | undefined;

  constructor(
    app: HTMLElement,
    private readonly definition: DocumentDefinition<Content>,
  ) {
    const parser = toPageParser(definition.content, v.never());
    this.host = connect<ToPage<Content, never>, FromEveryPage>(
      (message) => parser(message) as ToPage<Content, never> | undefined,
      (message) => this.receive(message),
    );
    const nothing = () => undefined;
    this.frame = mountFrame(app, {
      ...hostActions((message) => this.host.post(message)),
      control: (id, value) => this.host.post({ type: "control", id, value }),
      step: (id) => this.host.post({ type: "step", id }),
      closeNotice: (id) => {
        if (id === "said") this.said = undefined;
        else if (id === "problem") this.problem = undefined;
        else this.closedNotices.add(id);
        this.update();
      },
      // What only drawings have.
      search: nothing,
      nextFound: nothing,
      toggleTable: nothing,
      save: nothing,
      explain: nothing,
      openPlace: nothing,
      detail: nothing,
      goTo: nothing,
    });
    this.frame.stage.append(this.body);
    this.press = new Press(this.body, () => {
      if (!this.held) return;
      this.showContent(this.held);
      this.update();
    });
    const { width, height } = this.frame.stage.getBoundingClientRect();
    this.host.post({ type: "ready", width: Math.max(1, width), height: Math.max(1, height) });
    this.update();
  }

  private receive(message: ToPage<Content, never>): void {
    switch (message.type) {
      case "frame":
        this.framed = message;
        this.showWays();
        break;
      case "content":
        if (this.press.isDown) this.held = message;
        else this.showContent(message);
        break;
      case "progress":
        this.progress = { fraction: message.fraction, text: message.message };
        this.problem = undefined;
        break;
      case "problem":
        this.progress = undefined;
        this.problem = message;
        if (isPassing(message) && this.shown) break;
        this.shown = this.held = undefined;
        this.body.replaceChildren();
        break;
      case "notice":
        this.said = { id: "said", severity: "info", text: message.message };
        break;
      default:
        return;
    }
    this.update();
  }

  private showContent(content: NonNullable<typeof this.shown>): void {
    this.shown = content;
    this.held = this.progress = this.problem = this.said = undefined;
    replaceAll(this.body, this.definition.parts(content.content, this.actions(content.revision), this.ways));
  }

  private showWays(): void {
    const tools = this.framed?.controls.filter((control): control is Tool => control.kind === "tool") ?? [];
    // What has the focus stays, where nothing is another.
    const shown = JSON.stringify(tools);
    if (shown === this.shownWays) return;
    this.shownWays = shown;
    const groups = [...new Set(tools.map(({ group }) => group))];
    replaceAll(
      this.ways,
      groups.flatMap((group) => {
        const ways = tools.filter((tool) => tool.group === group).map((tool) => this.way(tool));
        const row = html("div", { class: "ways-row", role: "group", "aria-label": group }, ways);
        return [html("span", { class: "question" }, group ?? ""), row];
      }),
    );
  }

  private way({ id, name, icon: picture, disabled }: Tool): HTMLElement {
    const attributes = { type: "button", class: "way", "aria-disabled": disabled && "true", title: disabled };
    const button = html("button", attributes, icon(picture), name);
    if (disabled === undefined)
      button.addEventListener("click", () => this.host.post({ type: "control", id, value: "" }));
    return button;
  }

  private actions(revision: number): DocumentActions {
    const use = (action: string, mark: number) => {
      if (this.shown?.revision === revision) this.host.post({ type: "mark", action, revision, mark });
    };
    return {
      choose: (id, value) => this.host.post({ type: "control", id, value }),
      use,
      opening: (mark) => () => use("open", mark),
    };
  }

  private update(): void {
    const { framed, shown, problem, said } = this;
    const failed = problem && shown ? problemNotice(problem) : undefined;
    const own = (framed?.notices ?? []).filter(({ id }) => !this.closedNotices.has(id));
    this.frame.show({
      controls: framed?.controls.map((one) => (one.kind === "tool" ? { ...one, tucked: true } : one)) ?? [],
      steps: framed?.steps ?? [],
      chips: framed?.chips ?? [],
      summary: shown ? this.definition.summary(shown.content) : [],
      notices: [failed, said, ...(shown ? own : [])].filter((notice) => notice !== undefined),
      ...(this.progress ? { progress: this.progress } : {}),
      ...(problem && !shown ? { empty: emptyStateOf(problem) } : {}),
      legend: [],
      isText: true,
    });
  }
}
