/** Shadow lines (dissertation 3.3.2): from a bin to those that it counts. */
import { FIRST_MEMBER, type HistogramContent } from "../../../src/protocol/histogram";
import { PathLayer } from "../stage/pathLayer";
import { rounded, type Scene } from "../stage/scene";
import { binHeat, type HistogramScene } from "./drawing";

export function shadows(content: () => HistogramContent | undefined): PathLayer {
  return new PathLayer({
    paths(scene: Scene) {
      const drawn = content();
      return drawn ? shadowPaths(drawn, scene as HistogramScene) : [];
    },
    fill(group, { theme }) {
      const drawn = content();
      return theme.flow(drawn ? binHeat(drawn, group) : 0);
    },
    near({ chosen, pointed }, { theme }) {
      const drawn = content();
      const bin = pointed === undefined || pointed < FIRST_MEMBER ? pointed : drawn?.binOf[pointed - FIRST_MEMBER];
      const wanted = new Map<number, string>();
      if (bin !== undefined && bin >= 0) wanted.set(bin, theme.soft);
      for (const mark of chosen?.keys() ?? [])
        if (drawn && mark < FIRST_MEMBER) wanted.set(mark, theme.heat(binHeat(drawn, mark)));
      return wanted;
    },
  });
}

/**
 * From a bin's foot to its members. Members side by side share a ribbon, and the foot is divided among a bin's ribbons in the
 * order of the line, so that they do not cross each other.
 *
 * @returns path data of each bin's shadows
 */
function shadowPaths({ binOf, counts }: HistogramContent, { bins, shadowTop, line }: HistogramScene): string[][] {
  const onLine = new Array<number>(counts.length).fill(0);
  for (const bin of binOf) if (bin >= 0) onLine[bin]++;
  const paths = Array.from(counts, (): string[] => []);
  const used = new Array<number>(counts.length).fill(0);
  const step = line.width / binOf.length;
  const middle = rounded((shadowTop + line.y) / 2);
  const [upper, lower] = [rounded(shadowTop), rounded(line.y)];
  for (let from = 0, to = 0; from < binOf.length; from = to) {
    const bin = binOf[from];
    for (to = from + 1; to < binOf.length && binOf[to] === bin;) to++;
    if (bin < 0) continue;
    const { x, width } = bins[bin];
    const share = (members: number) => rounded(x + (members / onLine[bin]) * width);
    const [left, right] = [share(used[bin]), share((used[bin] += to - from))];
    const first = rounded(line.x + from * step);
    // Thinner than a pixel it would not be seen.
    const last = Math.max(first + 1, rounded(line.x + to * step));
    paths[bin].push(
      `M${left},${upper}C${left},${middle} ${first},${middle} ${first},${lower}H${last}C${last},${middle} ${right},${middle} ${right},${upper}Z`,
    );
  }
  return paths;
}
