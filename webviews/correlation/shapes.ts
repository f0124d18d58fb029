/** How marks look: a shape for each state, so that colour is never all that tells them apart. Pure. */

/** `plain`: nothing is chosen; `out`: others are, this is not. */
export type State = "plain" | "chosen" | "out";

/** Path data of a mark about its middle: circles, and diamonds for what is chosen. */
export function shape(state: State, x: number, y: number, radius: number): string {
  if (state === "chosen") {
    const reach = radius + 2.5;
    return `M${round(x)},${round(y - reach)}l${reach},${reach}l${-reach},${reach}l${-reach},${-reach}Z`;
  }
  const r = round(radius);
  return `M${round(x - radius)},${round(y)}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0Z`;
}

function round(pixels: number): number {
  return Math.round(pixels * 100) / 100;
}
