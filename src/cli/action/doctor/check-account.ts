// What the account has: balances, and the addresses that money may leave to.

import type { Balance } from "../../../domain/balance.ts";
import type { Reading, WithdrawAddress } from "../../../exchange/port.ts";
import { explainFailure } from "./explain-failure.ts";
import type { Finding } from "./finding.ts";

/** `priced`: assets that may have a rate. What is held beside them leaves equity unknown, and every order refused. */
export function checkBalances(reading: Reading<readonly Balance[]>, priced: ReadonlySet<string>): Finding {
  const check = "balances";
  if (reading.kind !== "read") return { check, verdict: "problem", ...explainFailure(reading) };
  const held = reading.value.filter(({ available }) => !available.isZero());
  const cause = held.map(({ asset, available }) => `${available} ${asset}`).join(", ");
  const unpriced = held.filter(({ asset }) => !priced.has(asset)).map(({ asset }) => asset);
  if (unpriced.length > 0)
    return {
      check,
      verdict: "warning",
      cause: `${cause}; no pair of risk.symbols and no reference feed has ${unpriced.join(", ")}: without a rate of it equity is unknown, and every order is refused (RC05)`,
      next: "add a reference feed that has it to market.references, or a pair of it to risk.symbols, or take it off the account",
    };
  if (held.length > 0) return { check, verdict: "ok", cause };
  return {
    check,
    verdict: "warning",
    cause: "the account holds nothing that can be spent",
    next: "fund it: pegbot addresses --deposit ASSET@CHAIN shows where to send coins",
  };
}

export function checkAddresses(reading: Reading<readonly WithdrawAddress[]>): Finding {
  const check = "addresses";
  if (reading.kind !== "read") {
    const forbidden = reading.kind === "failed" && reading.failure.status === 403;
    return { check, verdict: forbidden ? "warning" : "problem", ...explainFailure(reading) };
  }
  const count = reading.value.length;
  if (count > 0) return { check, verdict: "ok", cause: `${count} whitelisted` };
  return { check, verdict: "ok", cause: "none is whitelisted: coins can go to no wallet outside the account" };
}
