// From the configuration to a usable venue: key, ledger, transport and client, in one call for every command that talks
// to the venue. The caller closes it.

import { readFileSync } from "node:fs";
import type { Config } from "../../config/schema.ts";
import { usageFailure } from "../../domain/command-failure.ts";
import { errorMessage } from "../../domain/error-message.ts";
import { isLoopback } from "../../domain/loopback.ts";
import type { Budget, KeyBudget } from "../../exchange/budget/budget.ts";
import { type ClientParts, createExchange, type WireExchange } from "../../exchange/client.ts";
import type { Signer } from "../../exchange/key/signer.ts";
import { type Profile, resolveProfile } from "../../exchange/profile.ts";
import { createShadow, type OpenBook } from "../../exchange/shadow.ts";
import { createTransport, transportDefaults } from "../../exchange/wire/transport.ts";
import { keyEnvironment } from "../config/identity.ts";
import { venueAddress } from "../config/venue-address.ts";
import type { Shell } from "../shell.ts";
import { systemTimers } from "../system/system-timers.ts";
import { versionText } from "../version.ts";
import { joinBudget, type Tuning } from "./join-budget.ts";
import { openSigner } from "./open-signer.ts";

/** The venue does not state its price decimals; six were seen to work. */
const PRICE_DECIMALS = 6;

export type Connection = {
  readonly exchange: WireExchange;
  /** The same venue through a client with another profile. */
  speaking(profile: Profile): WireExchange;
  readonly budget: KeyBudget;
  readonly signer: Signer;
  readonly profile: Profile;
  close(): void;
};

export async function openExchange(shell: Shell, config: Config, tuning: Tuning = {}): Promise<Connection> {
  const base = venueAddress(config);
  const signer = await openSigner(shell, config);
  const budget = await joinBudget(shell, signer, config.journal.path, {
    environment: keyEnvironment(config),
    ...tuning,
  });
  const profile = resolveProfile(config.venue.profile);
  const { instruments } = config.venue;
  const venue = connect(shell, { base, config, signer, budget, instruments });
  return {
    exchange: venue.speaking(profile),
    speaking: venue.speaking,
    budget,
    signer,
    profile,
    close() {
      venue.close();
      budget.close();
      signer.close();
    },
  };
}

export type VenueLine = {
  /** The venue through clients with different profiles; all share one connection and one budget. */
  speaking(profile: Profile): WireExchange;
  close(): void;
};

type LineParts = Pick<Connection, "signer"> & {
  readonly budget: Budget;
  readonly base: URL;
  readonly config: Pick<Config, "mode" | "venue">;
  /** Of a shadow; without one it only looks. */
  readonly book?: OpenBook | undefined;
} & Pick<ClientParts, "onCalled" | "instruments">;

export function connect(
  { clock }: Pick<Shell, "clock">,
  { base, config, signer, budget, book, ...told }: LineParts,
): VenueLine {
  const { proxy, authority } = config.venue;
  const isShadow = config.mode === "shadow";
  const reach = config.mode === "live" || (isShadow && !isLoopback(base.hostname)) ? "anywhere" : "loopback";
  const trusted = authority === undefined ? {} : { authority: authorityIn(authority) };
  const way = { reach, proxy: proxy === undefined ? undefined : new URL(proxy) } as const;
  const settings = { ...transportDefaults, ...way, ...trusted };
  const transport = createTransport(base, { clock, timers: systemTimers }, settings);
  const userAgent = `pegbot/${versionText().split(" ")[0] ?? "0"}`;
  const parts = { clock, budget, transport, signer, userAgent, priceDecimals: PRICE_DECIMALS, ...told };
  return {
    speaking: (profile) =>
      isShadow ? createShadow({ ...parts, profile }, book) : createExchange({ ...parts, profile }),
    close: () => transport.close(),
  };
}

function authorityIn(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw usageFailure(`venue.authority cannot be read: ${errorMessage(error)}`, "correct the path or its permissions");
  }
}
