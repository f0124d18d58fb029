import { SaxesParser } from "saxes";
import { FormatError, damagedFile } from "../model/errors";
import type { Task } from "../model/task";
import { type ByteSource, PieceWindow } from "./byteSource";

/** Receives an XML file element by element. Attributes have no prototype: any name is only a name. */
export interface XmlElements {
  open(name: string, attributes: Readonly<Record<string, string>>): void;
  close(name: string): void;
  /** Text between tags, piece by piece; without this function it is passed over. */
  text?(text: string): void;
}

/** What messages say of the document. */
export interface XmlDocument {
  /** `</HPCToolkitExperiment>` */
  readonly end: string;
  /** What else can be done where it is damaged: `run hpcprof again`. */
  readonly remedy: string;
  /** Called where something follows the end, which is then not read; without it that is an error. */
  readonly more?: () => void;
}

/** Thrown through the parser where nothing more is to be read. */
class Enough extends Error {}

/** How much is parsed at once, so that a cancel lands soon. */
const SLICE_BYTES = 128 << 10;

/** The declarations of a real recording take 10 KB; far beyond that, something else than a recording is fed to the parser. */
const MOST_PROLOGUE_BYTES = 4 << 20;

/** A text or an attribute of a recording is a name, a path or a formula; far beyond that the parser would take all memory. */
const MOST_TEXT_BYTES = 64 << 20;

/** The five names that every XML file has. Declarations are read over, so no other name ever stands for anything. */
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", gt: ">", lt: "<", quot: '"', apos: "'" };

/**
 * Reads an XML file piece by piece. Its declarations (an internal DOCTYPE subset) are passed over, external ones are never
 * looked for, and entities that only they could define are an error: nothing in the file can grow beyond its own size.
 *
 * @throws FormatError where it is not well formed, or ends early
 */
export async function readXml(
  source: ByteSource,
  document: XmlDocument,
  elements: (lineOf: () => number) => XmlElements,
  task: Task,
): Promise<void> {
  const parser = new SaxesParser<{ xmlns: false }>({ xmlns: false });
  parser.ENTITIES = Object.assign(Object.create(null) as Record<string, string>, ENTITIES);
  const handler = elements(() => parser.line);
  let started = false;
  let ending = false;
  let depth = 0;
  /** Bytes since the parser last came to the end of something. */
  let unfinished = 0;
  parser.on("error", ({ message }) => {
    if (started && depth === 0 && document.more !== undefined) throw new Enough();
    throw notWellFormed(source.name, document, parser.line, ending, message);
  });
  parser.on("opentag", ({ name, attributes }) => {
    started = true;
    unfinished = 0;
    depth++;
    handler.open(name, attributes);
  });
  parser.on("closetag", ({ name }) => {
    depth--;
    unfinished = 0;
    handler.close(name);
  });
  const onText = handler.text?.bind(handler);
  if (onText !== undefined) parser.on("text", onText);
  const window = new PieceWindow(source, task);
  const text = new TextDecoder("utf-8");
  try {
    while (await window.more()) {
      for (; window.start < window.end; window.start = Math.min(window.end, window.start + SLICE_BYTES)) {
        task.check();
        const slice = window.bytes.subarray(window.start, Math.min(window.end, window.start + SLICE_BYTES));
        unfinished += slice.length;
        const piece = text.decode(slice, { stream: true });
        // Text around the root is reported where it or what is written ends: with a part per line that holds something, in its own
        // line. Parts make parsing slower by a fifth, and the root's end may have begun only where nothing else is open.
        const isNearEnds = depth <= 1 || piece.includes(document.end);
        for (const part of isNearEnds ? piece.split(/(?<=\S)(?=\s*\n)/) : [piece]) parser.write(part);
        if (started && unfinished > MOST_TEXT_BYTES) throw endlessText(source.name, parser.line, document);
      }
      if (!started && window.positionOf(window.end) > MOST_PROLOGUE_BYTES) throw endlessPrologue(source.name, document);
    }
    ending = true;
    parser.write(text.decode());
    parser.close();
  } catch (problem) {
    if (!(problem instanceof Enough)) throw problem;
    document.more?.();
  } finally {
    await window.settle();
  }
}

function notWellFormed(
  file: string,
  { end, remedy }: XmlDocument,
  line: number,
  ending: boolean,
  message: string,
): FormatError {
  // The parser puts line and column before its words.
  const reason = message.replace(/^\d+:\d+:\s*/, "").replace(/\.$/, "");
  const at = { line };
  if (ending)
    return new FormatError({
      file,
      at,
      found: `the end of the file (${reason})`,
      expected: `the rest of it, up to ${end}`,
      advice: `The file is not complete: copy it again, or ${remedy}.`,
    });
  if (reason.includes("entity"))
    return new FormatError({
      file,
      at,
      found: `a reference to something that only declarations could define (${reason})`,
      expected: "names that every XML file has: &amp; &lt; &gt; &quot; &apos;",
      advice: "No tool writes such references: the file was changed, or is no recording.",
    });
  return damagedFile(file, at, `text that is no XML (${reason})`, "well-formed XML", `copy it again, or ${remedy}`);
}

function endlessText(file: string, line: number, { remedy }: XmlDocument): FormatError {
  return new FormatError({
    file,
    at: { line },
    found: `a text or an attribute of more than ${MOST_TEXT_BYTES >> 20} MB`,
    expected: "an element with names and numbers",
    advice: `The file is damaged, or was made to fill the memory: copy it again, or ${remedy}.`,
  });
}

function endlessPrologue(file: string, { end }: XmlDocument): FormatError {
  return new FormatError({
    file,
    at: { byte: 0 },
    found: `more than ${MOST_PROLOGUE_BYTES} bytes before the first element`,
    expected: `the element that ${end} closes after at most some kilobytes of declarations`,
    advice: "Open the file that the tool wrote itself.",
  });
}
