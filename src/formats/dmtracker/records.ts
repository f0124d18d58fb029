import type { Task } from "../../model/task";
import { PieceWindow } from "../byteSource";
import type { ReadContext } from "../format";
import { endsEarly, JsonTokens } from "../jsonTokens";

/** A flat record: values as they are written, since times have more digits than a double; addresses are bare hex. */
export type FlatRecord = ReadonlyMap<string, string>;

const MOST_KEYS = 1000;
const CHECK_EVERY = 1024;

/**
 * Reads a list of flat records, one by one.
 *
 * @returns sentences about what follows the list or is missing at its end, and about its strings
 * @throws FormatError where it is no such list
 */
export async function readRecords(
  file: string,
  context: ReadContext,
  task: Task,
  take: (record: FlatRecord) => void,
): Promise<string[]> {
  const source = await context.open(file);
  const window = new PieceWindow(source, task);
  const tokens = new JsonTokens(window, source.name);
  try {
    const end = await readList(tokens, task, take);
    return [end, tokens.escapes.sentence].filter((sentence) => sentence !== undefined);
  } finally {
    await window.settle();
    await source.close();
  }
}

/** @returns a sentence about what follows the list or is missing at its end */
async function readList(
  tokens: JsonTokens,
  task: Task,
  take: (record: FlatRecord) => void,
): Promise<string | undefined> {
  let count = 0;
  await tokens.expect("[", "a list of records");
  for (;;) {
    const token = await tokens.next();
    if (token === ",") continue;
    if (token === "]") break;
    if (token === "end") return "the file ends early: the list of records is not closed";
    if (token !== "{") throw tokens.unexpected(token, "a record");
    const record = await readRecord(tokens);
    if (record === undefined) return "the file ends early: its last record is not whole, and was left out";
    take(record);
    if (++count % CHECK_EVERY === 0) task.check();
  }
  return (await tokens.next()) === "end" ? undefined : "something follows the end of the list: it was not read";
}

/** @returns undefined where the file ends inside */
async function readRecord(tokens: JsonTokens): Promise<FlatRecord | undefined> {
  try {
    return await recordOf(tokens);
  } catch (problem) {
    if (endsEarly(problem)) return undefined;
    throw problem;
  }
}

async function recordOf(tokens: JsonTokens): Promise<FlatRecord> {
  const record = new Map<string, string>();
  await tokens.object(async (key) => {
    const value = await tokens.next();
    if (value === "end") throw tokens.unexpected(value, "a value");
    if (value === "{" || value === "[") await tokens.skip(value);
    else if (record.size < MOST_KEYS && value !== "null") record.set(key, tokens.text);
  }, "the name of an attribute");
  return record;
}
