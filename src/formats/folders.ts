import type { Dirent } from "node:fs";
import path from "node:path";
import { FormatError } from "../model/errors";
import type { FileSystem } from "./fileSource";

/** What lies in a folder. */
interface Folder {
  /** Names of all files, sorted; links to files are files. */
  readonly names: ReadonlySet<string>;
  /** The names that are links. */
  readonly links: ReadonlySet<string>;
  /** Names of the folders in it, links not among them. */
  readonly folders: readonly string[];
}

/** The folders of one opening: each is listed once, and all have the same names. */
export class Folders {
  private readonly listed = new Map<string, Promise<Folder>>();
  private readonly known = new Map<string, Folder>();

  constructor(private readonly system: FileSystem) {}

  /** @throws FormatError where it cannot be listed */
  of(folder: string): Promise<Folder> {
    const known = this.listed.get(folder);
    if (known) return known;
    const listing = this.list(folder);
    this.listed.set(folder, listing);
    return listing;
  }

  /** Names of the files beside a file; none where the folder cannot be listed. */
  async namesBeside(file: string): Promise<ReadonlySet<string>> {
    return this.of(path.dirname(file)).then(
      ({ names }) => names,
      () => new Set(),
    );
  }

  /** Whether a listing said that it is a file and no link; false for a folder that was not listed. */
  isFile(file: string): boolean {
    const folder = this.known.get(path.dirname(file));
    const name = path.basename(file);
    return folder !== undefined && folder.names.has(name) && !folder.links.has(name);
  }

  private async list(folder: string): Promise<Folder> {
    const entries = await this.system.list(folder).catch((cause: NodeJS.ErrnoException) => {
      throw new FormatError({
        file: folder,
        found: `a folder that cannot be read (${cause.code})`,
        expected: "a folder of recordings",
        advice: "Check its permissions.",
      });
    });
    const links = new Set<string>();
    for (const entry of entries)
      if (entry.isSymbolicLink() && (await this.leadsToFile(folder, entry))) links.add(entry.name);
    const names = entries.filter((entry) => entry.isFile() || links.has(entry.name)).map(({ name }) => name);
    const inside = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    const found = { names: new Set(names.sort()), links, folders: inside.sort() };
    this.known.set(folder, found);
    return found;
  }

  /** Links in a circle and links to nothing lead nowhere; those to folders are folders, which are not searched. */
  private leadsToFile(folder: string, { name }: Dirent): Promise<boolean> {
    return this.system.stat(path.join(folder, name)).then(
      (status) => status.isFile(),
      () => false,
    );
  }
}
