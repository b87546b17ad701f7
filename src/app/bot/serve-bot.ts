// The HTTP server of a run. It shows the status and the steps; it can set the kill switch and record a person's
// approval.

import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { limitsOf } from "../../config/limits-of.ts";
import type { Config } from "../../config/schema.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import { orFail, plainFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { type Exposure, exposureProblem } from "../../domain/exposure.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Clock } from "../../domain/time.ts";
import { readSecretFile } from "../../exchange/key/secret-file.ts";
import type { SqliteJournal } from "../../journal/sqlite-journal.ts";
import type { Owner } from "../../operation/owner.ts";
import { openHistory } from "../../watch/dashboard/history.ts";
import { createPageModel, historyColumns, type PageModel, type PairShown } from "../../watch/dashboard/model.ts";
import { type DashboardServer, type ServerParts, startServer } from "../../watch/dashboard/server.ts";
import { createMetrics, type Metrics } from "../../watch/metrics/metrics.ts";
import { VENUE } from "../../watch/status/feed-list.ts";
import type { StatusBoard } from "../../watch/status/status-board.ts";
import { environmentName } from "../config/identity.ts";
import { parOf } from "../feeds/par.ts";
import { referenceNames } from "../feeds/price-sources.ts";
import { tokenHolders } from "../key/control-token.ts";
import { amendOwner } from "../key/owner-file.ts";
import type { KillFile } from "../kill-switch/kill-file.ts";
import type { KillSwitch } from "../kill-switch/kill-switch.ts";
import { ownerOf } from "../owner/owner-of.ts";
import type { Shell } from "../shell.ts";
import type { Closing } from "../system/closing.ts";
import { type EventLoopWatch, watchEventLoop } from "../system/event-loop.ts";
import { every, systemTimers } from "../system/system-timers.ts";
import type { Bot } from "./bot.ts";
import type { BotOrder } from "./bot-order.ts";
import type { BotView } from "./view.ts";

const TLS_EVERY_MS = 10_000;
const SAMPLE_MS = 1_000;
const OTHER_PORT = "--port N takes another one, --port 0 a free one";
/** Records of earlier processes: enough to fill the charts and the tape. */
const RECALLED_MAX = 3_000;

type Served = Pick<
  Bot,
  "clock" | "order" | "codeVersion" | "metrics" | "slots$" | "view" | "line" | "inForce" | "venue"
> & {
  readonly shell: Pick<Shell, "clock">;
  readonly books: {
    readonly journal: Pick<SqliteJournal, "read" | "head">;
    readonly killFile: Pick<KillFile, "remove">;
  };
  readonly killSwitch: Pick<KillSwitch, "kill" | "standing">;
};

/** `warning`: a person should read it before trusting the page. */
export async function serveBot(
  bot: Served,
  closing: Closing,
): Promise<{ readonly warning: string | undefined; readonly owner: Owner }> {
  const { order, clock, view, codeVersion, metrics, line, inForce, killSwitch } = bot;
  const { config } = order;
  const { server, journal } = config;
  const { board } = view;
  const model = modelOf(bot, closing);
  const loop = watchEventLoop();
  closing.add(() => loop.close());
  const trouble = (error: unknown): void => view.observer.problem?.("watching", errorMessage(error));
  const parts: Omit<ServerParts, "port"> = {
    ...orFail(serverExposure(server)),
    ...ownerOf({ config, line, clock, killFile: bot.books.killFile, board, killSwitch, exchange: bot.venue.exchange }),
    holderOf: tokenHolders(journal.path),
    version: codeVersion,
    model,
    timers: systemTimers,
    unready: () => board.snapshot().unready,
    metrics: scraper({ metrics, board, clock: bot.shell.clock, loop }),
    trouble,
    denied: (path) => view.observer.problem?.("token", `a wrong token was given for ${printable(path)}`),
    limits: (by) => inForce.reload(by),
  };
  const opened = await listening(order, view, (port) => startServer({ ...parts, port }));
  closing.add(() => opened.close());
  let { tls } = parts;
  const renew = (): void => {
    const now = orFail(serverExposure(server)).tls;
    if (now?.cert === tls?.cert && now?.key === tls?.key) return;
    opened.renew(now);
    tls = now;
    view.say("info", "server", "took over the renewed certificate");
  };
  if (tls !== undefined) closing.add(every(TLS_EVERY_MS, () => view.aside(renew)));
  view.serve({ url: opened.url, restored: (upTo) => recall(bot, model, upTo) });
  amendOwner(bot.venue.budget.file, { page: opened.url });
  closing.add(() => amendOwner(bot.venue.budget.file, { page: undefined }));
  return { warning: opened.warning, owner: parts };
}

/** A taken port ends the start, unless the order allows any port. */
async function listening(
  { port, anyPort = false }: BotOrder,
  view: BotView,
  serve: (port: number) => Promise<DashboardServer>,
): Promise<DashboardServer> {
  try {
    return await serve(port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    if (!anyPort) throw plainFailure(`port ${port} is taken`, OTHER_PORT);
    view.say("warn", "server", `port ${port} is taken, so a free one is used`);
    return serve(0);
  }
}

function modelOf({ order, view, slots$ }: Served, closing: Closing): PageModel {
  const { config } = order;
  const { board } = view;
  const par = parOf(config);
  const pairs = limitsOf(config).symbols.map(
    (symbol): PairShown => ({ symbol, parBandBps: par.get(symbol as PairSymbol)?.bandBps }),
  );
  const history = openHistory(`${config.journal.path}.page`, historyColumns(pairs));
  closing.add(() => history.close());
  if (history.base !== undefined) board.day.recall(history.base);
  const model = createPageModel({
    ...{ boot: randomUUID(), pairs, history },
    status: () => board.snapshot(),
    fills: () => board.fills,
    settlements: () => board.settlements,
  });
  const sample = (): void => {
    model.sample();
    history.keepBase(board.day.base);
  };
  closing.add(every(SAMPLE_MS, () => view.aside(sample)));
  const listening = slots$.subscribe((slot) => {
    model.slot(slot);
    const { class: wanted, end, at, waitedMs, tookMs } = slot;
    if (wanted === "order" && end !== "unspent")
      board.slot(`waited ${Math.round(waitedMs)} ms, ${end} after ${Math.round(tookMs)} ms`, at);
  });
  closing.add(() => listening.unsubscribe());
  return model;
}

/** Loads records of earlier processes; if they cannot be read the page starts empty, and the bot reports why. */
function recall({ books, view }: Served, model: PageModel, upTo: number): void {
  const after = Math.max(0, upTo - RECALLED_MAX);
  const past = books.journal.read(after, upTo - after);
  if (!past.ok) return;
  for (const { record } of past.value) {
    view.board.recall(record);
    if (record.kind === "step") model.recall(record.step);
  }
}

// Turns the section `server` into the server's options: reads certificate and key, and refuses the start if a condition
// for access from other machines is missing.

export function serverExposure({ host, reads, tls, names }: Config["server"]): Result<Exposure> {
  const pair = tls === undefined ? ok(undefined) : readPair(tls);
  if (!pair.ok) return pair;
  const exposure = { host, reads, tls: pair.value, names };
  const problem = exposureProblem(exposure);
  return problem === undefined ? ok(exposure) : err(problem);
}

function readPair({ certFile, keyFile }: { certFile: string; keyFile: string }): Result<Exposure["tls"]> {
  const key = readSecretFile(keyFile, "TLS key");
  if (!key.ok) return key;
  try {
    return ok({ cert: readFileSync(certFile, "utf8"), key: key.value.toString("utf8") });
  } catch (error) {
    return err(`TLS certificate ${certFile} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

// The metrics of a run: the labels of its configuration, and the values that a scrape reads.

export function metricsOf(config: Config, codeVersion: string): Metrics {
  const { symbols, currency } = limitsOf(config);
  return createMetrics({
    build: { version: codeVersion, mode: config.mode, environment: environmentName(config) },
    symbols,
    currency,
    par: new Set<string>(parOf(config).keys()),
    feeds: [VENUE, ...referenceNames(config)],
  });
}

type Scraped = {
  readonly metrics: Metrics;
  readonly board: Pick<StatusBoard, "snapshot">;
  readonly clock: Clock;
  readonly loop: EventLoopWatch;
};

function scraper({ metrics, board, clock, loop }: Scraped): () => ReturnType<Metrics["scrape"]> {
  return () => {
    const status = board.snapshot();
    const { rss: residentBytes, heapUsed: heapBytes } = process.memoryUsage();
    const memory = { residentBytes, heapBytes };
    const vitals = { memory, lag: loop.lag(), journalBytes: journalBytes(status.journal.path) };
    return metrics.scrape({ status, vitals, now: clock.monotonic() });
  };
}

/** The size of the file and its write-ahead log. */
function journalBytes(path: string): number | undefined {
  const main = sizeOf(path);
  return main === undefined ? undefined : main + (sizeOf(`${path}-wal`) ?? 0);
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}
