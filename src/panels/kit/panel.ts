/**
 * What every panel does alike, out of its definition: it finds its data set, asks when it is in sight and numbers have changed
 * (latest wins), says what went wrong, restricts, selects, and goes to lines. It computes nothing.
 */
import * as v from "valibot";
import * as vscode from "vscode";
import type { Chosen, MetricInfo } from "../../engine/api";
import { CancelledError } from "../../model/errors";
import { parse } from "../../protocol/bounds";
import type { Control } from "../../protocol/frame";
import type { NumberedPin } from "../../protocol/pin";
import { fromEveryPage, type FromEveryPage, type Problem, type ToPage } from "../../protocol/panel";
import { superGraphMessage } from "../../session/notRecorded";
import { dataSetsIn } from "../../session/stableEngine";
import type { Selection, SessionDataSet } from "../../session/session";
import type { Change, OnScreen, PanelDefinition, PanelHandle, Subject, View } from "./definition";
import { frameMessage } from "./frameMessage";
import { showHottestLine, showLink } from "./hottestLine";
import { Latest, type Run } from "./latest";
import { pageHtml, webviewOptions } from "./page";
import { keptDataSet, type PanelSource } from "./panelSource";
import type { PanelParts } from "./parts";
import { pinsToFind, pinsToName, settlePins } from "./pins";
import { problemOf } from "./problems";
import { saveAs } from "./save";
import { RESTRICTION, setScope } from "./scopeControls";
import { shorten } from "./shorten";

/** The longest time between the clicks of a double click, as desktops have it. */
const DOUBLE_CLICK_MS = 500;

const fromPage = v.variant("type", fromEveryPage);

/** Answers that a click may still be about, since it was under way when the next one came. */
const KEPT_ANSWERS = 3;

/** Of a recording in which nothing adds up. */
const NO_SCOPE = { metric: -1, over: "sum" } as const;
const NO_METRIC: MetricInfo = {
  ...{ name: "", recordedName: "", unit: "1", kind: "level", additive: false, reducedOverRanks: false, total: NaN },
};

interface Answer<State, Shown> extends OnScreen<Shown> {
  readonly dataSet: number;
  /** What was asked with: until the next answer comes, it is this that is on screen. */
  readonly view: View<State>;
  /** {@link PanelDefinition.asked} as text. */
  readonly asked: string | undefined;
  /** The recordings that were asked, each as it was read. */
  readonly readings: readonly SessionDataSet[];
  /** The restriction that is shown as chosen. */
  readonly chosen: string | undefined;
}

export class Panel<State extends object, Shown, Content, ChosenPart, Part> implements PanelHandle<State, Shown> {
  private readonly queries = new Latest();
  private readonly navigations = new Latest();
  private readonly looks = new Latest();
  /** Of what was pinned, by name. */
  private readonly findings = new Latest();
  private readonly explanations = new Latest();
  private readonly subscriptions: vscode.Disposable[] = [];
  /** Known while the page is in sight: nothing is asked for before, and nothing while nobody sees it. */
  private size: View<State>["size"] | undefined;
  onScreen: Answer<State, Shown> | undefined;
  /** Latest first. */
  private earlier: readonly Answer<State, Shown>[] = [];
  /** Of {@link PanelDefinition.later}: what each was asked with. */
  private readonly later: { readonly latest: Latest; of?: Answer<State, Shown>; depends?: string }[];
  /** Of what it was made for. */
  readonly dataSetKey: string;
  private revision = 0;
  /** What was selected by a mark of this page, which marks it itself. */
  private selectedHere: Selection | undefined;
  private choice = 0;
  private isAsking = false;
  /** It was said that the last question went wrong: the drawing before it does not answer over that. */
  private hasFailed = false;
  private look: unknown;
  private disposed = false;
  /** The session has reopened what was open before the window was reloaded. */
  private restored = false;

  private isOpening = false;
  private readonly source: PanelSource;

  /** @param of the key of its data set, or what finds it */
  constructor(
    private readonly parts: PanelParts,
    readonly panel: vscode.WebviewPanel,
    private readonly definition: PanelDefinition<State, Shown, Content, ChosenPart, Part>,
    of: string | PanelSource,
    private state: State,
    /** It begins with what is selected; one that comes back begins with what it showed. */
    private isNew = false,
  ) {
    const { session } = parts;
    this.source = typeof of === "string" ? keptDataSet(session, of) : of;
    this.dataSetKey = typeof of === "string" ? of : "";
    this.later = (definition.later ?? []).map(() => ({ latest: new Latest() }));
    panel.webview.options = webviewOptions(parts.extensionUri);
    panel.iconPath = vscode.Uri.joinPath(parts.extensionUri, "media", "heatflow.svg");
    this.nameTab();
    this.subscriptions.push(
      panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message)),
      panel.onDidChangeViewState(() => this.visibilityChanged()),
      session.onDidChangeDataSets(() => this.dataSetsChanged()),
      session.onDidChangeScope(({ dataSet }) => {
        if (this.concerns(dataSet)) void this.refresh();
      }),
      session.onDidChangeCosts(() => void this.refresh()),
      session.onDidSelect(() => void this.selectionChanged().catch((error) => this.notice(problemOf(error).message))),
    );
    void session.restored.then(() => {
      this.restored = true;
      if (!this.disposed) this.dataSetsChanged();
    });
    panel.onDidDispose(() => {
      this.disposed = true;
      this.size = undefined;
      this.forget();
      for (const subscription of this.subscriptions) subscription.dispose();
    });
    panel.webview.html = pageHtml(panel.webview, parts.extensionUri, definition.id, definition.title);
  }

  get dataSet(): SessionDataSet | undefined {
    return this.source.dataSet;
  }

  get view(): View<State> | undefined {
    const { dataSet, size, state, look } = this;
    const { session } = this.parts;
    if (!dataSet || !size) return undefined;
    const isFree = this.definition.needsMetric === false;
    const scope = session.scope(dataSet.id) ?? (isFree ? { ...NO_SCOPE, dataSet: dataSet.id } : undefined);
    const metric = scope && (scope.metric < 0 ? NO_METRIC : dataSet.metrics.at(scope.metric));
    if (!scope || !metric) return undefined;
    const selection = session.selection?.dataSet === dataSet.id ? session.selection : undefined;
    return { session, dataSet, scope, metric, size, state, selection, look };
  }

  change(state: Partial<State>): Promise<void> {
    this.state = { ...this.state, ...state };
    const { view, onScreen, isAsking } = this;
    const isAsked = view && onScreen && !isAsking && this.isOnScreen();
    if (!isAsked || !this.definition.later || onScreen.chosen !== textOf(view.scope.chosen)) return this.refresh();
    this.postFrame(view);
    this.askLater(view);
    return Promise.resolve();
  }

  /** It was opened, or opened again, by its command. */
  opened(argument: unknown): void {
    const { dataSet, state, definition } = this;
    const { session } = this.parts;
    const change = dataSet && definition.opened?.({ session, dataSet, state }, argument);
    void Promise.resolve(change)
      .then((changed) => changed && this.change(changed))
      .catch((error) => this.notice(problemOf(error).message));
  }

  notice(message: string): void {
    this.post({ type: "notice", message: shorten(message, 8192) });
  }

  async copy(text: string): Promise<void> {
    await vscode.env.clipboard.writeText(text);
    this.notice("Copied.");
  }

  async run(command: string, subject: Subject, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const { view } = this;
    if (!view) return;
    this.select(subject, view);
    const dataSet = (subject.scope ?? view.scope).dataSet;
    // Which group is active may be known late, where the focus came with this click.
    await vscode.commands.executeCommand(command, { dataSet, from: this.panel.viewColumn, ...more });
  }

  /** Asks for everything anew; an answer that is still on its way is no longer wanted. */
  private async refresh(): Promise<void> {
    try {
      await this.showAnew();
    } catch (error) {
      this.post(problemOf(error));
    }
  }

  private async showAnew(): Promise<void> {
    const { dataSet, definition, view, size } = this;
    if (!size) return;
    const nothing = dataSet && (definition.unmeasured ?? superGraphMessage)(dataSet);
    if (nothing !== undefined) return this.showNothing({ kind: "unmeasured", message: shorten(nothing, 4096) });
    if (!view) return this.showClosed(dataSet);
    if (this.isNew) {
      this.isNew = false;
      const begins = definition.followed?.(view.selection, view);
      if (begins) return this.change(begins);
    }
    this.postFrame(view);
    const lost = pinsToFind(view);
    if (lost.length > 0) return this.findPins(lost, view);
    const empty = definition.empty?.(view);
    if (empty) return this.showNothing({ kind: "empty", ...empty });
    const asked = this.askedNow(view);
    if (this.onlyChosen(view, asked)) return;
    const readings = this.readings(view);
    const run = this.queries.start((fraction, message) => this.post({ type: "progress", fraction, message }));
    this.isAsking = true;
    this.hasFailed = false;
    this.looks.abandon();
    this.post({ type: "progress" });
    try {
      const { onScreen, earlier } = this;
      const before = onScreen ? [onScreen, ...earlier] : [];
      const shown = await definition.ask(view, run.task, before);
      run.task.check();
      // Asked again, as when links were found: what is being chosen meanwhile still means the same marks.
      const isSame = definition.members !== undefined && asked !== undefined && this.isAsked(asked, readings);
      const content = definition.content(shown, view);
      if (!isSame) this.revision++;
      const { revision } = this;
      const chosen = textOf(view.scope.chosen);
      this.onScreen = { shown, dataSet: view.dataSet.id, view, revision, asked, readings, chosen };
      this.earlier = before.slice(0, KEPT_ANSWERS);
      this.post({ type: "content", revision, content });
      const now = this.view ?? view;
      this.postFrame(now);
      this.askLater(now);
      this.postChosen(view.scope.chosen);
      void this.namePins(now);
      await this.postSelection();
    } catch (error) {
      if (run.superseded) return;
      this.hasFailed = !(error instanceof CancelledError);
      this.post(problemOf(error));
    } finally {
      if (!run.superseded) this.isAsking = false;
    }
  }

  private async findPins(pins: readonly NumberedPin[], view: View<State>): Promise<void> {
    const run = this.findings.start();
    // What is asked now is of what was there before.
    this.queries.abandon();
    this.isAsking = false;
    try {
      const found = await settlePins(pins, view, run.task);
      if (!run.superseded) await this.change(found(this.state));
    } catch (error) {
      if (!run.superseded) throw error;
    }
  }

  private async namePins(view: View<State>): Promise<void> {
    const pins = pinsToName(view);
    const run = this.findings.start();
    if (pins.length === 0) return;
    // Without its full name a pin is found by its name alone, if at all.
    const named = await settlePins(pins, view, run.task).catch(() => undefined);
    if (run.superseded || !named) return;
    this.state = named(this.state);
    if (this.view) this.postFrame(this.view);
  }

  /** Another part of the drawing is in sight. */
  private async lookAt(look: unknown): Promise<void> {
    this.look = look;
    const { view, onScreen, definition } = this;
    if (!view || !onScreen || !definition.look || this.isAsking || this.hasFailed) return;
    const run = this.looks.start();
    // Another metric may be chosen and its question cancelled: what is looked into is what is on screen.
    const lookedAt = { ...onScreen.view, look, size: view.size };
    try {
      const shown = await definition.look(onScreen.shown, lookedAt, run.task);
      if (run.superseded) return;
      this.onScreen = { ...onScreen, shown };
      this.post({ type: "content", revision: onScreen.revision, content: definition.content(shown, lookedAt) });
      this.postFrame(view);
    } catch (error) {
      if (!run.superseded) this.post(problemOf(error));
    }
  }

  private async explain({ revision, mark }: { revision: number; mark: number }): Promise<void> {
    const { view, definition } = this;
    const onScreen = this.answerOf(revision);
    if (!view || !onScreen) return;
    const run = this.explanations.start();
    try {
      const explained = await definition.explain?.(onScreen.shown, mark, view, run.task);
      // Of a mark that nobody points at any more, it may be the selected one.
      if (explained && this.answerOf(revision)) this.post({ type: "explained", revision, mark, ...explained });
    } catch (error) {
      if (!run.superseded) this.notice(problemOf(error).message);
    }
  }

  /** Of recordings as they are open now: read again, they may have other functions under the same numbers. */
  private answerOf(revision: number): Answer<State, Shown> | undefined {
    const { dataSets } = this.parts.session;
    const answer = [this.onScreen, ...this.earlier].find((known) => known?.revision === revision);
    return answer?.readings.every((reading) => dataSets.includes(reading)) === true ? answer : undefined;
  }

  private askedNow(view: View<State>): string | undefined {
    const asked = this.definition.asked?.(view);
    return asked === undefined
      ? undefined
      : JSON.stringify(asked, (key, part: unknown) => (key === "chosen" ? undefined : part));
  }

  /** Whether this is what is on screen, and the recordings have not been read again since. */
  private isAsked(asked: string | undefined, readings: readonly SessionDataSet[]): boolean {
    const { onScreen } = this;
    return (
      asked === onScreen?.asked &&
      readings.length === onScreen?.readings.length &&
      readings.every((reading, at) => reading === onScreen.readings[at])
    );
  }

  /** Whether what is on screen is what would be asked now. */
  private isOnScreen(): boolean {
    const { view } = this;
    try {
      return view !== undefined && this.isAsked(this.askedNow(view), this.readings(view));
    } catch {
      // Asking says why not.
      return false;
    }
  }

  /** The recordings that are asked: the panel's own, and others whose values are shown. */
  private readings(view: View<State>): SessionDataSet[] {
    const { asked, others } = this.definition;
    const ids = new Set([view.dataSet.id, ...dataSetsIn(asked?.(view)), ...(others?.(view) ?? [])]);
    return view.session.dataSets.filter(({ id }) => ids.has(id));
  }

  /** Asks for what comes after the content, as far as it depends on something that has changed. */
  private askLater(view: View<State>): void {
    const { onScreen, later, definition } = this;
    if (!onScreen) return;
    definition.later?.forEach((part, at) => {
      const asked = later[at];
      const depends = part.depends(view, onScreen.shown);
      const key = depends === undefined ? undefined : JSON.stringify(depends);
      if (asked.of === onScreen && asked.depends === key) return;
      asked.of = onScreen;
      asked.depends = key;
      const run = asked.latest.start();
      if (key !== undefined) void this.sendPart(run, onScreen.revision, () => part.ask(onScreen.shown, view, run.task));
    });
  }

  private async sendPart(run: Run, revision: number, ask: () => Promise<Part> | Part): Promise<void> {
    try {
      const part = await ask();
      if (run.superseded) return;
      this.post({ type: "part", revision, part });
      // There may be something to be said of it.
      if (this.view) this.postFrame(this.view);
    } catch (error) {
      if (!run.superseded) this.post(problemOf(error));
    }
  }

  /** @returns whether another restriction is all that has changed: it is told at once, in the pace of who chooses */
  private onlyChosen(view: View<State>, asked: string | undefined): boolean {
    const { onScreen } = this;
    const { scope } = view;
    const chosen = textOf(scope.chosen);
    if (this.isAsking || !onScreen || asked === undefined || !this.isAsked(asked, this.readings(view))) return false;
    if (chosen === onScreen.chosen || !this.postChosen(scope.chosen)) return false;
    this.onScreen = { ...onScreen, chosen };
    return true;
  }

  /** @returns whether it could be told without asking */
  private postChosen(chosen: Chosen | undefined): boolean {
    const { onScreen, choice } = this;
    const { members } = this.definition;
    if (!onScreen || !members) return false;
    const part = chosen && members.part(onScreen.shown, chosen);
    if (chosen && part === undefined) return false;
    this.post({ type: "chosen", revision: onScreen.revision, choice, ...(part === undefined ? {} : { chosen: part }) });
    return true;
  }

  private postFrame(view: View<State>): void {
    this.post(frameMessage(this.definition, this.dataSetKey, view, this.onScreen?.shown, this.onScreen?.view));
  }

  private showClosed(dataSet: SessionDataSet | undefined): void {
    if (dataSet) this.showNothing({ kind: "empty", message: "The recording has no metric that adds up." });
    else if (this.restored && !this.isOpening) this.showNothing(this.source.closed());
    else {
      // What is asked of it still is of no use when it comes back.
      this.forget();
      this.post({ type: "progress", message: "Opening the recording" });
    }
  }

  private showNothing(problem: Omit<Problem, "type">): void {
    this.forget();
    this.post({ type: "problem", ...problem });
  }

  private forget(): void {
    this.queries.abandon();
    for (const latest of [this.navigations, this.looks, this.explanations, this.findings]) latest.abandon();
    for (const { latest } of this.later) latest.abandon();
    this.onScreen = undefined;
    this.earlier = [];
    this.isAsking = false;
  }

  private nameTab(): void {
    const { dataSet, definition } = this;
    if (this.source.hasFile) return;
    this.panel.title = dataSet ? `${definition.title} · ${dataSet.name}` : definition.title;
  }

  private visibilityChanged(): void {
    if (this.panel.visible) return;
    // VS Code ends the page; the next one says its size when it is there.
    this.size = undefined;
    this.forget();
  }

  private dataSetsChanged(): void {
    this.nameTab();
    if (!this.isOnScreen()) void this.refresh();
  }

  private async selectionChanged(): Promise<void> {
    const { view, definition } = this;
    const { selection } = this.parts.session;
    if (!view || (selection && !this.concerns(selection.dataSet))) return;
    const change = definition.followed?.(view.selection, view);
    if (change) return this.change(change);
    // Controls may offer what is selected.
    this.postFrame(view);
    // What was selected here is marked already, and elsewhere in the drawing it may stand, too.
    if (selection === undefined || selection !== this.selectedHere) await this.postSelection();
  }

  /** What is on screen stands, whatever becomes of what is selected in it. */
  private async postSelection(): Promise<void> {
    const { onScreen, view, definition } = this;
    const { selection } = this.parts.session;
    if (!onScreen || !view || !definition.markOf) return;
    try {
      const isShown = selection !== undefined && this.concerns(selection.dataSet);
      const found = isShown ? await definition.markOf(onScreen.shown, selection, view) : undefined;
      const place = typeof found === "object" ? { mark: found.mark, place: found } : { mark: found };
      if (onScreen.revision !== this.onScreen?.revision || selection !== this.parts.session.selection) return;
      this.post({ type: "selection", revision: onScreen.revision, ...(found === undefined ? {} : place) });
    } catch (error) {
      if (onScreen.revision === this.onScreen?.revision) this.notice(problemOf(error).message);
    }
  }

  /** Whether values of a data set are shown. */
  private concerns(dataSet: number): boolean {
    const { view, definition } = this;
    return dataSet === this.dataSet?.id || (view !== undefined && definition.others?.(view).includes(dataSet) === true);
  }

  private post(message: ToPage<Content, ChosenPart, Part>): void {
    if (!this.disposed) void this.panel.webview.postMessage(message);
  }

  private receive(raw: unknown): void {
    const message = parse(fromPage, raw);
    if (message) void this.answer(message).catch((error) => this.post(problemOf(error)));
  }

  private async answer(message: FromEveryPage): Promise<void> {
    const { session } = this.parts;
    const { dataSet } = this;
    switch (message.type) {
      case "ready":
        this.size = { width: message.width, height: message.height };
        return this.source.isOpenedFirst && !this.dataSet ? this.open() : this.refresh();
      case "resize":
        this.size = { width: message.width, height: message.height };
        return this.view && this.askLater(this.view);
      case "control": {
        const { view, definition, onScreen } = this;
        if (!view || setScope(session, view, message.id, message.value)) return;
        const control = definition.controls(view, onScreen?.shown).find(({ id }) => id === message.id);
        return control && canBe(control, message.value) ? this.changeBy(message.id, message.value) : undefined;
      }
      case "step":
      case "remove-step": {
        const { view, definition, onScreen } = this;
        const step = view && definition.steps?.(view, onScreen?.shown).find(({ id }) => id === message.id);
        return step && (message.type === "step" || step.removable)
          ? this.changeBy(message.type, message.id)
          : undefined;
      }
      case "notice-link":
        return own(this.definition.links, message.id)?.(this);
      case "remove-chip": {
        const { view, definition } = this;
        if (message.id === RESTRICTION) return dataSet && session.setRestriction(dataSet.id, undefined);
        const isOffered = view && definition.chips?.(view).some(({ id }) => id === message.id);
        return isOffered ? this.changeBy(message.id, "") : undefined;
      }
      case "mark":
        return this.useMark(message);
      case "explain":
        return this.explain(message);
      case "look":
        return message.revision === this.onScreen?.revision ? this.lookAt(message.look) : undefined;
      case "choose":
        return this.choose(message);
      case "cancel":
        return this.queries.cancel();
      case "retry":
        return this.refresh();
      case "open-data-set":
        return this.open();
      case "copy":
        return this.copy(message.text);
      case "save": {
        const file = await saveAs(message, dataSet?.files[0], this.definition);
        return file && this.notice(`Saved as ${file.fsPath}.`);
      }
    }
  }

  private async open(): Promise<void> {
    this.isOpening = true;
    this.post({ type: "progress", message: "Opening the recording" });
    try {
      const why = await this.source.open(() => !this.disposed);
      if (why !== undefined) this.notice(why);
    } finally {
      this.isOpening = false;
      if (this.dataSet || this.source.isOpenedFirst) await this.refresh();
    }
  }

  private async changeBy(id: string, value: string): Promise<void> {
    const { view, definition } = this;
    const change: Change<State> = view && (await definition.choose(view, id, value, this));
    if (change) await this.change(change);
  }

  private choose({ revision, choice, marks }: { revision: number; choice: number; marks: readonly number[] }): void {
    const { onScreen } = this;
    if (onScreen?.revision !== revision) return;
    this.choice = choice;
    const chosen = this.definition.members?.of(onScreen.shown, marks);
    this.parts.session.setRestriction(onScreen.dataSet, chosen && chosen.members.length > 0 ? chosen : undefined);
  }

  private async useMark({
    action,
    revision,
    mark,
  }: {
    action: string;
    revision: number;
    mark?: number;
  }): Promise<void> {
    const { definition } = this;
    const onScreen = this.answerOf(revision);
    if (!onScreen) return;
    if (action !== "select" && action !== "open") return own(definition.actions, action)?.(onScreen.shown, mark, this);
    const run = this.navigations.start();
    const { view } = this;
    try {
      const subject = view && (await definition.subject?.(onScreen.shown, mark, view, run.task));
      if (!subject || run.superseded) return;
      this.select(subject, view, { isMarked: true });
      if (action === "select" && this.isAlone) {
        // A new editor group beside takes half of the width: the second click of a double click would miss its mark.
        await new Promise((resolve) => setTimeout(resolve, DOUBLE_CLICK_MS));
        if (run.superseded) return;
      }
      const options = { focus: action === "open", beside: this.panel.viewColumn };
      const notice = subject.link
        ? await showLink(this.parts, { name: subject.name, link: subject.link }, options)
        : await showHottestLine(this.parts, subject.scope ?? view.scope, subject, run, options);
      if (notice !== undefined && !run.superseded) this.notice(notice);
    } catch (error) {
      if (!run.superseded) this.notice(problemOf(error).message);
    }
  }

  /** @param how whether the page has marked it already */
  private select({ target, name, scope }: Subject, view: View<State>, how?: { readonly isMarked: boolean }): void {
    if (!target) return;
    const { dataSet } = scope ?? view.scope;
    const selection: Selection = { dataSet, target, name: shorten(name, 200), origin: this.definition.id };
    if (how?.isMarked) this.selectedHere = selection;
    this.parts.session.select(selection);
  }

  /** No other editor group is there yet. */
  private get isAlone(): boolean {
    return vscode.window.tabGroups.all.every((group) => group.viewColumn === this.panel.viewColumn);
  }
}

/** What a record has under a name that came from a page; nothing that every object has. */
function own<Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return record && Object.hasOwn(record, name) ? record[name] : undefined;
}

function textOf(chosen: Chosen | undefined): string | undefined {
  return chosen && JSON.stringify(chosen);
}

/** Whether a control offers a value: what comes from a page is looked at before it is used. */
function canBe(control: Control, value: string): boolean {
  switch (control.kind) {
    case "select":
      return control.choices.some((choice) => choice.value === value && choice.disabled === undefined);
    case "threshold":
      return value !== "" && Number(value) >= 0 && Number(value) <= 100;
    case "tool": {
      const { disabled, menu } = control;
      const isOffered = menu?.some((choice) => choice.value === value && choice.disabled === undefined) !== false;
      return disabled === undefined && isOffered;
    }
  }
}
