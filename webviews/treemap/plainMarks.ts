/** Thousands of marks of a topology: each has one colour at most, and they are painted together, since all are drawn anew with every frame of a zoom. */
import { TOPOLOGY, type TreemapContent } from "../../src/protocol/treemap";
import type { Box, Fact, Mark, Paint, Scene } from "../kit/stage/scene";
import { LEFT_OUT } from "../kit/stage/stage";
import type { Theme } from "../kit/theme/theme";
import { markFacts, markName, usedShare } from "./describe";
import { EDGES, edgePaint, fillId, markKey, SMALL } from "./markLook";
import { CIRCLE, outlineOf, partPath, pathOf, trace, traceFrom } from "./shapeOutlines";

/** Shapes in one path: one of thousands takes far longer than its pieces do. */
const PIECE = 64;
/** What marks look like wherever they are: made once, and not with every frame. */
interface Looks {
  readonly theme: Theme;
  /** Of states, as one text. */
  readonly fills: string;
  /** By mark; undefined: nothing of it is filled. */
  readonly colors: readonly (string | undefined)[];
  /** Height from which on it is filled, as a share from its top. */
  readonly from: Float64Array;
  /** Marks of each colour. */
  readonly byColor: ReadonlyMap<string, readonly number[]>;
}

const known = new WeakMap<TreemapContent, Looks>();

function looksOf(content: TreemapContent, fills: readonly string[], theme: Theme): Looks {
  const before = known.get(content);
  const ofStates = fills.join(" ");
  if (before?.theme === theme && before.fills === ofStates) return before;
  const { marks, fills: by } = content;
  const from = new Float64Array(marks.node.length);
  const colors = Array.from(marks.shape, (shape, at) => {
    const state = by[shape] === "states" ? mainState(content, at) : -1;
    if (state >= 0) return fills[state] ?? theme.faint;
    const share = usedShare(content, at);
    if (!(share > 0)) return undefined;
    from[at] = Math.max(0, 1 - share);
    return theme.heat(Math.min(1, share));
  });
  const byColor = new Map<string, number[]>();
  colors.forEach((color, at) => {
    if (color === undefined) return;
    const own = byColor.get(color);
    if (own) own.push(at);
    else byColor.set(color, [at]);
  });
  const looks = { theme, fills: ofStates, colors, from, byColor };
  known.set(content, looks);
  return looks;
}

/** The one with most time; -1: none. */
function mainState({ states, stateSeconds }: TreemapContent, mark: number): number {
  let [best, most] = [-1, 0];
  for (let state = 0; state < states.length; state++) {
    const seconds = stateSeconds[mark * states.length + state];
    if (seconds > most) [best, most] = [state, seconds];
  }
  return best;
}

/** Of thousands hardly one is asked what it is called, or what its outline is. */
class PlainMark implements Mark {
  readonly isPainted = true;
  readonly id: number;

  constructor(
    private readonly content: TreemapContent,
    private readonly at: number,
    readonly box: Box,
    readonly paint: Paint,
  ) {
    this.id = TOPOLOGY + at;
  }

  get key(): string {
    return markKey(this.content, this.at);
  }

  get name(): string {
    return markName(this.content, this.at);
  }

  get d(): string | undefined {
    return pathOf(this.content.marks.shape[this.at], this.box);
  }

  get isRound(): boolean {
    return this.content.marks.shape[this.at] === CIRCLE;
  }

  get outline(): Mark["outline"] {
    return outlineOf(this.content.marks.shape[this.at], this.box);
  }

  get facts(): () => readonly Fact[] {
    return () => markFacts(this.content, this.at);
  }
}

/** What is filled of it. */
class PlainFill implements Mark {
  readonly isPainted = true;
  readonly isPassive = true;
  readonly id: number;
  readonly within: number;

  constructor(
    private readonly content: TreemapContent,
    private readonly at: number,
    private readonly from: number,
    readonly box: Box,
    readonly paint: Paint,
  ) {
    this.within = TOPOLOGY + at;
    this.id = fillId(at, 0);
  }

  get key(): string {
    return `${markKey(this.content, this.at)} 0`;
  }

  get name(): string {
    return markName(this.content, this.at);
  }

  get d(): string {
    return partPath(this.content.marks.shape[this.at], this.box, this.from, 1);
  }

  get facts(): () => readonly Fact[] {
    return () => [];
  }
}

/** @param seen marks that are in sight @param fills of states */
export function plainMarks(
  content: TreemapContent,
  boxes: readonly Box[],
  seen: readonly number[],
  fills: readonly string[],
  theme: Theme,
): Pick<Scene, "marks" | "paintMarks"> {
  const { colors, from, byColor } = looksOf(content, fills, theme);
  const [small, large] = EDGES.map((width) => edgePaint(theme, width));
  const filled = new Map([...byColor.keys()].map((fill) => [fill, { fill }]));
  const edgeOf = (at: number) => (boxes[at].width < SMALL ? small : large);
  const marks: Mark[] = [];
  for (const at of seen) {
    const color = colors[at];
    marks.push(new PlainMark(content, at, boxes[at], edgeOf(at)));
    const paint = color === undefined ? undefined : filled.get(color);
    if (paint) marks.push(new PlainFill(content, at, from[at], boxes[at], paint));
  }
  const isSeen = new Uint8Array(boxes.length);
  for (const at of seen) isSeen[at] = 1;
  const { shape } = content.marks;
  return {
    marks,
    paintMarks(context, { found }) {
      const paint = (own: readonly number[], add: (at: number) => void, edge?: Paint) => {
        for (const alpha of found ? [LEFT_OUT, 1] : [1]) {
          const some = found ? own.filter((at) => (found.has(TOPOLOGY + at) ? 1 : LEFT_OUT) === alpha) : own;
          for (let first = 0; first < some.length; first += PIECE) {
            context.beginPath();
            for (let at = first; at < Math.min(some.length, first + PIECE); at++) add(some[at]);
            context.globalAlpha = alpha;
            context.fill();
            context.globalAlpha = 1;
            if (edge) context.stroke();
          }
        }
      };
      context.fillStyle = theme.background;
      for (const edge of [small, large]) {
        context.strokeStyle = edge.stroke ?? theme.outline;
        context.lineWidth = edge.strokeWidth ?? 1;
        const own = seen.filter((at) => edgeOf(at) === edge);
        paint(own, (at) => trace(context, shape[at], boxes[at]), edge);
      }
      for (const [color, all] of byColor) {
        context.fillStyle = color;
        const own = all.filter((at) => isSeen[at] === 1);
        paint(own, (at) => traceFrom(context, shape[at], boxes[at], from[at]));
      }
    },
  };
}
