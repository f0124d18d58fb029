import * as vscode from "vscode";
import type { Chosen, DataSetInfo, Scope, TimeWindow } from "../engine/api";
import { howToWrite, readMembers } from "../model/memberInput";
import { type EventKind, eventKinds, kindsText } from "../model/eventKinds";
import { chosenText, memberRanges, unitName } from "../model/members";
import { cutList } from "../model/texts";
import { HOW_TO_WRITE_TIME, readTimes } from "../model/timeInput";
import { formatStretch } from "../model/units";
import { windowMetric } from "../session/scopeChoice";
import type { Session } from "../session/session";
import { asSentence } from "../session/notRecorded";
import { notices } from "../session/notices";

type Unit = DataSetInfo["units"][number];

/** Characters of the list of what there is. */
const MOST_LIST = 200;

/**
 * "Restrict to…": asks for ranks, threads, GPU streams, GPUs or hosts where the recording has several, or for a window of time or kinds
 * of work where it has events, and restricts to them.
 */
export async function askRestriction(session: Session, info: DataSetInfo, only?: Chosen["by"]): Promise<void> {
  const units = info.units.filter(({ by }) => only === undefined || by === only);
  const scope = session.scope(info.id);
  const hasTime = only === undefined && scope !== undefined && windowMetric(info, scope.metric) >= 0;
  if (units.length === 0 && !hasTime) {
    const text = `The numbers of ${info.name} cannot be restricted: it has fewer than two ranks, threads, GPU streams and hosts, and no events.`;
    void notices.showInformationMessage(text);
    return;
  }
  const now = scope?.chosen;
  const unit = units.length === 1 && !hasTime ? units[0] : await pickUnit(info, units, scope, hasTime);
  if (unit === "time") return askWindow(session, info, scope?.window);
  if (unit === "kinds") return askKinds(session, info, scope?.kinds?.of);
  const members = unit && (await askMembers(info, unit, now));
  if (!unit || !members) return;
  session.setCurrent(info.id);
  // All of them is no restriction.
  const isAll = members.length === unit.members.length;
  session.setRestriction(info.id, isAll ? undefined : { by: unit.by, members });
}

async function pickUnit(
  info: DataSetInfo,
  units: readonly Unit[],
  scope: Pick<Scope, "chosen" | "window" | "kinds"> | undefined,
  hasTime: boolean,
): Promise<Unit | "time" | "kinds" | undefined> {
  const { chosen: now, window, kinds } = scope ?? {};
  const items: (vscode.QuickPickItem & { readonly unit: Unit | "time" | "kinds" })[] = units.map((unit) => ({
    label: asSentence(unitName(unit.by, 2)).slice(0, -1),
    description: there(unit),
    detail: now?.by === unit.by ? `${chosenText(now)} now` : undefined,
    unit,
  }));
  const run = runOf(info);
  if (hasTime)
    items.push(
      {
        label: "Window of time",
        description: `the run is ${formatStretch(run[0], run[1])}`,
        detail: window ? `${formatStretch(window.from, window.to)} now` : undefined,
        unit: "time",
      },
      {
        label: "Categories",
        description: "categories of time: computing, communication, …",
        detail: kinds ? `${kindsText(kinds.of)} now` : undefined,
        unit: "kinds",
      },
    );
  return (await vscode.window.showQuickPick(items, { title: `Restrict all numbers of ${info.name} to` }))?.unit;
}

async function askWindow(session: Session, info: DataSetInfo, now: TimeWindow | undefined): Promise<void> {
  const [from, to] = runOf(info);
  const text = await vscode.window.showInputBox({
    title: `Restrict all numbers of ${info.name} to a window of time`,
    value: now ? formatStretch(now.from, now.to) : "",
    placeHolder: HOW_TO_WRITE_TIME,
    prompt: `The run is ${formatStretch(from, to)}.`,
    validateInput: (value) => readTimes(value, { from, to }).problem,
    ignoreFocusOut: true,
  });
  const window = text === undefined ? undefined : readTimes(text, { from, to });
  if (window?.from === undefined) return;
  session.setCurrent(info.id);
  session.setWindow(info.id, { from: window.from, to: window.to });
}

async function askKinds(session: Session, info: DataSetInfo, now: readonly EventKind[] | undefined): Promise<void> {
  const items = eventKinds.map((kind) => ({ label: kind, picked: now?.includes(kind) ?? false }));
  const title = `Restrict all numbers of ${info.name} to categories`;
  const picked = await vscode.window.showQuickPick(items, { title, canPickMany: true, ignoreFocusOut: true });
  if (!picked) return;
  session.setCurrent(info.id);
  // None, or all of them, is no restriction.
  const isAll = picked.length === 0 || picked.length === items.length;
  session.setKinds(info.id, isAll ? undefined : picked.map(({ label }) => label));
}

function runOf({ trace }: DataSetInfo): readonly [from: number, to: number] {
  return [trace?.startSeconds ?? 0, trace?.endSeconds ?? 0];
}

async function askMembers(
  info: DataSetInfo,
  { by, members }: Unit,
  now: Chosen | undefined,
): Promise<readonly string[] | undefined> {
  const read = (text: string) => readMembers(text, by, members);
  const text = await vscode.window.showInputBox({
    title: `Restrict all numbers of ${info.name} to ${unitName(by, 2)}`,
    value: now?.by === by ? memberRanges(now.members, "-") : "",
    placeHolder: howToWrite(by, members[0].split(".").length),
    prompt: `There are ${there({ by, members })}.`,
    validateInput: (value) => read(value).problem,
    // The focus that the list before gave back to a panel may arrive after this has opened.
    ignoreFocusOut: true,
  });
  return text === undefined ? undefined : read(text).members;
}

/** `8 ranks: 0-7`. */
function there({ by, members }: Pick<Unit, "by" | "members">): string {
  return `${members.length} ${unitName(by, members.length)}: ${cutList(memberRanges(members), MOST_LIST)}`;
}
