import { FloatColumn, IntColumn } from "../../../model/columns";
import { cancellable, STEPS_BETWEEN_CHECKS, type Task } from "../../../model/task";

/** Where a flow arrow touches a thread. */
export interface ArrowPoint {
  readonly resource: number;
  readonly seconds: number;
}

export interface ArrowPart {
  readonly from: ArrowPoint;
  readonly to: ArrowPoint;
}

/** Parts of arrows, each from a point to the next one that was read, in columns. */
export class ArrowParts {
  private readonly category = new IntColumn();
  private readonly id = new FloatColumn();
  private readonly fromResource = new IntColumn();
  private readonly fromSeconds = new FloatColumn();
  private readonly toResource = new IntColumn();
  private readonly toSeconds = new FloatColumn();

  get length(): number {
    return this.id.length;
  }

  push(category: number, id: number, { from, to }: ArrowPart): void {
    this.category.push(category);
    this.id.push(id);
    this.fromResource.push(from.resource);
    this.fromSeconds.push(from.seconds);
    this.toResource.push(to.resource);
    this.toSeconds.push(to.seconds);
  }

  /** All of them, as they were read. */
  each(see: (category: number, id: number, part: ArrowPart) => void, task: Pick<Task, "check">): void {
    for (let at = 0; at < this.length; at++) {
      if (at % STEPS_BETWEEN_CHECKS === 0) task.check();
      const from = { resource: this.fromResource.values[at], seconds: this.fromSeconds.values[at] };
      const to = { resource: this.toResource.values[at], seconds: this.toSeconds.values[at] };
      see(this.category.values[at], this.id.values[at], { from, to });
    }
  }
}

/**
 * Puts steps that were read late between the ends of the parts in whose time they lie. Of a single arrow, one in no part's time is in the
 * nearest one: where clocks differ, an arrow may step before it starts.
 *
 * @param parts of arrows of one category and id, as they were read
 * @returns the parts that there are then, and steps that belong to none
 */
export function withSteps<Step extends ArrowPoint>(
  parts: readonly ArrowPart[],
  steps: readonly Step[],
  task: Pick<Task, "check">,
): { readonly parts: readonly ArrowPart[]; readonly rest: readonly Step[] } {
  const isOneArrow = parts.every((part, at) => at === 0 || isSame(part.from, parts[at - 1].to));
  const sorted = [...parts].sort(cancellable((a, b) => begin(a) - begin(b), task));
  const inOrder = [...steps].sort(cancellable((a, b) => a.seconds - b.seconds, task));
  const found: ArrowPart[] = [];
  const rest: Step[] = [];
  // What each part has, up to the first step that lies behind it and nearer to the next one.
  let at = 0;
  const within: Step[][] = sorted.map(() => []);
  for (const step of inOrder) {
    while (at + 1 < sorted.length && begin(sorted[at + 1]) <= step.seconds) at++;
    const next = at + 1 < sorted.length ? at + 1 : at;
    const nearest = distance(sorted[next], step) < distance(sorted[at], step) ? next : at;
    if (distance(sorted[nearest], step) === 0 || isOneArrow) within[nearest].push(step);
    else rest.push(step);
  }
  sorted.forEach(({ from, to }, part) => {
    let before = from;
    for (const point of [...within[part], to]) {
      found.push({ from: before, to: point });
      before = point;
    }
  });
  return { parts: found, rest };
}

function isSame(a: ArrowPoint, b: ArrowPoint): boolean {
  return a.resource === b.resource && a.seconds === b.seconds;
}

function begin({ from, to }: ArrowPart): number {
  return Math.min(from.seconds, to.seconds);
}

/** From a part's time to a step; 0: it lies in it. */
function distance({ from, to }: ArrowPart, { seconds }: ArrowPoint): number {
  return Math.max(0, Math.min(from.seconds, to.seconds) - seconds, seconds - Math.max(from.seconds, to.seconds));
}
