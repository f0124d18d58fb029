import type { Warning } from "../../model/dataSet";

/** So many lines of one kind of problem are told one by one; the others are counted. */
const TOLD = 3;

/** What is wrong with a trace and is read all the same: bounded, however many lines it concerns. */
export class Problems {
  private readonly kinds = new Map<string, { count: number; file: string; readonly told: Warning[] }>();

  /**
   * @param kind what lines with this problem have in common, as `times that go back`
   * @param message of this line
   */
  note(kind: string, file: string, line: number, message: () => string): void {
    const known = this.kinds.get(kind);
    if (known === undefined) {
      this.kinds.set(kind, { count: 1, file, told: [{ message: message(), file, at: { line } }] });
      return;
    }
    known.count++;
    if (known.told.length < TOLD) known.told.push({ message: message(), file, at: { line } });
  }

  warnings(): Warning[] {
    return [...this.kinds].flatMap(([kind, { count, file, told }]) => {
      const further = count - told.length;
      return further === 0 ? told : [...told, { message: `${further} further lines: ${kind}`, file }];
    });
  }
}
