/** What people do in the frame that only the host has to know. */
import { type FromEveryPage, LEAD } from "../../../src/protocol/panel";
import type { FrameActions } from "./model";

export function hostActions(
  post: (message: FromEveryPage) => void,
): Pick<FrameActions, "lead" | "removeStep" | "removeChip" | "noticeLink" | "cancel" | "button"> {
  const follow = (id: string) => {
    if (id === "open") post({ type: "open-data-set" });
    else post(id === "retry" ? { type: "retry" } : { type: "notice-link", id });
  };
  return {
    lead: () => follow(LEAD),
    removeStep: (id) => post({ type: "remove-step", id }),
    removeChip: (id) => post({ type: "remove-chip", id }),
    noticeLink: follow,
    cancel: () => post({ type: "cancel" }),
    button: follow,
  };
}
