/** What filters leave, kept while there is room: going back, and raising a filter in steps, ask for the same trees again. */
import { type FilterBasis, filterContexts, type FilteredTree } from "./filter";

/** Contexts that all trees that are kept may have together, hidden ones too: 16 to 20 MB. */
const KEPT_CONTEXTS = 1 << 20;

export class FilteredTrees {
  /** The one that was asked for last comes first. */
  private known: { readonly basis: FilterBasis; readonly percent: number; readonly kept: FilteredTree }[] = [];

  /** @param mostContexts of the whole trees that are kept, together */
  constructor(private readonly mostContexts = KEPT_CONTEXTS) {}

  /** What a filter leaves; those that were asked for longest ago make room for it. @param percent 0 to 100 */
  of(basis: FilterBasis, percent: number): FilteredTree {
    const at = this.known.findIndex((one) => one.basis === basis && one.percent === percent);
    const found = at < 0 ? { basis, percent, kept: filterContexts(basis, percent) } : this.known[at];
    const others = this.known.filter((one) => one !== found);
    let contexts = 0;
    this.known = [found, ...others].filter((one) => (contexts += one.kept.home.length) <= this.mostContexts);
    return found.kept;
  }
}
