/**
 * The cells of a Markdown table, row by row.
 *
 * @param headings of its columns, which tell the table from others
 * @throws Error where there is no such table
 */
export function tableRows(markdown: string, headings: readonly string[]): string[][] {
  const lines = markdown.split("\n");
  const start = lines.findIndex((line) => cellsOf(line).join("\n") === headings.join("\n"));
  if (start < 0) throw new Error(`There is no table of ${headings.join(", ")}.`);
  const rows = lines.slice(start + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end < 0 ? rows.length : end).map(cellsOf);
}

function cellsOf(line: string): string[] {
  return line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}
