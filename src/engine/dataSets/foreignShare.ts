/** Share of a recording that the kernel and libraries have (semantics 16, kinds of frames). */
import { NONE } from "../../model/ids";
import { addTo } from "../../model/maps";
import { isKernelModule, isLibraryModule } from "../../supergraph/first/loadModules";
import type { OpenDataSet } from "./openDataSet";

/** A library with this share of the total is the program's own. */
const MIN_OWN_LIBRARY = 0.5;

/**
 * @param metric one that adds up
 * @returns exclusive of the kernel and of libraries, divided by that of all functions; 0 if no load modules were recorded
 */
export function foreignShare(open: OpenDataSet, metric: number): number {
  const { frames, values, tree } = open.dataSet;
  if (metric < 0 || !frames.hasModules || tree.size === 0) return 0;
  const { rowStart, value } = values[metric];
  const ofModule = new Map<number, number>();
  let total = 0;
  for (let context = 0; context < tree.size; context++) {
    let sum = 0;
    for (let at = rowStart[context]; at < rowStart[context + 1]; at++) if (value[at] > 0) sum += value[at];
    total += sum;
    const id = open.functions.ofContext[context];
    if (id !== NONE) addTo(ofModule, frames.moduleIndex(open.functions.frame[id]), sum);
  }
  let foreign = 0;
  for (const [module, seconds] of ofModule) {
    if (module === NONE) continue;
    const name = frames.strings.get(module);
    const isForeign = isKernelModule(name) || (isLibraryModule(name) && seconds < MIN_OWN_LIBRARY * total);
    if (isForeign) foreign += seconds;
  }
  return total > 0 ? foreign / total : 0;
}
