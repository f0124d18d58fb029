/** How the numbers of all bars of a graph are spread over ranks, threads or GPU streams: one pass over the cells. */
import { memberHistogram } from "../../analysis/memberHistograms";
import { rankSpread } from "../../analysis/rankStatistics";
import { NONE } from "../../model/ids";
import { chosenMembers, membersOf } from "../../model/members";
import type { Task } from "../../model/task";
import { type MemberMatrix, memberMatrix } from "../../supergraph/memberMatrix";
import type { GraphStructure } from "../../supergraph/superGraph";
import type { Scope } from "../scope";
import type { GraphSubject } from "./graphSubject";
import type { BarHistogramRequest, BarHistograms } from "../members/spreadApi";

/** Matrices that are kept: exclusive and inclusive of two recordings that are compared. 500 bars on 4,096 ranks are 16 MB. */
const KEPT_MATRICES = 4;
/** Of more members the bins say more than each of them. */
const MOST_VALUES = 32;

/** The values of one bar on all members. */
function rowOf({ value, members }: MemberMatrix, bar: number): Float64Array {
  return value.subarray(bar * members, (bar + 1) * members);
}

function picked(values: Float64Array, at: Int32Array): Float64Array {
  return Float64Array.from(at, (index) => values[index]);
}

export class BarSpreads {
  private matrices: {
    readonly structure: GraphStructure;
    readonly key: string;
    readonly matrix: MemberMatrix;
  }[] = [];

  constructor(private readonly subject: GraphSubject) {}

  histograms(
    structure: GraphStructure,
    scope: Scope,
    { of, by, bins }: BarHistogramRequest,
    task: Task,
  ): BarHistograms {
    const recording = this.subject.recordingOf(scope);
    const { locations } = recording.dataSet;
    const values = recording.valuesOf(scope);
    const { column } = values;
    const chosen = scope.chosen && chosenMembers(locations, scope.chosen);
    const members = membersOf(locations, chosen?.by ?? by);
    const counts = new Set((chosen ?? members).keys);
    const counting = Int32Array.from(members.keys.keys()).filter((member) => counts.has(members.keys[member]));
    if (counting.length === 0 || !column.some((place) => members.of[place] !== NONE))
      return { by: members.by, members: [], counting: 0, bars: [], values: new Float64Array() };
    const contextOf = (context: number) => this.subject.contextOf(scope.dataSet, context);
    const matrixOf = (what: "exclusive" | "inclusive") =>
      this.remembered(
        structure,
        JSON.stringify([scope.dataSet, scope.metric, scope.window, scope.kinds, what, members.by]),
        () => memberMatrix(structure, what, values, members, contextOf, task),
      );
    const [shown, whole] = [matrixOf(of), matrixOf("inclusive")];
    // Over ranks, or over what was chosen in their place (semantics 1): of a recording without ranks, most threads never ran a function.
    const hasImbalance = members.by === "rank" || chosen !== undefined;
    const bars = Array.from({ length: shown.bars }, (_, bar) => {
      if (bar % 50 === 0) task.check();
      const imbalance = hasImbalance ? rankSpread(picked(rowOf(whole, bar), counting)).imbalance : NaN;
      return { ...memberHistogram(rowOf(shown, bar), counting, bins), imbalance };
    });
    const each = new Float64Array(counting.length <= MOST_VALUES ? shown.bars * counting.length : 0);
    for (let at = 0; at < each.length; at += counting.length)
      each.set(picked(rowOf(shown, at / counting.length), counting), at);
    return { by: members.by, members: members.keys, counting: counting.length, bars, values: each };
  }

  private remembered(structure: GraphStructure, key: string, make: () => MemberMatrix): MemberMatrix {
    const known = this.matrices.find((kept) => kept.structure === structure && kept.key === key);
    const matrix = known?.matrix ?? make();
    const others = this.matrices.filter((kept) => kept !== known);
    this.matrices = [{ structure, key, matrix }, ...others].slice(0, KEPT_MATRICES);
    return matrix;
  }
}
