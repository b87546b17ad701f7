// Performs an admitted call at the venue and writes its answer. Faults of the venue itself apply to this one call only.

import { InvariantViolation } from "../../domain/invariant.ts";
import type { Millis } from "../../domain/time.ts";
import type { Profile } from "../../exchange/profile.ts";
import type { Moment, Pair } from "../core/record.ts";
import type { Answer } from "../core/refusal.ts";
import type { VenueFaults } from "../core/settings.ts";
import type { Venue } from "../core/venue.ts";
import type { Struck } from "../fault.ts";
import type { VenueWriter } from "../venue-writer.ts";
import type { Admitted } from "./admission.ts";
import type { Endpoint, EndpointName } from "./endpoint.ts";
import { errorReply, json, type Reply } from "./request.ts";
import * as shape from "./shape.ts";

export type CallParts = {
  readonly writer: VenueWriter;
  readonly profile: Profile;
};

export async function doPublicCall(
  name: EndpointName,
  query: URLSearchParams,
  parts: CallParts,
  struck: Struck,
): Promise<Reply> {
  const { venue } = parts.writer;
  const words = wordsOf(parts, struck);
  const said = <T>(value: T): Answer<T> => ({ ok: true, value });
  if (name === "assets") return written(said(venue.assets()), words, shape.writeAssets);
  if (name === "tradingPairs") return written(said(pairsOf(venue, query.get("status"))), words, shape.writePairs);
  const moment = parts.writer.moment();
  return written(parts.writer.venue.quotes(moment), words, shape.writeQuotes);
}

function pairsOf(venue: Venue, status: string | null): readonly Pair[] {
  return status === null ? venue.pairs() : venue.pairs().filter((pair) => pair.status === status);
}

export async function doSignedCall(
  { name }: Endpoint,
  { key, body: { form, value } }: Admitted,
  parts: CallParts,
  struck: Struck,
): Promise<Reply> {
  const { writer } = parts;
  const moment = writer.moment();
  const { venue } = writer;
  const words = wordsOf(parts, struck);
  const listed = <R extends { readonly at: Millis }>(rows: Answer<readonly R[]>) => withoutNew(rows, moment, struck);
  switch (name) {
    case "accountBalance":
      return written(balancesOf(venue, key, moment, struck), words, shape.writeBalances);
    case "addOrder": {
      const order = await writer.perform((venue, at) => venue.addOrder(key, form, at), orderFaults(struck));
      return written(order, words, shape.writeEnvelope);
    }
    case "mintTokens":
      return written(await writer.perform((venue, at) => venue.mintTokens(key, form, at)), words, shape.writeMint);
    case "addPaymentRail":
      return written(await writer.perform((venue, at) => venue.addPaymentRail(key, value, at)), words, shape.writeRail);
    case "queryOrders":
      return written(listed(venue.orders(key, moment, form)), words, shape.writeOrders);
    case "queryTrades":
      return written(listed(venue.trades(key, moment, form)), words, shape.writeTrades);
    case "queryPaymentRails":
      return written(listed(venue.rails(key, moment, form)), words, shape.writeRails);
    case "queryPayments":
      return written(listed(venue.payments(key, moment, form)), words, shape.writePayments);
    case "querySupplyChanges":
      return written(listed(venue.supplyChanges(key, form, moment)), words, shape.writeSupplyChanges);
    case "withdrawAddresses":
      return written(venue.withdrawAddresses(key, form), words, shape.writeAddresses);
    case "depositAddress":
      return written(venue.depositAddress(key, form), words, (address) => ({ address }));
    default:
      throw new InvariantViolation(`${name} is no signed call`);
  }
}

function written<T>(answer: Answer<T>, words: shape.Words, write: (value: T, words: shape.Words) => unknown): Reply {
  return answer.ok ? json(write(answer.value, words)) : errorReply(answer.error, words.profile.answers);
}

function wordsOf({ profile }: CallParts, struck: Struck): shape.Words {
  const offsetMs = struck.get("wrong-clock")?.offsetMs ?? 0;
  const spoken = struck.get("other-words")?.words ?? {};
  return {
    profile,
    time: (at: Millis) => timeOf(at + offsetMs, profile),
    status: (word) => spoken[word] ?? word,
    hasPending: profile.answers === "contract" && struck.get("pending-missing") === undefined,
  };
}

function timeOf(at: number, { timesWithoutZone }: Profile): string {
  const text = new Date(at).toISOString();
  return timesWithoutZone === "utc" ? text.slice(0, -1) : text;
}

function orderFaults(struck: Struck): Partial<VenueFaults> | undefined {
  const delay = struck.get("publication-delay");
  if (delay === undefined) return undefined;
  return { publicationDelay: { chance: 1, minMs: delay.delayMs, maxMs: delay.delayMs } };
}

/** With the lagging lists fault, a list lacks its newest rows, like a replica that is behind. */
function withoutNew<R extends { readonly at: Millis }>(
  rows: Answer<readonly R[]>,
  { venue }: Moment,
  struck: Struck,
): Answer<readonly R[]> {
  const lag = struck.get("lists-lagging");
  if (lag === undefined || !rows.ok) return rows;
  return { ok: true, value: rows.value.filter(({ at }) => at <= venue - lag.delayMs) };
}

/** With the lagging balances fault, the balances of an earlier time. */
function balancesOf(venue: Venue, key: string, moment: Moment, struck: Struck): ReturnType<Venue["balances"]> {
  const before = venue.faults();
  const lag = struck.get("balances-lagging");
  if (lag !== undefined) venue.setFaults({ balanceLagMs: lag.delayMs });
  try {
    return venue.balances(key, moment);
  } finally {
    venue.setFaults(before);
  }
}
