// A chart's place on the page: title, one sentence, what its marks mean; or why there is nothing to draw.

import type { Chart } from "../chart/spec.ts";
import { number } from "../format.ts";
import { type Html, html, NOTHING } from "../html.ts";

export function chartFigure({ id, title, note, size, drawn, missing }: Chart): Html {
  const content =
    drawn === undefined
      ? html`<p class="missing">n/a: ${missing ?? "nothing was recorded"}</p>`
      : html`<div data-chart="${id}" role="img" aria-label="${title}: ${note}"></div>${marksOf(drawn)}`;
  return html`<figure class="chart ${size}"><h3>${title}</h3><p>${note}</p>${content}</figure>
`;
}

function marksOf(drawn: NonNullable<Chart["drawn"]>): Html {
  if (drawn.kind !== "time" || drawn.marks.length === 0) return NOTHING;
  const items = drawn.marks.map(({ label, ink, time, of }) => {
    const count = time.length < of ? `${number(time.length, 0)} of ${number(of, 0)}` : number(of, 0);
    return html`<li class="mark-${ink}">${label} (${count})</li>`;
  });
  return html`<ul class="keys">${items}</ul>`;
}
