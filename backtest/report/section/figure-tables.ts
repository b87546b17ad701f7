// All figures in groups; a run to compare with gets a column of its own.

import type { Figures } from "../../metric/figures.ts";
import type { RunRecord } from "../../record/run-record.ts";
import type { Comparison } from "../comparison.ts";
import { type Html, html, NOTHING } from "../html.ts";
import { type Group, type Line, summarise } from "../summary.ts";

export function figureTables({ settings }: RunRecord, figures: Figures, compared: Comparison | undefined): Html {
  const groups = summarise(figures, settings.currency);
  const others = compared && summarise(compared.figures, compared.record.settings.currency);
  const section = ({ title, lines }: Group, index: number): Html =>
    html`<section><h3>${title}</h3><table>${head(compared)}<tbody>${lines.map((line, row) => rowOf(line, others?.[index]?.lines[row]))}</tbody></table></section>
`;
  return html`<h2>Figures</h2>
<div class="figures ${compared === undefined ? "" : "compared"}">${groups.map(section)}</div>`;
}

function head(compared: Comparison | undefined): Html {
  if (compared === undefined) return NOTHING;
  return html`<thead><tr><th></th><th class="n">this run</th><th class="n">${compared.label}</th><th class="more"></th></tr></thead>`;
}

function rowOf({ label, text, note, tone }: Line, other: Line | undefined): Html {
  const second = other === undefined ? NOTHING : html`<td class="n ${other.tone ?? ""}">${other.text}</td>`;
  return html`<tr><th scope="row">${label}</th><td class="n ${tone ?? ""}">${text}</td>${second}<td class="more">${note ?? ""}</td></tr>`;
}
