/** Names of work that comes after the bytes of a recording were read, as progress says them. */
const stages = {
  contexts: "finding calling contexts",
  estimate: "estimating calling contexts",
  division: "dividing costs among",
} as const;

export const FINDING_CONTEXTS = stages.contexts;

/** @param contexts so far @param pass how often the estimate was begun, as it is made again to come nearer */
export function estimating(contexts: number, pass: number): string {
  const again = pass > 1 ? `, pass ${pass}` : "";
  return `${stages.estimate}: ${contexts.toLocaleString("en")}${again}`;
}

export function dividing(contexts: number): string {
  return `${stages.division} ${contexts.toLocaleString("en")} calling contexts`;
}

/** Whether a message of progress names such work, and not a file that is read. */
export function isStage(message: string | undefined): boolean {
  return message !== undefined && Object.values(stages).some((stage) => message.startsWith(stage));
}
