/** Marks of a panel and what they stand for: selected here or elsewhere, explained, and where they lead. */
import * as vscode from "vscode";
import { MARK_LIMIT } from "../../protocol/bounds";
import type { FromEveryPage, ToPage } from "../../protocol/panel";
import type { Selection } from "../../session/session";
import type { Answers } from "./answers";
import type { PanelDefinition, PanelHandle, Subject, View } from "./definition";
import { showHottestLine, showLink } from "./hottestLine";
import { Latest } from "./latest";
import { own } from "./offered";
import type { PanelParts } from "./parts";
import { problemOf } from "./problems";
import { shorten } from "../../model/texts";

function isEqual<One>(a: readonly One[], b: readonly One[]): boolean {
  return a.length === b.length && a.every((one, at) => one === b[at]);
}

/** The longest time between the clicks of a double click, as desktops have it. */
const DOUBLE_CLICK_MS = 500;

/** A panel as its marks know it. */
interface MarkedPanel<State, Shown> extends PanelHandle<State, Shown> {
  readonly panel: Pick<vscode.WebviewPanel, "viewColumn">;
  /** Whether values of a data set are shown. */
  concerns(dataSet: number): boolean;
}

type Message<Type> = Extract<FromEveryPage, { readonly type: Type }>;

export class Marks<State extends object, Shown> {
  private readonly navigations = new Latest();
  private readonly explanations = new Latest();
  /** What was selected by a mark of this page, which marks it itself. */
  private selectedHere: Selection | undefined;

  constructor(
    private readonly parts: PanelParts,
    private readonly definition: Pick<
      PanelDefinition<State, Shown, unknown, unknown>,
      "id" | "subject" | "markOf" | "highlighted" | "explain" | "actions" | "opens"
    >,
    private readonly answers: Answers<State, Shown>,
    private readonly panel: MarkedPanel<State, Shown>,
    private readonly post: (message: ToPage<never, never>) => void,
  ) {}

  abandon(): void {
    this.navigations.abandon();
    this.explanations.abandon();
  }

  async use({ action: asked, revision, mark }: Omit<Message<"mark">, "type">): Promise<void> {
    const { definition, panel } = this;
    const onScreen = this.answers.of(revision);
    if (!onScreen) return;
    const opens = asked === "open" && mark !== undefined ? definition.opens?.(onScreen.shown, mark) : undefined;
    const action = opens ?? asked;
    const does = own(definition.actions, action);
    if (does || (action !== "select" && action !== "open")) return does?.(onScreen.shown, mark, panel);
    const run = this.navigations.start();
    const { view } = panel;
    try {
      const subject = view && (await definition.subject?.(onScreen.shown, mark, view, run.task));
      if (!subject || run.superseded) return;
      this.select(subject, view, { isMarked: subject.isBeside !== true });
      // A place has no line.
      if (!subject.target && subject.at) return;
      if (action === "select" && this.isAlone) {
        // A new editor group beside takes half of the width: the second click of a double click would miss its mark.
        await new Promise((resolve) => setTimeout(resolve, DOUBLE_CLICK_MS));
        if (run.superseded) return;
      }
      const options = { focus: action === "open", beside: panel.panel.viewColumn };
      const notice = subject.link
        ? await showLink(this.parts, { name: subject.name, link: subject.link }, options)
        : await showHottestLine(this.parts, subject.scope ?? view.scope, subject, run, options);
      if (notice !== undefined && !run.superseded) panel.notice(notice);
    } catch (error) {
      if (!run.superseded) panel.notice(problemOf(error).message);
    }
  }

  async explain({ revision, mark }: Omit<Message<"explain">, "type">): Promise<void> {
    const { view } = this.panel;
    const onScreen = this.answers.of(revision);
    if (!view || !onScreen) return;
    const run = this.explanations.start();
    try {
      const explained = await this.definition.explain?.(onScreen.shown, mark, view, run.task);
      // Of a mark that nobody points at any more, it may be the selected one.
      if (explained && this.answers.of(revision)) this.post({ type: "explained", revision, mark, ...explained });
    } catch (error) {
      if (!run.superseded) this.panel.notice(problemOf(error).message);
    }
  }

  /** Selects something for all views. @param how whether the page has marked it already */
  select({ target, name, scope, at }: Subject, view: View<State>, how?: { readonly isMarked: boolean }): void {
    if (!target) return this.highlight(at, name, view);
    const { dataSet } = scope ?? view.scope;
    const selection: Selection = { dataSet, target, name: shorten(name, 200), origin: this.definition.id };
    if (how?.isMarked) this.selectedHere = selection;
    const { session } = this.parts;
    const before = session.current?.id;
    session.select(selection);
    this.highlight(at, name, view);
    // Of two recordings in one panel, a window's lines and trees show one.
    if (before !== undefined && session.current?.id !== before)
      this.panel.notice(`Lines, CodeLens and trees show ${shorten(session.current?.name ?? "", 200)} now.`);
  }

  /** @param ends what is highlighted already is so no more */
  highlight(at: Subject["at"], name: string, { dataSet }: View<State>, ends = false): void {
    const { session } = this.parts;
    const { lanes = [], kinds = [], name: own = name } = at ?? {};
    const before = session.highlight;
    const isSame = before?.dataSet === dataSet.id && isEqual(before.lanes, lanes) && isEqual(before.kinds, kinds);
    if (isSame && !ends) return;
    const isNothing = isSame || (lanes.length === 0 && kinds.length === 0);
    session.setHighlight(
      isNothing ? undefined : { dataSet: dataSet.id, lanes: [...lanes], kinds: [...kinds], name: shorten(own, 200) },
    );
  }

  /** What of the drawing is highlighted, whoever has selected it. */
  async postHighlight(): Promise<void> {
    const { definition, answers, panel, parts } = this;
    const { onScreen } = answers;
    const { view } = panel;
    if (!onScreen || !definition.highlighted) return;
    const { revision } = onScreen;
    const { highlight } = parts.session;
    const own = view && highlight && panel.concerns(highlight.dataSet) ? highlight : undefined;
    try {
      const asked = view && own ? definition.highlighted(onScreen.shown, own, view) : [];
      // What is known without asking is said before anything else is.
      const places = asked instanceof Promise ? await asked : asked;
      if (revision !== answers.onScreen?.revision || highlight !== parts.session.highlight) return;
      const name = own && { name: own.name };
      const shown = places.slice(0, MARK_LIMIT);
      this.post({ type: "highlight", revision, ...name, places: shown, kinds: [...(own?.kinds ?? [])] });
    } catch (error) {
      if (revision !== answers.onScreen?.revision || highlight !== parts.session.highlight) return;
      // What was highlighted before is so no more.
      this.post({ type: "highlight", revision, places: [], kinds: [] });
      panel.notice(problemOf(error).message);
    }
  }

  /** Marks what was selected elsewhere; what was selected here is marked already, and elsewhere in the drawing it may stand, too. */
  async selectionChanged(): Promise<void> {
    const { selection } = this.parts.session;
    if (selection === undefined || selection !== this.selectedHere) await this.postSelection();
  }

  /** What is on screen stands, whatever becomes of what is selected in it. */
  async postSelection(): Promise<void> {
    const { definition, answers, panel } = this;
    const { onScreen } = answers;
    const { view } = panel;
    const { selection } = this.parts.session;
    if (!onScreen || !view || !definition.markOf) return;
    try {
      const isShown = selection !== undefined && panel.concerns(selection.dataSet);
      const found = isShown ? await definition.markOf(onScreen.shown, selection, view) : undefined;
      const place = typeof found === "object" ? { mark: found.mark, place: found } : { mark: found };
      if (onScreen.revision !== answers.onScreen?.revision || selection !== this.parts.session.selection) return;
      this.post({ type: "selection", revision: onScreen.revision, ...(found === undefined ? {} : place) });
    } catch (error) {
      if (onScreen.revision === answers.onScreen?.revision) panel.notice(problemOf(error).message);
    }
  }

  /** No other editor group is there yet. */
  private get isAlone(): boolean {
    return vscode.window.tabGroups.all.every((group) => group.viewColumn === this.panel.panel.viewColumn);
  }
}
