import { expect, it } from "vitest";
import { memorySource } from "../../../src/formats/byteSource";
import { readXml } from "../../../src/formats/xml";
import { quietTask } from "../../../src/model/task";

const DOCUMENT = { end: "</a>", remedy: "write it again" };
const NO_ELEMENTS = { open: () => undefined, close: () => undefined };

it.each([
  ["behind the declaration", '<?xml version="1.0"?>\n\n stray\nand more\n<a></a>', 3],
  ["in the declaration's place", '0<?xml version="1.0"?>\n<a></a>', 1],
  ["behind a comment of several lines", "<!-- one\ntwo --> stray\n\n<a></a>", 2],
  ["behind the end", "<a>\n</a>\n\n\nstray\n\n", 5],
  ["behind the end of a long one", `<a><b>${"<c/>\n".repeat(50_000)}</b></a>\nstray\n\n`, 50_002],
  ["with line ends of Windows", "<a>\r\n</a>\r\n\r\nstray\r\n", 4],
])("names the line of text around the document, %s, in pieces of any size", async (_, text, line) => {
  for (const pieceBytes of [1, 2, 3, 7, 4096])
    await expect(
      readXml({ ...memorySource(text, "test"), pieceBytes }, DOCUMENT, () => NO_ELEMENTS, quietTask),
    ).rejects.toThrow(new RegExp(`line ${line}: found text that is no XML`));
});
