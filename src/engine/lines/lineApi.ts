/** What lines of source cost, and where things are defined. Plain data; lines are 1-based. */
import type { MemberStatistics } from "../../analysis/rankStatistics";
import type { Named } from "../../model/shortName";
import type { SourceLink } from "../../model/sourceLinks";
import type { UnrankedCosts } from "../dataSets/unranked";

export interface SourceSettings {
  /** Absolute paths of the folders of source: the workspace's, or `--source`. */
  readonly folders: readonly string[];
  /** From recorded path prefix → path (absolute, or relative to a folder). */
  readonly sourceMap: Readonly<Record<string, string>>;
  /** All of it is the user's own word: only then may it lead outside the folders. */
  readonly sourceMapTrusted?: boolean;
  /** Where baselines of edited files are kept; undefined: nowhere (command line). */
  readonly storage?: string;
  /** MB of source that are read to find names; 500 unless said. */
  readonly sourceLimitMegabytes?: number;
}

/** A document as the window has it: text only when it differs from the disk. */
export interface DocumentText {
  readonly file: string;
  readonly text?: string;
}

/** A place to go to, with what stands there. */
export interface HotPlace extends Named {
  readonly context: number;
  readonly function: number;
  /** How many functions have a cost here: code in a header is compiled into many. `name` is the heaviest context's. */
  readonly functions: number;
  readonly exclusive: number;
  readonly isMpi?: true;
  readonly link: SourceLink;
  /** A function without lines: its place is its definition, which need not be what costs. */
  readonly isFunction?: true;
  /** Where its function is, where this is one of its lines. */
  readonly definition?: SourceLink;
  /** The line is in another file than its function: code that was inlined. */
  readonly isInlined?: true;
  /** The file as it was recorded, of the context or else of its function: what is known where the link has no place. */
  readonly recordedFile?: string;
  /** The line as it was recorded, where this is one; `link` leads to its function where the file is not here. */
  readonly recordedLine?: number;
}

/** Where a function is. */
export interface FunctionPlace {
  /** Where it is defined. */
  readonly link?: SourceLink;
  /** Where the recording says that it is, whether or not the file is here. */
  readonly recorded?: RecordedPlace;
  /** Its load module, as it was recorded. */
  readonly module?: string;
}

/** As it was recorded. */
export interface RecordedPlace {
  readonly file: string;
  /** Of the function, else its hottest one in this file; absent: no line was recorded. */
  readonly line?: number;
}

/** Heat of a line: exclusive cost of what stands on it (semantics 4). */
export interface LineCost {
  readonly line: number;
  readonly exclusive: number;
  /** Of the metric's total. */
  readonly share: number;
  /** Set where the cost has several equally likely places: text only, never heat. */
  readonly oneOf?: number;
  /**
   * What more than half of it is: spent in calls of MPI or a library, anywhere in functions whose lines were not recorded, or of functions
   * that the line was inlined into from another file.
   */
  readonly mostly?: MainPart;
}

/** Whose most of a line's cost is. */
export interface MainPart {
  readonly kind: "call" | "function" | "inlined";
  /** Of all functions of this kind. */
  readonly exclusive: number;
  /** The one with most, as it is shown. */
  readonly name: string;
  /** How many others. */
  readonly others: number;
}

/** Text on a line that calls: its callees' inclusive. */
export interface CallCost {
  readonly line: number;
  /** As it is shown. */
  readonly callee: string;
  readonly function: number;
  readonly inclusive: number;
  /** Of `inclusive`, of the metric's total. */
  readonly share: number;
  readonly oneOf?: number;
}

/** A CodeLens: one per function with data. */
export interface FunctionCost extends Named {
  readonly line: number;
  readonly function: number;
  readonly inclusive: number;
  /** Its inclusive is only known not to be more ({@link CallGraph.atMost}). */
  readonly atMost?: boolean;
  readonly exclusive: number;
  readonly noRank?: UnrankedCosts;
  /** Of `inclusive`, of the metric's total. */
  readonly share: number;
  /** Of inclusive over ranks; absent with one rank. */
  readonly imbalance?: number;
  readonly oneOf?: number;
}

/** Everything that one open document shows. Lines are those of the text that was handed in. */
export interface DocumentCosts {
  readonly lines: readonly LineCost[];
  readonly calls: readonly CallCost[];
  readonly functions: readonly FunctionCost[];
  /** How the text differs from what was recorded. */
  readonly drift: Drift;
}

export interface Drift {
  /** The file was already newer than the recording when it was first opened here: lines may be off. */
  readonly newerThanRecording: boolean;
  /** Lines with cost that are gone from the text. */
  readonly lostLines: number;
  /** Lines with cost that stand elsewhere than recorded. */
  readonly movedLines: number;
}

/** What the hover of a line says. */
export interface LineDetails extends Named {
  readonly line: number;
  readonly function: number;
  readonly exclusive: number;
  readonly inclusive: number;
  /** Its inclusive is only known not to be more ({@link CallGraph.atMost}). */
  readonly atMost?: boolean;
  readonly noRank?: UnrankedCosts;
  readonly share: number;
  /** Of `exclusive`. */
  readonly overRanks?: MemberStatistics;
  /** Of inclusive over ranks, of a line that of its function (semantics 1); absent with one rank. */
  readonly imbalance?: number;
  /** Already reduced over ranks: recorded extremes, shown beside. */
  readonly recordedMinimum?: number;
  readonly recordedMaximum?: number;
  /** Contexts that lead here, heaviest first, at most 10. */
  readonly contexts: readonly {
    readonly context: number;
    /** Names as they are shown. */
    readonly path: readonly string[];
    readonly exclusive: number;
    readonly inclusive: number;
  }[];
  readonly moreContexts: number;
  readonly link: SourceLink;
  /** Of others of its contexts, that stand here for another reason; absent where there are none. */
  readonly otherLinks?: readonly SourceLink[];
}

/** What is called from a line: the call's own place, and where the callee is. */
export interface LineCall {
  readonly line: number;
  /** As it is shown. */
  readonly callee: string;
  readonly function: number;
  /** The heaviest of the called contexts; absent where calls were measured, not contexts. */
  readonly context?: number;
  readonly inclusive: number;
  /** Of `inclusive`, of the metric's total. */
  readonly share: number;
  /** Why the call is said to stand on this line. */
  readonly link: SourceLink;
  /** Where the callee is defined, or begins. */
  readonly definition: SourceLink;
}
