/** What is asked of the history that recordings are of. Folders are those in which programs may be started. */
import { RequestError } from "../../model/errors";
import { defineQuestion } from "../defineQuestion";
import { commitHistory as commitsOf, fileAtCommit } from "./git";

export interface FileAtCommitQuery {
  readonly folders: readonly string[];
  /** An absolute path. */
  readonly file: string;
  readonly commit: string;
}

/** Commits of the first folder with a history, parents first. @throws RequestError where no folder has one */
export const commitHistory = defineQuestion((_, { folders }: { readonly folders: readonly string[] }) =>
  firstOf(folders, commitsOf),
);

/** A text as it was in a commit; undefined where there was none. @throws RequestError where the file is in no repository of the folders */
export const textAtCommit = defineQuestion((_, { folders, file, commit }: FileAtCommitQuery) =>
  firstOf(folders, (folder) => fileAtCommit(folder, file, commit)),
);

/** @throws what the first folder does, where no folder has an answer */
async function firstOf<Answer>(
  folders: readonly string[],
  answer: (folder: string) => Promise<Answer>,
): Promise<Answer> {
  let failed: unknown;
  for (const folder of folders)
    try {
      return await answer(folder);
    } catch (error) {
      failed ??= error;
    }
  throw failed ?? new RequestError("No folder of a trusted workspace is open: git is not asked.");
}
