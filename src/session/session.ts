/**
 * What the window's parts share: which data sets are open, which values are shown, and what is selected (semantics 3).
 * Interfaces only; the one implementation is composed in extension.ts.
 */
import type * as vscode from "vscode";
import type { EventKind } from "../model/eventKinds";
import type {
  Chosen,
  DataSetInfo,
  Engine,
  EnsembleOptions,
  Hierarchy,
  OverRanks,
  Renamed,
  Scope,
  TimeWindow,
  SourceLink,
  Target,
} from "../engine/api";

/** One selection for every view. It highlights and reveals; it never changes a number. */
export interface Selection {
  readonly dataSet: number;
  readonly target: Target;
  readonly name: string;
  /** The part that made it ("superGraph", "hotFunctions", "codeLens" …): a part does not follow its own selection. */
  readonly origin: string;
  /** The user asked to be shown where it is: the tree comes into sight for it. */
  readonly comesIntoSight?: boolean;
}

/**
 * Places and kinds of work of a recording that stand out in every view that has them (semantics 3): part of what is selected, or selected by
 * themselves. No number changes.
 */
export interface Highlight {
  readonly dataSet: number;
  /** Lanes of its trace, ascending. */
  readonly lanes: readonly number[];
  readonly kinds: readonly EventKind[];
  /** `rank 3`, `communication` */
  readonly name: string;
}

/** A data set that is open. */
export interface SessionDataSet extends DataSetInfo {
  /**
   * Tells the data set from all others, for good: the same when it is read again (also with other files), after a reload or restart of
   * the window, and when it is closed and opened again. What views keep of a data set is this.
   */
  readonly key: string;
}

/** A recording that is still listed although it could not be opened (again). */
export interface ClosedRecording {
  readonly dataSet: number;
  readonly key: string;
  readonly name: string;
  readonly paths: readonly string[];
  /** Why, and what to do, for people. */
  readonly reason: string;
}

/** Two open recordings that are compared, by their numbers. */
export interface RunComparison {
  readonly baseline: number;
  readonly candidate: number;
}

/** The run of an ensemble that lines show beside all others (semantics 10, Target). */
export interface EnsembleTarget {
  readonly dataSet: number;
  /** Its name. */
  readonly run: string;
}

/** Runs of an ensemble, by their names, with what they are called together. */
export interface NamedRuns {
  readonly name: string;
  readonly runs: readonly string[];
}

/** Two runs of an ensemble, or two groups of them, whose difference lines and trees show (semantics 10, Difference). */
export interface EnsembleDifference {
  readonly dataSet: number;
  readonly baseline: NamedRuns;
  readonly candidate: NamedRuns;
}

/** What stretch of its run the views over time of a recording show (semantics 9): all of them the same. Moving it changes no number elsewhere. */
export interface ShownWindows {
  /** Undefined: the whole run. */
  of(dataSet: number): TimeWindow | undefined;
  /** @param by who moves it, and does not want to hear of it */
  show(dataSet: number, window: TimeWindow | undefined, by?: object): void;
  readonly onDidShow: vscode.Event<{ readonly dataSet: number; readonly by: object | undefined }>;
}

/** How recordings are opened. */
export interface OpenedAs {
  /** They are the runs of one ensemble. */
  readonly ensemble?: EnsembleOptions;
  /** Whoever opens them calls {@link Session.announce}. */
  readonly quietly?: boolean;
}

/** What is known of data sets that are announced. */
export interface Announced {
  /** The page of the first one is shown, with all of its warnings. */
  readonly isPageShown?: boolean;
  /** Text and buttons of another message, which becomes part of the same notice. */
  readonly lead?: {
    readonly text: string;
    readonly isWarning?: boolean;
    readonly actions: Readonly<Record<string, () => unknown>>;
  };
}

export interface Session {
  /** Answers under the numbers of {@link dataSets}, which stay the same when the worker or the window is restarted. */
  readonly engine: Engine;
  readonly dataSets: readonly SessionDataSet[];
  /** Recordings that were open and now are not, by no wish of the user: {@link reload} tries again. */
  readonly closedRecordings: readonly ClosedRecording[];
  /** The data set that views without one of their own show. */
  readonly current: SessionDataSet | undefined;
  /** Metric, over ranks and restriction of a data set (default: the current one). */
  scope(dataSet?: number): Scope | undefined;
  readonly selection: Selection | undefined;
  /** Goes with what is selected: another selection ends it. */
  readonly highlight: Highlight | undefined;
  readonly windows: ShownWindows;
  /** While both recordings are open: lines, trees and panels of either show what differs. */
  readonly comparison: RunComparison | undefined;
  /** While the ensemble is open. */
  readonly ensembleTarget: EnsembleTarget | undefined;
  /** While the ensemble is open. */
  readonly ensembleDifference: EnsembleDifference | undefined;
  /** Functions that are the same in compared recordings though their names differ, as the user said; kept in the workspace. */
  readonly renamed: Renamed;

  /** Folders of the workspace on this machine, in which programs may be started: none before it is trusted. */
  readonly trustedFolders: readonly string[];

  /** Settles when what was open before the window's reload is open again, or has failed to. */
  readonly restored: Promise<void>;

  /** Data sets were opened, closed or reloaded, or another one became current. */
  readonly onDidChangeDataSets: vscode.Event<void>;
  /** Metric, over ranks or restriction changed: every number on screen is to be asked for again. */
  readonly onDidChangeScope: vscode.Event<{ dataSet: number }>;
  /** Numbers or links may differ though the scope did not: source edited, path map or groups changed, worker restarted. */
  readonly onDidChangeCosts: vscode.Event<void>;
  /** {@link ensembleTarget} or {@link ensembleDifference}: what lines show is to be asked for again, and nothing else. */
  readonly onDidChangeTarget: vscode.Event<void>;
  readonly onDidSelect: vscode.Event<Selection | undefined>;
  readonly onDidHighlight: vscode.Event<Highlight | undefined>;
  /** A recording is being read, for whoever waits for it. */
  readonly onDidProgress: vscode.Event<OpeningProgress>;

  /**
   * Opens recordings with progress and cancel; says what went wrong and keeps what was open.
   *
   * @param failed gets the error instead of the user
   */
  open(
    uris: readonly vscode.Uri[],
    failed?: (error: unknown) => void,
    as?: OpenedAs,
  ): Promise<readonly SessionDataSet[]>;
  /** Shows one notice about data sets that were opened quietly: several runs, warnings, files that were left out. */
  announce(dataSets: readonly SessionDataSet[], how?: Announced): void;
  /** Opens the data set of this key once more, closed or not open for a reason. @returns whether its recording is known */
  openAgain(key: string): Promise<boolean>;
  close(dataSet: number): Promise<void>;
  /** Reads a recording again; what is shown stays until that has succeeded. */
  reload(dataSet: number): Promise<void>;
  /** Reads a data set again with another choice of what makes its calling contexts. */
  setHierarchy(dataSet: number, hierarchy: Hierarchy): Promise<void>;
  setCurrent(dataSet: number): void;
  setMetric(dataSet: number, metric: number): void;
  setOver(dataSet: number, over: OverRanks): void;
  setRestriction(dataSet: number, chosen: Chosen | undefined): void;
  /** Restricts all numbers to a window of time, or ends that. Only of recordings with a metric of events. */
  setWindow(dataSet: number, window: TimeWindow | undefined): void;
  /** Restricts all numbers to time of some kinds of work, or ends that; of the same recordings. */
  setKinds(dataSet: number, kinds: readonly EventKind[] | undefined): void;
  select(selection: Selection | undefined): void;
  setHighlight(highlight: Highlight | undefined): void;
  /** Compares two recordings, or ends that: numbers of both are to be asked for again. The candidate gets the baseline's metric and ranks. */
  compare(comparison: RunComparison | undefined): void;
  setRenamed(renamed: Renamed): void;
  setEnsembleTarget(target: EnsembleTarget | undefined): void;
  setEnsembleDifference(difference: EnsembleDifference | undefined): void;
}

/** How far the reading of a recording is. */
export interface OpeningProgress {
  /** `large.json: 34.0 MB of 111 MB, rank-3.cali` */
  readonly text: string;
  /** 0 to 1; absent where it is not known. */
  readonly fraction?: number;
}

/** Goes to lines. Implemented by the editor part, used by panels and views. */
export interface Navigator {
  /**
   * Shows the place of a link as a preview in an editor group that does not cover the one it was asked from; asks which
   * where there are several places, and offers "Locate…" where the file is missing.
   *
   * @param focus whether the cursor's focus goes there too
   * @param beside the editor group that must not be covered (a panel's own)
   */
  go(link: SourceLink, options: { focus: boolean; beside?: vscode.ViewColumn }): Promise<void>;
}
