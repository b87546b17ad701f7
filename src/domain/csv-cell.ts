// A cell of a table for spreadsheets. They read certain first characters as a formula, and text from outside must not
// be executed.

/** A negative amount is not a formula. */
export function csvCell(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-\d+(?:\.\d+)?$/.test(text);
  // With semicolons as separators, the text after one begins a new cell, quoted or not.
  return csvText((isFormula ? `'${text}` : text).replace(/;(?=\s*[=+\-@])/g, ";'"));
}

/** Unchanged content, for text that is checked by its hash. */
function csvText(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
