// Mints and rails as text: what was asked for, and what the venue gave.

import type { MintIntent, MintRecord } from "../../domain/mint.ts";
import type { Party, Rail, RailIntent } from "../../domain/rail.ts";
import { type Codec, list, object, optional } from "./codec.ts";
import { asset, flag, money, oneOf, quantity, text } from "./value.ts";

export const mintIntent: Codec<MintIntent> = object<MintIntent>({
  asset,
  blockchain: text,
  quantity,
  destination: optional(text),
  spentMax: money,
  feeMax: money,
  known: list(text),
});

export const mintRecord: Codec<MintRecord> = object<MintRecord>({
  requestId: text,
  transactionId: optional(text),
  fee: optional(money),
  spent: optional(money),
  status: optional(text),
  reason: optional(text),
});

const party = object<Party>({ name: text, country: text, type: text });

export const railIntent: Codec<RailIntent> = object<RailIntent>({
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

export const rail: Codec<Rail> = object<Rail>({ railId: text, status: text, reason: optional(text) });
