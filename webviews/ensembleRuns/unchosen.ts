/** Page without a drawing, shown until a parameter is chosen. Pure. */
import type { UnchosenContent } from "../../src/protocol/ensembleRuns";
import { TEXT_SIZE, wordsAt } from "../kit/axis";
import { fit, visible } from "../shared/text";
import type { RunsViewPage } from "./view";

export const unchosenPage: RunsViewPage<UnchosenContent> = {
  draw({ message }, view) {
    const { width, height, theme } = view;
    const text = fit(visible(message), width - 20, view.measure(TEXT_SIZE));
    return {
      below: [],
      marks: [],
      above: [wordsAt(theme)(width / 2, height / 2, text, { anchor: "middle", fill: theme.soft })],
    };
  },
  tables: () => [],
  legend: () => [],
  hint: "choose a parameter in the toolbar",
  summary: ({ message }) => [visible(message)],
  name: ({ message }) => visible(message),
  nouns: ["run", "runs"],
  named: () => [],
  facts: () => [],
};
