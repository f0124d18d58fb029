/** How the numbers of all bars of a graph are spread over ranks, threads or GPU streams: one pass over the cells. */
import { memberHistogram } from "../../analysis/memberHistograms";
import { NONE } from "../../model/ids";
import { chosenMembers, membersOf } from "../../model/members";
import type { Task } from "../../model/task";
import { type MemberMatrix, memberMatrix } from "../../supergraph/memberMatrix";
import type { GraphStructure } from "../../supergraph/superGraph";
import type { Scope } from "../scope";
import type { GraphSubject } from "./graphSubject";
import type { BarHistogramRequest, BarHistograms } from "../members/spreadApi";

/** Matrices that are kept: those of two recordings that are compared. 500 bars on 4,096 ranks are 16 MB. */
const KEPT_MATRICES = 2;

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
    const { locations, values } = this.subject.recordingOf(scope);
    const { column } = values[scope.metric];
    const chosen = scope.chosen && chosenMembers(locations, scope.chosen);
    const members = membersOf(locations, chosen?.by ?? by);
    const counts = new Set((chosen ?? members).keys);
    const counting = Int32Array.from(members.keys.keys()).filter((member) => counts.has(members.keys[member]));
    if (counting.length === 0 || !column.some((place) => members.of[place] !== NONE))
      return { by: members.by, members: [], counting: 0, bars: [] };
    const key = JSON.stringify([scope.dataSet, scope.metric, of, members.by]);
    const matrix = this.remembered(structure, key, () =>
      memberMatrix(
        structure,
        of,
        values[scope.metric],
        members,
        (context) => this.subject.contextOf(scope.dataSet, context),
        task,
      ),
    );
    const bars = Array.from({ length: matrix.bars }, (_, bar) => {
      if (bar % 50 === 0) task.check();
      const own = matrix.value.subarray(bar * matrix.members, (bar + 1) * matrix.members);
      return memberHistogram(own, counting, bins);
    });
    return { by: members.by, members: members.keys, counting: counting.length, bars };
  }

  private remembered(structure: GraphStructure, key: string, make: () => MemberMatrix): MemberMatrix {
    const known = this.matrices.find((kept) => kept.structure === structure && kept.key === key);
    const matrix = known?.matrix ?? make();
    const others = this.matrices.filter((kept) => kept !== known);
    this.matrices = [{ structure, key, matrix }, ...others].slice(0, KEPT_MATRICES);
    return matrix;
  }
}
