// A Markdown table: cells are text, in which a bar would end the cell and an angle bracket would be markup.

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  const parts = text.replaceAll("\n", " ").split(/(`[^`]*`)/);
  return parts
    .map((part) => (part.startsWith("`") ? part : part.replaceAll("<", "&lt;")))
    .join("")
    .replaceAll("|", "\\|");
}

export function code(text: string): string {
  return text === "" ? "" : `\`${text}\``;
}
