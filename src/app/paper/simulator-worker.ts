// The thread of the embedded simulator: it serves until it receives the message to close. It sends the bot one of the
// three messages below.

import { parentPort, workerData } from "node:worker_threads";
import { invariant } from "../../domain/invariant.ts";
import { presets } from "../../exchange/profile.ts";
import { acceptByDefault } from "../../simulator/http/acceptance.ts";
import { createSimulatorServer } from "../../simulator/server.ts";
import { setUpAccount } from "../../simulator/stage.ts";
import { systemClock } from "../system/system-clock.ts";
import { systemTimers } from "../system/system-timers.ts";
import type { RecordedMarket } from "./recorded-market.ts";

export type WorkerOrder = {
  readonly seed: number;
  readonly stateFile: string;
  readonly publicKey: string;
  /** The bot's token: other users of the machine can reach the portal too, and could halt a bot there. */
  readonly portalToken: string;
  /** Credited to a key that the state file does not have yet. */
  readonly funds: Readonly<Record<string, string>>;
  /** Absent for a synthetic market. */
  readonly recorded?: RecordedMarket;
  /** Absent for that of the state file. */
  readonly scenario?: readonly string[];
  readonly quotesShown: boolean;
  readonly speed: number;
};

export type WorkerWord =
  | { readonly kind: "ready"; readonly baseUrl: string; readonly account: "new" | "known" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "closed" };

const port = parentPort;
invariant(port !== null, "the simulator's thread must be started by the bot");
const say = (word: WorkerWord): void => port.postMessage(word);

try {
  const { seed, stateFile, publicKey, portalToken, funds, recorded, scenario, quotesShown, speed } =
    workerData as WorkerOrder;
  const time = { clock: systemClock, timers: systemTimers };
  const market = recorded && (await (await import("./open-recording.ts")).openRecording(recorded, seed));
  const place = { seed, stateFile, portalToken, speed };
  const server = await createSimulatorServer({
    ...time,
    ...place,
    // The bot's profile may send forms as JSON.
    accept: acceptByDefault(presets.observed),
    ...(market && { market }),
    ...(scenario && { scenario }),
    ...(!quotesShown && { settings: { quotesShown } }),
  });
  const account = await setUpAccount(server.writer, publicKey, new Map(Object.entries(funds)));
  if (!account.ok) throw new RangeError(account.error);
  port.once("message", async () => {
    await server.close();
    say({ kind: "closed" });
    port.close();
  });
  say({ kind: "ready", baseUrl: server.baseUrl, account: account.value });
} catch (error) {
  say({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
  port.close();
}
