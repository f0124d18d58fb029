import { NONE } from "../../../model/ids";
import { STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";

/** Edges of a directed graph by source: those of node v are `start[v] … start[v + 1] - 1`. */
export interface Edges {
  readonly nodes: number;
  readonly start: Int32Array;
  readonly target: Int32Array;
}

/** Nodes that reach one another are one component; components are numbered callees first. */
export interface Components {
  readonly size: number;
  readonly of: Int32Array;
  /** Nodes by component: those of c are `members[start[c]] … members[start[c + 1] - 1]`. */
  readonly start: Int32Array;
  readonly members: Int32Array;
}

/** Strongly connected components (Tarjan 1972), without recursion: call chains may be 100,000 deep. */
export function componentsOf({ nodes, start, target }: Edges, task: Pick<Task, "check">): Components {
  const of = new Int32Array(nodes).fill(NONE);
  const seen = new Int32Array(nodes).fill(NONE);
  const low = new Int32Array(nodes);
  const next = start.slice(0, nodes);
  const path = new Int32Array(nodes);
  const open = new Int32Array(nodes);
  const members = new Int32Array(nodes);
  const starts = [0];
  let order = 0;
  let opened = 0;
  let listed = 0;
  let steps = 0;
  for (let root = 0; root < nodes; root++) {
    if (seen[root] !== NONE) continue;
    let depth = 0;
    path[0] = root;
    while (depth >= 0) {
      if (++steps % STEPS_BETWEEN_CHECKS === 0) task.check();
      const node = path[depth];
      if (seen[node] === NONE) {
        seen[node] = low[node] = order++;
        open[opened++] = node;
      }
      if (next[node] < start[node + 1]) {
        const callee = target[next[node]++];
        if (seen[callee] === NONE) path[++depth] = callee;
        else if (of[callee] === NONE) low[node] = Math.min(low[node], seen[callee]);
        continue;
      }
      if (low[node] === seen[node]) {
        let member: number;
        do {
          member = open[--opened];
          of[member] = starts.length - 1;
          members[listed++] = member;
        } while (member !== node);
        starts.push(listed);
      }
      depth--;
      if (depth >= 0) low[path[depth]] = Math.min(low[path[depth]], low[node]);
    }
  }
  return { size: starts.length - 1, of, start: Int32Array.from(starts), members };
}
