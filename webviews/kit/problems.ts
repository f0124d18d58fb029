/** What a page says about a problem: where the drawing would be, or, while a drawing stays, in the notice row. Pure. */
import type { NoticeRow } from "../../src/protocol/frame";
import type { Problem } from "../../src/protocol/panel";
import { visible } from "../shared/text";
import type { EmptyState } from "./frame/model";

const ICONS: Readonly<Record<Problem["kind"], string>> = {
  error: "error",
  empty: "graph",
  unmeasured: "graph",
  cancelled: "circle-slash",
  closed: "folder",
};

/** Whether what was drawn stays: it does, except where it is of something that is no longer asked for. */
export function isPassing({ kind }: Problem): boolean {
  return kind === "error" || kind === "cancelled";
}

export function emptyStateOf({ kind, message, advice, action, link }: Problem): EmptyState {
  const button =
    action === "open" ? { id: "open", text: "Open It", primary: true } : { id: "retry", text: "Try Again" };
  return {
    icon: ICONS[kind],
    title: message,
    buttons: [...(action ? [button] : []), ...(link ? [link] : [])],
    alert: kind === "error",
    ...(advice === undefined ? {} : { text: advice }),
  };
}

export function problemNotice({ message, advice }: Problem): NoticeRow {
  const text = visible(advice === undefined ? message : `${message} ${advice}`);
  return { id: "problem", severity: "error", text, link: { id: "retry", text: "Try Again" } };
}
