// `status`: the status of the bot, running or not.

import type { Command } from "commander";
import { codePage } from "../../app/code-page.ts";
import { botConfig } from "../../app/config/bot-config.ts";
import { readable, readingFile, requireOpening } from "../../app/journal/open-reader.ts";
import { newInstance } from "../../app/key/join-budget.ts";
import { isBot, ownerOn } from "../../app/key/owner-file.ts";
import { openKillFile } from "../../app/kill-switch/kill-file.ts";
import { askedOwner } from "../../app/owner/ask-owner.ts";
import { coreOf, ownerBoard } from "../../app/owner/core-of.ts";
import { snapshotIn } from "../../app/owner/snapshots.ts";
import type { Run, Shell } from "../../app/shell.ts";
import type { Terminal } from "../../app/terminal/terminal.ts";
import { standingLines } from "../../app/terminal/trading-state-lines.ts";
import { Engine } from "../../bot/engine.ts";
import { timeAhead } from "../../bot/inbox/venue-clock.ts";
import { engineAt, fromSnapshot, type MakeEngine, type Snapshot } from "../../bot/snapshot.ts";
import { IDLE } from "../../bot/strategy-host/strategy-state.ts";
import type { Config } from "../../config/schema.ts";
import { amountText, changeText } from "../../domain/amount-text.ts";
import { CommandFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { type ExitCode, exitCode } from "../../domain/exit-code.ts";
import { ok } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Millis } from "../../domain/time.ts";
import { durationText, utcText } from "../../domain/time-text.ts";
import { RUN } from "../../execution/remediation.ts";
import { JournalReader } from "../../journal/journal-reader.ts";
import { WAY_OUT } from "../../journal/verdict.ts";
import { status as operation } from "../../operation/status.ts";
import { railDraftsOf, schedulesOf } from "../../operation/terms/treasury-terms.ts";
import { OtherCurrency } from "../../risk/counters.ts";
import { joined } from "../../risk/trading-state.ts";
import { asAsked, PlanLog } from "../../treasury/approval/plan-log.ts";
import { standingOf } from "../../treasury/conversion/schedule.ts";
import { templateOf } from "../../treasury/rebalancer/rails.ts";
import { STRESS } from "../../watch/status/limit-usage.ts";
import { judged, type StatusBoard } from "../../watch/status/status-board.ts";
import { awaitingApproval, treasuryShown } from "../../watch/status/submission-list.ts";
import { type ShownPlan, type Status, stageOf, titleOf, wantedText } from "../../watch/status.ts";
import { agreeText, figureText } from "../../watch/text/resume-text.ts";
import { freeOf } from "../../watch/text/status-screen.ts";
import { clockText, profitText, sourcesText, stateText, valueText } from "../../watch/text/status-text.ts";
import { columns } from "../columns.ts";

export function defineStatus(command: Command, run: Run): void {
  command.action(() => run(status));
}

/** As `status` shows it, for commands that print what stands before they change it. */
export async function statusNow(shell: Shell, config: Config): Promise<Status & { readonly isTold: boolean }> {
  const found = await lookFor(shell, config);
  const isTold = found.told !== undefined;
  return { ...readingFile(config.journal.path, () => seenStatus(shell, config, found)), isTold };
}

export async function status(shell: Shell): Promise<ExitCode> {
  const config = botConfig(shell);
  const found = await lookFor(shell, config);
  const { told, bot } = found;
  const show = (report: Status): void =>
    shell.terminal.wantsJson ? shell.terminal.json(report) : printStatus(shell.terminal, report);
  try {
    const report = readingFile(config.journal.path, () => seenStatus(shell, config, found));
    show(report);
    return isSure(report) ? exitCode.done : exitCode.failed;
  } catch (error) {
    // What the bot says of itself is known all the same.
    if (error instanceof CommandFailure && told !== undefined) show({ ...told, bot });
    throw error;
  }
}

/** Whether it is how the bot stands at this moment, and the bot can write it down. */
function isSure({ damage, silent, phase }: Status): boolean {
  return (damage ?? silent) === undefined && phase.kind !== "unwritable";
}

/** `told`: what the owner of the key answered; `silent`: why it did not. */
export type Found = Pick<Status, "bot" | "silent"> & { readonly told?: Status | undefined };

const UNANSWERED = "it does not listen at its socket: it starts or ends, or could not make one";

/** The bot of this journal by its own file, which needs neither journal nor key. */
export async function lookFor(shell: Shell, { journal: { path } }: Config): Promise<Found> {
  const [told, why] = await askedOwner<Status>(shell, operation, undefined).then(
    (status) => [status] as const,
    (error: unknown) => [undefined, errorMessage(error)] as const,
  );
  const owner = ownerOn(path);
  if (owner === undefined || !isBot(owner)) return { bot: undefined, told, silent: why };
  const { pid, since, folder, page } = owner;
  return { bot: { pid, since, folder, page }, told, silent: told === undefined ? (why ?? UNANSWERED) : undefined };
}

/** The running bot's status, otherwise that of the replayed journal; with facts observed from outside. */
function seenStatus(shell: Shell, config: Config, { bot, told, silent }: Found): Status {
  const { path } = config.journal;
  requireOpening(path);
  const opened = JournalReader.open(path);
  if (!opened.ok) throw new CommandFailure(exitCode.failed, `journal ${path}: ${opened.error.message}`);
  const reader = opened.value;
  try {
    const damage = reader.anchorProblem();
    const seen = told ?? folded(shell, config, reader, bot);
    return judged({
      ...seen,
      standing: joined(openKillFile(path).standing(), seen.standing),
      ...{ bot, silent },
      damage: damage && { verdict: damage.kind, message: damage.message, wayOut: WAY_OUT[damage.kind] },
    });
  } finally {
    reader.close();
  }
}

/** From the snapshot if it fits, otherwise from the first record. */
function folded(shell: Shell, config: Config, reader: JournalReader, bot: Status["bot"]): Status {
  const { path } = config.journal;
  const { opening } = reader;
  const note = (text: string): void => shell.terminal.note(text);
  const fold = (snapshot?: Snapshot): Status => foldedFrom(snapshot, reader, { shell, config, bot });
  try {
    return fromSnapshot(snapshotIn({ path, config, opening, say: note }, reader), fold) ?? fold();
  } catch (error) {
    if (error instanceof OtherCurrency) throw new CommandFailure(exitCode.usage, `journal ${path}: ${error.message}`);
    throw error;
  }
}

type Folding = Pick<Found, "bot"> & { readonly shell: Shell; readonly config: Config };

function foldedFrom(found: Snapshot | undefined, reader: JournalReader, folding: Folding): Status {
  const { shell, config } = folding;
  const { clock } = shell;
  const make: MakeEngine = (saved) =>
    new Engine(coreOf(config, newInstance())(IDLE, saved), { safePointMs: Number.POSITIVE_INFINITY });
  const tradingCore = found === undefined ? make() : engineAt(found, make);
  const board = ownerBoard({
    ...{ clock, config, environment: reader.opening.environment },
    journal: { head: () => ok(reader.head()) },
    ledger: () => undefined,
  });
  board.watcher.core(tradingCore);
  const { plans, marked, recordedAt } = readOn(found, reader, tradingCore, board);
  const { pid: _pid, startedAt: _startedAt, ...seen } = board.snapshot();
  return {
    ...seen,
    unready: [],
    treasury: treasuryIn(plans, tradingCore, config, clock.now()),
    standing: tradingCore.books.counters.tradingState,
    phase: phaseOf(folding.bot),
    ...{ marked, recordedAt },
    // By this machine's clock: the skew in the ledger may predate a change of that clock.
    ahead: timeAhead(tradingCore.books.now, clock.now()),
  };
}

function treasuryIn(plans: PlanLog, { executor }: Engine, config: Config, now: Millis): Status["treasury"] {
  const begun = plans.underWay();
  const rails = railDraftsOf(config);
  const shown = treasuryShown(executor, {
    waiting: awaitingApproval(plans.waiting(now), now).map((one) => asAsked(one, config.treasury.approvals)),
    underWay: begun && { known: begun, waitsFor: undefined },
    conversions: plans.conversions().map((known) => ({ known, waitsFor: undefined })),
    expired: plans.unused(now),
    rest: plans.rest(now),
    templateOf: (rail) => templateOf(rails, rail, executor.treasury),
  });
  return { ...shown, instructions: standingOf(schedulesOf(config), now) };
}

/** Replays the records after the snapshot into the engine and the board, and returns the rest of the status. */
function readOn(found: Snapshot | undefined, reader: JournalReader, tradingCore: Engine, { watcher }: StatusBoard) {
  const plans = new PlanLog();
  for (const entry of found?.kept ?? []) plans.fold(entry);
  let marked: Status["marked"] = found?.equity && found.at && { equity: String(found.equity), at: found.at };
  const after = found?.base.sequence ?? 0;
  let recordedAt: Millis | undefined;
  for (const read of reader.telling(after)) {
    const { entry } = readable(read);
    const { record } = entry;
    if (record.kind === "step") watcher.step(record.step);
    // A record up to the snapshot only feeds the board; the snapshot covers the rest.
    if (entry.sequence <= after) continue;
    tradingCore.fold(entry);
    plans.fold(entry);
    if (record.kind === "step" && record.step.mark !== undefined)
      marked = { equity: String(record.step.mark), at: record.step.at };
    recordedAt = record.at;
  }
  return { plans, marked, recordedAt };
}

function phaseOf(bot: Status["bot"]): Status["phase"] {
  return bot === undefined ? { kind: "ended", text: "no bot runs" } : { kind: "running", text: `process ${bot.pid}` };
}

const DECISIONS_SHOWN = 10;
/** The same maximum as for the reason of a stop. */
const TEXT_MAX = 1_000;

export function printStatus(terminal: Terminal, status: Status): void {
  const { damage, phase } = status;
  const facts: readonly Fact[] = [
    ["NO DISK", phase.kind === "unwritable" ? `${phase.text}; nothing is sent, whatever stands below` : undefined],
    ["DAMAGED", damage && `${damage.verdict}: ${damage.message}; what is shown here may be incomplete`],
    ["way out", damage?.wayOut],
  ];
  const tell = ([name, text]: Fact): void => {
    if (text !== undefined) terminal.hang(name.padEnd(9), printable(text, TEXT_MAX));
  };
  facts.forEach(tell);
  for (const text of standingLines(status.standing, terminal.width)) terminal.print(text);
  factsOf(status).forEach(tell);
  for (const { titles, rows } of tablesOf(status)) {
    if (rows.length === 0) continue;
    terminal.print();
    terminal.table(columns(...titles), rows);
  }
}

/** A name and its text; undefined to leave it out. */
type Fact = readonly [name: string, text: string | undefined];

function factsOf(status: Status): readonly Fact[] {
  const { at, bot, silent, said, journal, recordedAt } = status;
  const { equity, totals, budget, treasury } = status;
  const begun = treasury?.underWay;
  const isKnown = bot !== undefined && silent === undefined;
  const last = recordedAt === undefined ? "" : `, the last ${durationText(at - recordedAt)} ago`;
  const asOf = `the journal's last record${recordedAt === undefined ? "" : `, ${durationText(at - recordedAt)} ago`}: a running bot may be in another state by now`;
  // The last skew may predate a change of our clock: only a running bot keeps measuring it.
  const clock = bot && clockText(budget?.skewMs);
  return [
    ["more", codePage(status.standing.reason)],
    ["bot", bot === undefined ? "none runs" : `process ${bot.pid} since ${utcText(bot.since)}, in ${bot.folder}`],
    ["as of", silent ? asOf : undefined],
    ["page", bot?.page],
    ["ready", silent && `unknown: ${silent}`],
    ...(isKnown ? factsOfBot(status) : []),
    ["frozen", status.frozen],
    ["balances", isKnown ? agreeText(status.standing, status.balancesAgreeSince) : undefined],
    ["now", SAID_BY_STOP.has(status.state.word) ? undefined : stateText(status.state, at)],
    ...status.needs
      .filter(({ kind }) => kind !== "stop")
      .map(({ what, wayOut }): Fact => ["needs", `${what}. Way out: ${wayOut}`]),
    ["says", said && `${said.text} (the strategy, since ${utcText(said.at)})`],
    [
      "mode",
      `${status.mode}, environment ${status.environment}${status.market === undefined ? "" : `, ${status.market}`}`,
    ],
    ["journal", `${journal.path}, ${journal.records ?? "?"} records${last}`],
    ["time", isKnown ? undefined : status.ahead],
    ["equity", equityText(status, isKnown)],
    ["value", equity.atMid && valueText(equity)],
    ["profit", totals && `${profitText(totals)}, since the journal began`],
    ...fillingFacts(status),
    ...stressFacts(status),
    ["clock", clock && `ours is ${clock}`],
    [
      "plan",
      begun &&
        `${begun.id} is under way since ${utcText(begun.at)}${bot ? "" : "; no bot runs, and the next one ends it"}`,
    ],
    ["waits", begun?.waitsFor],
    ...(treasury?.instructions ?? []).map(({ name, what, next, waitsFor: late }): Fact => {
      const waits = late === undefined ? "" : `; waits for ${late}`;
      return ["schedule", `${name}: ${what}, next ${utcText(next)}${waits}`];
    }),
    ...(treasury?.plans ?? [])
      .filter(({ approvedBy, persons }) => approvedBy.length >= persons)
      .map((plan): Fact => ["plan", `${plan.id} is approved, and waits for ${waitsFor(status, plan)}`]),
  ];
}

/** The first lines say it all. */
const SAID_BY_STOP: ReadonlySet<string> = new Set(["HALTED", "REDUCED", "ACTIVE"]);

/** Facts that only a running, answering bot knows. */
function factsOfBot({ unready, feeds }: Status): readonly Fact[] {
  return [
    ["ready", unready.length === 0 ? "yes" : undefined],
    ...unready.map((reason): Fact => ["ready", `no: ${reason}`]),
    ...feeds.map(({ name, trouble }): Fact => ["feed", trouble && `${name}: ${trouble}`]),
  ];
}

function equityText(status: Status, isKnown: boolean): string {
  const { today, sources, now } = status.equity;
  if (!isKnown || now === undefined) return knownEquity(status);
  return `${knownEquity(status)}; today ${today === undefined ? "not known" : changeText(today)}${sourcesText(sources)}`;
}

/** The journal has equity only at the opening of a day and at new highs, which is not the current value. */
function knownEquity({ at, bot, silent, marked, equity: { currency, now: equity } }: Status): string {
  if (bot !== undefined && silent === undefined && equity !== undefined)
    return `${amountText(equity)} ${currency} at ${utcText(at)}`;
  const now = bot === undefined ? "not known while no bot runs" : "not known";
  if (marked === undefined) return `${now}, and never marked`;
  return `${now}; last marked ${durationText(at - marked.at)} ago (a day's opening or a new high, not the latest): ${amountText(marked.equity)} ${currency} at ${utcText(marked.at)}`;
}

/** The page colours limits from this level on. */
const FILLING_BPS = 7_000;

/** Without a bot their use is unknown: hourly and daily windows pass meanwhile. */
function fillingFacts({ bot, limits }: Status): readonly Fact[] {
  return limits.flatMap(({ rule, name, unit, used = 0, limit = 0, usedBps = 0 }): readonly Fact[] => {
    if (bot === undefined || usedBps < FILLING_BPS) return [];
    const text = `${name} is at ${Math.floor(usedBps / 100)} %: ${figureText(used, unit)} of ${figureText(limit, unit)} (${rule})`;
    return [["limit", text]];
  });
}

export function stressLines(status: Status): readonly string[] {
  return stressFacts(status).map(([, text = ""]) => text);
}

function stressFacts({ limits, equity }: Status): readonly Fact[] {
  return limits.flatMap(({ key, rule, name, unit, used, limit }): readonly Fact[] => {
    if (key === "adverse-fills" && used === undefined)
      return [["guard", `nothing guards against adverse selection until ten fills are measured (${rule})`]];
    if (!STRESS.has(key) || used === undefined) return [];
    const share = Number(equity.now) > 0 ? `, ${((used / Number(equity.now)) * 100).toFixed(1)} % of equity` : "";
    const most = limit === undefined || Number.isNaN(limit) ? "" : ` of ${figureText(limit, unit)}`;
    return [["stress", `${name}: ${figureText(used, unit)}${most}${share} (${rule})`]];
  });
}

type Table = { readonly titles: readonly string[]; readonly rows: readonly (readonly string[])[] };

/** Tables without rows are not shown. */
function tablesOf(status: Status): readonly Table[] {
  const { holdings, flights = [], open, decisions, at } = status;
  const age = (since: Millis | undefined): string => (since === undefined ? "-" : durationText(at - since));
  return [
    {
      titles: ["asset", ">held", ">free", ">reserved", ">in flight", `>in ${status.equity.currency}`],
      rows: holdings.map((one) => {
        const { asset, held = "-", reserved, inFlight, value } = one;
        return [asset, held, freeOf(one) ?? "-", reserved, inFlight, amountText(value)];
      }),
    },
    {
      titles: ["in flight", "what", "comes", "age", "venue says"],
      rows: flights.map(({ id, door, comes, ageMs, status, reason }) => {
        const said = [status ?? "-", ...(reason === undefined ? [] : [reason])].join(": ");
        return [id, door, comes, durationText(ageMs), said];
      }),
    },
    {
      titles: ["open", "state", "since", "what"],
      rows: open.map((one) => [one.id, stageOf(one), age(one.since), titleOf(one)]),
    },
    {
      titles: ["last decisions", "order", "became", "why"],
      rows: decisions.slice(0, DECISIONS_SHOWN).map((decision) => {
        const { outcome, note, reason, times } = decision;
        const became = times > 1 ? `${outcome} x${times}` : outcome;
        return [utcText(decision.at), wantedText(decision), became, note === "" ? reason : note];
      }),
    },
  ];
}

/** The bot's own reason, if it gives one. */
function waitsFor({ bot, standing, frozen }: Status, { waitsFor: itself }: ShownPlan): string {
  if (bot === undefined) return `a bot: ${RUN}`;
  if (standing.state !== "ACTIVE") return `the end of ${standing.state}`;
  if (itself !== undefined) return printable(itself, 300);
  return frozen === undefined ? "what the bot's log says of it" : "the end of what is frozen";
}
