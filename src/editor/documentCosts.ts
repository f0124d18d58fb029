import * as vscode from "vscode";
import type {
  ComparedPair,
  DocumentCosts,
  DocumentDifferences,
  DocumentMovement,
  DocumentText,
  TargetCosts,
} from "../engine/api";
import type { Task } from "../model/task";
import { hasMovement } from "../model/trace";
import { CancelledError, messageOf, RequestError } from "../model/errors";
import { comparedPair } from "../session/comparedScopes";
import { taskOfToken } from "../session/latest";
import type { Session } from "../session/session";
import { notices } from "../session/notices";

/** Numbers that come within this time replace those of another scope; nobody sees that there were none between. */
const PATIENCE_MS = 50;

/** What is there soon, or what is still to come. */
interface Soon<Found> {
  readonly found?: Found | undefined;
  readonly late?: Promise<Found | undefined>;
}

const ASKED = ["costs", "differences", "movement", "target"] as const;
type Asked = (typeof ASKED)[number];

interface Answer<Costs = unknown> {
  /** Version of the document and of everything else that the answer depends on. */
  readonly key: string;
  readonly costs: Promise<Costs | undefined>;
  readonly source: vscode.CancellationTokenSource;
}

/** What lines show. */
export type ShownCosts =
  | { readonly costs: DocumentCosts; readonly differences?: undefined; readonly target?: TargetCosts }
  | { readonly differences: DocumentDifferences; readonly compared: ComparedPair };

/**
 * Costs of open documents, asked once for heat, CodeLens and the commands together. A newer version of a document cancels
 * the question about the older one.
 */
export class DocumentCostSource implements vscode.Disposable {
  private readonly answers = new Map<string, Answer>();
  private readonly changeEmitter = new vscode.EventEmitter<void>();
  private readonly subscriptions: vscode.Disposable[];
  private readonly reported = new Set<string>();
  private epoch = 0;
  /** Costs of any document may differ now. */
  readonly onDidChange = this.changeEmitter.event;

  constructor(
    private readonly session: Session,
    private readonly log: vscode.LogOutputChannel,
  ) {
    const outdated = () => {
      this.epoch++;
      this.changeEmitter.fire();
    };
    this.subscriptions = [
      session.onDidChangeDataSets(outdated),
      session.onDidChangeScope(outdated),
      session.onDidChangeCosts(outdated),
      session.onDidChangeTarget(outdated),
      vscode.workspace.onDidCloseTextDocument((document) => this.forget(document)),
    ];
  }

  /** What all numbers are of now: data set, metric, ranks. Numbers of another scope must not be shown. */
  get scopeKey(): string {
    return JSON.stringify([this.session.scope() ?? null, this.compared ?? null, this.targetName ?? null]);
  }

  /**
   * As {@link shownOf}, for who shows numbers already: where these are of another scope, and the new ones take long, nothing is to be shown.
   *
   * @param shown the {@link scopeKey} of the numbers on screen
   * @returns `late`: the numbers, when they are there
   */
  async soon(document: vscode.TextDocument, shown: string | undefined): Promise<Soon<ShownCosts>> {
    const answer = this.shownOf(document);
    return shown === this.scopeKey ? { found: await answer } : soon(answer);
  }

  /** What a document's lines moved, where that is known soon: nothing that shows costs waits for it. */
  async movementSoon(document: vscode.TextDocument): Promise<Soon<DocumentMovement>> {
    const { current, engine } = this.session;
    const scope = this.session.scope();
    // A comparison is of costs.
    if (!scope || !current?.trace || !hasMovement(current.trace) || this.compared) return {};
    const { dataSet, chosen, window } = scope;
    const query = {
      scope: { dataSet, ...(chosen ? { chosen } : {}), ...(window ? { window } : {}) },
      document: textOf(document),
    };
    return soon(this.asked(document, "movement", (task) => engine.documentMovement(query, task)));
  }

  /** What a document shows: its costs, those of an ensemble's target alone, or what differs of them in a comparison. */
  async shownOf(document: vscode.TextDocument): Promise<ShownCosts | undefined> {
    const { compared } = this;
    if (!compared) {
      const target = await this.targetOf(document);
      if (target) return { costs: target.costs, target };
      const costs = await this.of(document);
      return costs && { costs };
    }
    const differences = await this.differencesOf(document);
    return differences && { differences, compared };
  }

  /** @returns undefined where nothing is known: no data set, not a file, or a newer question overtook this one */
  async of(document: vscode.TextDocument): Promise<DocumentCosts | undefined> {
    const scope = this.session.scope();
    return (
      scope &&
      this.asked(document, "costs", (task) =>
        this.session.engine.documentCosts({ scope, document: textOf(document) }, task),
      )
    );
  }

  /** What two recordings are compared in, while that is what documents show. */
  get compared(): ComparedPair | undefined {
    return comparedPair(this.session);
  }

  /** The ensemble's run that lines are of; undefined: of all. */
  get targetName(): string | undefined {
    const { ensembleTarget, current } = this.session;
    return ensembleTarget && ensembleTarget.dataSet === current?.id ? ensembleTarget.run : undefined;
  }

  /** As {@link of}, of the ensemble's target beside all runs; undefined where there is none. */
  async targetOf(document: vscode.TextDocument): Promise<TargetCosts | undefined> {
    const target = this.targetName;
    const scope = this.session.scope();
    if (target === undefined || !scope) return undefined;
    return this.asked(document, "target", (task) =>
      this.session.engine.targetCosts({ scope, target, document: textOf(document) }, task),
    );
  }

  /** As {@link of}, of the two recordings that are compared. */
  async differencesOf(document: vscode.TextDocument): Promise<DocumentDifferences | undefined> {
    const pair = this.compared;
    return (
      pair &&
      this.asked(document, "differences", (task) =>
        this.session.engine.documentDifferences(
          { pair, document: textOf(document), folders: this.session.trustedFolders },
          task,
        ),
      )
    );
  }

  private async asked<Costs>(
    document: vscode.TextDocument,
    what: Asked,
    ask: (task: Task) => Promise<Costs | undefined>,
  ): Promise<Costs | undefined> {
    if (document.uri.scheme !== "file" || document.isClosed) return undefined;
    const name = `${what} ${document.uri.toString()}`;
    const key = `${document.version} ${document.isDirty} ${this.epoch}`;
    const known = this.answers.get(name) as Answer<Costs> | undefined;
    if (known?.key === key) return known.costs;
    known?.source.cancel();
    const source = new vscode.CancellationTokenSource();
    const costs = ask(taskOfToken(source.token)).catch((error: unknown) => {
      if (this.answers.get(name)?.key === key) this.answers.delete(name);
      if (!(error instanceof CancelledError)) this.report(document, error);
      return undefined;
    });
    this.answers.set(name, { key, costs, source });
    return costs;
  }

  dispose(): void {
    for (const part of [...this.subscriptions, this.changeEmitter]) part.dispose();
    for (const { source } of this.answers.values()) source.cancel();
  }

  /** Shown once for each reason: every keystroke asks again, and what fails for one editor fails for all that are open. */
  private report(document: vscode.TextDocument, error: unknown): void {
    const reason = messageOf(error);
    const message = `Could not find the costs of ${document.uri.fsPath}: ${reason}`;
    this.log.warn(error instanceof Error && error.stack ? `${message}\n${error.stack}` : message);
    // That the worker ended, or that a data set was closed, has been reported already.
    const expected = error instanceof RequestError || (error instanceof Error && error.name === "EngineGoneError");
    if (expected || this.reported.has(reason)) return;
    this.reported.add(reason);
    void notices.showErrorMessage(message, "Show Log").then((choice) => {
      if (choice) this.log.show();
    });
  }

  private forget(document: vscode.TextDocument): void {
    for (const what of ASKED) {
      const name = `${what} ${document.uri.toString()}`;
      this.answers.get(name)?.source.cancel();
      this.answers.delete(name);
    }
  }
}

/** The document as the engine wants it: its text only where the disk has another. */
export function textOf(document: vscode.TextDocument): DocumentText {
  return { file: document.uri.fsPath, text: document.isDirty ? document.getText() : undefined };
}

async function soon<Found>(answer: Promise<Found | undefined>): Promise<Soon<Found>> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<"late">((resolve) => (timer = setTimeout(() => resolve("late"), PATIENCE_MS)));
  const first = await Promise.race([answer, patience]);
  clearTimeout(timer);
  return first === "late" ? { late: answer } : { found: first };
}
