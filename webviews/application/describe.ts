/** What is said of contexts, in words and numbers. Pure. */
import { formatShare, formatStretch, formatValue } from "../../src/model/units";
import { type ApplicationContent, type ApplicationNode, eventKinds } from "../../src/protocol/application";
import type { Explained } from "../../src/protocol/panel";
import type { Details } from "../kit/frame/model";
import type { Fact } from "../kit/stage/scene";
import { plural, visible } from "../shared/text";

/** `+ 127 contexts, 3.2 %`; empty where nothing is folded. */
export function foldedText(
  { total }: Pick<ApplicationContent, "total">,
  { folded }: Pick<ApplicationNode, "folded">,
): string {
  if (folded.contexts === 0) return "";
  return `+ ${plural(folded.contexts, "context")}, ${formatShare(folded.value / total)}`;
}

/** Whether it was active in the shown window; without events it is not known. */
export function isActive({ time }: ApplicationNode): boolean {
  return time !== undefined && time.windowSeconds > 0;
}

export function nodeFacts(content: ApplicationContent, at: number): Fact[] {
  const { unit, total, window, run } = content;
  const { inclusive, exclusive, folded, time, kind } = content.nodes[at];
  const value = (what: string, amount: number): Fact => [what, formatValue(amount, unit), formatShare(amount / total)];
  const facts: Fact[] = [value("inclusive", inclusive), value("exclusive", exclusive), ["kind", eventKinds[kind]]];
  if (folded.contexts > 0) facts.push(value(plural(folded.contexts, "folded context"), folded.value));
  if (time && run && window) {
    const isWhole = window.from <= run.from && window.to >= run.to;
    const share = time.runSeconds > 0 ? time.windowSeconds / time.runSeconds : 0;
    if (!isWhole)
      facts.push(["in the window", formatValue(time.windowSeconds, "s"), `${formatShare(share)} of its time`]);
    facts.push(
      ["in the run, over lanes", formatValue(time.runSeconds, "s")],
      ["events", time.events.toLocaleString("en")],
    );
  }
  return facts;
}

export function details(content: ApplicationContent, mark: number, more: Explained | undefined): Details | undefined {
  const { nodes } = content;
  if (mark >= nodes.length) return undefined;
  const isFolded = nodes[mark].folded.contexts > 0 || nodes[mark].closed;
  const calls = isFolded || nodes.some(({ parent }) => parent === mark);
  return {
    name: visible(nodes[mark].name),
    ...(more?.place === undefined ? {} : { place: more.place }),
    numbers: nodeFacts(content, mark),
    actions: calls
      ? [
          {
            id: "toggle",
            name: isFolded ? "Show what it calls" : "Fold what it calls",
            icon: isFolded ? "list-tree" : "fold",
            key: "C",
          },
        ]
      : [],
  };
}

/** The window, where there is one, and how much of the tree is drawn. */
export function summary({ run, window, nodes, contexts, metric, over }: ApplicationContent): string[] {
  const drawn = `${nodes.length.toLocaleString("en")} of ${plural(contexts, "context")}`;
  const of = [metric, over]
    .filter((text) => text !== "")
    .map(visible)
    .join(", ");
  if (!run || !window) return [`${of} · ${drawn} · no events`, `${drawn} · no events`, drawn];
  const [part, all] = [window.to - window.from, run.to - run.from];
  const time =
    part < all
      ? `${formatStretch(window.from, window.to)} · ${formatValue(part, "s")} of ${formatValue(all, "s")}`
      : `whole run · ${formatValue(all, "s")}`;
  return [`${of} · ${time} · ${drawn}`, `${time} · ${drawn}`, time];
}
