/** Two values of many things as a message of bounded size. Pure. */
import type { CorrelationAnswer, MetricInfo, PointKind } from "../../engine/api";
import { unitName } from "../../model/members";
import { MESSAGE_LIMIT } from "../../protocol/bounds";
import type { Axis, ScatterMessage } from "../../protocol/correlation";
import { shownUnit } from "../../session/scopes";
import { shorten } from "../kit/shorten";

/** Most characters of a name, and digits of a value: tried in turn until the message is small enough. */
const cuts: readonly { characters: number; digits: number }[] = [
  { characters: 1000, digits: 17 },
  { characters: 200, digits: 17 },
  { characters: 120, digits: 9 },
  { characters: 40, digits: 6 },
  { characters: 12, digits: 6 },
];

/** What one axis shows. */
export interface AboutAxis {
  readonly metric: MetricInfo;
  readonly value: "exclusive" | "inclusive";
  /** Absent: the whole recording. */
  readonly of?: string;
}

export interface About {
  readonly points: PointKind;
  readonly x: AboutAxis;
  readonly y: AboutAxis;
  /** How contexts and functions are combined over ranks. */
  readonly over?: string;
  /** Sentences beside those about the points. */
  readonly notes: readonly string[];
}

/** A message, and which point of the answer each of its marks is. */
export interface Scatter {
  readonly message: ScatterMessage;
  readonly marks: readonly number[];
}

/**
 * Says so where each point has one metric's same value along both axes: r is 1 by that alone.
 *
 * @param following how many axes show a value of what is selected
 */
export function sameValueNotes(
  { fit, same }: CorrelationAnswer,
  { x, y }: { readonly x: AboutAxis; readonly y: AboutAxis },
  following: number,
): string[] {
  if (!same || fit.kind !== "line" || x.metric !== y.metric) return [];
  // Where both follow it, another selection changes both: only values of two kinds may part then.
  const doesSelecting = following === 1 || (following === 2 && x.value !== y.value);
  const choose = doesSelecting ? "Select something else, or choose" : "Choose";
  return [
    `x and y have the same value at each point, so the line says nothing. ${choose} another value for one of them.`,
  ];
}

/** @param numbers of this scatter in later messages, and of the last choice that was heard of */
export function scatter(
  answer: CorrelationAnswer,
  about: About,
  numbers: { readonly revision: number; readonly choice: number },
): Scatter {
  const isDrawn = (at: number) => Number.isFinite(answer.x[at]) && Number.isFinite(answer.y[at]);
  const marks = [...answer.ids.keys()].filter(isDrawn);
  for (const cut of cuts) {
    const message = cutTo(answer, about, marks, cut);
    if (JSON.stringify(message).length <= MESSAGE_LIMIT) return { message: { ...message, ...numbers }, marks };
  }
  throw new Error(`${marks.length} points do not fit into a message.`);
}

function cutTo(
  { fit, count, without, x, y, names, chosen, density }: CorrelationAnswer,
  about: About,
  marks: readonly number[],
  cut: { characters: number; digits: number },
): ScatterMessage {
  const { points } = about;
  const nouns: [string, string] =
    points === "context"
      ? ["calling context", "calling contexts"]
      : points === "function"
        ? ["function", "functions"]
        : [unitName(points, 1), unitName(points, 2)];
  const number = (value: number) => (cut.digits < 17 ? Number(value.toPrecision(cut.digits)) : value);
  const index = new Map<string, number>();
  const called = marks.map((at) => {
    const name = shorten(names[at], cut.characters);
    const known = index.get(name) ?? index.size;
    index.set(name, known);
    return known;
  });
  const several = (many: number) => `${many.toLocaleString("en")} ${nouns[many === 1 ? 0 : 1]}`;
  const notes: string[] = [];
  if (fit.leftOut > 0) notes.push(`${several(fit.leftOut)} left out: a value is not a finite number.`);
  if (without > 0) notes.push(`${several(without)} without either value left out.`);
  if (density)
    notes.push(
      `${several(count)} are too many to draw one by one: they are counted by cell. The line is through all of them.`,
    );
  if (cut.digits < 17) notes.push(`Values are given to ${cut.digits} digits.`);
  return {
    type: "scatter",
    revision: Number.MAX_SAFE_INTEGER,
    choice: Number.MAX_SAFE_INTEGER,
    points,
    nouns,
    ...(about.over === undefined || about.over === "" ? {} : { over: shorten(about.over, 400) }),
    x: axis(about.x),
    y: axis(about.y),
    fit,
    count,
    names: [...index.keys()],
    called,
    xs: marks.map((at) => number(x[at])),
    ys: marks.map((at) => number(y[at])),
    ...(chosen ? { chosen: [...marks.keys()].filter((mark) => chosen[marks[mark]] === 1) } : {}),
    ...(density
      ? {
          density: {
            columns: density.columns,
            rows: density.rows,
            x: [density.x[0], density.x[1]],
            y: [density.y[0], density.y[1]],
            cells: [...density.cells],
            counts: [...density.counts],
          },
        }
      : {}),
    notes: [...notes, ...about.notes].map((note) => shorten(note, 4096)),
  };
}

function axis({ metric, value, of }: AboutAxis): Axis {
  return {
    metric: shorten(metric.name, 200),
    unit: shorten(shownUnit(metric), 200),
    value,
    ...(of === undefined ? {} : { of: shorten(of, 400) }),
  };
}
