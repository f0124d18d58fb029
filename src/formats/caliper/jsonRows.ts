import type { JsonTokens } from "../jsonTokens";
import { numberOf } from "./fields";

/** The rows of a json-split file: numbers, and which cells are empty. */
export class JsonRows {
  /** Values a row. */
  width = 0;
  count = 0;
  private cells = new Float64Array(1024);
  private filled = new Uint8Array(1024);
  private used = 0;

  /** The value of a cell; undefined where it is empty. */
  cell(row: number, column: number): number | undefined {
    const at = row * this.width + column;
    return this.filled[at] === 1 ? this.cells[at] : undefined;
  }

  async read(tokens: JsonTokens): Promise<void> {
    await tokens.expect("[", "an array of rows");
    let inRow = false;
    for (;;) {
      // Waiting costs more than a token: only where the window is empty.
      const token = tokens.scan() ?? (await tokens.next());
      if (token === ",") continue;
      if (!inRow) {
        if (token === "]") return;
        if (token !== "[") throw tokens.unexpected(token, "a row");
        inRow = true;
      } else if (token === "]") {
        this.endRow(tokens);
        inRow = false;
      } else if (token === "number") this.push(tokens.number);
      else if (token === "null" || token === "boolean") this.push(undefined);
      else if (token === "string" || token === "bare") this.push(numberOf(tokens.text));
      else throw tokens.unexpected(token, "a value");
    }
  }

  private endRow(tokens: JsonTokens): void {
    const width = this.used - this.count * this.width;
    if (this.count === 0) this.width = width;
    else if (width !== this.width) throw tokens.unexpected("]", `${this.width} values a row, as in the first one`);
    this.count++;
  }

  private push(value: number | undefined): void {
    if (this.used === this.cells.length) {
      const cells = new Float64Array(this.used * 2);
      const filled = new Uint8Array(this.used * 2);
      cells.set(this.cells);
      filled.set(this.filled);
      this.cells = cells;
      this.filled = filled;
    }
    if (value !== undefined) {
      this.cells[this.used] = value;
      this.filled[this.used] = 1;
    }
    this.used++;
  }
}
