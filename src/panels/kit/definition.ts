/**
 * A panel as data and pure functions: what it is called, what it keeps, what it asks the engine, what its controls are and what
 * its page is sent. Everything that every panel does alike (restoring, visibility, latest wins, restriction, selection, going to
 * lines, saving) is `panel.ts`. Without `vscode`, so that laws and tests run it as it is.
 */
import type * as v from "valibot";
import type { Chosen, DataSetInfo, MetricInfo, Scope, SourceLink, Target, TimeWindow } from "../../engine/api";
import type { EventKind } from "../../model/eventKinds";
import type { Task } from "../../model/task";
import type { Control, Step } from "../../protocol/frame";
import type { Explained, Place, Problem } from "../../protocol/panel";
import type { Highlight, Selection, Session, SessionDataSet } from "../../session/session";

/** Something with values of its own: what a mark stands for. */
export interface Subject {
  /** Undefined: the whole recording. */
  readonly target: Target | undefined;
  readonly name: string;
  /** Where it stands, where that is known without asking for the hottest line of the target. */
  readonly link?: SourceLink;
  /** The values that are shown of it, where these are not those of the panel's own data set. */
  readonly scope?: Scope;
  /** Where it is and what it does: highlighted wherever that is shown. Without a target that is all that is selected. */
  readonly at?: { readonly lanes?: readonly number[]; readonly kinds?: readonly EventKind[]; readonly name?: string };
  /** Its mark is none of the drawing: what the drawing has of it is marked then. */
  readonly isBeside?: true;
}

/** What a panel is shown of: a data set, the values to show, the room there is, and what the panel remembers. */
export interface View<State> {
  readonly session: Session;
  readonly dataSet: SessionDataSet;
  readonly scope: Scope;
  readonly metric: MetricInfo;
  /** Pixels of the drawing. */
  readonly size: { readonly width: number; readonly height: number };
  readonly state: State;
  /** What is selected in this data set, by whomever. */
  readonly selection: Selection | undefined;
  /** What the views over time show of the run; undefined: all of it. */
  readonly window?: TimeWindow;
  /** What of the drawing is in sight, as the page said last; of an earlier drawing, too, and not checked yet. */
  readonly look?: unknown;
  /** Another panel of its kind draws both recordings that are compared, this one its own alone. */
  readonly alone?: boolean;
}

/** What is, or was, on screen. */
export interface OnScreen<Shown> {
  readonly shown: Shown;
  /** By which the page calls it. */
  readonly revision: number;
}

/** What a panel's part of a message may do. */
export interface PanelHandle<State, Shown> {
  readonly view: View<State> | undefined;
  readonly onScreen: OnScreen<Shown> | undefined;
  /** Changes what the panel remembers, and asks anew. */
  change(state: Partial<State>): Promise<void>;
  /** Shows a sentence for a while. */
  notice(message: string): void;
  copy(text: string): Promise<void>;
  /** Brings a mark into sight, selected as by a click on it. */
  goTo(place: Place): Promise<void>;
  /** Says something else of a mark than was asked for. */
  explained(mark: number, explained: Explained): void;
  /** Moves the window that it shows, which others may show, too; undefined: the whole run. */
  showWindow(window: TimeWindow | undefined): void;
  /** As large as the window is, or as before: VS Code's own command. */
  maximize(): Promise<void>;
  /** Highlights places and kinds of work in every view; what is highlighted already is so no more. */
  highlight(at: Subject["at"], name: string): void;
  /** Selects something, and runs a command that is about what is selected. */
  run(command: string, subject: Subject, more?: Readonly<Record<string, unknown>>): Promise<void>;
}

/** A sentence, or one with a link: its id is one of the definition's links. */
export type Note = string | { readonly text: string; readonly link: { readonly id: string; readonly text: string } };

/** What is asked for after the content, and sent when it is there: the page draws without it, or waits for it. */
export interface LaterPart<State, Shown, Part> {
  /** What it depends on beside the answer, as plain data: it is asked for anew when that changes. Undefined: there is none. */
  depends(view: View<State>, shown: Shown): unknown;
  ask(shown: Shown, view: View<State>, task: Task): Promise<Part> | Part;
  /** What stands in its place where it takes longer, and where it fails after that. Undefined: nothing does. */
  pending?(shown: Shown, view: View<State>): { readonly meanwhile: Part; readonly failed: Part } | undefined;
}

/** What a choice changes; undefined where it means nothing here, or what it means was done. */
export type Change<State> = Partial<State> | undefined;

/**
 * @typeParam State what it remembers besides its data set
 * @typeParam Shown the engine's answer with what belongs to it
 * @typeParam Content what its page draws
 * @typeParam ChosenPart what its page is sent of a restriction
 * @typeParam Part what comes after the content
 */
export interface PanelDefinition<State extends object, Shown, Content, ChosenPart, Part = never> {
  /** The page's folder under webviews/; with `heatflow.` before it the view's type. */
  readonly id: string;
  readonly title: string;
  /** In the name of a file that is saved. */
  readonly saved: string;
  readonly state: v.GenericSchema<unknown, State>;
  /** What a new panel remembers. */
  readonly start: State;
  /** Its controls, beside metric and ranks. @param shown what is on screen, which may be an answer to something else */
  controls(view: View<State>, shown?: Shown): readonly Control[];
  /**
   * What a choice changes: in a control, or of a step (`step`, `remove-step`).
   */
  choose(
    view: View<State>,
    id: string,
    value: string,
    panel: PanelHandle<State, Shown>,
  ): Change<State> | Promise<Change<State>>;
  /** False: it says something of recordings without any metric that adds up, too; then the scope's metric is -1. */
  readonly needsMetric?: false;
  /** False: no metric is shown, so that there is no choice of one, nor of ranks. */
  readonly showsMetric?: false;
  /** False: each rank, or other member, has its own number, so that there is no choice of how they are combined. */
  combines?(view: View<State>): boolean;
  /** What a restriction to members is called, where the panel has better names for them; undefined: as everywhere. */
  restrictionText?(view: View<State>, shown?: Shown): string | undefined;
  /** It is a view over time: its page is told of `view.window` and moves it, or, where it has no part in sight (`look`), it asks anew. */
  readonly overTime?: true;
  /**
   * One that has a window of its own stands beside the panel of its data set: `open` is what it begins with where an argument of the
   * command asks for one, `is` whether a panel is one.
   */
  readonly apart?: {
    open(argument: unknown, beside: State): State | undefined;
    is(state: State): boolean;
  };
  /** Why a data set has nothing to draw, whatever the controls say. */
  unmeasured?(dataSet: DataSetInfo): string | undefined;
  /** Why there is nothing to draw now, and what to do. */
  empty?(view: View<State>): Pick<Problem, "message" | "advice"> | undefined;
  /**
   * Part of an answer that the panel keeps, so that later questions start with it. It is no part of {@link asked}.
   *
   * @param asked the view of the question
   * @param state what the panel remembers now
   */
  learned?(shown: Shown, asked: View<State>, state: State): Change<State>;
  /** Asks the engine. @param before what was on screen, latest first, of recordings as they are open now */
  ask(view: View<State>, task: Task, before: readonly OnScreen<Shown>[]): Promise<Shown>;
  /** Of answers that may only be near what was asked: what asks for the exact ones after them, while people look at those. */
  readonly refinement?: {
    /** Name of its work, which is said until the work says more; absent: `refining…`. */
    readonly name?: string;
    isDue(shown: Shown): boolean;
    ask(shown: Shown, view: View<State>, task: Task): Promise<Shown>;
  };
  /** Asks for another part of what is shown, as `view.look` says: marks of both are called alike. The same: only what comes later is asked for. */
  look?(shown: Shown, view: View<State>, task: Task): Promise<Shown>;
  /** What is known of a mark that the content does not say. */
  explain?(shown: Shown, mark: number, view: View<State>, task: Task): Promise<Explained | undefined>;
  /** The content of a message of bounded size. */
  content(shown: Shown, view: View<State>): Content;
  /** Sentences that must be said about what is drawn. */
  notes?(shown: Shown, view: View<State>): readonly Note[];
  /** What links of its notes do, by their ids. */
  readonly links?: Readonly<Record<string, (panel: PanelHandle<State, Shown>) => Promise<void> | void>>;
  readonly later?: readonly LaterPart<State, Shown, Part>[];
  steps?(view: View<State>, shown?: Shown): readonly Step[];
  /** Whether of two recordings that are compared both are drawn; absent: the panel's own alone. */
  drawsBoth?(view: View<State>): boolean;
  /** Other data sets whose values are shown: their scopes and selections concern it. */
  others?(view: View<State>): readonly number[];
  /**
   * What is asked, as plain data: while it stays the same but for `chosen`, a restriction is only marked, and another state asks only
   * for what comes later; when other recordings are opened or closed and it changes, it is asked anew.
   */
  asked?(view: View<State>): unknown;
  /** Of members that can be chosen here. */
  readonly members?: {
    /** What the page is sent of a restriction; undefined where that takes a question to the engine. */
    part(shown: Shown, chosen: Chosen): ChosenPart | undefined;
    /** The members that marks stand for. */
    of(shown: Shown, marks: readonly number[]): Chosen | undefined;
  };
  /** What a mark stands for; of none: what the whole drawing is about. */
  subject?(
    shown: Shown,
    mark: number | undefined,
    view: View<State>,
    task: Task,
  ): Subject | undefined | Promise<Subject | undefined>;
  /** The mark of what is selected somewhere; where only a part of the drawing is sent, its place. */
  markOf?(
    shown: Shown,
    selection: Selection,
    view: View<State>,
  ): number | Place | undefined | Promise<number | Place | undefined>;
  /** What of the drawing is at some lanes, as its page numbers that; kinds the page knows itself. Absent: it shows neither. */
  highlighted?(shown: Shown, highlight: Highlight, view: View<State>): readonly number[] | Promise<readonly number[]>;
  /** What another selection, by whomever, changes of what is drawn; undefined: nothing. */
  followed?(selection: Selection | undefined, view: View<State>): Partial<State> | undefined;
  /** What another target run of an ensemble, by whomever, changes of what it remembers; undefined: nothing. */
  targeted?(view: View<State>): Partial<State> | undefined;
  /** What the argument of the command that opens it changes, as `{ pin: true }` does. */
  opened?(
    of: Pick<View<State>, "session" | "dataSet" | "state">,
    argument: unknown,
  ): Change<State> | Promise<Change<State>>;
  /** Of a mark that Enter or a double click does not lead to the line of: the action that they do instead. */
  opens?(shown: Shown, mark: number): string | undefined;
  /** Further actions of a mark, by their names in menus and strips; `select` and `open` take the place of what all panels do. */
  readonly actions?: Readonly<
    Record<string, (shown: Shown, mark: number | undefined, panel: PanelHandle<State, Shown>) => Promise<void> | void>
  >;
}

export type AnyPanelDefinition = PanelDefinition<object, unknown, unknown, unknown, unknown>;
