/** What is said of parts of the machine and of what connects them, in words and numbers. Pure. */
import { formatShare, formatStretch, formatValue } from "../../src/model/units";
import type { HardwareBox, HardwareContent, HardwareLine } from "../../src/protocol/hardware";
import type { Details } from "../kit/frame/model";
import type { Fact } from "../kit/stage/scene";
import { plural, visible } from "../shared/text";

/** What a share is of. */
const USES: Readonly<Record<NonNullable<HardwareBox["by"]>, string>> = {
  threads: "its threads compute",
  kernels: "a kernel runs",
  capacity: "of its capacity is used",
  system: "busy, as the system measured",
  transfers: "a transfer is under way",
  inside: "mean of what it holds",
};

/** `46.3 %`; what was not recorded is never 0. */
export function shareText(share: number | null): string {
  return share === null ? "not recorded" : formatShare(Math.min(1, share));
}

/** Whether a mark is an element; else it is a link. */
export function isElement({ elements }: HardwareContent, mark: number): boolean {
  return mark < elements.length;
}

/** Whether a mark is drawn as one: a line without numbers of its own is a line alone. */
export function isMark(content: HardwareContent, mark: number): boolean {
  return isElement(content, mark) || content.links[mark - content.elements.length].of !== "topology";
}

export function boxFacts({ elements }: HardwareContent, at: number): Fact[] {
  const { by, share, together, known, least, most, size, bytes, capacity, lanes, laneNames, kind, type } = elements[at];
  const facts: Fact[] = [by === null ? ["use", "not recorded"] : [USES[by], shareText(share)]];
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
