/**
 * What every panel does alike, out of its definition: it finds its data set, asks when it is in sight and numbers have changed
 * (latest wins), says what went wrong, restricts, selects, and goes to lines. It computes nothing.
 */
import * as v from "valibot";
import * as vscode from "vscode";
import type { MetricInfo, TimeWindow } from "../../engine/api";
import { parse } from "../../protocol/bounds";
import {
  type Explained,
  fromEveryPage,
  type FromEveryPage,
  type Place,
  type Problem,
  type ToPage,
} from "../../protocol/panel";
import { superGraphMessage } from "../../session/notRecorded";
import { MovedWindows } from "../../session/movedWindows";
import type { SessionDataSet, ShownWindows } from "../../session/session";
import { Answers } from "./answers";
import { Asking } from "./asking";
import type { Change, OnScreen, PanelDefinition, PanelHandle, Subject, View } from "./definition";
import { isTooNarrow } from "./editorGroup";
import { frameMessage } from "./frameMessage";
import { Marks } from "./marks";
import { offeredChoice, own } from "./offered";
import { pageHtml, webviewOptions } from "./page";
import { keptDataSet, type PanelSource } from "./panelSource";
import type { PanelParts } from "./parts";
import { problemOf } from "./problems";
import { saveAs } from "./save";
import { COMPARISON, KINDS, RESTRICTION, WINDOW, setScope } from "./scopeControls";
import { shorten } from "../../model/texts";

const fromPage = v.variant("type", fromEveryPage);

/** Of a panel that is not in sight. */
const NO_SIZE = { width: 0, height: 0 };

/** Of a recording in which nothing adds up. */
const NO_SCOPE = { metric: -1, over: "sum" } as const;
const NO_METRIC: MetricInfo = {
  name: "",
  recordedName: "",
  unit: "1",
  kind: "level",
  additive: false,
  reducedOverRanks: false,
  total: NaN,
};

export class Panel<State extends object, Shown, Content, ChosenPart, Part> implements PanelHandle<State, Shown> {
  private readonly subscriptions: vscode.Disposable[] = [];
  /** Known while the page is in sight: nothing is asked for before, and nothing while nobody sees it. */
  private size: View<State>["size"] | undefined;
  /** Column of the group that a new panel was opened beside, which it takes if it turns out to be too narrow there. */
  besideOf: number | undefined;
  private readonly answers: Answers<State, Shown>;
  private readonly marks: Marks<State, Shown>;
  private readonly asking: Asking<State, Shown, Content, ChosenPart, Part>;
  /** Of what it was made for. */
  readonly dataSetKey: string;
  /** Of all views over time, or its own. */
  private readonly windows: ShownWindows;
  private look: unknown;
  private disposed = false;
  /** The session has reopened what was open before the window was reloaded. */
  private restored = false;

  private isOpening = false;
  /** It was opened by its command. */
  private wantsFocus = false;
  private readonly source: PanelSource;

  /** @param of the key of its data set, or what finds it */
  constructor(
    private readonly parts: PanelParts,
    readonly panel: vscode.WebviewPanel,
    private readonly definition: PanelDefinition<State, Shown, Content, ChosenPart, Part>,
    of: string | PanelSource,
    public state: State,
    /** It begins with what is selected; one that comes back begins with what it showed. */
    private isNew = false,
    /** Whether another panel of its kind draws both of two recordings that are compared, its own among them. */
    private readonly isDrawnBeside: (panel: Panel<State, Shown, Content, ChosenPart, Part>) => boolean = () => false,
  ) {
    const { session } = parts;
    this.source = typeof of === "string" ? keptDataSet(session, of) : of;
    this.dataSetKey = typeof of === "string" ? of : "";
    const own = this.isApart ? new MovedWindows() : undefined;
    if (own) this.subscriptions.push(own);
    this.windows = own ?? session.windows;
    this.answers = new Answers(session, definition);
    this.marks = new Marks(parts, definition, this.answers, this, (message) => this.post(message));
    this.asking = new Asking<State, Shown, Content, ChosenPart, Part>(
      definition,
      this.answers,
      this.marks,
      this,
      (message) => this.post(message),
    );
    panel.webview.options = webviewOptions(parts.extensionUri);
    panel.iconPath = vscode.Uri.joinPath(parts.extensionUri, "media", "heatflow.svg");
    this.nameTab();
    this.subscriptions.push(
      panel.webview.onDidReceiveMessage((message: unknown) => this.receive(message)),
      panel.onDidChangeViewState(() => this.visibilityChanged()),
      session.onDidChangeDataSets(() => this.openChanged()),
      session.onDidChangeScope(({ dataSet }) => {
        if (this.concerns(dataSet)) void this.refresh();
      }),
      session.onDidChangeCosts(() => void this.refresh()),
      // Whoever chose it here has it when this comes.
      session.onDidChangeTarget(() => void setImmediate(() => this.targetChanged())),
      session.onDidProgress(({ text, fraction }) => {
        const isWaiting = this.size && !this.dataSet && (this.isOpening || !this.restored);
        if (isWaiting) this.post({ type: "progress", message: `Opening ${shorten(text, 300)}`, fraction });
      }),
      this.windows.onDidShow(({ dataSet, by }) => {
        if (definition.overTime && by !== this && dataSet === this.dataSet?.id) this.windowMoved();
      }),
      session.onDidHighlight(() => void this.marks.postHighlight()),
      session.onDidSelect(() => void this.selectionChanged().catch((error) => this.notice(problemOf(error).message))),
    );
    void session.restored.then(() => {
      this.restored = true;
      this.openChanged();
    });
    panel.onDidDispose(() => {
      this.disposed = true;
      this.outOfSight();
      for (const subscription of this.subscriptions) subscription.dispose();
    });
    panel.webview.html = pageHtml(panel.webview, parts.extensionUri, definition.id, definition.title);
  }

  get dataSet(): SessionDataSet | undefined {
    return this.source.dataSet;
  }

  get onScreen(): OnScreen<Shown> | undefined {
    return this.answers.onScreen;
  }

  get view(): View<State> | undefined {
    return this.size && this.viewIn(this.size);
  }

  private viewIn(size: View<State>["size"], alone = this.isDrawnBeside(this)): View<State> | undefined {
    const { dataSet, state, look } = this;
    const { session } = this.parts;
    if (!dataSet) return undefined;
    const isFree = this.definition.needsMetric === false;
    const scope = session.scope(dataSet.id) ?? (isFree ? { ...NO_SCOPE, dataSet: dataSet.id } : undefined);
    const metric = scope && (scope.metric < 0 ? NO_METRIC : dataSet.metrics.at(scope.metric));
    if (!scope || !metric) return undefined;
    const selection = session.selection?.dataSet === dataSet.id ? session.selection : undefined;
    const window = this.windows.of(dataSet.id);
    return { session, dataSet, scope, metric, size, state, selection, window, look, alone };
  }

  /** Whether of two recordings that are compared both are drawn, unless another panel does that; also while this one is not in sight. */
  get canDrawBoth(): boolean {
    const view = this.viewIn(NO_SIZE, false);
    return view !== undefined && this.definition.drawsBoth?.(view) === true;
  }

  change(state: Partial<State>): Promise<void> {
    this.remember({ ...this.state, ...state });
    const { view } = this;
    return view && this.asking.onlyLater(view) ? Promise.resolve() : this.refresh();
  }

  remember(state: State): void {
    this.state = state;
  }

  /** It was opened, or opened again, by its command. */
  opened(argument: unknown): void {
    const { dataSet, state, definition } = this;
    const { session } = this.parts;
    this.wantsFocus = true;
    this.giveFocus();
    const change = dataSet && definition.opened?.({ session, dataSet, state }, argument);
    void Promise.resolve(change)
      .then((changed) => changed && this.change(changed))
      .catch((error) => this.notice(problemOf(error).message));
  }

  /** A page that is not there yet hears of it when it is. */
  private giveFocus(): void {
    if (!this.wantsFocus || !this.size) return;
    this.wantsFocus = false;
    this.post({ type: "focus" });
  }

  notice(message: string): void {
    this.post({ type: "notice", message: shorten(message, 8192) });
  }

  async copy(text: string): Promise<void> {
    await vscode.env.clipboard.writeText(text);
    this.notice("Copied.");
  }

  async goTo(place: Place): Promise<void> {
    const { onScreen } = this;
    if (!onScreen) return;
    const { revision } = onScreen;
    this.post({ type: "selection", revision, mark: place.mark, place });
    await this.marks.use({ action: "select", revision, mark: place.mark });
  }

  explained(mark: number, explained: Explained): void {
    const { onScreen } = this;
    if (onScreen) this.post({ type: "explained", revision: onScreen.revision, mark, ...explained });
  }

  highlight(at: Subject["at"], name: string): void {
    const { view } = this;
    if (view) this.marks.highlight(at, name, view, true);
  }

  showWindow(window: TimeWindow | undefined): void {
    const { dataSet } = this;
    if (dataSet) this.windows.show(dataSet.id, window);
  }

  /** It shows a window of its own, beside the panel of its data set. */
  get isApart(): boolean {
    return this.definition.apart?.is(this.state) === true;
  }

  async maximize(): Promise<void> {
    this.panel.reveal();
    await vscode.commands.executeCommand("workbench.action.toggleMaximizeEditorGroup");
  }

  async run(command: string, subject: Subject, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const { view } = this;
    if (!view) return;
    this.marks.select(subject, view);
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
    const targeted = definition.targeted?.(view);
    if (targeted) return this.change(targeted);
    this.postFrame(view);
    const found = this.asking.findPins(view);
    if (found) return found;
    const empty = definition.empty?.(view);
    if (empty) return this.showNothing({ kind: "empty", ...empty });
    await this.asking.ask(view);
  }

  postFrame(view: View<State>): void {
    this.post(
      frameMessage(this.definition, this.dataSetKey, view, this.answers.onScreen?.shown, this.answers.onScreen?.view),
    );
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
    this.asking.abandon();
    this.marks.abandon();
    this.answers.forget();
  }

  private nameTab(): void {
    const { dataSet, definition } = this;
    if (this.source.hasFile) return;
    const title = this.isApart ? `${definition.title} apart` : definition.title;
    this.panel.title = dataSet ? `${title} · ${dataSet.name}` : title;
  }

  private visibilityChanged(): void {
    // VS Code ends the page; the next one says its size when it is there.
    if (!this.panel.visible) this.outOfSight();
  }

  private outOfSight(): void {
    this.size = undefined;
    this.parts.rooms.delete(this.panel);
    this.forget();
  }

  private measured({ width, height, room }: Extract<FromEveryPage, { type: "ready" | "resize" }>): void {
    this.size = { width, height };
    if (!room) return;
    this.parts.rooms.set(this.panel, room);
    const { besideOf } = this;
    this.besideOf = undefined;
    if (besideOf !== undefined && isTooNarrow(room)) this.panel.reveal(besideOf);
  }

  private windowMoved(): void {
    const { view } = this;
    if (this.definition.look) this.postWindow();
    else if (!view || !this.asking.onlyLater(view)) void this.refresh();
  }

  private postWindow(): void {
    const { view } = this;
    if (view) this.post({ type: "window", ...(view.window ? { window: view.window } : {}) });
  }

  /** Other recordings are open now, or other panels. */
  openChanged(): void {
    if (this.disposed) return;
    this.nameTab();
    if (!this.answers.isOf(this.view)) void this.refresh();
  }

  private targetChanged(): void {
    const { view, definition } = this;
    const change = view && definition.targeted?.(view);
    if (change) void this.change(change).catch((error) => this.notice(problemOf(error).message));
  }

  private async selectionChanged(): Promise<void> {
    const { view, definition } = this;
    const { selection } = this.parts.session;
    if (!view || (selection && !this.concerns(selection.dataSet))) return;
    const change = definition.followed?.(view.selection, view);
    if (change) return this.change(change);
    // Controls may offer what is selected.
    this.postFrame(view);
    await this.marks.selectionChanged();
  }

  /** Whether values of a data set are shown, or would be were it in sight. */
  concerns(dataSet: number): boolean {
    const { definition } = this;
    const view = this.viewIn(this.size ?? NO_SIZE);
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
        this.measured(message);
        this.giveFocus();
        if (this.definition.overTime && this.view?.window) this.postWindow();
        return this.source.isOpenedFirst && !this.dataSet ? this.open() : this.refresh();
      case "resize":
        this.measured(message);
        return this.view && this.asking.resized(this.view);
      case "control":
        if (this.view && setScope(session, this.view, message.id, message.value)) return;
        return this.choose(message);
      case "step":
      case "remove-step":
        return this.choose(message);
      case "notice-link":
        return own(this.definition.links, message.id)?.(this);
      case "remove-chip":
        if (message.id === COMPARISON) return session.compare(undefined);
        if (message.id === KINDS) return dataSet && session.setKinds(dataSet.id, undefined);
        if (message.id === WINDOW) return dataSet && session.setWindow(dataSet.id, undefined);
        return message.id === RESTRICTION && dataSet ? session.setRestriction(dataSet.id, undefined) : undefined;
      case "mark":
        return this.marks.use(message);
      case "explain":
        return this.marks.explain(message);
      case "look":
        return message.revision === this.onScreen?.revision ? this.lookAt(message.look) : undefined;
      case "window":
        // A page without a part in sight hears what there is in the window that it has moved.
        if (dataSet && this.definition.overTime)
          this.windows.show(dataSet.id, message.window, this.definition.look ? this : undefined);
        return;
      case "choose": {
        const restriction = this.asking.chosenBy(message);
        return restriction && session.setRestriction(restriction.dataSet, restriction.chosen);
      }
      case "cancel":
        return this.asking.cancel();
      case "retry":
        return this.refresh();
      case "open-data-set":
        return this.open();
      case "copy":
        return this.copy(message.text);
      case "save": {
        const file = await saveAs(message, dataSet, this.definition);
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

  private async choose(message: Parameters<typeof offeredChoice>[3]): Promise<void> {
    const { view, definition } = this;
    const choice = view && offeredChoice(definition, view, this.onScreen?.shown, message);
    const change: Change<State> = choice && (await definition.choose(view, choice.id, choice.value, this));
    if (change) await this.change(change);
  }

  private lookAt(look: unknown): Promise<void> | undefined {
    this.look = look;
    return this.view && this.asking.lookAt(this.view, look);
  }
}
