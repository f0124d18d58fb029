/** What may be asked of the calling context tree as a drawing. Values in the metric's unit, times in seconds of the trace. */
import type { GroupMap } from "../../supergraph/query";
import type { Scope, Target } from "../scope";

export interface ApplicationQuery {
  readonly scope: Scope;
  /** The shown window; undefined: from where the run begins, until its end. */
  readonly fromSeconds?: number;
  readonly toSeconds?: number;
  /** Of events, where their tool does not say. */
  readonly categories?: GroupMap;
  /** Contexts that are drawn at most, 300 unless said. */
  readonly most?: number;
  /** Contexts whose callees are folded into them, and contexts whose heaviest callees are drawn however light they are. */
  readonly closed?: readonly number[];
  readonly opened?: readonly number[];
  /** It is drawn with all that it is called by, whatever is closed; of a function its heaviest context. */
  readonly reveal?: Exclude<Target, { readonly kind: "bar" }>;
}

/** Columns over the run in which a context is active or not. */
export const ACTIVITY_COLUMNS = 64;

/** Contexts in preorder, those of one caller heaviest first. */
export interface ApplicationNode {
  readonly context: number;
  /** Index of its caller, which stands before it; NONE: a root. */
  readonly parent: number;
  readonly name: string;
  /** Index into {@link eventKinds}. */
  readonly kind: number;
  readonly inclusive: number;
  readonly exclusive: number;
  /** Callees that are not drawn, with all that they call: how many contexts, and what they cost. */
  readonly folded: { readonly contexts: number; readonly value: number };
  /** Whether its callees are folded since somebody wanted it. */
  readonly closed: boolean;
  /** Undefined: the recording has no events. */
  readonly time?: ContextTime;
}

/** Sums over the lanes that the restriction leaves. */
export interface ContextTime {
  /** In which it, or what it calls, was innermost: in the shown window, and in the run. */
  readonly windowSeconds: number;
  readonly runSeconds: number;
  /** Of its own that begin in the run. */
  readonly events: number;
  /** A bit for each of the columns, the first one in the lowest of `first`. */
  readonly active: { readonly first: number; readonly second: number };
}

export interface Application {
  readonly nodes: readonly ApplicationNode[];
  /** Roots that are not drawn. */
  readonly folded: { readonly contexts: number; readonly value: number };
  readonly total: number;
  /** Contexts of the tree. */
  readonly contexts: number;
  /** Of the run; undefined: no events were recorded. */
  readonly run: { readonly from: number; readonly to: number } | undefined;
}
