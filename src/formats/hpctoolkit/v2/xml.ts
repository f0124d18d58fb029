import { SaxesParser } from "saxes";
import { FormatError } from "../../../model/errors";
import type { Task } from "../../../model/task";
import { type ByteSource, PieceWindow } from "../../byteSource";

/** What is told of an XML file, element by element. Attributes have no prototype: any name is only a name. */
export interface XmlElements {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
}

/** How much is parsed at once, so that a cancel lands soon. */
const SLICE_BYTES = 128 << 10;

/** The declarations of a real database take 10 KB; far beyond that, something else than a recording is fed to the parser. */
const MOST_PROLOGUE_BYTES = 4 << 20;

/** The five names that every XML file has. Declarations are read over, so no other name ever stands for anything. */
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", gt: ">", lt: "<", quot: '"', apos: "'" };

/**
 * Reads an XML file piece by piece. Its declarations (an internal DOCTYPE subset) are passed over, external ones are never
 * looked for, and entities that only they could define are an error: nothing in the file can grow beyond its own size.
 *
 * @throws FormatError where it is not well formed, or ends early
 */
export async function readXml(source: ByteSource, elements: (lineOf: () => number) => XmlElements, task: Task) {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  parser.ENTITIES = Object.assign(Object.create(null) as Record<string, string>, ENTITIES);
  const handler = elements(() => parser.line);
  let started = false;
  let ending = false;
  parser.on("error", ({ message }) => {
    throw notWellFormed(source.name, parser.line, ending, message);
  });
  parser.on("opentag", ({ name, attributes }) => {
    started = true;
    handler.open(name, attributes);
  });
  parser.on("closetag", ({ name }) => handler.close(name));
  const window = new PieceWindow(source, task);
  const text = new TextDecoder("utf-8");
  try {
    while (await window.more()) {
      for (; window.start < window.end; window.start = Math.min(window.end, window.start + SLICE_BYTES)) {
        task.check();
        const slice = window.bytes.subarray(window.start, Math.min(window.end, window.start + SLICE_BYTES));
        parser.write(text.decode(slice, { stream: true }));
      }
      if (!started && window.positionOf(window.end) > MOST_PROLOGUE_BYTES) throw endlessPrologue(source.name);
    }
    ending = true;
    parser.write(text.decode());
    parser.close();
  } finally {
    await window.settle();
  }
}

function notWellFormed(file: string, line: number, ending: boolean, message: string): FormatError {
  // The parser puts line and column before its words.
  const reason = message.replace(/^\d+:\d+:\s*/, "").replace(/\.$/, "");
  const at = { line };
  if (ending)
    return new FormatError({
      file,
      at,
      found: `the end of the file (${reason})`,
      expected: "the rest of the database, up to </HPCToolkitExperiment>",
      advice: "The file is not complete: copy it again, or run hpcprof again.",
    });
  if (reason.includes("entity"))
    return new FormatError({
      file,
      at,
      found: `a reference to something that only declarations could define (${reason})`,
      expected: "names that every XML file has: &amp; &lt; &gt; &quot; &apos;",
      advice: "Databases of hpcprof have no such references: the file was changed, or is no recording.",
    });
  return new FormatError({
    file,
    at,
    found: `text that is no XML (${reason})`,
    expected: "well-formed XML",
    advice: "The file is damaged: copy it again, or run hpcprof again.",
  });
}

function endlessPrologue(file: string): FormatError {
  return new FormatError({
    file,
    at: { byte: 0 },
    found: `more than ${MOST_PROLOGUE_BYTES} bytes before the first element`,
    expected: "<HPCToolkitExperiment> after at most some kilobytes of declarations",
    advice: "This is no database of hpcprof.",
  });
}
