// Where the on-ramps of a configuration lead in a backtest.

import { depositIn } from "../../../../backtest/run-backtest.ts";
import type { Config } from "../../../config/schema.ts";
import type { Asset } from "../../../domain/asset.ts";

/**
 * An on-ramp with `toVenue` leads to the account's own deposit address, and the account of a backtest has another one than the
 * user's: what is written would pay into a wallet that is none of it.
 */
export function withOwnDeposits<C extends Pick<Config, "treasury">>(config: C, seed: number): C {
  const { treasury } = config;
  const rails = { ...treasury.rails };
  const destinations = { ...treasury.destinations };
  for (const [name, { toVenue }] of Object.entries(treasury.planning.rails)) {
    const rail = rails[name];
    const wallet = rail && destinations[rail.to];
    if (!toVenue || rail === undefined || rail.direction !== "on" || wallet?.kind !== "wallet") continue;
    const to = `${rail.to}, of the backtest for ${name}`;
    destinations[to] = { ...wallet, address: depositIn(seed, rail.asset as Asset, wallet.chain) };
    rails[name] = { ...rail, to };
  }
  return { ...config, treasury: { ...treasury, rails, destinations } };
}
