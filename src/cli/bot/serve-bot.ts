// The HTTP server of a run: what it answers comes from the status, what it may do is the kill switch.

import { type ServerParts, startServer } from "../../dashboard/server.ts";
import { CommandFailure, orFail } from "../command-failure.ts";
import { openToken } from "../control-token.ts";
import { exitCode } from "../exit-code.ts";
import type { Guard } from "../latch/guard.ts";
import type { BotOrder } from "./bot-order.ts";
import type { Closing } from "./closing.ts";
import { unreadyReasons } from "./unready.ts";
import type { BotView } from "./view.ts";

type Served = {
  readonly guard: Guard;
  readonly view: BotView;
  readonly metrics: ServerParts["metrics"];
  /** Why nothing new is sent although the bot may. */
  readonly problem: () => string | undefined;
};

const OTHER_PORT = "--port N takes another one, --port 0 a free one";

export async function serveBot(
  { config, port, anyPort = false }: BotOrder,
  { guard, view, metrics, problem }: Served,
  closing: Closing,
): Promise<void> {
  const { host } = config.server;
  const token = orFail(openToken(config.journal.path));
  const unready = (): readonly string[] => unreadyReasons(view.board.snapshot(), problem());
  const serve = (at: number) => startServer({ host, port: at, token, unready, metrics, halt: guard.kill });
  const server = await serve(port).catch((error) => {
    if (!isPortTaken(error)) throw error;
    if (!anyPort) throw new CommandFailure(exitCode.failed, `port ${port} is taken`, OTHER_PORT);
    view.say("warn", "server", `port ${port} is taken, so a free one is used`);
    return serve(0);
  });
  closing.add(() => server.close());
  view.serve(server.url);
}

function isPortTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EADDRINUSE";
}
