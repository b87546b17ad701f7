// The HTTP server of a run: what it answers comes from the status, what it may do is the kill switch.

import { startServer } from "../../dashboard/server.ts";
import type { Millis } from "../../domain/time.ts";
import { createMetrics, type Figures } from "../../telemetry/metrics.ts";
import { doubtsOf, type Status } from "../../telemetry/status.ts";
import { CommandFailure, orFail } from "../command-failure.ts";
import { openToken } from "../control-token.ts";
import { exitCode } from "../exit-code.ts";
import type { Guard } from "../latch/guard.ts";
import type { BotOrder } from "./bot-order.ts";
import type { Closing } from "./closing.ts";
import { environmentName } from "./identity.ts";
import type { BotView } from "./view.ts";

type Served = {
  readonly guard: Guard;
  readonly view: BotView;
  readonly codeVersion: string;
  /** Why nothing new is sent although the bot may. */
  readonly problem: () => string | undefined;
};

const OTHER_PORT = "--port N takes another one, --port 0 a free one";

export async function serveBot(
  { config, port, anyPort = false }: BotOrder,
  { guard, view, codeVersion, problem }: Served,
  closing: Closing,
): Promise<void> {
  const build = { version: codeVersion, mode: config.mode, environment: environmentName(config) };
  const metrics = createMetrics(build, () => figuresOf(view.board.snapshot(), problem()));
  const { host } = config.server;
  const token = orFail(openToken(config.journal.path));
  const unready = (): readonly string[] => unreadyReasons(view.board.snapshot(), problem());
  const serve = (at: number) =>
    startServer({ host, port: at, token, unready, metrics: metrics.scrape, halt: guard.kill });
  const server = await serve(port).catch((error) => {
    if (!isPortTaken(error)) throw error;
    if (!anyPort) throw new CommandFailure(exitCode.failed, `port ${port} is taken`, OTHER_PORT);
    view.say("warn", "server", `port ${port} is taken, so a free one is used`);
    return serve(0);
  });
  closing.add(() => server.close());
  view.serve(server.url, metrics);
}

function unreadyReasons({ phase, standing, equity }: Status, problem: string | undefined): readonly string[] {
  return [
    ...(problem === undefined ? [] : [problem]),
    ...(phase.kind === "trading" ? [] : [phase.text]),
    ...(standing.state === "ACTIVE" ? [] : [`${standing.state}: ${standing.reason}`]),
    ...(equity.now === undefined ? ["equity is unknown: a price or a balance is missing"] : []),
  ];
}

function figuresOf(status: Status, problem: string | undefined): Figures {
  const { standing, equity, budget, journal, at } = status;
  const doubts = doubtsOf(status);
  const since = doubts.flatMap(({ since }) => (since === undefined ? [] : [since])).toSorted((a, b) => a - b)[0];
  return {
    state: standing.state,
    ready: unreadyReasons(status, problem).length === 0,
    equity: equity.now === undefined ? undefined : { amount: Number(equity.now), currency: equity.currency },
    openDoubts: doubts.length,
    oldestDoubtMs: ageOf(since, at),
    journalRecords: journal.records,
    slots: budget?.slots,
    spacingMs: budget?.spacingMs,
  };
}

function ageOf(since: Millis | undefined, at: Millis): number | undefined {
  return since === undefined ? undefined : Math.max(0, at - since);
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}
