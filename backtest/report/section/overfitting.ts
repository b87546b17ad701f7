// The overfitting checks on a page: each with what came out and a sentence that says what it means.

import type { CheckRow } from "../../search/overfitting-checks.ts";
import { type Html, html } from "../html.ts";

export function overfittingSection(rows: readonly CheckRow[]): Html {
  const line = ({ label, text, note, meaning, tone }: CheckRow): Html =>
    html`<tr><th scope="row">${label}</th><td><b class="${tone ?? ""}">${text}</b><br>${note ?? ""}<p class="note">${meaning}</p></td></tr>`;
  return html`<h2>Is it luck?</h2>
<div class="scroll flat facts"><table><tbody>${rows.map(line)}</tbody></table></div>`;
}
