/** The page of an ensemble's runs: it shows one view at a time. */
import {
  ensembleRunsChosen,
  type EnsembleRunsChosen,
  ensembleRunsContent,
  type EnsembleRunsContent,
} from "../../src/protocol/ensembleRuns";
import type { PageDefinition } from "../kit/definition";
import { RESTRICTING } from "../kit/members";
import { startPage } from "../kit/page";
import { draw, pageOf } from "./drawing";
import { shadows } from "../kit/bins/shadows";
import { canChoose, detailsOf, menuOf } from "./view";

const definition: PageDefinition<EnsembleRunsContent, EnsembleRunsChosen> = {
  title: "Ensemble Runs",
  content: ensembleRunsContent,
  draw,
  layer: (content) =>
    shadows(() => {
      const now = content();
      return now?.view === "distribution" ? now.histogram : undefined;
    }),
  tables: (content, chosen) => pageOf(content).tables(content, chosen),
  legend: (content, theme) => pageOf(content).legend(content, theme),
  hint: (content) => pageOf(content).hint,
  summary: (content, chosen) => {
    const left = chosen ? ` · ${chosen.marks.length.toLocaleString("en")} chosen` : "";
    return pageOf(content)
      .summary(content)
      .map((words) => `${words}${left}`);
  },
  name: (content) => pageOf(content).name(content),
  nouns: (content) => [...pageOf(content).nouns],
  find(content, text) {
    const wanted = text.trim().toLowerCase();
    if (wanted === "") return undefined;
    const { named, withTerm } = pageOf(content);
    return new Set([
      ...named(content).flatMap(({ first, names }) =>
        names.flatMap((name, at) => (name.toLowerCase().includes(wanted) ? [first + at] : [])),
      ),
      ...(withTerm?.(content, wanted) ?? []),
    ]);
  },
  members: {
    schema: ensembleRunsChosen,
    marks(content, { marks }) {
      const whole = pageOf(content).chosenWith?.(content, new Set(marks)) ?? [];
      return new Map([...marks, ...whole].map((mark) => [mark, "all"]));
    },
    part(content, marks) {
      const chosen = pageOf(content).chosenBy?.(content, marks) ?? [...marks];
      return chosen.length > 0 ? { marks: Int32Array.from(chosen) } : undefined;
    },
    can: (content, mark) => canChoose(pageOf(content), content, mark),
    byClick: false,
  },
  menu: (content, mark, chosen) => menuOf(pageOf(content), content, mark, chosen),
  details: (content, mark, more) => detailsOf(pageOf(content), content, mark, more),
  hasPlaces: true,
  aside: (content) => pageOf(content).aside?.(content),
  lead: (content) => pageOf(content).lead?.(content),
  explanation: {
    name: "Ensemble runs",
    facts: [
      ["call sites", "box plots of every function's values, of all ranks of all runs"],
      ["inside of a bar", "its calls below each other, as wide as in the run with the largest value; grey: runs"],
      ["distribution", "the number of runs, of ranks of runs, or of functions with a value in each range"],
      ["correlation", "inclusive against exclusive, a point per function and run"],
      ["scaling", "a function over a parameter: runs, ideal, efficiency and the model that fits best"],
      ["projection", "similar runs are near each other"],
      ["runs", "all runs, in groups, with outliers marked"],
      [
        "by parameters",
        "functions, or one of them, by the values of one parameter or two; the table has every statistic",
      ],
      ["over commits", "functions whose time changes at a commit, along the history"],
      ...RESTRICTING,
      ["Enter", "goes to the hottest line of a function"],
    ],
  },
};

startPage(definition);
