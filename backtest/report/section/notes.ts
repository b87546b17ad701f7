// Sentences under the title of a page: what is to be known before its figures.

import { type Html, html } from "../html.ts";

export function headNotes(texts: readonly string[]): readonly Html[] {
  return texts.map((text) => html`\n<p class="note">${text}</p>`);
}
