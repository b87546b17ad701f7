// What is asked at the end of a life, of the journal and of the venue's own books.

import type { Asset } from "../../../src/domain/asset.ts";
import { Money } from "../../../src/domain/money/money.ts";
import { unwrap } from "../../../src/domain/result.ts";
import type { Executor } from "../../../src/execution/executor.ts";
import type { MoneyRequest } from "../../../src/execution/request.ts";
import { KEY, recordsOf, type TreasuryWorld } from "../world.ts";

/** `wired`: what came from outside. Empty when all is well. */
export function violationsOf(world: TreasuryWorld, wired: ReadonlyMap<Asset, Money>): readonly string[] {
  return [
    ...world.bugs.map(String),
    ...stillOpen(world),
    ...otherBooks(world),
    ...sentTwice(world),
    ...taken(world, wired),
    ...(wired.size === 0 ? falseStops(world) : []),
  ];
}

/** Where nothing came from outside, nothing differs that is not ours: only what nobody can know asks for a person. */
function falseStops(world: TreasuryWorld): readonly string[] {
  return recordsOf(world, "step").flatMap(({ step: { event } }) =>
    event.kind === "control" && event.control.kind === "halt" && event.control.cause !== "doubt"
      ? [`stopped for nothing: ${event.control.reason}`]
      : [],
  );
}

function stillOpen(world: TreasuryWorld): readonly string[] {
  const { executor, books } = world.reader();
  const { state, reason } = world.standing;
  return [
    ...unsettled(executor).map(({ id, state: { kind } }) => `${id} is still open: ${kind}`),
    ...[...books.accounts.flights()].map(({ id }) => `${id} is still in flight`),
    ...(state === "ACTIVE" ? [] : [`still ${state}: ${reason}`]),
  ];
}

/** What they did to the account. */
export function strangersTrades(world: TreasuryWorld): readonly Money[] {
  const ours = new Set<string>(recordsOf(world, "intent").map(({ id }) => id));
  return unwrap(world.venue.venue.trades(KEY, world.moment())).flatMap((row) =>
    ours.has(row.clientOrderId) ? [] : [row.bought, row.sold.negated(), row.fee.negated()],
  );
}

/** A rail that stands is followed for ever. */
export function unsettled(executor: Pick<Executor, "open">): readonly MoneyRequest[] {
  return [...executor.open()].filter(({ kind, state }) => kind !== "rail" || state.kind !== "confirmed");
}

function otherBooks(world: TreasuryWorld): readonly string[] {
  const { accounts } = world.reader().books;
  return unwrap(world.venue.venue.balances(KEY, world.moment())).flatMap(({ asset, available, pending }) => {
    const [said, there] = [accounts.settled(asset) ?? Money.zero(asset), available.plus(pending)];
    return said.equals(there) ? [] : [`${asset}: the books say ${said}, the venue ${there}`];
  });
}

/** Every mint that the venue has is one that the journal announced, and none is there twice. */
function sentTwice(world: TreasuryWorld): readonly string[] {
  const sent = new Set(recordsOf(world, "sending").map(({ id }) => id));
  const intended = recordsOf(world, "intent").flatMap(({ id, request }) =>
    request.kind === "mint" && sent.has(id) ? [String(request.mint.quantity)] : [],
  );
  const rows = unwrap(world.venue.venue.supplyChanges(KEY, { asset: "VCHF" }, world.moment()));
  const sizes = rows.flatMap(({ isRedemption, quantity }) => (isRedemption ? [] : [String(quantity)]));
  return [
    ...sizes.filter((size, i) => sizes.indexOf(size) !== i).map((size) => `${size} were minted twice`),
    ...sizes.filter((size) => !intended.includes(size)).map((size) => `${size} were minted without a record`),
  ];
}

/** What persons took over is what came from outside, and nothing of our own. */
function taken(world: TreasuryWorld, wired: ReadonlyMap<Asset, Money>): readonly string[] {
  const sums = new Map<Asset, Money>();
  // The first is the opening entry.
  for (const { amounts } of recordsOf(world, "adoption").slice(1))
    for (const amount of amounts)
      sums.set(amount.asset, (sums.get(amount.asset) ?? Money.zero(amount.asset)).plus(amount));
  return [...new Set([...sums.keys(), ...wired.keys()])].flatMap((asset) => {
    const [sum, there] = [sums.get(asset) ?? Money.zero(asset), wired.get(asset) ?? Money.zero(asset)];
    return sum.equals(there) ? [] : [`${asset}: ${sum} were taken over, ${there} came from outside`];
  });
}
