/** A panel without a window: what it tells its view is written down, and the test answers as the view does. */
import type * as vscode from "vscode";
import type { DataSetInfo, Engine, Scope } from "../../../src/engine/api";
import type { PanelParts } from "../../../src/panels/dataSetPanel";
import type { Selection } from "../../../src/session/session";

type Message = Readonly<Record<string, unknown>> & { readonly type: string };

class Listeners<T> {
  private readonly all = new Set<(value: T) => void>();
  readonly event = (listener: (value: T) => void) => {
    this.all.add(listener);
    return { dispose: () => this.all.delete(listener) };
  };
  fire(value: T): void {
    for (const listener of [...this.all]) listener(value);
  }
}

/** The session that panels see: what is open, which values are shown, what is selected. */
export class PanelWindow {
  readonly posted: Message[] = [];
  dataSets: DataSetInfo[] = [];
  selection: Selection | undefined;
  private readonly heard = new Listeners<unknown>();
  private readonly opened = new Listeners<void>();
  private readonly selected = new Listeners<Selection | undefined>();
  private waiting: (() => void)[] = [];

  constructor(
    readonly engine: Engine,
    private readonly scopeOf: (info: DataSetInfo) => Scope,
  ) {}

  get parts(): PanelParts {
    // eslint-disable-next-line @typescript-eslint/no-this-alias -- accessors below have a `this` of their own
    const here = this;
    const never = () => ({ dispose: () => undefined });
    const session = {
      engine: this.engine,
      get dataSets() {
        return here.dataSets;
      },
      get selection() {
        return here.selection;
      },
      scope: (id: number) => {
        const info = here.dataSets.find((known) => known.id === id);
        return info && here.scopeOf(info);
      },
      restored: Promise.resolve(),
      onDidChangeDataSets: this.opened.event,
      onDidSelect: this.selected.event,
      onDidChangeScope: never,
      onDidChangeCosts: never,
      select: () => undefined,
    };
    return { session, navigator: {}, extensionUri: {} } as unknown as PanelParts;
  }

  get panel(): vscode.WebviewPanel {
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
      onDidDispose: () => ({ dispose: () => undefined }),
      viewColumn: 1,
    } as unknown as vscode.WebviewPanel;
  }

  /** The view says something. */
  say(message: Message): void {
    this.heard.fire(message);
  }

  /** Other recordings are open now. */
  hold(dataSets: readonly DataSetInfo[]): void {
    this.dataSets = [...dataSets];
    this.opened.fire();
  }

  select(selection: Selection | undefined): void {
    this.selection = selection;
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
