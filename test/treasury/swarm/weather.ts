// Which of all that can happen happens in one life, drawn from its seed.

import type { Random } from "../../../src/domain/random.ts";
import type { FaultsSetting } from "../../../src/simulator/fault.ts";

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;

export type Weather = {
  readonly faults: FaultsSetting;
  readonly publicationMs: number;
  readonly balanceLagMs: number;
  readonly mintHoldChance: number;
  readonly railHoldChance: number;
  readonly mintFeeBps: number;
  readonly killChance: number;
  readonly mintEveryMs: number;
  readonly payEveryMs: number;
  readonly wireEveryMs: number;
  readonly settlementMs: number;
  readonly orderEveryMs: number;
  /** Somebody else trades on the account after so many of our orders. */
  readonly strangerChance: number;
  /** Our own wall clock is set wrong by up to this. */
  readonly clockMs: number;
  readonly band: Band | undefined;
};

/** What the bot itself shall hold of the coin. */
export type Band = { readonly low: string; readonly high: string; readonly isAsked: boolean };

export function weatherOf(random: Random): Weather {
  const isOn = (chance = 0.5): boolean => random.next() < chance;
  // Of orders seldom: one in doubt keeps everything else from being sent.
  const [spoiltOrders, kills] = isOn(0.3) ? [0.03, 0.02] : [0.008, 0.004];
  const rules = [
    ...badAnswers(random, ["addOrder"], spoiltOrders),
    ...badAnswers(random, ["mintTokens", "addPaymentRail"], 0.08),
  ];
  const reads = [
    "queryTrades",
    "queryOrders",
    "accountBalance",
    "quotes",
    "querySupplyChanges",
    "queryPayments",
  ] as const;
  if (isOn()) rules.push({ fault: "lost-answer", on: [...reads], probability: 0.04 });
  if (isOn()) rules.push({ fault: "status", on: [...reads], status: 503, probability: 0.04 });
  // A wire cannot be told from what a mint cost in fees, or from payments that are on their way: beside neither of them, so that
  // what was taken over is known to the digit.
  const [hasFees, hasPayments] = [isOn(0.4), isOn(0.6)];
  const rest = {
    faults: { rules },
    publicationMs: isOn() ? random.integer(1, 60_000) : 0,
    balanceLagMs: isOn() ? random.integer(1_000, 100_000) : 0,
    mintHoldChance: isOn(0.3) ? 0.4 : 0,
    railHoldChance: isOn(0.2) ? 0.3 : 0,
    mintFeeBps: hasFees ? random.integer(1, 9) : 0,
    killChance: isOn(0.7) ? kills : 0,
    mintEveryMs: isOn(0.8) ? random.integer(1, 5) * MINUTE : 0,
    payEveryMs: hasPayments ? random.integer(15, 40) * MINUTE : 0,
    wireEveryMs: !hasFees && !hasPayments ? random.integer(10, 25) * MINUTE : 0,
    settlementMs: random.integer(1, 20) * MINUTE,
  };
  return {
    ...rest,
    orderEveryMs: isOn(0.4) ? random.integer(1, 8) * MINUTE : 0,
    strangerChance: rest.wireEveryMs > 0 && isOn() ? 0.005 : 0,
    clockMs: isOn(0.3) ? random.integer(1, 60) * SECOND : 0,
    band: isOn(0.6) ? bandOf(random) : undefined,
  };
}

function bandOf(random: Random): Band {
  const low = random.integer(495_000, 530_000);
  return { low: String(low), high: String(low + random.integer(2_000, 20_000)), isAsked: random.next() < 0.3 };
}

type Rule = FaultsSetting["rules"][number];

/** Each kind of them in half of the lives. */
function badAnswers(random: Random, on: Rule["on"], probability: number): Rule[] {
  const rules: readonly Rule[] = [
    { fault: "lost-answer", on, probability: 2 * probability },
    { fault: "lost-request", on, probability },
    { fault: "late-arrival", on, delayMs: 17_500, probability },
    { fault: "reset-after", on, probability },
    { fault: "status", on, status: 503, executes: true, probability },
    { fault: "status", on, status: 500, probability },
    { fault: "truncated-json", on, probability },
    { fault: "html", on, probability },
    { fault: "error-inside", on, probability },
    { fault: "error-inside", on, status: 400, probability },
  ];
  return rules.filter(() => random.next() < 0.5);
}
