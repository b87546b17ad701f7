// `rebalance`: plans the cheapest way to bring every holding within its band, with what each route costs. With
// --execute a person has it executed; if two must approve, the plan waits for the second approval.

import type { Command } from "commander";
import type { Run } from "../../app/shell.ts";
import type { Terminal } from "../../app/terminal/terminal.ts";
import { amountText } from "../../domain/amount-text.ts";
import { printable } from "../../domain/sanitise.ts";
import { durationText } from "../../domain/time-text.ts";
import type { ShownProposal } from "../../operation/rebalance.ts";
import { type AskOptions, asking } from "../asking.ts";
import { columns } from "../columns.ts";

const HELP = `
Shows where money lies against treasury.targets, what each route back into the
band costs, ties up and takes, and the cheapest steps. --execute goes through
the same gates as order, mint and rail, and ends at the first step that does not
end well.`;

export function defineRebalance(command: Command, run: Run): void {
  command
    .option("--execute", "carry it out, step by step")
    .option("--off-peg", "sell coins that are off their peg, too, by the venue's price")
    .option("--yes", "confirm without a terminal")
    .option("--id <uuid>", "ask again: a known id sends nothing, and says what became of it")
    .addHelpText("after", HELP)
    .action(({ execute, offPeg, ...options }: RebalanceOptions) =>
      asking(
        run,
        {
          name: "rebalance",
          input: { offPeg },
          show: (terminal, shown) => showProposal(terminal, shown as ShownProposal),
        },
        { ...options, preview: execute !== true },
      ),
    );
}

type RebalanceOptions = AskOptions & {
  readonly execute?: boolean;
  /** Also sells off-peg coins. */
  readonly offPeg?: boolean;
};

type Holding = ShownProposal["holdings"][number];
type Routes = ShownProposal["routes"][number];
type Way = Routes["ways"][number];
type Step = ShownProposal["steps"][number];

const amount = (exact: string | null): string => amountText(exact ?? "0");
const isNone = (exact: string | null): boolean => Number(exact ?? "0") === 0;

export function showProposal(terminal: Terminal, proposal: ShownProposal): void {
  const { steps, holdings, currency, unvalued, closed, warnings, cost, costMax } = proposal;
  terminal.table(
    columns("holding", ">available", ">bound", ">in flight", ">band", ">now", ">after"),
    holdings.filter(isWorthALine).map(holdingRow),
  );
  for (const table of proposal.routes) showRoutes(terminal, table, currency);
  terminal.print();
  if (steps.length === 0) terminal.print(nothingText(holdings));
  else {
    terminal.table(
      columns("step", ">takes", ">brings", ">spread, fees", ">time, risk", `>cost ${currency}`, ">bp", ">until"),
      steps.map((step, index) => stepRow(step, index)),
    );
    terminal.print(
      `cost ${amount(cost)} ${currency}, at most ${amount(costMax)} with the highest fees, at the worst price accepted`,
    );
  }
  for (const { holding, why } of unvalued) terminal.print(`left: ${holding} is not planned for; ${why}`);
  showLeft(terminal, holdings);
  for (const { name, reason } of closed) terminal.print(`closed: ${name}, ${printable(reason)}`);
  for (const warning of warnings) terminal.print(`warning: ${warning}`);
}

/** Best first: the plan begins with the first. */
function showRoutes(terminal: Terminal, { holding, missing, ways }: Routes, currency: string): void {
  if (ways.length === 0) return;
  terminal.print();
  const titles = [`>cost ${currency}`, ">bp", ">tied up", ">until", ">still missing"] as const;
  terminal.table(
    columns(`routes for ${amount(missing)} ${holding}`, ...titles),
    ways.map((way) => [
      [...new Set(way.steps.map(({ route }) => route))].join(" and "),
      amount(way.cost),
      bpsOf(way.cost, movedBy(way)),
      amount(way.tiedUp),
      durationOf(way.arrivesMs),
      amount(way.missing),
    ]),
  );
}

function movedBy({ steps }: Way): number {
  return steps.reduce((sum, { value }) => sum + Number(value), 0);
}

function bpsOf(cost: string | null, value: number): string {
  return value === 0 ? "" : ((Number(cost) / value) * 10_000).toFixed(1);
}

/** Holdings without a band and without movement are left out. */
function isWorthALine({ band, before, after }: Holding): boolean {
  return band !== null || before !== after;
}

function holdingRow(one: Holding): string[] {
  return [
    one.holding ?? "",
    amount(one.available),
    amount(one.bound),
    one.inFlight.map(({ amount: part }) => amount(part)).join(" + ") || "0.00",
    one.band ?? "",
    `${amount(one.before)}${isNone(one.missingBefore) ? "  " : " !"}`,
    `${amount(one.after)}${isNone(one.missingAfter) ? "  " : " !"}`,
  ];
}

function stepRow(
  { route, limit, takes, from, brings, to, lost, time, risk, cost, value, arrivesMs }: Step,
  index: number,
) {
  return [
    `${index + 1} ${route}${limit === undefined ? "" : ` at ${limit}`}`,
    `${amount(takes)} ${from}`,
    `${amount(brings)} ${to}`,
    amount(lost),
    amount(String(Number(time) + Number(risk))),
    amount(cost),
    bpsOf(cost, Number(value)),
    durationOf(arrivesMs),
  ];
}

function durationOf(ms: number): string {
  return ms < 1_000 ? "at once" : `in ${durationText(ms)}`;
}

function nothingText(holdings: readonly Holding[]): string {
  return holdings.some(({ missingAfter }) => !isNone(missingAfter))
    ? "nothing can be done: no route brings anything nearer to its band"
    : "nothing to do: every holding is in its band";
}

function showLeft(terminal: Terminal, holdings: readonly Holding[]): void {
  for (const { holding, missingAfter, isBelow, backTo, reason } of holdings) {
    if (isNone(missingAfter)) continue;
    const side = `${isBelow ? "below" : "above"} its ${backTo === null ? "band" : "target"}`;
    terminal.print(`left: ${holding} stays ${amount(missingAfter)} ${side}; ${reason ?? "unknown why"}`);
  }
}
