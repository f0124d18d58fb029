/** What is asked of flame graphs. */
import { defineQuestion } from "../defineQuestion";
import type { Target } from "../scope";
import type { FlameDetails, FlameQuery, FlameWindow } from "./flameApi";

/** The rectangles of a window, what is below a pixel laid together. @throws RequestError where there is nothing to draw */
export const flames = defineQuestion(
  (state, { query, window }: { readonly query: FlameQuery; readonly window: FlameWindow }, task) =>
    state.get(query.scope.dataSet).flames.flames(query, window, task),
);

/** Where a context, or the heaviest rectangle of a function, is drawn; undefined where it is not. */
export const flamePlace = defineQuestion(
  (state, { query, target }: { readonly query: FlameQuery; readonly target: Target }, task) =>
    state.get(query.scope.dataSet).flames.place(query, target, task),
);

export const flameDetails = defineQuestion(
  async (
    state,
    { query, node }: { readonly query: FlameQuery; readonly node: number },
    task,
  ): Promise<FlameDetails> => {
    const { open, flames: graphs } = state.get(query.scope.dataSet);
    const details = await graphs.details(query, node, task);
    return { ...details, link: await state.links.link(open, details.context, task) };
  },
);
