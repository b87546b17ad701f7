// From shadow to live: what a journal shows of the days in shadow, as findings with what is missing. Reads nothing of the
// venue.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { counted, type Finding, fine, problem, unknown, warning } from "../../app/finding.ts";
import { readable, withReader } from "../../app/journal/open-reader.ts";
import type { Shell } from "../../app/shell.ts";
import { brokenRules } from "../../config/rule.ts";
import type { Config } from "../../config/schema.ts";
import { DAY_MS } from "../../domain/time.ts";
import type { JournalReader } from "../../journal/journal-reader.ts";
import { statusNow, stressLines } from "../command/status.ts";
import { ALL_PLAYED } from "./page.ts";

const [DAYS_MIN, ORDERS_MIN] = [14, 100];

class Seen {
  readonly days = new Set<number>();
  readonly refusals = new Map<string, number>();
  readonly open = new Set<string>();
  readonly count = { sent: 0, filled: 0, rejected: 0, doubts: 0, halts: 0 };
}

export async function liveChecklist(shell: Shell, config: Config): Promise<readonly Finding[]> {
  const other = `mode is ${config.mode}: the checklist reads a shadow's journal`;
  if (config.mode !== "shadow") return [problem("shadow", other, "name its configuration by --config")];
  const seen = withReader(shell, seenIn);
  const { sent, filled, rejected, halts } = seen.count;
  const status = await statusNow(shell, config);
  const stress = stressLines(status);
  return [
    atLeast("days", seen.days.size, DAYS_MIN, "shadow day", "let it run: a weekend and a month's end differ"),
    atLeast("orders", sent, ORDERS_MIN, "order", "fewer say little about share filled and cost"),
    fine("fills", `${filled} filled, ${rejected} refused of ${sent}; ${counted(halts, "halt")}`),
    budgetFinding(status),
    doubtsFinding(seen),
    limitsFinding(seen.refusals),
    ...(stress.length === 0
      ? [unknown("stress", "not known without prices: run this while the shadow runs")]
      : stress.map((line) => fine("stress", line))),
    rehearsed(shell, config),
    ...missingForLive(config),
  ];
}

function seenIn(reader: JournalReader): Seen {
  const seen = new Seen();
  for (const read of reader.after(0)) {
    const { record } = readable(read).entry;
    if ("at" in record) seen.days.add(Math.floor(record.at / DAY_MS));
    if (record.kind === "intent" && record.request.kind === "order") seen.count.sent += 1;
    if (record.kind === "outcome" && record.outcome.kind === "accepted") seen.count.filled += 1;
    if (record.kind === "outcome" && record.outcome.kind === "rejected") seen.count.rejected += 1;
    if (record.kind === "doubt") {
      seen.count.doubts += 1;
      seen.open.add(record.id);
    }
    if (record.kind === "resolution" && record.verdict.kind !== "escalated") seen.open.delete(record.id);
    if (record.kind === "control" && record.control.kind === "halt") seen.count.halts += 1;
    if (record.kind !== "step") continue;
    if (record.step.event.kind === "control" && record.step.event.control.kind === "halt") seen.count.halts += 1;
    for (const { verdict } of record.step.decisions)
      if (verdict.kind === "refused")
        seen.refusals.set(verdict.refusal.rule, (seen.refusals.get(verdict.refusal.rule) ?? 0) + 1);
  }
  return seen;
}

function doubtsFinding({ count: { doubts }, open }: Seen): Finding {
  if (doubts === 0)
    return warning("doubts", "no outcome was unknown", "live will meet one: read docs/concepts/unknown.md");
  if (open.size === 0) return fine("doubts", `${doubts} met, all resolved`);
  return problem("doubts", `${doubts} met, ${open.size} still open`, "pegbot status names each with its way out");
}

function atLeast(check: string, count: number, least: number, what: string, why: string): Finding {
  return count >= least
    ? fine(check, counted(count, what))
    : problem(check, `${counted(count, what)}, ${least} are asked for`, why);
}

function budgetFinding({ budget }: Awaited<ReturnType<typeof statusNow>>): Finding {
  if (budget === undefined) return unknown("budget", "known while the shadow runs", "run this while it does");
  const text = `${budget.slots} requests, one in ${Math.round(budget.spacingMs)} ms`;
  if (budget.rateLimited === 0) return fine("budget", text);
  return warning("budget", `${text}; the venue answered 429 in the last 10 min`, "give the bot a key of its own");
}

function limitsFinding(refusals: ReadonlyMap<string, number>): Finding {
  const told = [...refusals].toSorted(([, one], [, other]) => other - one).map(([rule, count]) => `${rule} ${count}`);
  if (told.length > 0) return fine("limits", `refused by ${told.slice(0, 8).join(", ")}`);
  return warning("limits", "no limit refused an order", "they may be too wide: docs/guides/limits.md has the presets");
}

/** A whole one of this venue; the page's title names it. */
function rehearsed({ configFile }: Shell, { venue }: Config): Finding {
  const folder = dirname(configFile);
  const title = `# Rehearsal at ${venue.baseUrl && new URL(venue.baseUrl).host} (`;
  const isWhole = (text: string): boolean => text.startsWith(title) && text.includes(ALL_PLAYED);
  const pages = readdirSync(folder).filter((name) => /^rehearsal-.*\.md$/.test(name));
  const page = pages.sort().findLast((name) => isWhole(readFileSync(join(folder, name), "utf8")));
  if (page !== undefined) return fine("rehearsal", `${page} says what the venue showed of an order`);
  const missing = "no page of a whole rehearsal at this venue: the forms of rows that only money shows are not known";
  return warning("rehearsal", missing, "pegbot rehearse, in mode live, with the smallest order");
}

/** What `mode: live` would be refused for. */
function missingForLive(config: Config): readonly Finding[] {
  const next = "correct the configuration for live, and name another journal.path there: this one stays the shadow's";
  const broken = brokenRules({ ...config, mode: "live" });
  if (broken.length === 0) return [fine("live", "the configuration is complete but for a journal.path of its own")];
  return broken.map(({ text }) => problem("live", text, next));
}
