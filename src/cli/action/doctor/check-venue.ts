// Everything that is asked of the venue, in order: first what needs no key, then the signature, then what only a good
// signature opens. One request at a time, each through the key's budget.

import type { Config } from "../../../config/schema.ts";
import { type Clock, mono } from "../../../domain/time.ts";
import type { KeyBudget } from "../../../exchange/budget/budget.ts";
import type { LedgerStatus } from "../../../exchange/budget/ledger-status.ts";
import type { Reading, Want } from "../../../exchange/port.ts";
import type { Profile } from "../../../exchange/profile.ts";
import { limitsOf } from "../../bot/core-of.ts";
import { assetsWithPrices } from "../../config/oddities.ts";
import type { VenueLine } from "../../key/open-exchange.ts";
import { checkAddresses, checkBalances } from "./check-account.ts";
import { checkClock } from "./check-clock.ts";
import { checkAssets, checkConnection } from "./check-connection.ts";
import { checkFields } from "./check-fields.ts";
import { checkHistory } from "./check-history.ts";
import { checkPairs } from "./check-pairs.ts";
import { checkQuotes } from "./check-quotes.ts";
import { checkSignature, type SearchHooks } from "./check-signature.ts";
import { wasAnswered } from "./explain-failure.ts";
import type { DoctorReport } from "./report.ts";
import { slowAnswers } from "./slow-answers.ts";

/** A key that is busy for longer is a finding of its own; doctor does not wait for ever. */
const WAIT_MS_MAX = 90_000;

export type Venue = {
  readonly line: VenueLine;
  readonly budget: KeyBudget;
  readonly clock: Clock;
  readonly base: URL;
  readonly config: Config;
  /** As configured, with the curve of the key. */
  readonly profile: Profile;
};

export async function checkVenue(venue: Venue, hooks: SearchHooks, report: DoctorReport): Promise<void> {
  const { line, budget, clock, base, config, profile } = venue;
  const want = (): Want => ({ class: "other", deadline: mono(clock.monotonic() + WAIT_MS_MAX) });
  const exchange = line.speaking(profile);
  const ledger = (): LedgerStatus => budget.ledger.urgently(() => budget.ledger.status());
  const before = ledger();
  const askedAt = clock.monotonic();
  const assets = await exchange.assets(want());
  report.add(checkConnection(assets, base, slowAnswers(before, ledger(), clock.monotonic() - askedAt)));
  if (assets.kind !== "read" && !wasAnswered(assets)) {
    const cause = "clock, pairs, quotes, signature, balances, addresses and history need a connection";
    return report.add({ check: "venue", verdict: "skipped", cause });
  }
  report.add(checkClock(skewMs(assets, budget)), checkAssets(assets));
  const pairs = await exchange.pairs(want());
  report.add(checkPairs(pairs, limitsOf(config).symbols, config.risk !== undefined));
  report.add(checkQuotes(await exchange.quotes(want())));
  const signature = await checkSignature((using) => line.speaking(using).balances(want()), profile, hooks);
  report.add(signature.finding);
  const { works } = signature;
  if (works === undefined) {
    const cause = "balances, addresses and history need a signature that the venue takes";
    return report.add({ check: "account", verdict: "skipped", cause });
  }
  report.add(checkBalances(works.balances, assetsWithPrices(config)));
  const account = line.speaking(works.profile);
  report.add(checkAddresses(await account.withdrawAddresses(want())));
  report.add(...(await checkHistory(account, want)));
  const asset =
    (pairs.kind === "read" ? pairs.value[0]?.base : undefined) ??
    (assets.kind === "read" ? assets.value[0]?.asset : undefined);
  if (asset === undefined) return;
  const { permission } = hooks;
  report.add(await checkFields({ speaking: line.speaking, profile: works.profile, asset, want, permission }));
}

/** Of this answer; a refusal does not carry its Date here, but the ledger has noted it. */
function skewMs(reading: Reading<unknown>, budget: KeyBudget): number | undefined {
  if (reading.kind !== "read") return budget.ledger.urgently(() => budget.ledger.status()).skewMs;
  return reading.at === undefined ? undefined : reading.receivedAt - reading.at;
}
