/** How a function scales over a parameter: its runs, the mean, what would be ideal, the fitted model, and below the efficiency. Pure. */
import { scaleLinear, scaleLog } from "d3-scale";
import { line } from "d3-shape";
import { formatAlong, formatEfficiency, formatValue, MAX_EFFICIENCY, threeDigits } from "../../src/model/units";
import type { ScalingContent, ScalingModel } from "../../src/protocol/ensembleRuns";
import { axisTicks, crisp, rule, TEXT_SIZE as SIZE, withRoom, wordsAt } from "../kit/axis";
import { tableOf, type TableSpec } from "../kit/definition";
import type { LegendEntry } from "../kit/frame/model";
import {
  type Box,
  circle,
  type DrawView,
  type Fact,
  type Mark,
  rounded,
  type Scene,
  type Shape,
} from "../kit/stage/scene";
import { numberColumn, textColumn } from "../kit/table/columns";
import type { Theme } from "../kit/theme/theme";
import { fit, fitName, plural, visible } from "../shared/text";
import { lineSign, type RunsViewPage } from "./view";

const MARGIN = { top: 44, right: 16, bottom: 40 } as const;
/** Of the height, for the efficiency below. */
const BELOW = 0.26;
const BETWEEN = 26;
/** Rows of the list beside the plot. */
const MOST_LISTED = 25;
/** Points of a model's curve. */
const SAMPLES = 64;
const RADIUS = 4;

type ToPixels = (value: number) => number;

export const scalingPage: RunsViewPage<ScalingContent> = {
  draw,
  tables: (content) => [functionTable(content), stepTable(content)],
  legend,
  hint: "click in the list: its curve · double click: hottest line",
  summary(content) {
    const { parameter, kind, runs, n } = content;
    const over = `${kind} scaling over ${visible(parameter).slice(0, 60)}`;
    const ends = n.length > 0 ? [`${n[0].toLocaleString("en")} – ${n[n.length - 1].toLocaleString("en")}`] : [];
    return [[over, ...ends, plural(runs.length, "run")], [over, ...ends], [over], [kind]].map((parts) =>
      parts.join(" · "),
    );
  },
  name: (content) => `${shownName(content)} over ${visible(content.parameter)}`,
  nouns: ["run", "runs"],
  named: ({ names, runs }) => [
    { first: 0, names },
    { first: names.length, names: runs },
  ],
  firstRun: ({ names }) => names.length,
  facts,
  aside: (content) => ({
    title: `lost at ${visible(content.parameter)} = ${lastOf(content)}`,
    items: [...content.names.keys()].slice(0, MOST_LISTED).map((at) => ({
      name: visible(content.names[at]) || "(no name)",
      number: Number.isNaN(content.lost[at]) ? "none" : formatValue(content.lost[at], content.unit),
      ...(Number.isNaN(content.lastEfficiency[at])
        ? { note: "new" }
        : { note: `efficiency ${efficiencyOf(content, content.lastEfficiency[at])}` }),
      mark: at,
    })),
  }),
  lead(content) {
    const [first] = content.names;
    if (first === undefined || !(content.lost[0] > 0)) return undefined;
    const name = visible(first);
    const lost = formatValue(content.lost[0], content.unit);
    const place = content.leadsTo === "" ? "" : ` · ${visible(content.leadsTo)}`;
    const at = `${visible(content.parameter).slice(0, 60)} = ${lastOf(content)}`;
    const whole = `${fitted(name, 60)} loses most at ${at}: ${lost} of ${formatValue(content.last[0], content.unit)}${place}`;
    return {
      wordings: [
        whole,
        `${fitted(name, 30)} loses ${lost}${place}`,
        `${fitted(name, 24)} loses ${lost}`,
        `${fitted(name, 12)} ${lost}`,
      ],
      hint: `${whole}: go to its hottest line`,
    };
  },
};

function fitted(name: string, most: number): string {
  return fit(name, most, (text) => Array.from(text).length);
}

function lastOf({ n }: ScalingContent): string {
  return (n.at(-1) ?? NaN).toLocaleString("en");
}

function shownName({ names, shown }: ScalingContent): string {
  return shown < 0 ? "no function" : visible(names[shown]) || "(no name)";
}

/** `T(n) = 1.20 ms + 30.0 ms · n^0.5 · log₂(n)`. */
export function modelText({ a, b, c, d }: ScalingModel, unit: string): string {
  if (b === 0) return `T(n) = ${formatValue(a, unit)}`;
  const power = c === 0 ? [] : [c === 1 ? "n" : `n^${short(c)}`];
  const logarithm = d === 0 ? [] : [d === 1 ? "log₂(n)" : `log₂(n)^${short(d)}`];
  const sign = b < 0 ? "−" : "+";
  const start = a === 0 ? (b < 0 ? "−" : "") : `${formatValue(a, unit)} ${sign} `;
  return `T(n) = ${start}${[formatValue(Math.abs(b), unit), ...power, ...logarithm].join(" · ")}`;
}

/** An exponent: 0.667. */
function short(exponent: number): string {
  return String(Number(exponent.toPrecision(3)));
}

/** What a model says. */
function modelled({ a, b, c, d }: ScalingModel, n: number): number {
  return b === 0 ? a : a + b * n ** c * Math.log2(n) ** d;
}

/** Text of an efficiency. Values above 200 % are shown only if other inputs also differ, otherwise as `> 200 %`. */
function efficiencyOf({ also }: ScalingContent, efficiency: number): string {
  return formatEfficiency(efficiency, also !== undefined);
}

function draw(content: ScalingContent, view: DrawView): Scene {
  const { theme, width, height } = view;
  const { n, time, ideal, values, model, unit } = content;
  const words = wordsAt(theme);
  const measure = view.measure(SIZE);
  const positive = [...time, ...values].filter((value) => value > 0);
  const all = [...time, ...values].filter(Number.isFinite);
  // A logarithm has no place for what is not positive.
  const isLog = positive.length > 0 && positive.length === all.length;
  const shownIdeal = [...ideal].filter((value) => Number.isFinite(value) && (!isLog || value > 0));
  const domain = domainOf([...all, ...shownIdeal], isLog);
  const efficiencyHeight = Math.max(30, Math.round((height - MARGIN.top - MARGIN.bottom) * BELOW));
  const timeHeight = Math.max(30, height - MARGIN.top - MARGIN.bottom - efficiencyHeight - BETWEEN);
  const yScale = isLog
    ? scaleLog(domain, [MARGIN.top + timeHeight, MARGIN.top])
    : scaleLinear(domain, [MARGIN.top + timeHeight, MARGIN.top]);
  const ticks = isLog
    ? logTicks(domain, timeHeight / 40).map((value) => ({ value, text: formatAlong(value, unit, value) }))
    : axisTicks(domain[0], domain[1], Math.max(2, Math.floor(timeHeight / 45)), unit);
  const widest = ticks.reduce((most, { text }) => Math.max(most, measure(text)), measure("100 %"));
  const left = Math.min(Math.ceil(widest) + 16, Math.max(40, width / 2));
  const plot: Box = { x: left, y: MARGIN.top, width: Math.max(40, width - left - MARGIN.right), height: timeHeight };
  const low: Box = { ...plot, y: plot.y + timeHeight + BETWEEN, height: efficiencyHeight };
  const [first, last] = [n.at(0) ?? 1, n.at(-1) ?? 2];
  const toX: ToPixels = scaleLog([first, Math.max(last, first * 1.0001)], [plot.x + 12, plot.x + plot.width - 12]);
  const toY: ToPixels = (value) => yScale(value);
  const bottom = low.y + low.height;
  const steps = withRoom(
    Array.from(n, (value) => ({ at: toX(value), text: value.toLocaleString("en") })),
    width,
    view,
  );
  const path = (of: Float64Array, to: ToPixels) =>
    line<number>()
      .defined((at) => Number.isFinite(of[at]) && (to !== toY || !isLog || of[at] > 0))
      .x((at) => rounded(toX(n[at])))
      .y((at) => rounded(to(of[at])))([...n.keys()]) ?? "";
  const efficiency = content.efficiency.map((value) =>
    content.also === undefined ? Math.min(value, MAX_EFFICIENCY) : value,
  );
  const best = efficiency.reduce((most, value) => (value > most ? value : most), 1);
  const toE: ToPixels = scaleLinear([0, best], [low.y + low.height, low.y]);
  // Efficiencies of different problems are not to be relied on.
  const ink = content.also === undefined ? theme.text : theme.muted;
  const clip = (value: number) => Math.min(domain[1], Math.max(domain[0], value));
  const title = fitName(shownName(content), plot.width * 0.6, view.measure(12, 600));
  return {
    below: [
      ...ticks.map(({ value }) => rule(`M${plot.x},${crisp(toY(value))}H${plot.x + plot.width}`, theme.grid)),
      ...[0, 0.5, 1].map((share) => rule(`M${low.x},${crisp(toE(share))}H${low.x + low.width}`, theme.grid)),
      ...Array.from(n, (value) => rule(`M${crisp(toX(value))},${plot.y}V${bottom}`, theme.grid)),
      ...pathShape(path(ideal, toY), { stroke: theme.muted, strokeWidth: 1.5, dash: [5, 4] }),
      ...(model
        ? pathShape(
            modelPath(model, [first, last], toX, (value) => toY(clip(value)), isLog),
            { stroke: theme.link, strokeWidth: 1.5 },
          )
        : []),
      ...pathShape(path(time, toY), { stroke: theme.text, strokeWidth: 1.5 }),
      ...pathShape(path(efficiency, toE), { stroke: ink, strokeWidth: 1.5 }),
      ...Array.from(n.keys()).flatMap((at) =>
        Number.isFinite(efficiency[at]) ? [dot(toX(n[at]), toE(efficiency[at]), ink)] : [],
      ),
    ],
    marks: runMarks(content, toX, toY, isLog, view),
    above: [
      words(10, 15, title, { weight: 600, size: 12, title: shownName(content) }),
      ...(model
        ? [
            words(10, 31, fit(`${modelText(model, unit)} · error ${threeDigits(model.error)} %`, width - 20, measure), {
              fill: theme.link,
            }),
          ]
        : [
            words(10, 31, fit(noModelText(content), width - 20, measure), {
              fill: theme.muted,
            }),
          ]),
      ...ticks.map(({ value, text }) => words(plot.x - 6, toY(value) + 4, text, { anchor: "end" })),
      ...[0, 0.5, 1].map((share) => words(low.x - 6, toE(share) + 4, `${100 * share} %`, { anchor: "end" })),
      words(low.x, low.y - 8, "efficiency", { fill: theme.soft, halo: theme.background }),
      ...steps.map(({ at, text }) => words(at, bottom + 15, text, { anchor: "middle" })),
      words(plot.x + plot.width, bottom + 32, `${fit(visible(content.parameter), plot.width - 24, measure)} →`, {
        anchor: "end",
        weight: 600,
      }),
    ],
    brush: plot,
  };
}

function pathShape(d: string, paint: Partial<Shape>): Shape[] {
  return d === "" ? [] : [{ kind: "path", d, ...paint } as Shape];
}

function noModelText({ also }: ScalingContent): string {
  return also === undefined ? "no model: needs five values of the parameter" : "no model: other inputs differ, too";
}

function dot(x: number, y: number, fill: string): Shape {
  const box = { x: rounded(x - 2), y: rounded(y - 2), width: 4, height: 4 };
  return { kind: "path", d: circle(box), fill };
}

function domainOf(values: readonly number[], isLog: boolean): [number, number] {
  const least = values.reduce((a, b) => Math.min(a, b), Infinity);
  const most = values.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!(least <= most)) return [0, 1];
  if (isLog) return [least / 1.3, most * 1.3];
  const padding = 0.06 * (most - least) || Math.abs(most) / 10 || 1;
  return [Math.min(0, least - padding), most + padding];
}

/** Powers of ten, or, of less than two, parts of one. */
function logTicks(domain: readonly [number, number], about: number): number[] {
  const ticks = scaleLog(domain, [0, 1]).ticks(Math.max(2, about));
  const powers = ticks.filter((value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9);
  const some = powers.length >= 2 ? powers : ticks;
  const every = Math.max(1, Math.ceil(some.length / Math.max(2, about)));
  return some.filter((_, at) => at % every === 0);
}

function modelPath(
  model: ScalingModel,
  [from, to]: readonly [number, number],
  toX: ToPixels,
  toY: ToPixels,
  isLog: boolean,
): string {
  const points = Array.from({ length: SAMPLES }, (_, at) => from * (to / from) ** (at / (SAMPLES - 1)));
  return (
    line<number>()
      .defined((n) => Number.isFinite(modelled(model, n)) && (!isLog || modelled(model, n) > 0))
      .x((n) => rounded(toX(n)))
      .y((n) => rounded(toY(modelled(model, n))))(points) ?? ""
  );
}

/** From left to right, then from below upwards. */
function runMarks(content: ScalingContent, toX: ToPixels, toY: ToPixels, isLog: boolean, { theme }: DrawView): Mark[] {
  const { names, runs, parameters, values } = content;
  return [...runs.keys()]
    .filter((run) => Number.isFinite(values[run]) && (!isLog || values[run] > 0))
    .sort((a, b) => parameters[a] - parameters[b] || values[a] - values[b] || a - b)
    .map((run) => {
      const [x, y] = [toX(parameters[run]), toY(values[run])].map(rounded);
      const box = { x: x - RADIUS, y: y - RADIUS, width: 2 * RADIUS, height: 2 * RADIUS };
      const same = runs.slice(0, run).filter((other) => other === runs[run]).length;
      return {
        id: names.length + run,
        key: `${same} ${runs[run]}`,
        box,
        d: circle(box),
        isRound: true,
        paint: { fill: theme.muted, stroke: theme.edge ?? theme.outline, strokeWidth: 1 },
        name: visible(runs[run]) || "(no name)",
        facts: () => facts(content, names.length + run),
        note: () => content.over,
      };
    });
}

function facts(content: ScalingContent, mark: number): Fact[] {
  const { names, lost, last, lastEfficiency, unit, parameter, parameters, values, runs } = content;
  const run = mark - names.length;
  if (run >= 0)
    return run < runs.length
      ? [
          [visible(parameter), parameters[run].toLocaleString("en")],
          [shownName(content), formatValue(values[run], unit)],
        ]
      : [];
  return [
    [`lost at ${lastOf(content)}`, formatValue(lost[mark], unit)],
    [`time at ${lastOf(content)}`, formatValue(last[mark], unit)],
    ["efficiency", Number.isNaN(lastEfficiency[mark]) ? "new" : efficiencyOf(content, lastEfficiency[mark])],
    ...(content.also === undefined ? [] : [["also different", visible(content.also)] as const]),
  ];
}

function legend({ model, reason, also }: ScalingContent, theme: Theme): LegendEntry[] {
  return [
    { parts: [lineSign("M0,5H16", theme.text), "mean of runs"] },
    { parts: [lineSign("M0,5H16", theme.muted, "5 3"), "ideal"] },
    ...(model ? [{ parts: [lineSign("M0,5H16", theme.link), "model"] }] : []),
    { parts: [visible(reason)] },
    ...(also === undefined ? [] : [{ parts: [`also different: ${visible(also)}`] }]),
  ];
}

function functionTable(content: ScalingContent): TableSpec<unknown> {
  const { names, places, lost, last, lastEfficiency, unit } = content;
  const column = (title: string, values: Float64Array) =>
    numberColumn<number>(
      title,
      (at) => values[at],
      (at) => (Number.isNaN(values[at]) ? "none" : formatValue(values[at], unit)),
    );
  return tableOf<number>({
    caption: "Functions",
    columns: [
      textColumn("function", (at) => visible(names[at])),
      column("lost", lost),
      column("time", last),
      numberColumn(
        "efficiency",
        (at) => lastEfficiency[at],
        (at) => (Number.isNaN(lastEfficiency[at]) ? "new" : efficiencyOf(content, lastEfficiency[at])),
      ),
      textColumn("defined at", (at) => visible(places[at])),
    ],
    rows: [...names.keys()],
    sortedBy: 1,
    markOf: (at) => at,
  });
}

function stepTable(content: ScalingContent): TableSpec<unknown> {
  const { n, time, ideal, efficiency, unit, model } = content;
  const column = (title: string, value: (at: number) => number) =>
    numberColumn<number>(title, value, (at) => (Number.isNaN(value(at)) ? "none" : formatValue(value(at), unit)));
  return tableOf<number>({
    caption: `${shownName(content)} over ${visible(content.parameter)}`,
    columns: [
      numberColumn("n", (at) => n[at]),
      column("mean", (at) => time[at]),
      column("ideal", (at) => ideal[at]),
      numberColumn(
        "efficiency",
        (at) => efficiency[at],
        (at) => (Number.isNaN(efficiency[at]) ? "none" : efficiencyOf(content, efficiency[at])),
      ),
      ...(model ? [column("model", (at) => modelled(model, n[at]))] : []),
    ],
    rows: [...n.keys()],
    sortedBy: 0,
    ascending: true,
    markOf: () => undefined,
  });
}
