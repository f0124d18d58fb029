/** What is said of parts of the machine and of what connects them, in words and numbers. Pure. */
import { formatShare, formatStretch, formatValue } from "../../src/model/units";
import type { HardwareBox, HardwareContent, HardwareLine } from "../../src/protocol/hardware";
import type { Details } from "../kit/frame/model";
import type { Fact } from "../kit/stage/scene";
import { plural, visible } from "../shared/text";

type UsedBy = NonNullable<HardwareBox["by"]>;

/** What a share is of. */
const USES: Readonly<Record<UsedBy, string>> = {
  threads: "its threads compute",
  kernels: "a kernel runs",
  capacity: "of its capacity is used",
  system: "busy, whatever ran, as the system measured",
  transfers: "a transfer is under way",
  inside: "mean of what it holds",
};

/** The same behind the number. */
const OF: Readonly<Record<UsedBy, string>> = {
  threads: "of its threads' time",
  kernels: "in kernels",
  capacity: "of its capacity",
  system: "busy",
  transfers: "of the time",
  inside: "mean of its parts",
};

/** Shares that came from the system, whatever ran there, in order of elements: they have a ramp of their own. */
export function systemShares({ elements }: Pick<HardwareContent, "elements">): boolean[] {
  const inside = elements.map(() => ({ system: 0, others: 0 }));
  const found = elements.map(() => false);
  // Parents come first: all that a holder has is known before it.
  for (let at = elements.length - 1; at >= 0; at--) {
    const { by, parent } = elements[at];
    const { system, others } = inside[at];
    found[at] = by === "system" || (by === "inside" && system > others);
    if (by === null || parent < 0) continue;
    if (found[at]) inside[parent].system++;
    else inside[parent].others++;
  }
  return found;
}

/** `46.3 %`; what was not recorded is never 0. */
export function shareText(share: number | null): string {
  return share === null ? "not recorded" : formatShare(Math.min(1, share));
}

/** A part's use, the longest wording first: `93.1 % of its threads' time`, `93.1 %`. Two parts' shares may be of different things. */
export function useWordings({ share, by }: Pick<HardwareBox, "share" | "by">): readonly string[] {
  const text = shareText(share);
  return share === null || by === null ? [text] : [`${text} ${OF[by]}`, text];
}

/** Whether a mark is an element; else it is a link. */
export function isElement({ elements }: HardwareContent, mark: number): boolean {
  return mark < elements.length;
}

/** Whether a mark is drawn as one: a line without numbers of its own is a line alone. */
export function isMark(content: HardwareContent, mark: number): boolean {
  return isElement(content, mark) || content.links[mark - content.elements.length].of !== "topology";
}

function useFact({ by, share, lanes }: HardwareBox): Fact {
  if (by === null) return ["use", "not recorded"];
  const fact = [USES[by], shareText(share)] as const;
  return by === "threads" && lanes > 1 ? [...fact, "mean over its threads"] : fact;
}

export function boxFacts({ elements }: HardwareContent, at: number): Fact[] {
  const { together, known, least, most, size, bytes, capacity, lanes, laneNames, kind, type } = elements[at];
  const facts: Fact[] = [useFact(elements[at])];
  if (together > 1 && known > 0) {
    if (least !== most) facts.push(["each", `${shareText(least)} – ${shareText(most)}`]);
    if (known < together) facts.push(["known of", `${known} of ${together}`]);
  }
  if (bytes !== null) facts.push(["bytes", formatValue(bytes, "B")]);
  if (capacity !== null) facts.push(["capacity", formatValue(capacity, "B/s")]);
  if (size !== "") facts.push(["size", visible(size)]);
  if (lanes > 0) facts.push([plural(lanes, "lane"), visible(laneNames)]);
  facts.push(["recorded as", kind.toLowerCase() === type.toLowerCase() ? visible(type) : `${visible(type)} (${kind})`]);
  return facts;
}

/** `GPU 0 – host`. */
export function lineName(
  { elements }: Pick<HardwareContent, "elements">,
  { from, to, together }: HardwareLine,
): string {
  const ends = `${visible(elements[from].name)} – ${visible(elements[to].name)}`;
  return together > 1 ? `${ends} (${together})` : ends;
}

export function lineFacts({ elements }: HardwareContent, link: HardwareLine): Fact[] {
  const { by, share, bytes, bytesBack, count, capacity, rate, of, from, to } = link;
  const [one, other] = [visible(elements[from].name), visible(elements[to].name)];
  const facts: Fact[] = [by === null ? ["use", "not recorded"] : [USES[by], shareText(share)]];
  if (bytes !== null) facts.push([`to ${other}`, formatValue(bytes, "B")]);
  if (bytesBack !== null) facts.push([`to ${one}`, formatValue(bytesBack, "B")]);
  if (of !== "topology") facts.push(["count", plural(count, of === "transfers" ? "transfer" : "message")]);
  if (rate !== null) facts.push(["rate while it moved, whole run", formatValue(rate, "B/s")]);
  facts.push(["capacity", capacity === null ? "not recorded" : formatValue(capacity, "B/s")]);
  return facts;
}

export function markName(content: HardwareContent, mark: number): string {
  const { elements, links } = content;
  return isElement(content, mark) ? visible(elements[mark].name) : lineName(content, links[mark - elements.length]);
}

export function markFacts(content: HardwareContent, mark: number): Fact[] {
  const { elements, links } = content;
  return isElement(content, mark) ? boxFacts(content, mark) : lineFacts(content, links[mark - elements.length]);
}

export function details(content: HardwareContent, mark: number): Details | undefined {
  if (mark >= content.elements.length + content.links.length) return undefined;
  const members = isElement(content, mark) ? content.elements[mark].members : "";
  return {
    name: markName(content, mark),
    numbers: markFacts(content, mark),
    actions: members === "" ? [] : [{ id: "restrict", name: `Restrict to ${visible(members)}`, icon: "filter" }],
  };
}

/** What the shares are of that are drawn, by what they are said of. */
export function usesIn({ elements }: HardwareContent): readonly (readonly [what: string, is: string])[] {
  const has = (by: UsedBy) => elements.some((one) => one.by === by && one.kind !== "link");
  const uses: readonly (readonly [UsedBy, string, string])[] = [
    ["threads", "its threads' time", "in which they compute"],
    ["system", "busy", "as the system measured, whatever ran"],
    ["capacity", "capacity", "what was used of it"],
    ["kernels", "GPU", "a kernel runs"],
  ];
  return uses.flatMap(([by, what, is]) => (has(by) ? [[what, is] as const] : []));
}

/** `61.7 – 70.0 ms · 8.30 ms of 160 ms`, then how much there is. */
export function summary({ run, window, elements, links, recorded }: HardwareContent): string[] {
  const [all, part] = [run.to - run.from, window.to - window.from];
  const time =
    all > 0
      ? part < all
        ? `${formatStretch(window.from, window.to)} · ${formatValue(part, "s")} of ${formatValue(all, "s")}`
        : `whole run · ${formatValue(all, "s")}`
      : "no times were recorded";
  const known = elements.reduce((sum, one) => sum + one.known, 0);
  const parts = `${plural(recorded, "part")}${links.length > 0 ? ` · ${plural(links.length, "link")}` : ""}`;
  return [`${time} · ${parts} · use known of ${known.toLocaleString("en")}`, `${time} · ${parts}`, time];
}
