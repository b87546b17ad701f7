// Every stop that a mint or a rail can bring about names a way out, and whoever follows it is out: the bot trades on, the books are
// the venue's, and nothing stops it again.

import { expect, test } from "vitest";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import { type Millis, millis } from "../../src/domain/time.ts";
import type { MintRow, RailRow } from "../../src/simulator/core/record.ts";
import type { Venue } from "../../src/simulator/core/venue.ts";
import { CHF, close, expectSameBooks, KEY, recordsOf, SLOW_BOT, TreasuryWorld, VCHF } from "./world.ts";

const MINUTE = 60_000;
const QUICK = { settlement: { medianMs: MINUTE, sigma: 0, minMs: MINUTE, maxMs: MINUTE } };

async function beside(settings: object = QUICK): Promise<TreasuryWorld> {
  const world = await TreasuryWorld.open(1, settings);
  world.bot(SLOW_BOT);
  await world.pass(3 * MINUTE);
  return world;
}

/** The venue does this instead, until it is told otherwise. */
function venueDoes(world: TreasuryWorld, calls: Partial<Venue>): () => void {
  const { venue } = world.venue;
  const before = Object.fromEntries(Object.keys(calls).map((name) => [name, venue[name as keyof Venue]]));
  Object.assign(venue, calls);
  return () => void Object.assign(venue, before);
}

function wayOuts(world: TreasuryWorld): readonly string[] {
  return recordsOf(world, "step").flatMap(({ step: { event } }) =>
    event.kind === "control" && event.control.kind === "halt" ? [event.control.wayOut] : [],
  );
}

async function resume(world: TreasuryWorld): Promise<void> {
  world.resume();
  await world.pass(2 * MINUTE);
  expect(world.tradingCore?.books.counters.state).toBe("ACTIVE");
}

const theId = (world: TreasuryWorld): string => recordsOf(world, "intent").at(-1)?.id ?? "";

const later = (at: Millis) => ({ at, settlesAt: millis(at + MINUTE) });

test("a mint that was answered as done and that the venue knows nothing of", async () => {
  const world = await beside();
  const mend = venueDoes(world, {
    mintTokens(_, form, { venue: at }) {
      const quantity = Quantity.of(String(form.quantity));
      const row: MintRow = {
        requestId: "nowhere",
        transactionId: "0x0",
        asset: VCHF,
        blockchain: "ETH",
        quantity,
        destination: undefined,
        spent: quantity.of(CHF),
        fee: Money.zero(CHF),
        status: "pending",
        reason: undefined,
        ...later(at),
      };
      return { ok: true, value: row };
    },
  });
  const minted = await world.end(world.mint());
  expect(minted.code, minted.stderr).toBe(0);
  mend();
  await world.pass(20 * MINUTE);
  const id = theId(world);
  const own = `pegbot resolve ${id} --not-landed --reason "..." if the venue does not have it, then pegbot resume --reason "..."`;
  expect(wayOuts(world)).toContain(own);
  const closed = await world.end(close(world, id, { notLanded: true }));
  expect([closed.code, closed.stderr]).toEqual([0, expect.stringContaining("given back")]);
  await resume(world);
  const halts = world.halts().length;
  await world.pass(30 * MINUTE);
  expect(world.halts()).toHaveLength(halts);
  expectSameBooks(world);
});

test("a rail that was answered as done and that the venue knows nothing of", async () => {
  const world = await beside();
  const mend = venueDoes(world, {
    addPaymentRail(_, body, { venue: at }) {
      const status = "pending" as const;
      return { ok: true, value: { ...(body as RailRow), railId: "nowhere", status, reason: undefined, at } };
    },
  });
  const registered = await world.end(world.rail("off", "vchf-out"));
  expect(registered.code, registered.stderr).toBe(0);
  mend();
  await world.pass(20 * MINUTE);
  const id = theId(world);
  expect(wayOuts(world)).toEqual([expect.stringContaining(`pegbot resolve ${id} --not-landed --reason "..."`)]);
  const closed = await world.end(close(world, id, { notLanded: true }));
  expect(closed.code, closed.stderr).toBe(0);
  // Also for whoever reads the journal next.
  expect(world.reader().executor.get(id)?.state.kind).toBe("released");
  await resume(world);
  const again = await world.end(world.rail("off", "vchf-out"));
  expect(again.code, again.stderr).toBe(0);
  await world.pass(30 * MINUTE);
  expect(world.halts()).toHaveLength(1);
});

test("a mint that cost more than was approved", async () => {
  const world = await beside({ ...QUICK, mintFeeBps: 50 });
  const minted = await world.end(world.mint());
  expect(minted.code, minted.stderr).toBe(0);
  await world.pass(MINUTE);
  expect(wayOuts(world)).toEqual(['pegbot resume --reason "..."']);
  await resume(world);
  await world.pass(30 * MINUTE);
  expect(world.halts()).toHaveLength(1);
  expectSameBooks(world);
});

test("several entries of the list that may be a mint in doubt", async () => {
  const world = await beside();
  const { supplyChanges } = world.venue.venue;
  const mend = venueDoes(world, {
    supplyChanges(key, form, moment) {
      const listed = supplyChanges(key, form, moment);
      return listed.ok
        ? { ok: true, value: listed.value.flatMap((row) => [row, { ...row, requestId: `${row.requestId}-2` }]) }
        : listed;
    },
  });
  world.setFaults({ rules: [{ fault: "lost-answer", on: "mintTokens", times: 1 }] });
  expect((await world.end(world.mint())).code).toBe(4);
  await world.pass(3 * MINUTE);
  const id = theId(world);
  expect(wayOuts(world)).toEqual([
    `was it you? If not, revoke the key in the venue's portal first; then pegbot resolve ${id} --landed|--not-landed --reason "...", then pegbot resume --reason "..."`,
  ]);
  const listed = supplyChanges(KEY, { asset: "VCHF" }, world.moment());
  const row = listed.ok ? listed.value[0] : undefined;
  const cost = { spent: `${row?.spent} CHF`, fee: `${row?.fee} CHF` };
  const closed = await world.end(close(world, id, { landed: true, venueId: row?.requestId ?? "", ...cost }));
  expect(closed.code, closed.stderr).toBe(0);
  mend();
  const halts = world.halts().length;
  await resume(world);
  await world.pass(20 * MINUTE);
  expect(world.halts()).toHaveLength(halts);
  expect(world.reader().executor.get(id)?.state.kind).toBe("settled");
  expectSameBooks(world);
});
