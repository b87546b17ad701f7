// Reads RFC 4180, as a spreadsheet does.

function csvRows(text: string): string[][] {
  const cells = [...text.matchAll(/("(?:[^"]|"")*"|[^,\n]*)(,|\n)/g)];
  const rows: string[][] = [[]];
  for (const [, cell = "", end] of cells) {
    rows.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === "\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

/** Each row by the titles of its table, without empty cells. */
export function csvRecords(text: string): Record<string, string>[] {
  const [titles = [], ...rows] = csvRows(text);
  return rows.map((row) =>
    Object.fromEntries(titles.map((title, i) => [title, row[i] ?? ""]).filter(([, cell]) => cell !== "")),
  );
}
