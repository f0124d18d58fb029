/** A panel without a window: what it tells its view is written down, and the test answers as the view does. */
import type * as vscode from "vscode";
import type { DataSetInfo, Engine, Scope } from "../../../src/engine/api";
import type { PanelParts } from "../../../src/panels/kit/parts";
import type {
  EnsembleTarget,
  Highlight,
  OpeningProgress,
  RunComparison,
  Selection,
} from "../../../src/session/session";
import { MovedWindows } from "../../../src/session/movedWindows";
import { Emitter } from "../session/standInForVsCode";

type Message = Readonly<Record<string, unknown>> & { readonly type: string };

/** The session that panels see: what is open, which values are shown, what is selected. */
export class PanelWindow {
  readonly posted: Message[] = [];
  /** What the panel selected for every view. */
  readonly selections: Selection[] = [];
  private readonly heard = new Emitter<unknown>();
  private readonly opened = new Emitter<void>();
  private readonly selected = new Emitter<Selection | undefined>();
  private readonly highlighted = new Emitter<Highlight | undefined>();
  private readonly scopes = new Emitter<{ dataSet: number }>();
  private readonly costs = new Emitter<void>();
  private readonly targets = new Emitter<void>();
  private readonly progress = new Emitter<OpeningProgress>();
  private readonly viewStates = new Emitter<void>();
  private readonly disposed = new Emitter<void>();
  private isVisible = true;
  private readonly session;
  private waiting: (() => void)[] = [];

  /** @param restored settles when what was open before the window's reload is open again */
  constructor(
    engine: Partial<Engine>,
    scopeOf: (info: DataSetInfo) => Scope,
    restored: Promise<void> = Promise.resolve(),
  ) {
    this.session = {
      engine,
      dataSets: [] as readonly DataSetInfo[],
      current: undefined as DataSetInfo | undefined,
      closedRecordings: [],
      selection: undefined as Selection | undefined,
      comparison: undefined as RunComparison | undefined,
      renamed: [],
      windows: new MovedWindows(),
      scope: (id: number) => {
        const info = this.session.dataSets.find((known) => known.id === id);
        return info && scopeOf(info);
      },
      restored,
      onDidChangeDataSets: this.opened.event,
      onDidSelect: this.selected.event,
      highlight: undefined as Highlight | undefined,
      onDidHighlight: this.highlighted.event,
      setHighlight: (highlight: Highlight | undefined) => {
        this.session.highlight = highlight;
        this.highlighted.fire(highlight);
      },
      onDidChangeScope: this.scopes.event,
      onDidChangeCosts: this.costs.event,
      ensembleTarget: undefined as EnsembleTarget | undefined,
      onDidChangeTarget: this.targets.event,
      onDidProgress: this.progress.event,
      select: (selection: Selection) => {
        this.selections.push(selection);
        this.session.current = this.session.dataSets.find(({ id }) => id === selection.dataSet);
      },
    };
  }

  get parts(): PanelParts {
    return { session: this.session, navigator: {}, extensionUri: {}, rooms: new Map() } as unknown as PanelParts;
  }

  get panel(): vscode.WebviewPanel {
    const isVisible = () => this.isVisible;
    return {
      webview: {
        cspSource: "",
        asWebviewUri: () => "",
        onDidReceiveMessage: this.heard.event,
        postMessage: (message: Message) => {
          this.posted.push(message);
          for (const wake of this.waiting.splice(0)) wake();
          return Promise.resolve(true);
        },
      },
      onDidDispose: this.disposed.event,
      onDidChangeViewState: this.viewStates.event,
      get visible() {
        return isVisible();
      },
      viewColumn: 1,
    } as unknown as vscode.WebviewPanel;
  }

  /** Another tab is in front of the panel: VS Code ends its page. */
  hide(): void {
    this.isVisible = false;
    this.viewStates.fire();
  }

  show(): void {
    this.isVisible = true;
    this.viewStates.fire();
  }

  /** The tab is closed. */
  close(): void {
    this.disposed.fire();
  }

  /** The view says something. */
  say(message: Message): void {
    this.heard.fire(message);
  }

  /** Other recordings are open now. */
  hold(dataSets: readonly DataSetInfo[]): void {
    this.session.dataSets = dataSets;
    this.opened.fire();
  }

  /** Nothing: no two are compared. */
  compare(baseline?: number, candidate?: number): void {
    const isOfTwo = baseline !== undefined && candidate !== undefined;
    this.session.comparison = isOfTwo ? { baseline, candidate } : undefined;
  }

  /** Editor and trees show this recording. */
  showElsewhere(current: DataSetInfo): void {
    this.session.current = current;
  }

  changeScope(dataSet: number): void {
    this.scopes.fire({ dataSet });
  }

  /** A recording is being read. */
  read(progress: OpeningProgress): void {
    this.progress.fire(progress);
  }

  changeCosts(): void {
    this.costs.fire();
  }

  /** Another run of an ensemble is the target now. */
  target(target: EnsembleTarget | undefined): void {
    this.session.ensembleTarget = target;
    this.targets.fire();
  }

  select(selection: Selection | undefined): void {
    this.session.selection = selection;
    this.selected.fire(selection);
  }

  /** The first message from number `from` on that is as wanted. */
  async next(wanted: (message: Message) => boolean, from = 0): Promise<Message> {
    for (;;) {
      const found = this.posted.slice(from).find(wanted);
      if (found) return found;
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
  }
}
