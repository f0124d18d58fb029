/** The window of a drawing over time in words, and the tools that move it. Pure. */
import { formatStretch, formatValue } from "../../../src/model/units";
import type { Stretch } from "../../../src/protocol/panel";
import type { SightTool } from "../definition";
import type { Details } from "../frame/model";
import { ZOOM } from "../page/state";
import type { Fact } from "../stage/scene";
import { endOf, type Run, type WindowSeen } from "./window";

/** What is in sight of the run, the longest wording first. @param counts said beside the whole run alone */
export function windowWordings(run: Run, { from, to }: Stretch, counts: string): string[] {
  const { start, end } = run;
  const [window, length, whole] = [formatStretch(from, to), formatValue(to - from, "s"), formatValue(end - start, "s")];
  if (from <= start && to >= endOf(run)) return [`whole trace · ${whole} · ${counts}`, `whole trace · ${whole}`, whole];
  return [`${window} · ${length} of ${whole}`, `${window} · ${length}`, window];
}

/** Through the windows, and into and out of the one in sight. */
export function windowTools(now: WindowSeen | undefined): readonly SightTool[] {
  const step = (kind: "back" | "forward", name: string, icon: string): SightTool => ({
    kind: "tool",
    id: kind,
    name,
    icon,
    leaves: 8,
    gesture: { kind },
    ...((now?.[kind].length ?? 0) > 0 ? {} : { disabled: "There is no other window." }),
  });
  const zoom = (id: string, name: string, key: string, factor: number): SightTool => ({
    kind: "tool",
    id,
    name,
    icon: id,
    key,
    leaves: 5,
    group: "zoom",
    gesture: { kind: "zoom", factor },
  });
  return [
    step("back", "Back to the window before", "arrow-left"),
    step("forward", "Forward to the next window", "arrow-right"),
    zoom("zoom-out", "Zoom out", "S", 1 / ZOOM),
    zoom("zoom-in", "Zoom in", "W", ZOOM),
  ];
}

/** Of a stretch that is measured: how long it is, and what else is known of it. */
export function measuredStretch(run: Run, range: Stretch, sums: readonly Fact[]): Details {
  const length = run.end - run.start || 1;
  const share = (seconds: number) => (seconds - run.start) / length;
  return {
    name: formatValue(range.to - range.from, "s"),
    numbers: [["measured", formatStretch(range.from, range.to)], ...sums],
    actions: [
      {
        id: "window",
        name: "Zoom to this",
        icon: "screen-full",
        key: "F",
        gesture: { kind: "window", from: share(range.from), to: share(range.to) },
      },
      { id: "restrict", name: "Restrict all numbers to this time", icon: "filter" },
      { id: "unmeasured", name: "Measure nothing", icon: "close", key: "Esc", gesture: { kind: "measure" } },
    ],
  };
}
