/** What is said of moved data: behind lines, in CodeLenses, in hovers. Pure. */
import type {
  DocumentMovement,
  FunctionMovement,
  LineMovement,
  Moved,
  MovedPartners,
  MovedTransfers,
} from "../engine/api";
import { shortName } from "../model/shortName";
import { counted } from "../model/texts";
import { formatShare, formatValue } from "../model/units";
import { amount, plain } from "./markdown";

/** In front of all that is said of moved data. */
export const MOVED = "⇄";
/** Directions that are named behind one line. */
const MOST_DIRECTIONS = 2;
/** Characters of a word of the recording's own. */
const MOST_WORD = 40;

/** Sent or copied by a line, a function or a recording: what heat by bytes is of. */
export function bytesMoved({ transfers, messages, received, collectives }: Moved): number {
  return transfers.bytes + messages.bytes + received.bytes + collectives.bytes;
}

/** Behind a line: `⇄ 2.15 GB H→D · 35.3 GB/s`, `⇄ 1.23 MB to 3 ranks`, `⇄ 29× pagefaults.gpu · 1.20 ms`. */
export function movementText(line: Moved): string {
  const parts = [...transferTexts(line), ...messageTexts(line)];
  return `${MOVED} ${parts.join(", ")}`;
}

function transferTexts({ transfers, parts }: Moved): string[] {
  const byDirection = directionsOf(parts);
  const moving = byDirection.filter(({ moves }) => moves);
  const named = moving
    .slice(0, MOST_DIRECTIONS)
    .map(({ direction, bytes, count }) => `${sizeText(bytes, count)} ${directionText(direction)}`);
  const more = moving.length > MOST_DIRECTIONS ? [`${moving.length - MOST_DIRECTIONS} more`] : [];
  const rate = transfers.bytes > 0 && transfers.seconds > 0 ? ` · ${rateText(transfers)}` : "";
  const others = byDirection
    .filter(({ moves }) => !moves)
    .map(
      ({ direction, count, seconds }) =>
        `${timesText(count, direction)}${seconds > 0 ? ` · ${formatValue(seconds, "s")}` : ""}`,
    );
  return [...(moving.length > 0 ? [`${[...named, ...more].join(", ")}${rate}`] : []), ...others.slice(0, 1)];
}

function messageTexts({ messages, received, collectives }: Moved): string[] {
  return [
    ...(messages.count > 0
      ? [`${sizeText(messages.bytes, messages.count, "message")}${partnersText(messages, "to")}`]
      : []),
    ...(received.count > 0
      ? [`${sizeText(received.bytes, received.count, "message")}${partnersText(received, "from")}`]
      : []),
    ...(collectives.count > 0 ? [`${sizeText(collectives.bytes, collectives.count, "call")} to collectives`] : []),
  ];
}

function partnersText({ partners }: MovedPartners, way: "to" | "from"): string {
  return partners === 0 ? "" : ` ${way} ${counted(partners, "rank")}`;
}

/** What has no recorded size is counted. */
function sizeText(bytes: number, count: number, of = "transfer"): string {
  return bytes > 0 ? formatValue(bytes, "B") : counted(count, of);
}

function timesText(count: number, direction: string): string {
  return `${formatValue(count, "1")}× ${shortName(direction, MOST_WORD)}`;
}

function rateText({ bytes, seconds }: { readonly bytes: number; readonly seconds: number }): string {
  return formatValue(bytes / seconds, "B/s");
}

/** `H→D` for `HtoD`; other words are the recording's own. */
export function directionText(direction: string): string {
  const [, from, to] = /^([HDAP])to([HDAP])$/.exec(direction) ?? [];
  return from === undefined ? shortName(direction, MOST_WORD) : `${from}→${to}`;
}

/** Device pairs of one direction together, those with most bytes first; seconds are those of each pair, added up. */
function directionsOf(parts: readonly MovedTransfers[]): Omit<MovedTransfers, "fromDevice" | "toDevice">[] {
  const found = new Map<string, { direction: string; moves: boolean; bytes: number; count: number; seconds: number }>();
  for (const { direction, moves, bytes, count, seconds } of parts) {
    const known = found.get(direction);
    if (!known) found.set(direction, { direction, moves, bytes, count, seconds });
    else {
      known.bytes += bytes;
      known.count += count;
      known.seconds += seconds;
    }
  }
  return [...found.values()].sort((a, b) => b.bytes - a.bytes || b.seconds - a.seconds);
}

/** Above a function: `⇄ 2.15 GB moved, during 8.10 % of the run`, `⇄ 190 kB sent in 93 messages to 3 ranks`; undefined where there is nothing to say. */
export function movementLensTitle(
  moved: FunctionMovement,
  { seconds }: Pick<DocumentMovement, "seconds">,
): string | undefined {
  const { transfers, messages, received, collectives } = moved;
  const during =
    seconds > 0 && transfers.seconds > 0 ? `, during ${formatShare(transfers.seconds / seconds)} of the run` : "";
  const told = (of: MovedPartners, word: string, way: "to" | "from") =>
    of.count === 0
      ? []
      : [
          `${of.bytes > 0 ? `${formatValue(of.bytes, "B")} ${word} in ` : ""}${counted(of.count, "message")}${partnersText(of, way)}`,
        ];
  const parts = [
    ...(transfers.count > 0 ? [`${sizeText(transfers.bytes, transfers.count)} moved${during}`] : []),
    ...told(messages, "sent", "to"),
    ...told(received, "received", "from"),
    ...(collectives.bytes > 0 ? [`${formatValue(collectives.bytes, "B")} to collectives`] : []),
  ];
  return parts.length === 0 ? undefined : `${MOVED} ${parts.join(" · ")}`;
}

/** In the hover of a line, by direction and device pair, and by partner; as Markdown. */
export function movementBlock(lines: readonly LineMovement[]): string {
  return lines
    .map((line) => [`**${plain(movementText(line))}**${placesOf(line)}`, ...tablesOf(line)].join("\n\n"))
    .join("\n\n");
}

function placesOf({ oneOf }: LineMovement): string {
  return oneOf === undefined ? "" : ` (one of ${oneOf} places)`;
}

function tablesOf({ parts, messages: sent, received }: LineMovement): string[] {
  const transfers = parts.map(({ direction, moves, fromDevice, toDevice, bytes, count, seconds }) => [
    amount(moves && bytes > 0 ? formatValue(bytes, "B") : `${formatValue(count, "1")}×`),
    amount(moves && bytes > 0 && seconds > 0 ? rateText({ bytes, seconds }) : formatValue(seconds, "s")),
    plain(
      `${directionText(direction)}${moves ? `, ${deviceName(fromDevice)} → ${deviceName(toDevice)}` : ""}, ${formatValue(count, "1")}×`,
    ),
  ]);
  const messages = [sent, received].flatMap(({ heaviest }, at) =>
    heaviest.map(({ partner, bytes, count }) => [
      amount(formatValue(bytes, "B")),
      amount(counted(count, "message")),
      plain(`${at === 0 ? "to" : "from"} ${shortName(partner, MOST_WORD)}`),
    ]),
  );
  const more = [sent, received].reduce((sum, { partners, heaviest }) => sum + partners - heaviest.length, 0);
  return [
    ...(transfers.length > 0 ? [tableOf(transfers)] : []),
    ...(messages.length > 0 ? [tableOf(messages)] : []),
    ...(more > 0 ? [`${counted(more, "more rank")}`] : []),
  ];
}

function tableOf(rows: readonly (readonly string[])[]): string {
  const cells = [["", "", ""], ["---:", "---:", ":---"], ...rows];
  return cells.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** @param device the tool's number; below 0: none */
export function deviceName(device: number): string {
  return device < 0 ? "host" : `GPU ${device}`;
}
