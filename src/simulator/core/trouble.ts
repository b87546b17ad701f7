// A venue with outages and failing requests. Both are functions of seed and time, so that a read needs no record and a
// replay gives the same answers. An order, mint or rail whose answer fails was carried out in half of the cases.

import type { Millis } from "../../domain/time.ts";
import { type Stream, streamOf, uniform } from "../market/noise.ts";
import type { VenueParameters } from "../market/parameters.ts";
import type { VenueCalls } from "./calls.ts";
import type { Moment } from "./record.ts";
import { type Answer, refused } from "./refusal.ts";

const WEEK = 7 * 86_400_000;
const EXECUTED_SHARE = 0.5;

type Call = (...given: never[]) => unknown;

export function withTrouble(calls: VenueCalls, seed: number, parameters: VenueParameters): VenueCalls {
  if (parameters.outagesPerWeek + parameters.outageAt + parameters.errorShare === 0) return calls;
  const errors = streamOf(seed, "failing-requests");
  const isOut = outages(streamOf(seed, "outages"), parameters);
  const place = { reads: 0, money: 1, executed: 2 } as const;
  const drawn = (at: Millis, what: keyof typeof place): number => uniform(errors, at * 4 + place[what]);
  const read = (moment: Moment): Answer<never> | undefined => {
    if (isOut(moment.venue)) return refused("service_unavailable", "the service is down for maintenance");
    return drawn(moment.venue, "reads") < parameters.errorShare ? FAILED : undefined;
  };
  /** `place`: of the moment among the parameters. */
  function reading<C extends Call>(call: C, place = 1): C {
    return ((...given: Parameters<C>) => read(given[place] as unknown as Moment) ?? call(...given)) as unknown as C;
  }
  function moving<C extends Call>(call: C): C {
    return ((...given: Parameters<C>) => {
      const { venue } = given.at(-1) as unknown as Moment;
      if (isOut(venue)) return refused("service_unavailable", "the service is down for maintenance");
      if (drawn(venue, "money") >= parameters.errorShare) return call(...given);
      if (drawn(venue, "executed") < EXECUTED_SHARE) call(...given);
      return FAILED;
    }) as unknown as C;
  }
  return {
    ...calls,
    quotes: reading(calls.quotes, 0),
    balances: reading(calls.balances),
    orders: reading(calls.orders),
    trades: reading(calls.trades),
    supplyChanges: reading(calls.supplyChanges, 2),
    rails: reading(calls.rails),
    payments: reading(calls.payments),
    addOrder: moving(calls.addOrder),
    placeOrder: moving(calls.placeOrder),
    mintTokens: moving(calls.mintTokens),
    addPaymentRail: moving(calls.addPaymentRail),
  };
}

const FAILED = refused("bad_gateway", "the upstream gave no answer");

/** One outage in each of the equal parts of a week, and the one at a given time. */
function outages(stream: Stream, parameters: VenueParameters): (at: Millis) => boolean {
  const { outagesPerWeek, outageMinMs, outageMaxMs, outageAt } = parameters;
  const lengthOf = (part: number): number => outageMinMs + (outageMaxMs - outageMinMs) * uniform(stream, 2 * part);
  const partMs = WEEK / outagesPerWeek;
  return (at) => {
    if (outageAt > 0 && at >= outageAt && at < outageAt + lengthOf(0)) return true;
    if (outagesPerWeek === 0) return false;
    const part = Math.floor(at / partMs);
    const lengthMs = lengthOf(part);
    const into = at - part * partMs - uniform(stream, 2 * part + 1) * Math.max(0, partMs - lengthMs);
    return into >= 0 && into < lengthMs;
  };
}
