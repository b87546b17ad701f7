// The HTTP server of a run: what it shows comes from the status and the steps, what it may do is the kill switch,
// and writing down a person's approval.

import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { Observable } from "rxjs";
import type { Config } from "../../config/schema.ts";
import type { PairSymbol } from "../../domain/asset.ts";
import { type Exposure, exposureProblem } from "../../domain/exposure.ts";
import { pause } from "../../domain/pause.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import { printable } from "../../domain/sanitise.ts";
import type { Clock, Millis } from "../../domain/time.ts";
import { readSecretFile } from "../../exchange/key/secret-file.ts";
import type { Journal } from "../../journal/journal.ts";
import type { PlanRecord } from "../../journal/record.ts";
import type { SqliteJournal } from "../../journal/sqlite-journal.ts";
import { type LoggedPlan, PLAN_WORDS, PlanLog } from "../../treasury/approval/plan-log.ts";
import type { HoldingChange } from "../../treasury/approval/plan-need.ts";
import { edgesOf } from "../../treasury/plan/holding.ts";
import type { WaitingPlan } from "../../watch/dashboard/api.ts";
import { createReadModel, type ReadModel } from "../../watch/dashboard/model/read-model.ts";
import type { PairShown, ShownSlot } from "../../watch/dashboard/model/shown.ts";
import { type DashboardServer, type ServerParts, startServer } from "../../watch/dashboard/server.ts";
import { createMetrics, type Metrics } from "../../watch/metrics/metrics.ts";
import { VENUE } from "../../watch/status/feed-list.ts";
import type { StatusBoard } from "../../watch/status/status-board.ts";
import { CommandFailure, orFail } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import { referenceNames } from "../feeds/price-sources.ts";
import { openToken } from "../key/control-token.ts";
import type { KillSwitch } from "../kill-switch/kill-switch.ts";
import type { EventLoopWatch } from "../system/event-loop.ts";
import { systemTimers } from "../system/system-timers.ts";
import type { BotOrder } from "./bot-order.ts";
import type { Closing } from "./closing.ts";
import { limitsOf, parOf } from "./core-of.ts";
import { environmentName } from "./identity.ts";
import type { BotView } from "./view.ts";

type Served = {
  readonly killSwitch: Pick<KillSwitch, "kill">;
  readonly view: BotView;
  readonly codeVersion: string;
  readonly metrics: ServerParts["metrics"];
  /** What the requests were spent on. */
  readonly slots$: Observable<ShownSlot>;
  readonly journal: Pick<Journal, "read">;
  readonly heartbeat: ServerParts["heartbeat"];
  readonly resume: ServerParts["resume"];
  readonly approve: ServerParts["approve"];
  readonly decline: ServerParts["decline"];
  readonly plans: ServerParts["plans"];
  /** Where others find the page. */
  readonly showPage: (url: string) => void;
};

const OTHER_PORT = "--port N takes another one, --port 0 a free one";
/** Of earlier processes: enough for the charts and the tape to begin with. */
const RECALLED_MAX = 3_000;

/** Gives what a person should know before trusting the page. */
export async function serveBot(order: BotOrder, served: Served, closing: Closing): Promise<string | undefined> {
  const { config } = order;
  const { killSwitch, view, codeVersion, metrics, heartbeat, resume, approve, decline, plans } = served;
  const model = modelOf(order, served, closing);
  const parts: Omit<ServerParts, "port"> = {
    ...orFail(serverExposure(config.server)),
    token: orFail(openToken(config.journal.path)),
    version: codeVersion,
    model,
    timers: systemTimers,
    unready: () => view.board.snapshot().unready,
    metrics,
    trouble: (error) => tellTrouble(view, error),
    denied: (path) => view.watcher.problem?.("token", `a wrong token was given for ${printable(path)}`),
    halt: killSwitch.kill,
    heartbeat,
    resume,
    approve,
    decline,
    plans,
  };
  const server = await listening(order, view, (port) => startServer({ ...parts, port }));
  closing.add(() => server.close());
  view.serve(server.url, { restored: (upTo) => recall(served, model, upTo), step: model.step });
  try {
    served.showPage(server.url);
  } catch (error) {
    tellTrouble(view, error);
  }
  return server.warning;
}

/** A port that is taken ends the start, unless nobody asked for just this one. */
async function listening(
  { port, anyPort = false }: BotOrder,
  view: BotView,
  serve: (port: number) => Promise<DashboardServer>,
): Promise<DashboardServer> {
  try {
    return await serve(port);
  } catch (error) {
    if (!isPortTaken(error)) throw error;
    if (!anyPort) throw new CommandFailure(exitCode.failed, `port ${port} is taken`, OTHER_PORT);
    view.say("warn", "server", `port ${port} is taken, so a free one is used`);
    return serve(0);
  }
}

function modelOf({ config }: BotOrder, { view, slots$ }: Served, closing: Closing): ReadModel {
  const par = parOf(config);
  const pairs = limitsOf(config).symbols.map(
    (symbol): PairShown => ({ symbol, parBandBps: par.get(symbol as PairSymbol)?.bandBps }),
  );
  const model = createReadModel({
    boot: randomUUID(),
    status: () => view.board.snapshot(),
    pairs,
    settlements: () => view.board.settlements,
  });
  const listening = slots$.subscribe((slot) => model.slot(slot));
  closing.add(() => listening.unsubscribe());
  return model;
}

function tellTrouble({ watcher }: BotView, error: unknown): void {
  watcher.problem?.("watching", error instanceof Error ? error.message : String(error));
}

/** What others left before; where it cannot be read the page begins empty, and the bot has its own words for that. */
function recall({ journal, view }: Served, model: ReadModel, upTo: number): void {
  const after = Math.max(0, upTo - RECALLED_MAX);
  const past = journal.read(after, upTo - after);
  if (!past.ok) return;
  for (const { record } of past.value) {
    view.board.recall(record);
    if (record.kind === "step") model.step(record.step);
  }
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}

// From the section `server` to what the server is given: certificate and key are read, and whatever is missing to let other
// machines in refuses the start.

export function serverExposure({ host, exposed, tls, names }: Config["server"]): Result<Exposure> {
  const pair = tls === undefined ? ok(undefined) : readPair(tls);
  if (!pair.ok) return pair;
  const exposure = { host, exposed, tls: pair.value, names };
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

// The metrics of a run: which labels its configuration knows, and what a scrape looks at.

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

export function scraper({ metrics, board, clock, loop }: Scraped): () => ReturnType<Metrics["scrape"]> {
  return () => {
    const status = board.snapshot();
    const isReady = status.unready.length === 0;
    const { rss: residentBytes, heapUsed: heapBytes } = process.memoryUsage();
    const memory = { residentBytes, heapBytes };
    const vitals = { memory, lag: loop.lag(), journalBytes: journalBytes(status.journal.path) };
    return metrics.scrape({ status, isReady, vitals, now: clock.monotonic() });
  };
}

/** The file and what waits beside it to be merged into it. */
function journalBytes(path: string): number | undefined {
  const main = sizeOf(path);
  return main === undefined ? undefined : main + (sizeOf(`${path}-wal`) ?? 0);
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

// The plans that wait for an approval, as the API shows them: read on from where the last look ended, a stretch at a time, so
// that the bot goes on meanwhile.

const STRETCH = 5_000;

/** `holdingsOf`: by the books of this moment, as the bot judges it. */
export function waitingPlans(
  journal: Pick<SqliteJournal, "search" | "head">,
  now: () => Millis,
  holdingsOf: (plan: PlanRecord) => readonly HoldingChange[],
): () => Promise<Result<readonly WaitingPlan[]>> {
  const log = new PlanLog();
  let after = 0;
  let reading: Promise<Result<undefined>> | undefined;

  async function readOn(): Promise<Result<undefined>> {
    const head = journal.head();
    if (!head.ok) return { ok: false, error: head.error.message };
    for (;;) {
      const upTo = Math.min(after + STRETCH, head.value.sequence);
      const found = journal.search(PLAN_WORDS, after, upTo);
      if (!found.ok) return { ok: false, error: found.error.message };
      for (const entry of found.value) log.fold(entry);
      after = upTo;
      if (after === head.value.sequence) return ok(undefined);
      await pause(systemTimers, 0);
    }
  }

  return async () => {
    // Who asks meanwhile waits for the same: two that read on side by side would count an approval twice.
    reading ??= readOn().finally(() => {
      reading = undefined;
    });
    const read = await reading;
    return read.ok ? ok(log.waiting(now()).map((one) => shown(one, holdingsOf(one.plan)))) : read;
  };
}

function shown({ plan, approvals }: LoggedPlan, holdings: readonly HoldingChange[]): WaitingPlan {
  const { id, digest, content, expiresAt, persons, at, by } = plan;
  return {
    ...{ id, digest, content, expiresAt, persons, at, by },
    approvals: approvals.map(({ by, at }) => ({ by, at })),
    holdings: holdings.map(({ holding, band, now, after, missingNow, missingAfter }) => ({
      holding,
      now: String(now),
      after: String(after),
      low: band && edgesOf(band).low?.toString(),
      high: band && edgesOf(band).high?.toString(),
      backTo: band?.left && band.low?.toString(),
      missingNow: String(missingNow),
      missingAfter: String(missingAfter),
    })),
  };
}
