// The venue as an owner hears it during a rehearsal: in the profile of the moment, and before the protocol reads the row
// of a fill, that row is understood. The protocol would halt at one that contradicts the answer.

import { fine, warning } from "../../app/finding.ts";
import type { Engine } from "../../bot/engine.ts";
import { type Asset, assetsOf } from "../../domain/asset.ts";
import type { Balance } from "../../domain/balance.ts";
import { CommandFailure } from "../../domain/command-failure.ts";
import { exitCode } from "../../domain/exit-code.ts";
import { Money } from "../../domain/money/money.ts";
import { type Fill, withFeeOutside } from "../../domain/order.ts";
import { pause } from "../../domain/pause.ts";
import type { OrderIntent } from "../../domain/step.ts";
import type { Millis, Timers } from "../../domain/time.ts";
import type { WireExchange } from "../../exchange/client.ts";
import type { Outcome } from "../../exchange/port.ts";
import { profileYaml } from "../../exchange/profile-candidates.ts";
import type { MoneyRequest } from "../../execution/request.ts";
import type { Contact } from "./check.ts";
import { findTrade, type Line, type OwnOrder, WANT } from "./own-order.ts";

export const REASON = "rehearsal";
export const SECOND = 1_000;
export const AGAIN = "pegbot rehearse again";
/** A balance may show a fill a moment after the answer. */
const BALANCE_LOOKS = 3;

/** Of what became of orders that may have moved money. */
export function unknownEnd(cause: string, hint?: string): CommandFailure {
  const next = `do not repeat it: ${AGAIN}, which begins with it, or pegbot run`;
  return new CommandFailure(exitCode.unknown, cause, hint === undefined ? next : `${next}; ${hint}`);
}

/** Open orders of a bot, or of another command, are theirs to follow. */
export function isRehearsed({ kind, request }: MoneyRequest): boolean {
  return kind === "order" && (request as OrderIntent).reason.endsWith(`: ${REASON}`);
}

export type Learning = {
  readonly contact: Contact;
  readonly timers: Timers;
  /** Orders whose row was understood. */
  readonly understood: Set<string>;
  /** Why the row of an order does not say what happened. */
  readonly odd: Map<string, string>;
  readonly core: () => Engine | undefined;
};

export function learningExchange(line: Line, learning: Learning): WireExchange {
  const { contact } = learning;
  const now = (): WireExchange => line.speaking(contact.profile);
  const answeredAt = new Map<string, Millis>();
  const trades: WireExchange["trades"] = async (want) => {
    for (const one of learning.core()?.executor.open() ?? [])
      if (isRehearsed(one) && !learning.understood.has(one.id)) await understand(line, learning, one, answeredAt);
    const [odd] = learning.odd;
    return odd === undefined ? now().trades(want) : { kind: "dropped", reason: `${odd[0]}: ${odd[1]}` };
  };
  let before: ReadonlyMap<Asset, Money> = new Map();
  const balances: WireExchange["balances"] = async (want) => {
    const reading = await now().balances(want);
    if (reading.kind === "read") before = amountsOf(reading.value);
    return reading;
  };
  const addOrder: WireExchange["addOrder"] = async (order, want) => {
    const outcome = await now().addOrder(order, want);
    if (outcome.kind !== "accepted") return outcome;
    answeredAt.set(order.clientOrderId, outcome.receivedAt);
    return feeFound(now, learning, outcome, before);
  };
  const own: Partial<WireExchange> = { trades, balances, addOrder };
  return new Proxy({} as WireExchange, {
    get: (_, name) => (Object.hasOwn(own, name) ? Reflect.get(own, name) : Reflect.get(now(), name)),
  });
}

async function understand(
  line: Line,
  { contact, understood, odd, core }: Learning,
  { id, request, state }: MoneyRequest,
  answeredAt: ReadonlyMap<string, Millis>,
): Promise<void> {
  const receipt = "receipt" in state ? (state.receipt as Fill) : undefined;
  const own = request as OrderIntent;
  const isFilled = receipt !== undefined || (await hasLanded(line, contact, id, core()));
  const order: OwnOrder = { request: own, receipt, isFilled, at: answeredAt.get(id) ?? own.decidedAt };
  const found = await findTrade(line, contact.profile, order);
  odd.delete(id);
  if (found.kind === "absent") return;
  if (found.kind === "odd") {
    odd.set(id, found.cause);
    return;
  }
  understood.add(id);
  const seconds = ((found.readAt - order.at) / SECOND).toFixed(1);
  const { report } = contact;
  report.add(fine("trades", `${id} is listed ${seconds} s after the answer, with its amounts and fee`));
  for (const other of found.others)
    report.add(warning("profile", `its row fits ${profileYaml(other)} as well`, "a rehearsal with --sell may decide"));
  // From here on the books are kept with it.
  contact.profile = found.profile;
}

/** After a lost answer the balances may prove that it filled. */
async function hasLanded(line: Line, { profile, shell }: Contact, id: string, core: Engine | undefined) {
  const askedAt = { at: shell.clock.now(), mono: shell.clock.monotonic() };
  const reading = await line.speaking(profile).balances({ class: "doubt" });
  if (reading.kind !== "read" || core === undefined) return false;
  return core.executor.balances.vote(id, reading.value, askedAt).kind === "landed";
}

function amountsOf(rows: readonly Balance[]): ReadonlyMap<Asset, Money> {
  return new Map(rows.map(({ asset, available }) => [asset, available]));
}

/** What the asset of the fee has moved by shows whether the leg in it was stated with the fee inside. */
async function feeFound(
  now: () => WireExchange,
  { contact, timers }: Learning,
  outcome: Extract<Outcome<Fill>, { kind: "accepted" }>,
  before: ReadonlyMap<Asset, Money>,
): Promise<Outcome<Fill>> {
  const { profile, report } = contact;
  const fill = outcome.value;
  const { asset } = fill.fee;
  const leg = [fill.bought, fill.sold].find((one) => one.asset === asset);
  if (profile.feeInside !== "none" || leg === undefined || fill.fee.isZero()) return outcome;
  for (let look = 0; look <= BALANCE_LOOKS; look++) {
    if (look > 0) await pause(timers, SECOND);
    const reading = await now().balances(WANT);
    const have = reading.kind === "read" ? amountsOf(reading.value).get(asset) : undefined;
    const moved = have?.minus(before.get(asset) ?? Money.zero(asset)).size();
    if (moved === undefined || moved.isZero()) continue;
    if (!moved.equals(leg)) return outcome;
    const feeInside = assetsOf(fill.symbol).base === asset ? "base" : "quote";
    contact.profile = { ...profile, feeInside };
    report.add(
      warning("profile", `${asset} moved by ${moved}, so that leg has its fee inside: feeInside is ${feeInside}`),
    );
    return { ...outcome, value: withFeeOutside(fill, asset) };
  }
  return outcome;
}
