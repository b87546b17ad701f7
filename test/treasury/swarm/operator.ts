// An operator who does what the bot's words say: the way out of each stop, in its order. What a person has to know for it is
// asked of the venue itself, which is what its support would say.

import type { Rail } from "../../../src/domain/rail.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { isEscalated, type MoneyRequest } from "../../../src/execution/request.ts";
import { isUncosted } from "../../../src/execution/request-state.ts";
import { stopsOf } from "../../../src/risk/trading-state.ts";
import type { RailRow } from "../../../src/simulator/core/record.ts";
import { configOf } from "../rebalance-world.ts";
import { type Closing, type Command, close, type Finished, KEY, recordsOf, type TreasuryWorld } from "../world.ts";

const WORD = { reason: "the venue's support says so" };

/** What to do next; undefined where there is nothing. Everything that is open and asks for a person comes first. */
export function nextDeed(world: TreasuryWorld, last: Finished | undefined): Command | "resume" | undefined {
  const asked = [...(world.tradingCore?.executor.open() ?? [])].find(
    (one) => isEscalated(one.state) || isUncosted(one),
  );
  // Refused for balances that other money has moved: the venue itself is asked, and confirms.
  const venueConfirms = last?.stderr.includes("--venue-confirms") === true;
  if (asked !== undefined) return closed(world, asked, { ...WORD, venueConfirms });
  const stops = stopsOf(world.standing).filter(({ state }) => state !== "ACTIVE");
  if (stops.length === 0) return undefined;
  return stops.some(({ wayOut }) => wayOut.includes("pegbot adopt")) ? adopted(world) : "resume";
}

function adopted(world: TreasuryWorld): Command {
  return world.asks("adopt", {}, { config: configOf() });
}

function closed(world: TreasuryWorld, submission: MoneyRequest, said: Closing): Command {
  const { id } = submission;
  const venueId = venueIdOf(world, submission);
  const isThere = venueId !== undefined;
  const cost = costOf(world, submission);
  const config = configOf();
  if (submission.kind === "order")
    return close(world, id, { ...said, ...(isThere ? { filled: true } : { notFilled: true }) }, { config });
  const word = isThere ? { landed: true, venueId, ...cost } : { notLanded: true };
  return close(world, id, { ...said, ...word }, { config });
}

/** What the portal says that a mint cost. */
function costOf(world: TreasuryWorld, { kind, request }: MoneyRequest): { spent?: string; fee?: string } {
  if (kind !== "mint") return {};
  const { asset, quantity } = request as MoneyRequest<"mint">["request"];
  const rows = unwrap(world.venue.venue.supplyChanges(KEY, { asset }, world.moment()));
  const row = rows.find((one) => one.quantity.equals(quantity));
  return row === undefined ? {} : { spent: `${row.spent} ${row.spent.asset}`, fee: `${row.fee} ${row.fee.asset}` };
}

/** The venue's own id of it, if it happened. Sizes of mints are drawn so that no two are the same. */
function venueIdOf(world: TreasuryWorld, { kind, id, request }: MoneyRequest): string | undefined {
  const { venue } = world.venue;
  const now = world.moment();
  if (kind === "order")
    return unwrap(venue.trades(KEY, now)).find(({ clientOrderId }) => clientOrderId === id)?.orderId;
  if (kind === "mint") {
    const { asset, quantity } = request as MoneyRequest<"mint">["request"];
    const rows = unwrap(venue.supplyChanges(KEY, { asset }, now));
    return rows.find((row) => row.quantity.equals(quantity))?.requestId;
  }
  const rail = request as MoneyRequest<"rail">["request"];
  const taken = new Set(
    railsOf(world).flatMap(({ state }) => ("receipt" in state ? [(state.receipt as Rail).railId] : [])),
  );
  const isIt = (row: RailRow): boolean =>
    !rail.known.includes(row.railId) && !taken.has(row.railId) && row.destination === rail.destination;
  return unwrap(venue.rails(KEY, now)).find((row) => isIt(row))?.railId;
}

function railsOf(world: TreasuryWorld): readonly MoneyRequest[] {
  const { executor } = world.reader();
  return recordsOf(world, "intent").flatMap(({ id }) => {
    const found = executor.get(id);
    return found?.kind === "rail" ? [found] : [];
  });
}
