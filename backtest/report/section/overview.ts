// The head of the page: what ran, over which time, the figures one looks for first; and every assumption, spelled out.

import type { Figures } from "../../metric/figures.ts";
import type { RunRecord } from "../../record/run-record.ts";
import type { Comparison } from "../comparison.ts";
import { endedText } from "../ended-text.ts";
import { counted, duration, minute } from "../format.ts";
import { holeText } from "../hole-text.ts";
import { type Html, html, NOTHING } from "../html.ts";
import { openedText } from "../opened-text.ts";
import {
  cappedRows,
  mostlyRefusedText,
  mostlyUnsentText,
  outsideText,
  refusedText,
  saidText,
  timerText,
  worthProblemText,
} from "../refusal-text.ts";
import { summarise } from "../summary.ts";
import { beliefNotes, beliefRows } from "./beliefs.ts";
import { headNotes } from "./notes.ts";

const FIRST = [
  "net profit",
  "profit over holding",
  "return",
  "deepest drawdown",
  "Sharpe over holding",
  "fill rate",
  "profit per request",
  "fees",
];

export function headerOf(record: RunRecord, compared?: Comparison): Html {
  const { settings } = record;
  const { title, strategy, source, data, seed, traceHash, from, to, codeVersion } = settings;
  const facts = [
    `${source} of ${strategy}`,
    `${minute(from)} to ${minute(to)} (${duration(to - from)})`,
    data,
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    ...(traceHash === undefined ? [] : [`trace ${traceHash.slice(0, 16)}`]),
    `pegbot ${codeVersion}`,
  ];
  const ended = endedText(record);
  const stopped = ended === undefined ? NOTHING : html`\n<p class="stopped">${ended}</p>`;
  const doubted = beliefNotes(record.references ?? []);
  const cautions = headNotes([...(settings.cautions ?? []), ...(compared?.record.settings.cautions ?? [])]);
  const noted = [
    openedText(record),
    mostlyRefusedText(record),
    mostlyUnsentText(record),
    worthProblemText(record),
    timerText(record),
    outsideText(record),
    saidText(record),
  ];
  return html`<header><h1>${title}</h1><button id="theme" type="button">light / dark</button><p>${facts.join(" \u00b7 ")}</p></header>${stopped}${cautions}${doubted}${headNotes(noted.filter((text) => text !== undefined))}`;
}

export function tiles({ settings }: RunRecord, figures: Figures): Html {
  const lines = summarise(figures, settings.currency).flatMap((group) => group.lines);
  const found = FIRST.flatMap((label) => lines.filter((line) => line.label === label));
  const tile = ({ label, text, note, tone }: (typeof found)[number]): Html =>
    html`<div title="${note ?? ""}"><dt>${label}</dt><dd class="${tone ?? ""}">${text}</dd></div>`;
  return html`<dl class="tiles">${found.map(tile)}</dl>`;
}

export function assumptions(record: RunRecord, compared: Comparison | undefined): Html {
  const { settings, ended, refusals, holes = [], references = [] } = record;
  const params = Object.entries(settings.params).map(([name, value]) => ({
    name: `parameter ${name}`,
    value: typeof value === "string" ? value : (JSON.stringify(value) ?? String(value)),
  }));
  const rest = [
    { name: "risk-free rate", value: `${settings.riskFreeRate * 100} % a year` },
    ...(settings.traceHash === undefined ? [] : [{ name: "trace hash", value: settings.traceHash }]),
    ...(compared === undefined
      ? []
      : [
          { name: "compared with", value: `${compared.label}: ${compared.record.settings.title}` },
          ...compared.record.settings.assumptions,
        ]),
  ];
  const refused = Object.entries(refusals).map(([rule, count]) => ({
    name: `refused by ${rule}`,
    value: [counted(count, "proposal"), refusedText(record, rule)].join(": "),
  }));
  const capped = cappedRows(record).map(({ rule, orders, text }) => ({
    name: `capped by ${rule}`,
    value: `${counted(orders, "order")}: ${text}`,
  }));
  const closed = holes.map((one) => ({ name: `holes in ${one.name}`, value: holeText(one) }));
  const end = ended === undefined ? [] : [{ name: "state at the end", value: endedText(record) ?? ended.state }];
  const rows = [
    ...end,
    ...beliefRows(references),
    ...closed,
    ...settings.assumptions,
    ...params,
    ...rest,
    ...refused,
    ...capped,
  ];
  return html`<h2>Assumptions and settings</h2>
<div class="scroll flat facts"><table><tbody>${rows.map(({ name, value }) => html`<tr><th scope="row">${name}</th><td>${value}</td></tr>`)}</tbody></table></div>`;
}
