// A journal entry as one line of text, and the hash that chains it to the line before. Exactly this text is stored,
// hashed and exported.

import { hash } from "node:crypto";
import type { MintIntent, MintRecord } from "../../domain/mint.ts";
import type { Party, Rail, RailIntent } from "../../domain/rail.ts";
import { err, ok, type Result } from "../../domain/result.ts";
import type {
  DefiniteOutcome,
  Entry,
  FindingRecord,
  HistoryMark,
  JournalRecord,
  PlanMove,
  PlanRefusal,
  ReceiptRecord,
  RequestRecord,
  ResolutionVerdict,
} from "../record.ts";
import { type Codec, list, object, optional, tagged, Unreadable } from "./codec.ts";
import { control, fill, orderIntent, step } from "./step-text.ts";
import { asset, flag, instant, json, money, oneOf, quantity, text, whole } from "./value.ts";

// Mints and rails: the request and the venue's receipt.

const mintIntent: Codec<MintIntent> = object<MintIntent>({
  asset,
  blockchain: text,
  quantity,
  destination: optional(text),
  spentMax: money,
  feeMax: money,
  known: list(text),
});

const mintRecord: Codec<MintRecord> = object<MintRecord>({
  requestId: text,
  transactionId: optional(text),
  fee: optional(money),
  spent: optional(money),
  status: optional(text),
  reason: optional(text),
});

const party = object<Party>({ name: text, country: text, type: text });

const railIntent: Codec<RailIntent> = object<RailIntent>({
  type: oneOf("FiatToStablecoin", "StablecoinToFiat"),
  sender: party,
  destination: text,
  memo: optional(text),
  asset,
  currency: asset,
  blockchain: text,
  known: list(text),
  toAccount: optional(flag),
});

const rail: Codec<Rail> = object<Rail>({ railId: text, status: text, reason: optional(text) });

/** The hash before the first record. */
export const GENESIS: string = "0".repeat(64);

const request = tagged<RequestRecord>({
  order: { order: orderIntent },
  mint: { mint: mintIntent, assets: list(asset) },
  rail: { rail: railIntent, assets: list(asset) },
});

const receipt = tagged<ReceiptRecord>({ order: { fill }, mint: { mint: mintRecord }, rail: { rail } });

const outcome = tagged<DefiniteOutcome>({
  accepted: { receipt },
  rejected: { code: text, status: optional(whole), venueCode: optional(text), message: text },
  "not-sent": { code: text, reason: text },
});

const finding = tagged<FindingRecord>({
  landed: { receipt },
  absent: {},
  silent: { reason: text },
  split: { reason: text },
  contradiction: { reason: text },
});

const verdict = tagged<ResolutionVerdict>({ landed: { receipt }, released: {}, escalated: {} });

const history = object<HistoryMark>({ until: optional(instant), ids: list(text) });

const record: Codec<JournalRecord> = tagged<JournalRecord>({
  opening: {
    at: instant,
    environment: text,
    account: text,
    chainId: text,
    schemaVersion: whole,
    codeVersion: text,
  },
  started: { at: instant, codeVersion: text, configDigest: text },
  step: { at: instant, step },
  intent: {
    at: instant,
    id: text,
    request,
    reserved: list(money),
    value: optional(money),
    by: text,
    why: optional(text),
  },
  sending: { at: instant, id: text, nonce: whole, digest: text, host: text },
  outcome: { at: instant, id: text, outcome },
  doubt: { at: instant, id: text, nonce: whole, code: text, cause: text },
  fenced: { at: instant, id: text, nonce: whole },
  evidence: { at: instant, id: text, round: whole, finding, unreadFrom: optional(instant) },
  resolution: { at: instant, id: text, verdict, reason: text, by: text },
  recovered: { at: instant, id: text },
  settled: { at: instant, id: text },
  difference: { at: instant, asset, amount: optional(money) },
  adoption: { at: instant, amounts: list(money), history, reason: text, by: text },
  state: { at: instant, strategy: text, state: json, outdated: optional(text) },
  "fresh-start": { at: instant, strategy: text, text },
  control: { at: instant, control },
  plan: {
    at: instant,
    id: text,
    digest: text,
    content: text,
    expiresAt: instant,
    persons: whole,
    by: text,
    why: optional(text),
  },
  approval: { at: instant, id: text, digest: text, by: text },
  "plan-progress": {
    at: instant,
    id: text,
    state: oneOf(
      ...(["begun", "sent", "step", "paused", "resumed", "finished"] as const),
      ...(["done", "stopped", "expired", "withdrawn", "declined"] as const),
    ),
    text,
    by: optional(text),
    refusal: optional(object<PlanRefusal>({ unmoved: whole, why: text, isStop: optional(flag) })),
    move: optional(
      object<PlanMove>({
        ...{ request: text, takes: text, brings: text, value: money, lost: money },
        ...{ route: text, shown: optional(text), fee: optional(text) },
      }),
    ),
  },
  operation: {
    at: instant,
    id: text,
    name: text,
    content: text,
    by: text,
    request: optional(text),
    refusal: optional(text),
  },
  rails: {
    at: instant,
    state: oneOf("seen", "frozen", "released"),
    whitelist: optional(list(text)),
    reason: text,
    by: text,
    about: optional(list(text)),
  },
});

const line = object<Omit<Entry, "hash">>({ sequence: whole, writer: text, record });

/** Occurs near the beginning of a strategy state's text and nowhere else, because quotes within texts are escaped. */
export const OF_A_STATE = '"record":{"kind":"state","at":';

/** Occurs in a step that marks the account's equity. */
export const OF_A_MARK = '"mark":{"asset":';

export function entryText(sequence: number, writer: string, value: JournalRecord): string {
  return `{"sequence":${sequence},"writer":${text.encode(writer)},"record":${record.encode(value)}}`;
}

export function chainedHash(previous: string, entry: string): string {
  return hash("sha256", linkText(previous, entry), "hex");
}

/** The hashed text. */
export function linkText(previous: string, entry: string): string {
  return `${previous}\n${entry}`;
}

/** The entry, or the reason why its text cannot be decoded. */
export function readEntry(sequence: number, entry: string, entryHash: string): Result<Entry> {
  try {
    const value = line.decode(JSON.parse(entry));
    if (value.sequence !== sequence) return err(`must say sequence ${sequence}, was ${value.sequence}`);
    return ok({ sequence, hash: entryHash, writer: value.writer, record: value.record });
  } catch (error) {
    if (error instanceof Unreadable) return err(`${error.where().slice(1) || "entry"} ${error.message}`);
    if (error instanceof SyntaxError) return err("must be JSON");
    throw error;
  }
}
