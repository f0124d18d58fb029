/** What is searched for, which marks are found, and which of them was gone to last. */
import type { Place } from "../../src/protocol/panel";
import { plural } from "../shared/text";

/** What is found. */
export interface Found {
  /** On screen. */
  readonly marks: ReadonlySet<number>;
  /** Where there may be more than on screen: those to go to, one after the other, and how many there are in all. */
  readonly places?: readonly Place[];
  readonly count?: number;
}

export class Search {
  /** Undefined: the search is closed. */
  text: string | undefined;
  private all: Found | undefined;
  private last: number | undefined;

  /** Undefined: nothing is searched for. */
  get found(): ReadonlySet<number> | undefined {
    return this.all?.marks;
  }

  /** @param find marks of a text that says something; undefined where it finds none by that */
  look(find: (text: string) => Found | undefined): void {
    const { text } = this;
    this.all = text === undefined || text.trim() === "" ? undefined : find(text);
  }

  /** Where a mark that was found lies, where that may be out of sight. */
  placeOf(mark: number): Place | undefined {
    return this.all?.places?.find((place) => place.mark === mark);
  }

  /** Something else is searched for, or searched. */
  begin(): void {
    this.last = undefined;
  }

  /** `8 ranks`, and after going to one `3 of 8`; where only some of all can be gone to, `3 of 500 nearest, 8,772 in all`. */
  countText([one, many]: readonly [string, string]): string {
    const { all, last, order } = this;
    if (!all) return "";
    const at = last === undefined ? -1 : order.indexOf(last);
    const count = all.count ?? all.marks.size;
    if (at < 0) return plural(count, one, many);
    const among = `${at + 1} of ${order.length.toLocaleString("en")}`;
    return all.places && order.length < count ? `${among} nearest, ${count.toLocaleString("en")} in all` : among;
  }

  /** Goes on to the next one that was found, round and round. */
  next(backwards: boolean): number | undefined {
    const all = this.order;
    const at = this.last === undefined ? -1 : all.indexOf(this.last);
    this.last = backwards ? all.at(at < 0 ? -1 : at - 1) : all[(at + 1) % all.length];
    return this.last;
  }

  private get order(): readonly number[] {
    const { all } = this;
    return all?.places?.map(({ mark }) => mark) ?? [...(all?.marks ?? [])];
  }
}
