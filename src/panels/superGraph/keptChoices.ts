/** The choice of a first picture, as a panel keeps it: later questions begin with it, and a restored panel shows the same bars. */
import type { ChosenStart } from "../../engine/api";
import { parse } from "../../protocol/bounds";
import { keptChoice, type SuperGraphState } from "../../protocol/superGraph";
import type { Change } from "../kit/definition";
import type { ChoiceBasis } from "./graphStart";
import { type GraphStart, withChoice } from "./graphSteps";
import { keptSteps, stepsOf } from "./steps";

/**
 * Keeps the choice that an answer came with.
 *
 * @param state of the panel now
 * @param asked what the question began with: the state may begin with something else by now
 * @returns undefined if the panel has it already, or if it is too long to be kept
 */
export function learnedChoice(
  state: Pick<SuperGraphState, "steps">,
  asked: GraphStart,
  chosen: ChosenStart | undefined,
  basis: ChoiceBasis,
): Change<Pick<SuperGraphState, "steps">> {
  const list = stepsOf(state);
  if (!chosen || list.groupBy !== "first" || asked.groupBy !== "first" || list.filter !== asked.filter)
    return undefined;
  const first = parse(keptChoice, { ...basis, choice: chosen.choice });
  if (!first || JSON.stringify(first) === JSON.stringify(list.first)) return undefined;
  return keptSteps(withChoice(list, first));
}
