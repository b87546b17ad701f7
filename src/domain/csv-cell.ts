// A cell of a table that spreadsheets open. They take one that begins with certain signs for a formula, and text from outside
// must not be run.

/** An amount below nothing is no formula. */
export function csvCell(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-\d+(?:\.\d+)?$/.test(text);
  // Where cells are parted by semicolons, what stands behind one begins a cell, quoted or not.
  return csvText((isFormula ? `'${text}` : text).replace(/;(?=\s*[=+\-@])/g, ";'"));
}

/** To the letter, for what is checked by its hash. */
export function csvText(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
