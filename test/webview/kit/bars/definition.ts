/** The hottest functions as a table with bars: what a panel costs, host half. */
import * as v from "valibot";
import type { FunctionRow } from "../../../../src/engine/api";
import type { PanelDefinition } from "../../../../src/panels/kit/definition";
import { cutToFit } from "../../../../src/panels/kit/names";
import { shorten } from "../../../../src/model/texts";
import { amount, name } from "../../../../src/protocol/bounds";
import { numbers } from "../../../../src/protocol/columns";

const MOST = 500;
const way = v.picklist(["exclusive", "inclusive"]);
const state = v.object({ by: way });
type State = v.InferOutput<typeof state>;

export const barsContent = v.pipe(
  v.object({
    by: way,
    metric: name,
    unit: name,
    total: amount,
    names: v.pipe(v.array(name), v.maxLength(MOST)),
    values: numbers(MOST),
  }),
  v.check(({ names, values }) => names.length === values.length),
);
export type BarsContent = v.InferOutput<typeof barsContent>;

export const bars: PanelDefinition<State, FunctionRow[], BarsContent, never> = {
  id: "bars",
  title: "Bars",
  saved: "bars",
  state,
  start: { by: "exclusive" },
  controls: ({ state: { by } }) => [
    {
      kind: "select",
      id: "by",
      name: "Value",
      value: by,
      choices: way.options.map((value) => ({ value, label: value })),
    },
  ],
  choose: (_, id, value) => ({ [id]: value }),
  asked: ({ scope, state: { by } }) => ({ scope, by }),
  ask: ({ session, scope, state: { by } }) => session.engine.hotFunctions({ scope, by, limit: MOST }),
  content: (rows, { metric, state: { by } }) => ({
    by,
    metric: shorten(metric.name, 200),
    unit: shorten(metric.unit, 200),
    total: metric.total,
    names: cutToFit(rows.map((row) => row.name)),
    values: Float64Array.from(rows, (row) => row[by]),
  }),
  subject: (rows, mark) => {
    const row = rows.at(mark ?? NaN);
    return row && { target: { kind: "function", function: row.function }, name: row.name };
  },
  markOf: (rows, { target }) => {
    const at = target.kind === "function" ? rows.findIndex((row) => row.function === target.function) : -1;
    return at < 0 ? undefined : at;
  },
};
