/** Members on a line: what they are, in which order they stand, and what is known of each. */
import type { Chosen, LocationUnit, MemberOrder, MembersInLine, MetricInfo } from "../../engine/api";
import { unitName } from "../../model/members";
import type { SelectControl } from "../../protocol/frame";
import { LINE_LIMIT, type MemberLine } from "../../protocol/members";
import { shownUnit } from "../../session/scopeChoice";
import type { View } from "./definition";
import { shorten } from "../../model/texts";

/** What a panel remembers of its members. */
export interface MembersState {
  /** Absent: the first kind that the recording has several of. */
  readonly by?: LocationUnit;
  readonly order: string;
}

type MembersView = Pick<View<MembersState>, "dataSet" | "state">;

/** What a member is called, and several. */
export function memberNouns(by: LocationUnit): [string, string] {
  return [unitName(by, 1), unitName(by, 2)];
}

/** The unit that values are divided by; ranks where the recording has none. */
export function unitIn({ dataSet: { units }, state }: MembersView): LocationUnit {
  return (units.find(({ by }) => by === state.by) ?? units.at(0))?.by ?? "rank";
}

/** The order that was chosen, where the recording has it; else by number. */
export function orderIn({ dataSet, state }: MembersView): { of: MemberOrder; text: string; metric?: MetricInfo } {
  const text = ordersOf({ dataSet }).find((known) => known === state.order) ?? "id";
  if (text === "id" || text === "value" || text === "host") return { of: text, text };
  const index = dataSet.metrics.findIndex(({ name }) => `metric:${shorten(name, 4096)}` === text);
  return { of: { metric: index }, text, metric: dataSet.metrics[index] };
}

function ordersOf({ dataSet: { metrics, units } }: Pick<MembersView, "dataSet">): string[] {
  const summed = metrics.filter(({ additive, reducedOverRanks }) => additive && !reducedOverRanks).slice(0, 1000);
  const hosts = units.some(({ by }) => by === "host") ? ["host"] : [];
  return ["id", "value", ...hosts, ...summed.map(({ name }) => `metric:${shorten(name, 4096)}`)];
}

export function unitControl(view: MembersView): SelectControl {
  return {
    kind: "select",
    id: "by",
    name: "Members",
    value: unitIn(view),
    choices: view.dataSet.units.map(({ by, members }) => ({ value: by, label: unitName(by, members.length) })),
  };
}

export function orderControl(view: MembersView): SelectControl {
  const label = (order: string) => {
    if (order.startsWith("metric:")) return `by ${shorten(order.slice("metric:".length), 100)} in all`;
    return order === "id" ? `by ${unitName(unitIn(view), 1)}` : `by ${order}`;
  };
  return {
    kind: "select",
    id: "order",
    name: "Order of the line",
    value: orderIn(view).text,
    standard: "id",
    choices: ordersOf(view).map((order) => ({ value: order, label: label(order) })),
  };
}

/** The members that are on the line: all, or evenly spaced ones where a message does not hold all. */
export function onLine({ order }: Pick<MembersInLine, "order">): Int32Array {
  const step = Math.ceil(order.length / LINE_LIMIT);
  return step <= 1 ? order : order.filter((_, position) => position % step === 0);
}

export function lineContent(answer: MembersInLine, view: MembersView): MemberLine {
  const { by, members, hosts, attribute } = answer;
  const line = onLine(answer);
  const { text, metric } = orderIn(view);
  return {
    by,
    nouns: memberNouns(by),
    order: text,
    keys: Array.from(line, (member) => members[member]),
    ...(hosts.some((host) => host >= 0) ? { hosts: line.map((member) => hosts[member]) } : {}),
    ...(metric && attribute
      ? {
          attribute: {
            name: shorten(metric.name, 200),
            unit: shorten(shownUnit(metric), 200),
            values: Float64Array.from(line, (member) => finite(attribute[member])),
          },
        }
      : {}),
  };
}

/** An answer about members, and the restriction that it was asked with. */
export interface AskedMembers extends MembersInLine {
  readonly within?: Chosen;
}

/** Which members a restriction leaves; undefined where that is to be asked: it is of other members, as of hosts among ranks. */
export function membersLeft(
  { by, members, within, chosen: held }: AskedMembers,
  chosen: Chosen,
): ((member: number) => boolean) | undefined {
  const wanted = new Set(chosen.members);
  if (chosen.by === by) return (member) => wanted.has(members[member]);
  return held && JSON.stringify(within) === JSON.stringify(chosen) ? (member) => held[member] === 1 : undefined;
}

/** Says so where not all members are on the line. @param rest what else is said of them */
export function lineNotes(answer: MembersInLine, rest: string): string[] {
  const [there, all] = [onLine(answer).length, answer.members.length];
  if (there === all) return [];
  const [few, many] = [there, all].map((count) => count.toLocaleString("en"));
  return [`The line and its table show ${few} of ${many} ${unitName(answer.by, all)}, evenly spaced; ${rest}.`];
}

/** What a message can hold in place of any number. */
export function finite(value: number): number {
  return Number.isFinite(value) ? value : 0;
}
