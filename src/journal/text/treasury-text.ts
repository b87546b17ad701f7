// Mints and rails as text: what was asked for, and what the venue gave.

import type { MintRecord, MintRequest } from "../../domain/mint.ts";
import type { Party, Rail, RailRequest } from "../../domain/rail.ts";
import { type Codec, object, optional } from "./codec.ts";
import { asset, money, oneOf, quantity, text } from "./value.ts";

export const mintRequest: Codec<MintRequest> = object<MintRequest>({ asset, blockchain: text, quantity });

export const mintRecord: Codec<MintRecord> = object<MintRecord>({
  requestId: text,
  transactionId: optional(text),
  fee: optional(money),
  spent: optional(money),
});

const party = object<Party>({ name: text, country: text, type: text });

export const railRequest: Codec<RailRequest> = object<RailRequest>({
  type: oneOf("FiatToStablecoin", "StablecoinToFiat"),
  sender: party,
  destination: text,
  memo: optional(text),
  asset,
  currency: asset,
  blockchain: text,
});

export const rail: Codec<Rail> = object<Rail>({ railId: text, status: text, reason: optional(text) });
