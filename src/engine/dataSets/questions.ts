import { defineQuestion } from "../defineQuestion";
import type { Scope } from "../scope";

/** What shares are shares of: the total of the chosen ranks, combined as the scope says. */
export const total = defineQuestion((state, scope: Scope) => state.get(scope.dataSet).open.numbers(scope).total);
