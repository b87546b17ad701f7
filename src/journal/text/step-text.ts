// The engine's step as text: event, decisions with their inputs, commands. A new kind or field in the domain breaks the
// build here, so that the record cannot omit it by mistake.

import type { Balance } from "../../domain/balance.ts";
import type { CoinCost, Control, Event, OrderReport } from "../../domain/event.ts";
import type { Instrument } from "../../domain/instrument.ts";
import type { MovementReport } from "../../domain/movement.ts";
import type { ClientOrderId, Fill } from "../../domain/order.ts";
import type {
  Basis,
  Command,
  Decision,
  MidOfPair,
  OrderIntent,
  Proposal,
  Refusal,
  RiskState,
  Step,
  Verdict,
} from "../../domain/step.ts";
import { STOP_CAUSES } from "../../domain/stop-cause.ts";
import { type Codec, list, object, optional, tagged } from "./codec.ts";
import {
  asset,
  branded,
  flag,
  float,
  floatOrText,
  instant,
  money,
  oneOf,
  price,
  quantity,
  symbol,
  text,
  whole,
} from "./value.ts";

const side = oneOf("buy", "sell");
const clientOrderId = branded<ClientOrderId>();

export const fill: Codec<Fill> = object<Fill>({
  clientOrderId,
  orderId: optional(text),
  tradeId: optional(text),
  symbol,
  side,
  bought: money,
  sold: money,
  fee: money,
  at: optional(instant),
});

const orderReport = tagged<OrderReport>({
  sending: {},
  "not-sent": { reason: text },
  rejected: { code: text, message: text },
  filled: { fill, confirmed: flag },
  doubt: { cause: text },
  escalated: { reason: text },
  dead: { reason: text },
});

const door = oneOf("mint", "payment");

const movementReport = tagged<MovementReport>({
  reserved: { door, leaves: money, comes: money, rail: optional(text), pays: optional(money) },
  released: { reason: text, by: optional(text), met: optional(text) },
  departed: { door, spent: money, fee: money, comes: money, railId: optional(text), feeAtArrival: optional(money) },
  told: { status: text, reason: optional(text) },
  doubt: { cause: text },
  escalated: { reason: text, wayOut: text },
  returned: { reason: text, isListed: optional(flag) },
  arrived: { at: oneOf("account", "outside"), fee: optional(money), reason: optional(text) },
});

const cause = oneOf(...STOP_CAUSES);
const halt = { reason: text, wayOut: text, cause, subject: optional(text), finding: optional(text) };

export const control: Codec<Control> = tagged<Control>({
  kill: { reason: text, by: text },
  halt,
  reduce: halt,
  resume: { reason: text, by: text },
  heartbeat: { by: text },
  limits: { by: text, changed: optional(text) },
});

const balance = object<Balance>({ asset, available: money, pending: optional(money) });

const instrument = object<Instrument>({
  symbol,
  base: asset,
  quote: asset,
  status: text,
  quantityDecimals: whole,
  priceDecimals: whole,
  quantityMin: quantity,
});

const event = tagged<Event>({
  quote: {
    symbol,
    bid: float,
    ask: float,
    bidSize: optional(float),
    askSize: optional(float),
    source: text,
    at: optional(instant),
    receivedAt: instant,
  },
  bar: {
    symbol,
    open: float,
    high: float,
    low: float,
    close: float,
    volume: optional(float),
    receivedAt: instant,
  },
  balances: { balances: list(balance), receivedAt: instant },
  adoption: {
    amounts: list(money),
    reason: text,
    receivedAt: instant,
    value: optional(money),
    atPar: optional(money),
    costs: optional(list(object<CoinCost>({ asset, price }))),
  },
  instruments: { instruments: list(instrument), receivedAt: instant },
  report: { clientOrderId, report: orderReport, receivedAt: instant },
  movement: {
    id: text,
    report: movementReport,
    receivedAt: instant,
    value: optional(money),
    atPar: optional(money),
    feeValue: optional(money),
  },
  control: { control, receivedAt: instant },
  timer: { receivedAt: instant },
});

export const orderIntent: Codec<OrderIntent> = object<OrderIntent>({
  clientOrderId,
  symbol,
  side,
  quantity,
  limit: price,
  reason: text,
  decidedAt: instant,
  expiresAt: instant,
});

const refusal = object<Refusal>({ rule: text, limit: text, value: text, message: text });

const proposal = object<Proposal>({
  symbol,
  side,
  limit: float,
  size: floatOrText,
  reason: text,
  lifetimeMs: optional(float),
  odds: optional(float),
});

const verdict = tagged<Verdict>({
  approved: { intent: orderIntent, capped: list(refusal) },
  refused: { refusal },
});

const basis = object<Basis>({
  bid: optional(float),
  ask: optional(float),
  fair: optional(float),
  ageMs: optional(float),
  rate: optional(price),
});

const decision = object<Decision>({ proposal: optional(proposal), basis, verdict });

const command = tagged<Command>({
  submit: { intent: orderIntent },
  state: {
    state: oneOf<RiskState>("ACTIVE", "REDUCED", "HALTED"),
    ...halt,
  },
});

export const step: Codec<Step> = object<Step>({
  sequence: whole,
  at: instant,
  event,
  decisions: list(decision),
  commands: list(command),
  mark: optional(money),
  ownAtPar: optional(money),
  mids: optional(list(object<MidOfPair>({ symbol, mid: float }))),
});
