import type { NearLayout } from "../../engine/api";
import type { SuperGraphContent } from "../../protocol/superGraph";
import type { Subject } from "../kit/definition";
import type { AskedGraphs, LaidOut } from "./askedGraphs";
import type { GraphSteps } from "./graphSteps";

/** What a super graph panel shows: the answers, with what belongs to them. */
export interface ShownGraphs {
  readonly asked: AskedGraphs;
  readonly content: SuperGraphContent;
  /** The steps that were asked for. */
  readonly steps: GraphSteps;
  /** Where its bars and flows were in the graph before it. */
  readonly near?: NearLayout;
  /** What its page names first, the hottest function or the largest change; undefined: not known yet, or there is none. */
  lead?: Subject;
  /** As it is on screen: another one when the panel changes its size; undefined: it has not come yet. */
  drawn?: { readonly layout: LaidOut; readonly notes: readonly string[] };
}
