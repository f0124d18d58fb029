/** Asks the engine for what a panel shows: the latest question wins, and where only the restriction has changed none is asked. */
import type { Chosen } from "../../engine/api";
import { CancelledError, NothingToDrawError } from "../../model/errors";
import type { NumberedPin } from "../../protocol/pin";
import type { FromEveryPage, Nearness, ToPage } from "../../protocol/panel";
import { type Answers, chosenText, type Question } from "./answers";
import type { PanelDefinition, View } from "./definition";
import { LaterParts } from "./laterParts";
import { Latest, type Run } from "./latest";
import type { Marks } from "./marks";
import { pinsToFind, pinsToName, settlePins } from "./pins";
import { problemOf } from "./problems";

/** What goes on while the exact answer is on its way. */
const REFINING = "refining…";

/** A panel as far as what it shows is asked for. */
interface AskingPanel<State> {
  readonly view: View<State> | undefined;
  /** What it remembers. */
  readonly state: State;
  change(state: State): Promise<void>;
  /** As {@link change}, where nothing else is shown for it. */
  remember(state: State): void;
  postFrame(view: View<State>): void;
}

export class Asking<State extends object, Shown, Content, ChosenPart, Part> {
  private readonly queries = new Latest();
  private readonly looks = new Latest();
  /** Of what was pinned, by name. */
  private readonly findings = new Latest();
  private readonly later: LaterParts<State, Shown, Part>;
  private choice = 0;
  private isAsking = false;
  /** What is on screen is near what was asked, and the exact answer on its way. */
  private isRefining = false;
  /** It was said that the last question went wrong: the drawing before it does not answer over that. */
  private hasFailed = false;

  constructor(
    private readonly definition: PanelDefinition<State, Shown, Content, ChosenPart, Part>,
    private readonly answers: Answers<State, Shown>,
    private readonly marks: Marks<State, Shown>,
    private readonly panel: AskingPanel<State>,
    private readonly post: (message: ToPage<Content, ChosenPart, Part>) => void,
  ) {
    const send = (revision: number, part: Part) => {
      post({ type: "part", revision, part });
      // A page that was waiting for it took it for the end of all work.
      if (this.isRefining) post({ type: "progress", message: this.refining() });
      // There may be something to be said of it.
      if (panel.view) panel.postFrame(panel.view);
    };
    this.later = new LaterParts(definition.later ?? [], send, (error) => post(problemOf(error)));
  }

  /** Asks for everything anew; an answer that is still on its way is no longer wanted. */
  async ask(view: View<State>): Promise<void> {
    const { definition, answers } = this;
    const question = answers.question(view);
    if (this.onlyChosen(question)) return;
    const run = this.queries.start((fraction, message) =>
      this.post({ type: "progress", fraction, message: this.isRefining ? this.refining(message) : message }),
    );
    this.isAsking = true;
    this.hasFailed = this.isRefining = false;
    this.looks.abandon();
    this.post({ type: "progress" });
    try {
      const shown = await definition.ask(view, run.task, answers.reusable);
      run.task.check();
      // Asked again, as when links were found: what is being chosen meanwhile still means the same marks.
      const isSame = definition.members !== undefined && question.asked !== undefined && answers.isAsked(question);
      const isNear = definition.refinement?.isDue(shown) === true;
      await this.show(question, shown, isSame, isNear ? "refining" : undefined);
      if (isNear) await this.refine(run, question, shown);
    } catch (error) {
      if (run.superseded) return;
      this.hasFailed = !(error instanceof CancelledError);
      if (error instanceof NothingToDrawError) answers.forget();
      this.post(problemOf(error));
    } finally {
      if (!run.superseded) this.isAsking = this.isRefining = false;
    }
  }

  private async show(question: Question<State>, shown: Shown, keepsMarks: boolean, near?: Nearness): Promise<void> {
    const { definition, answers } = this;
    const { view } = question;
    const content = definition.content(shown, view);
    const { revision } = answers.show({ ...question, shown, chosen: chosenText(view) }, keepsMarks);
    const learned = definition.learned?.(shown, view, this.panel.state);
    if (learned) this.panel.remember({ ...this.panel.state, ...learned });
    this.post({ type: "content", revision, content, ...(near ? { near } : {}) });
    const now = this.panel.view ?? view;
    this.panel.postFrame(now);
    if (answers.onScreen) this.later.ask(answers.onScreen, now);
    this.postChosen(view.scope.chosen);
    void this.namePins(now);
    void this.marks.postHighlight();
    await this.marks.postSelection();
  }

  /** What goes on while the exact answer is on its way. @param message of the work itself */
  private refining(message?: string): string {
    const name = this.definition.refinement?.name;
    return name === undefined ? REFINING : (message ?? name);
  }

  /** Asks for the exact answer while the one that is near it is looked at, and can be changed but for what was asked. */
  private async refine(run: Run, question: Question<State>, near: Shown): Promise<void> {
    const { definition, answers, panel } = this;
    if (run.superseded) return;
    this.isAsking = false;
    this.isRefining = true;
    this.post({ type: "progress", message: this.refining() });
    try {
      const shown = await definition.refinement?.ask(near, question.view, run.task);
      run.task.check();
      if (shown === undefined) return;
      this.isRefining = false;
      await this.show({ ...question, view: panel.view ?? question.view }, shown, false);
    } catch (error) {
      if (run.superseded) return;
      this.isRefining = false;
      if (answers.onScreen) this.post({ type: "near", revision: answers.onScreen.revision, near: "nearest" });
      this.post(problemOf(error));
    }
  }

  /** Asks only for what comes later, where the answer that is on screen stays. @returns whether it does */
  onlyLater(view: View<State>): boolean {
    const { onScreen } = this.answers;
    const stays = onScreen && !this.isAsking && this.definition.later && this.answers.isOf(view);
    if (!stays || onScreen.chosen !== chosenText(view)) return false;
    this.panel.postFrame(view);
    this.later.ask(onScreen, view);
    return true;
  }

  /** There is more or less room. */
  resized(view: View<State>): void {
    const { onScreen } = this.answers;
    if (onScreen) this.later.ask(onScreen, view);
  }

  /** Another part of the drawing is in sight. */
  async lookAt(view: View<State>, look: unknown): Promise<void> {
    const { answers, definition } = this;
    const { onScreen } = answers;
    if (!onScreen || !definition.look || this.isAsking || this.hasFailed) return;
    const run = this.looks.start();
    // Another metric may be chosen and its question cancelled: what is looked into is what is on screen.
    const lookedAt = { ...onScreen.view, look, size: view.size };
    try {
      const shown = await definition.look(onScreen.shown, lookedAt, run.task);
      if (run.superseded) return;
      const now = { ...onScreen, shown };
      answers.onScreen = now;
      if (shown !== onScreen.shown) {
        this.post({ type: "content", revision: onScreen.revision, content: definition.content(shown, lookedAt) });
        this.panel.postFrame(view);
      }
      this.later.lookedAt(onScreen, now, lookedAt);
    } catch (error) {
      if (!run.superseded) this.post(problemOf(error));
    }
  }

  /** The members that marks of the page stand for are chosen; undefined: the marks are of another answer. */
  chosenBy({ revision, choice, marks }: Extract<FromEveryPage, { readonly type: "choose" }>) {
    const { onScreen } = this.answers;
    if (onScreen?.revision !== revision) return undefined;
    this.choice = choice;
    const chosen = this.definition.members?.of(onScreen.shown, marks);
    const { id: dataSet } = onScreen.view.dataSet;
    return { dataSet, chosen: chosen && chosen.members.length > 0 ? chosen : undefined };
  }

  /**
   * Finds what was pinned before a recording was read again; what is asked of what was there before is wanted no longer.
   *
   * @returns undefined where there is nothing to find
   */
  findPins(view: View<State>): Promise<void> | undefined {
    const pins = pinsToFind(view);
    if (pins.length === 0) return undefined;
    this.queries.abandon();
    this.isAsking = this.isRefining = false;
    return this.found(pins, view);
  }

  cancel(): void {
    this.queries.cancel();
  }

  abandon(): void {
    for (const latest of [this.queries, this.looks, this.findings, this.later]) latest.abandon();
    this.isAsking = this.isRefining = false;
  }

  private async found(pins: readonly NumberedPin[], view: View<State>): Promise<void> {
    const run = this.findings.start();
    try {
      const settle = await settlePins(pins, view, run.task);
      if (!run.superseded) await this.panel.change(settle(this.panel.state));
    } catch (error) {
      if (!run.superseded) throw error;
    }
  }

  private async namePins(view: View<State>): Promise<void> {
    const pins = pinsToName(view);
    const run = this.findings.start();
    if (pins.length === 0) return;
    // Without its full name a pin is found by its name alone, if at all.
    const settle = await settlePins(pins, view, run.task).catch(() => undefined);
    if (run.superseded || !settle) return;
    this.panel.remember(settle(this.panel.state));
    if (this.panel.view) this.panel.postFrame(this.panel.view);
  }

  /** @returns whether another restriction is all that has changed: the page learns of it at once, in the pace of who chooses */
  private onlyChosen(question: Question<State>): boolean {
    const { answers } = this;
    const { onScreen } = answers;
    const chosen = chosenText(question.view);
    if (this.isAsking || !onScreen || question.asked === undefined || !answers.isAsked(question)) return false;
    if (chosen === onScreen.chosen || !this.postChosen(question.view.scope.chosen)) return false;
    answers.onScreen = { ...onScreen, chosen };
    return true;
  }

  /** @returns whether that was possible without asking */
  private postChosen(chosen: Chosen | undefined): boolean {
    const { onScreen } = this.answers;
    const { members } = this.definition;
    if (!onScreen || !members) return false;
    const part = chosen && members.part(onScreen.shown, chosen);
    if (chosen && part === undefined) return false;
    const { revision } = onScreen;
    this.post({ type: "chosen", revision, choice: this.choice, ...(part === undefined ? {} : { chosen: part }) });
    return true;
  }
}
