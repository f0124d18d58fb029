import type { ByteSource } from "../../../src/formats/byteSource";
import { systemFiles } from "../../../src/formats/fileSource";
import { Folders } from "../../../src/formats/folders";
import { OpenedFiles } from "../../../src/formats/openedFiles";

/** One file, unpacked where it is packed, as a format gets it. @param ratio how many times larger it may become */
export async function openPath(file: string, ratio = 200): Promise<ByteSource> {
  const files = new OpenedFiles(systemFiles, new Folders(systemFiles));
  try {
    const source = await files.read(file, ratio);
    return {
      ...source,
      name: source.name,
      size: source.size,
      modifiedAt: source.modifiedAt,
      get fraction() {
        return source.fraction;
      },
      read: (target, position) => source.read(target, position),
      close: async () => {
        await source.close();
        await files.close();
      },
    };
  } catch (problem) {
    await files.close();
    throw problem;
  }
}
