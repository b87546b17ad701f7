// The HTTP server of a run: what it shows comes from the status and the steps, what it may do is the kill switch,
// and writing down a person's approval.

import { randomUUID } from "node:crypto";
import type { Observable } from "rxjs";
import type { PairSymbol } from "../../domain/asset.ts";
import { printable } from "../../domain/outside-text.ts";
import type { Journal } from "../../journal/journal.ts";
import { createReadModel, type ReadModel } from "../../watch/dashboard/model/read-model.ts";
import type { PairShown, ShownSlot } from "../../watch/dashboard/model/shown.ts";
import { type DashboardServer, type ServerParts, startServer } from "../../watch/dashboard/server.ts";
import { CommandFailure, orFail } from "../command-failure.ts";
import { exitCode } from "../exit-code.ts";
import { openToken } from "../key/control-token.ts";
import type { KillSwitch } from "../kill-switch/kill-switch.ts";
import { systemTimers } from "../system/system-timers.ts";
import type { BotOrder } from "./bot-order.ts";
import type { Closing } from "./closing.ts";
import { limitsOf, parOf } from "./core-of.ts";
import { serverExposure } from "./server-exposure.ts";
import type { BotView } from "./shown/view.ts";

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
