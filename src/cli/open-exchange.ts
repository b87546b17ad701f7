// From the configuration to a venue that can be asked: key, ledger, transport and client, in one call for every command
// that talks to the venue. Whoever opens it closes it.

import { randomUUID } from "node:crypto";
import { environment } from "../config/environment.ts";
import type { Config } from "../config/schema.ts";
import { stateFolder } from "../config/state-folder.ts";
import { unwrap } from "../domain/result.ts";
import { parseBaseUrl } from "../exchange/base-url.ts";
import { systemHostClock } from "../exchange/budget/host-clock.ts";
import type { KeyBudget } from "../exchange/budget/key-budget.ts";
import { openBudget } from "../exchange/budget/open-budget.ts";
import { createExchange, type WireExchange } from "../exchange/client.ts";
import type { Signer } from "../exchange/key/signer.ts";
import { type Profile, resolveProfile } from "../exchange/profile.ts";
import { createTransport, transportDefaults } from "../exchange/transport.ts";
import { CommandFailure, orFail } from "./command-failure.ts";
import { exitCode } from "./exit-code.ts";
import { openSigner } from "./open-signer.ts";
import type { Shell } from "./shell.ts";
import { systemTimers } from "./system-timers.ts";
import { versionText } from "./version.ts";

/** The venue does not say how many decimals a price may have; six were seen to work. */
const PRICE_DECIMALS = 6;

export type Connection = {
  readonly exchange: WireExchange;
  readonly budget: KeyBudget;
  readonly signer: Signer;
  readonly profile: Profile;
  close(): void;
};

export async function openExchange(shell: Shell, config: Config): Promise<Connection> {
  const base = venueAddress(config);
  const signer = await openSigner(shell, config);
  const profile = resolveProfile(config.venue.profile);
  const machine = { clock: shell.clock, host: systemHostClock(), timers: systemTimers };
  const opened = await openBudget({
    place: { stateFolder: orFail(stateFolder(environment())), fingerprint: signer.fingerprint },
    machine,
    identity: {
      instance: randomUUID().replaceAll("-", ""),
      pid: process.pid,
      folder: process.cwd(),
      role: "tool",
    },
  });
  if (!opened.ok) throw new CommandFailure(exitCode.failed, `the ledger of the key cannot be used: ${opened.error}`);
  const budget = opened.value;
  const reach = config.mode === "live" ? "public" : "loopback";
  const transport = createTransport(base, machine, { ...transportDefaults, reach });
  const userAgent = `pegbot/${versionText().split(" ")[0] ?? "0"}`;
  const parts = { clock: shell.clock, budget, transport, signer, profile, userAgent, priceDecimals: PRICE_DECIMALS };
  const exchange = createExchange(parts);
  return {
    exchange,
    budget,
    signer,
    profile,
    close() {
      exchange.close();
      budget.close();
      signer.close();
    },
  };
}

function venueAddress({ venue, mode }: Config): URL {
  if (environment().NODE_TLS_REJECT_UNAUTHORIZED === "0" && mode === "live")
    throw new CommandFailure(
      exitCode.usage,
      "NODE_TLS_REJECT_UNAUTHORIZED=0 must not be set in live mode: certificates are always checked",
      "unset it",
    );
  if (venue.baseUrl === undefined)
    throw new CommandFailure(
      exitCode.usage,
      "the configuration names no venue to ask: venue.baseUrl is missing",
      "start one with `pegbot simulator --key …` and set venue.baseUrl to http://127.0.0.1:8700/api/v1/",
    );
  return unwrap(parseBaseUrl(venue.baseUrl));
}
