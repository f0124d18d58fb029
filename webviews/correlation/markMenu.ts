/** The context menu of a point. */
import type { ScatterMessage } from "../../src/protocol/correlation";
import type { MenuItem } from "../shared/menu";
import { isOfCode, markName } from "./describe";

export interface MarkActions {
  toggle(): void;
  only(): void;
  others(): void;
  clear(): void;
  select(): void;
  open(): void;
  copy(): void;
}

export function markMenu(
  scatter: ScatterMessage,
  mark: number,
  chosen: ReadonlySet<number> | undefined,
  actions: MarkActions,
): MenuItem[] {
  const copy = { label: "Copy numbers", run: actions.copy };
  if (isOfCode(scatter.points))
    return [
      { label: "Open hottest line", key: "Enter", run: actions.open },
      { label: "Select in all views", key: "Space", run: actions.select },
      copy,
    ];
  const name = markName(scatter, mark).slice(0, 80);
  const isChosen = chosen?.has(mark) === true;
  return [
    { label: isChosen ? `Leave ${name} out` : `Choose ${name}`, key: "Space", run: actions.toggle },
    { label: `Choose ${name} only`, run: actions.only },
    ...(chosen
      ? [
          { label: "Choose the others instead", run: actions.others },
          { label: "Choose none: no restriction", key: "Escape", run: actions.clear },
        ]
      : []),
    copy,
  ];
}
