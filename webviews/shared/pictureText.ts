/** A drawing as the text of an SVG file. */

/** What XML cannot hold, however it is written: control characters, halves of pairs, and what is no character. */
const NOT_IN_XML = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** The text as XML may hold it. Names out of recordings may be cut inside a pair, or never have been text. */
export function fitForXml(text: string): string {
  return text.replace(NOT_IN_XML, "�");
}

export function pictureText(drawing: Element): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${fitForXml(new XMLSerializer().serializeToString(drawing))}\n`;
}
