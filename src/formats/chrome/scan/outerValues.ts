import type { Task } from "../../../model/task";
import type { JsonTokens, Token } from "../../jsonTokens";
import type { JsonValue } from "./jsonValues";

/** Of longer lists and deeper values only the beginning is kept. */
const MOST_ENTRIES = 1024;
const MOST_DEPTH = 8;
const ENTRIES_BETWEEN_CHECKS = 1024;

/** Values beside the events, token by token from the file: they should be small, and what is kept of them is. */
export class OuterValues {
  private entries = 0;

  constructor(
    private readonly tokens: JsonTokens,
    private readonly task: Pick<Task, "check">,
  ) {}

  /** @returns undefined where the file ends inside */
  async read(first: Token, depth = 0): Promise<JsonValue | undefined> {
    const { tokens } = this;
    if (first === "end") return undefined;
    if (first === "string" || first === "bare") return tokens.text;
    if (first === "number") return tokens.number;
    if (first === "boolean") return tokens.text === "true";
    if (first === "null") return null;
    if (first !== "{" && first !== "[") throw tokens.unexpected(first, "a value");
    if (depth >= MOST_DEPTH) {
      await tokens.skip(first);
      return null;
    }
    return first === "[" ? this.list(depth) : this.object(depth);
  }

  private look(): void {
    if (++this.entries % ENTRIES_BETWEEN_CHECKS === 0) this.task.check();
  }

  private async list(depth: number): Promise<JsonValue | undefined> {
    const { tokens } = this;
    const values: JsonValue[] = [];
    for (let token = await tokens.next(); token !== "]"; token = await tokens.next()) {
      if (token === ",") continue;
      this.look();
      const value = await this.read(token, depth + 1);
      if (value === undefined) return undefined;
      if (values.length < MOST_ENTRIES) values.push(value);
    }
    return values;
  }

  private async object(depth: number): Promise<JsonValue | undefined> {
    const { tokens } = this;
    const entries = new Map<string, JsonValue>();
    for (let token = await tokens.next(); token !== "}"; token = await tokens.next()) {
      if (token === ",") continue;
      this.look();
      if (token === "end") return undefined;
      if (token !== "string") throw tokens.unexpected(token, "a key");
      const key = tokens.text;
      const colon = await tokens.next();
      if (colon === "end") return undefined;
      if (colon !== ":") throw tokens.unexpected(colon, "a colon after the key");
      const value = await this.read(await tokens.next(), depth + 1);
      if (value === undefined) return undefined;
      if (entries.size < MOST_ENTRIES) entries.set(key, value);
    }
    return entries;
  }
}
