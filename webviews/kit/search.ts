/** What is searched for, which marks are found, and which of them was gone to last. */
import { plural } from "../shared/text";

export class Search {
  /** Undefined: the search is closed. */
  text: string | undefined;
  private marks: ReadonlySet<number> | undefined;
  private last: number | undefined;

  /** Undefined: nothing is searched for. */
  get found(): ReadonlySet<number> | undefined {
    return this.marks;
  }

  /** @param find marks of a text that says something; undefined where it finds none by that */
  look(find: (text: string) => ReadonlySet<number> | undefined): void {
    const { text } = this;
    this.marks = text === undefined || text.trim() === "" ? undefined : find(text);
  }

  /** Something else is searched for, or searched. */
  begin(): void {
    this.last = undefined;
  }

  /** `8 ranks`, and after going to one `3 of 8`. */
  countText([one, many]: readonly [string, string]): string {
    const { marks, last } = this;
    if (!marks) return "";
    const at = last === undefined ? -1 : [...marks].indexOf(last);
    return at < 0 ? plural(marks.size, one, many) : `${at + 1} of ${marks.size}`;
  }

  /** Goes on to the next one that was found, round and round. */
  next(backwards: boolean): number | undefined {
    const all = [...(this.marks ?? [])];
    const at = this.last === undefined ? -1 : all.indexOf(this.last);
    this.last = backwards ? all.at(at < 0 ? -1 : at - 1) : all[(at + 1) % all.length];
    return this.last;
  }
}
