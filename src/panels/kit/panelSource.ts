/** Which data set a panel is of, and how it is opened. */
import type { Problem } from "../../protocol/panel";
import type { Session, SessionDataSet } from "../../session/session";
import { shorten } from "../../model/texts";

export interface PanelSource {
  /** While it is open. */
  readonly dataSet: SessionDataSet | undefined;
  /** The tab is the file's, and keeps its name. */
  readonly hasFile?: boolean;
  /** It is opened when the panel is shown, not only when somebody asks for it. */
  readonly isOpenedFirst?: boolean;
  /**
   * Opens it (again).
   *
   * @param isWanted the panel is still there
   * @returns a sentence where that is not possible
   */
  open(isWanted: () => boolean): Promise<string | undefined>;
  /** What is said while it is not open. */
  closed(): Omit<Problem, "type">;
}

/** The data set of a key, which survives restarts. */
export function keptDataSet(session: Session, key: string): PanelSource {
  return {
    get dataSet() {
      return session.dataSets.find((one) => one.key === key);
    },
    open: async () =>
      (await session.openAgain(key)) ? undefined : "The place of the recording is no longer known. Close this panel.",
    closed() {
      const closed = session.closedRecordings.find((one) => one.key === key);
      const message = closed ? `${closed.name} is not open: ${closed.reason}` : "The recording is not open.";
      return { kind: "closed", message: shorten(message, 4096), action: "open" };
    },
  };
}
