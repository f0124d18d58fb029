/** Rows as text for other programs (RFC 4180): full precision, and no cell that a spreadsheet would run. */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(",")}\r\n`).join("");
}

/**
 * One cell. A text that a spreadsheet would take for a formula gets a quote before it; a number stays as it is. Where decimals have a
 * comma, spreadsheets split lines at semicolons, too: what is behind one is no cell of its own.
 */
export function csvCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/.test(value) ? `'${value}` : value;
  return /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
