// The columns of a table from their titles; `>` before a title aligns it to the right.

import type { Column } from "../app/terminal/table.ts";

export function columns(...titles: readonly string[]): Column[] {
  return titles.map((title) => (title.startsWith(">") ? { title: title.slice(1), align: "right" } : { title }));
}
