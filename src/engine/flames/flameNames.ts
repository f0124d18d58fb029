/** What the rectangles of an answer are called: each name of each function once. */
import { shownOf } from "../../model/shortName";
import type { OpenDataSet } from "../dataSets/openDataSet";

export class FlameNames {
  readonly whole: string[] = [];
  /** What is shown of each of {@link whole}: where the tool knew no name, with the load module. */
  readonly shown: string[] = [];
  private readonly known = new Map<string, number>();

  constructor(private readonly open: Pick<OpenDataSet, "namedIn">) {}

  /**
   * Two functions of one name have places of their own.
   *
   * @param name of a rectangle: its function's, or what stands in that, as `line 12`
   * @param id of the function; -1: none, as of a bar that is called, or of what a filter hides
   * @returns its place in both lists
   */
  indexOf(name: string, id: number): number {
    const key = `${id} ${name}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    this.known.set(key, this.whole.length);
    this.shown.push(shownOf(this.open.namedIn(name, id)));
    return this.whole.push(name) - 1;
  }
}
