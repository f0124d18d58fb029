/** A theme without a page: for drawings that are looked at as data. */
import type { Theme } from "../../../webviews/kit/theme/theme";

const grey = (position: number) =>
  `#${Math.round(255 * position)
    .toString(16)
    .padStart(2, "0")
    .repeat(3)}`;

export const plainTheme: Theme = {
  isDark: true,
  isHighContrast: false,
  background: "#000000",
  text: "#ffffff",
  muted: "#aaaaaa",
  soft: "#dddddd",
  faint: "#777777",
  line: "#333333",
  grid: "#222222",
  flowInk: "#4d4d4d",
  outline: "#888888",
  edge: undefined,
  focus: "#0000ff",
  link: "#00ffff",
  font: "sans-serif",
  heat: grey,
  flow: grey,
  flowNear: grey,
  difference: (share) => grey(Math.abs(share)),
  kind: () => "#123456",
  named: () => "#654321",
  tone: (tone) => `#${(0x101010 + tone * 0x030507).toString(16)}`,
  faded: (fill) => fill,
  edgeOf: () => undefined,
  ink: () => "#ffffff",
};
