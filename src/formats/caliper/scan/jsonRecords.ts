/**
 * Caliper's json: a list of records, `{"path": "main/solve", attribute: value, …}`, or an object that holds it with the globals
 * and attributes beside it (docs: caliper.md, json). Records of one kind have the same keys and texts; what a kind means is found
 * out once, as for `.cali` streams, so both forms give the same numbers.
 */
import { TRUNCATED } from "../../warnings";
import { FormatError } from "../../../model/errors";
import type { Task } from "../../../model/task";
import type { PieceWindow } from "../../byteSource";
import { JsonTokens } from "../../jsonTokens";
import { JsonRecord, RecordKinds } from "../decode/jsonRecordKinds";
import { readTexts, warnOfEscapes, warnOfRest } from "./jsonRest";
import { readRecording, type ReadForm } from "../decode/readRecording";
import type { Recording } from "../decode/recording";
import { isCaliperKey } from "../decode/recordKeys";

/** Records between two checks for a cancel, and for rows that should leave the memory. */
const SETTLE_RECORDS = 2048;

/** Whether a file begins as Caliper's records do: objects of simple values, with a key that Caliper writes. */
export function isJsonRecords(head: Uint8Array): boolean {
  const tokens = JsonTokens.ofHead(head);
  try {
    let token = tokens.scan();
    if (token === "{") {
      if (tokens.scan() !== "string" || tokens.text !== "records" || tokens.scan() !== ":") return false;
      token = tokens.scan();
    }
    return token === "[" && hasCaliperKey(tokens);
  } catch {
    return false; // what cannot be taken apart is none of Caliper's
  }
}

function hasCaliperKey(tokens: JsonTokens): boolean {
  let key: string | undefined;
  let inside = false;
  for (let token = tokens.scan(); token !== undefined; token = tokens.scan()) {
    if (token === "{") {
      if (inside) return false;
      inside = true;
    } else if (token === "}") inside = false;
    else if (token === "[" || token === "]") return false;
    else if (token === ":" && key !== undefined) {
      if (isCaliperKey(key)) return true;
      if (key === "ph") return false; // events of Chrome's format
    } else if (!inside && token !== ",") return false;
    key = token === "string" ? tokens.text : undefined;
  }
  return false;
}

/** Reads one file. */
export const readJsonRecords: ReadForm = (source, hierarchy, task, pieceBytes, columnFiles) => {
  const format = { id: "caliper-json", label: "Caliper json" };
  return readRecording(format, source, hierarchy, task, pieceBytes, columnFiles, (recording, window) =>
    new RecordReader(recording, window, task).read(),
  );
};

class RecordReader {
  private readonly tokens: JsonTokens;
  private readonly kinds: RecordKinds;
  private readonly record = new JsonRecord();

  constructor(
    private readonly recording: Recording,
    private readonly window: PieceWindow,
    private readonly task: Task,
  ) {
    this.tokens = new JsonTokens(window, recording.file);
    this.kinds = new RecordKinds(recording);
  }

  async read(): Promise<void> {
    const { tokens, recording } = this;
    try {
      const first = await tokens.next();
      if (first === "[") {
        await this.readRecords();
        await warnOfRest(tokens, recording, "list");
      } else if (first === "{") await this.readObject();
      else throw tokens.unexpected(first, "a list of records");
    } catch (problem) {
      // What stands before the end is whole; without any record there is nothing to show.
      if (!isCut(problem) || recording.records === 0) throw problem;
      const message = "the file ends before its last bracket: what stands before was read, the rest is missing";
      recording.warn(TRUNCATED, message, { byte: tokens.position });
    }
    warnOfEscapes(tokens, recording);
  }

  private async readObject(): Promise<void> {
    const { tokens, recording } = this;
    try {
      await tokens.object(async (key) => {
        if (key === "records") {
          await tokens.expect("[", "a list of records");
          await this.readRecords();
        } else if (key === "globals") {
          for (const [name, value] of await readTexts(tokens)) recording.global(name, value);
        } else if (key === "attributes") await this.readAttributes();
        else await tokens.skip(await tokens.next());
      });
    } catch (problem) {
      if (!(problem instanceof NotReadable)) throw problem;
      return;
    }
    await warnOfRest(tokens, recording, "object");
  }

  private async readRecords(): Promise<void> {
    const { tokens, recording } = this;
    for (;;) {
      const token = tokens.scan() ?? (await tokens.next());
      if (token === ",") continue;
      if (token === "]") return;
      if (token !== "{") throw tokens.unexpected(token, "a record");
      await this.readRecord();
      this.kinds.take(this.record);
      if (++recording.records % SETTLE_RECORDS !== 0) continue;
      this.task.check();
      await recording.settleEvents(this.task);
    }
  }

  private async readRecord(): Promise<void> {
    const { tokens, record } = this;
    record.clear();
    for (;;) {
      let token = tokens.scan() ?? (await tokens.next());
      if (token === ",") continue;
      if (token === "}") return;
      if (token !== "string") throw tokens.unexpected(token, "a key");
      const key = tokens.text;
      token = tokens.scan() ?? (await tokens.next());
      if (token !== ":") throw tokens.unexpected(token, "a colon after the key");
      token = tokens.scan() ?? (await tokens.next());
      if (token === "number") this.addNumber(key);
      else if (token === "string" || token === "bare" || token === "boolean") this.addText(key, tokens.text);
      else if (token === "{" || token === "[") {
        this.recording.warn("nested values", `${JSON.stringify(key.slice(0, 60))} has a list or an object: left out`);
        await tokens.skip(token);
      } else if (token !== "null") throw tokens.unexpected(token, "a value");
    }
  }

  private addNumber(key: string): void {
    const { number } = this.tokens;
    // A time in nanoseconds since 1970 has more digits than a double: it is read from its digits.
    if (Math.abs(number) >= 2 ** 53 || this.kinds.isDeviceTime(key)) this.record.wide(key, number, this.lastWord());
    else this.record.number(key, number);
  }

  private addText(key: string, text: string): void {
    if (this.kinds.isNumber(key, text)) this.record.wide(key, Number(text), text);
    else this.record.text(key, text);
  }

  /** The digits of the number that was read last: they still stand before the next token. */
  private lastWord(): string {
    const { bytes, start } = this.window;
    let from = start;
    while (from > 0 && bytes[from - 1] >= 48 && bytes[from - 1] <= 57) from--;
    return Buffer.from(bytes.subarray(from, start)).toString("latin1");
  }

  /** Names are written there as they are, quotes among them. @throws NotReadable where they cannot be taken apart */
  private async readAttributes(): Promise<void> {
    const { tokens } = this;
    try {
      await tokens.expect("{", "an object of attributes");
      await tokens.object(async (name) => this.kinds.describe(name, await readTexts(tokens)), "an attribute's name");
    } catch (problem) {
      if (!(problem instanceof FormatError)) throw problem;
      const message = `what the file says of its attributes cannot be read (found ${problem.problem.found}): units and names are those of the records`;
      this.recording.warn("attributes", message, problem.problem.at);
      throw new NotReadable();
    }
  }
}

/** Thrown where nothing that follows can be read either; it was said why. */
class NotReadable extends Error {}

function isCut(problem: unknown): boolean {
  return problem instanceof FormatError && problem.problem.found === "the end of the file";
}
