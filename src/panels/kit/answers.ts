/** What a panel has on screen and what was there before it, each with what it was asked with. */
import { dataSetsIn } from "../../session/stableEngine";
import type { Session, SessionDataSet } from "../../session/session";
import type { OnScreen, PanelDefinition, View } from "./definition";

/** Answers that a click may still be about, since it was under way when the next one came. */
const KEPT_ANSWERS = 3;

/** What an answer is an answer to. */
export interface Question<State> {
  /** Until the next answer comes, it is this that is on screen. */
  readonly view: View<State>;
  /** {@link PanelDefinition.asked} as text. */
  readonly asked: string | undefined;
  /** The recordings that were asked, each as it was read. */
  readonly readings: readonly SessionDataSet[];
}

export interface Answer<State, Shown> extends OnScreen<Shown>, Question<State> {
  /** The restriction that is shown as chosen. */
  readonly chosen: string | undefined;
}

export class Answers<State extends object, Shown> {
  onScreen: Answer<State, Shown> | undefined;
  /** Latest first. */
  private earlier: readonly Answer<State, Shown>[] = [];
  private revision = 0;

  constructor(
    private readonly session: Session,
    private readonly definition: Pick<PanelDefinition<State, Shown, unknown, unknown>, "asked" | "others">,
  ) {}

  /** What is on screen and what was there before, latest first. */
  get all(): readonly Answer<State, Shown>[] {
    return this.onScreen ? [this.onScreen, ...this.earlier] : this.earlier;
  }

  /** Of {@link all} those that another question may be answered from: none of a recording that was read again since. */
  get reusable(): readonly Answer<State, Shown>[] {
    const { dataSets } = this.session;
    const isReadAgain = (reading: SessionDataSet) => dataSets.some((one) => one.id === reading.id && one !== reading);
    return this.all.filter(({ readings }) => !readings.some(isReadAgain));
  }

  /** @param keepsMarks marks mean what they meant in the answer before */
  show(answer: Omit<Answer<State, Shown>, "revision">, keepsMarks: boolean): Answer<State, Shown> {
    const { all } = this;
    if (!keepsMarks) this.revision++;
    this.onScreen = { ...answer, revision: this.revision };
    this.earlier = all.slice(0, KEPT_ANSWERS);
    return this.onScreen;
  }

  forget(): void {
    this.onScreen = undefined;
    this.earlier = [];
  }

  /** Of recordings as they are open now: read again, they may have other functions under the same numbers. */
  of(revision: number): Answer<State, Shown> | undefined {
    const { dataSets } = this.session;
    const answer = this.all.find((known) => known.revision === revision);
    return answer?.readings.every((reading) => dataSets.includes(reading)) === true ? answer : undefined;
  }

  /** What would be asked now. */
  question(view: View<State>): Question<State> {
    const { asked, others } = this.definition;
    const argument = asked?.(view);
    const ids = new Set([view.dataSet.id, ...dataSetsIn(argument), ...(others?.(view) ?? [])]);
    const text =
      argument === undefined
        ? undefined
        : JSON.stringify(argument, (key, part: unknown) => (key === "chosen" ? undefined : part));
    return { view, asked: text, readings: view.session.dataSets.filter(({ id }) => ids.has(id)) };
  }

  /** Whether this is what is on screen, and the recordings have not been read again since. */
  isAsked({ asked, readings }: Question<State>): boolean {
    const { onScreen } = this;
    return (
      asked === onScreen?.asked &&
      readings.length === onScreen?.readings.length &&
      readings.every((reading, at) => reading === onScreen.readings[at])
    );
  }

  /** Whether what is on screen is what would be asked now. */
  isOf(view: View<State> | undefined): boolean {
    try {
      return view !== undefined && this.isAsked(this.question(view));
    } catch {
      // Asking says why not.
      return false;
    }
  }
}

/** The restriction of a view, to be compared. */
export function chosenText({ scope: { chosen } }: View<object>): string | undefined {
  return chosen && JSON.stringify(chosen);
}
