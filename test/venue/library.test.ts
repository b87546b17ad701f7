// The library against a simulated venue of its own, on a clock that runs faster than ours.

import { existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Fill } from "../../src/domain/order.ts";
import { unwrap } from "../../src/domain/result.ts";
import { JournalReader } from "../../src/journal/journal-reader.ts";
import type { MoneyResult, NewOrder, VenueOptions } from "../../src/venue/contract.ts";
import { type SimulatedOptions, startVenue } from "../../src/venue/simulator.ts";
import { createVenue, fileKey, type VenueError } from "../../src/venue/venue.ts";
import { temporaryFolder } from "../journal/place.ts";
import "../support/program.ts";

vi.hoisted(() => vi.stubEnv("PEGBOT_TIME_SCALE", `10@${Date.now()}`));
beforeEach(() => void vi.stubEnv("XDG_STATE_HOME", temporaryFolder()));

/** It fills in the demo market, whatever the minute, on a busy machine too. */
const BUY: NewOrder = { symbol: "VCHF/CHF", side: "buy", quantity: "250", limit: "1.0045", lifetimeMs: 60_000 };

async function staged(options: Partial<VenueOptions> = {}, simulated: SimulatedOptions = {}) {
  const box = await startVenue({ seed: 3, ...simulated });
  onTestFinished(() => box.close());
  const state = temporaryFolder();
  const opened: VenueOptions = { url: box.url, key: box.key, state, ...options };
  const open = async (more: Partial<VenueOptions> = {}) => {
    const venue = await createVenue({ ...opened, ...more });
    onTestFinished(() => venue.close());
    return venue;
  };
  return { box, state, open, venue: await open() };
}

function codeOf(result: MoneyResult): string {
  return "failure" in result ? `${result.kind} ${result.failure.code}` : result.kind;
}

const legsOf = ({ bought, sold, fee }: Fill) => [`${bought} ${bought.asset}`, `${sold} ${sold.asset}`, `${fee}`];

describe("reads", () => {
  test("need no journal, give exact amounts, and say why they failed", async () => {
    const { box, venue } = await staged({ state: undefined as never });
    const balances = await venue.balances();
    const held =
      balances.kind === "read" ? balances.value.map(({ asset, available }) => [asset, String(available)]) : [];
    expect(Object.fromEntries(held)).toMatchObject({ CHF: "100000", VCHF: "50000" });
    expect(await venue.quotes()).toMatchObject({ kind: "read", unread: [], at: expect.any(Number) });
    for (const list of ["assets", "pairs", "orders", "trades", "rails", "payments", "withdrawAddresses"] as const)
      expect(await venue[list](), list).toMatchObject({ kind: "read" });
    expect(await venue.supplyChanges("VCHF")).toMatchObject({ kind: "read", value: [] });
    expect(codeOf(await venue.order(BUY))).toBe("not-sent state-required");
    await box.setFaults([{ fault: "status", status: 503, on: "accountBalance" }]);
    expect(await venue.balances()).toMatchObject({ kind: "failed", failure: { code: expect.any(String) } });
    await venue.close();
    expect(await venue.balances()).toMatchObject({ kind: "failed", failure: { code: "closed" } });
  });

  test("are given up by their signal: before the slot nothing is sent", async () => {
    const { box, venue } = await staged();
    await venue.quotes();
    const stop = new AbortController();
    const [first, second] = [venue.orders(), venue.trades({ signal: stop.signal })];
    stop.abort();
    expect(await second).toMatchObject({ kind: "failed", failure: { code: "aborted" } });
    expect(await first).toMatchObject({ kind: "read" });
    await venue.quotes();
    const { requests } = (await (await fetch(`${box.portalUrl}requests`)).json()) as { requests: { path: string }[] };
    expect(requests.map(({ path }) => path).filter((path) => path.endsWith("/queryTrades"))).toEqual([]);
    await box.close();
    expect(await venue.orders({ signal: AbortSignal.abort() })).toMatchObject({ failure: { code: "aborted" } });
  });
});

describe("an order", () => {
  test("is filled with both legs to the last digit, and confirmed by the history", async () => {
    const { box, venue } = await staged();
    const sent = await venue.order(BUY);
    const settled = await venue.settle(sent);
    if (settled.kind !== "filled") throw new Error(codeOf(settled));
    const [row] = box.ledger.trades();
    expect(settled).toMatchObject({ isConfirmed: true, id: row?.clientOrderId });
    expect(legsOf(settled.fill)).toEqual([`${row?.bought} VCHF`, `${row?.sold} CHF`, `${row?.fee}`]);
    expect(venue.unsettled()).toEqual([]);
    const over = await venue.order({ ...BUY, limit: "0.99" });
    expect(codeOf(over)).toBe("rejected unfilled");
  });

  test("whose answer was lost is unknown; settle finds its trade and sends nothing again", async () => {
    const { box, venue } = await staged();
    await box.setFaults([{ fault: "lost-answer", on: "addOrder" }]);
    const lost = await venue.order(BUY);
    expect(lost).toMatchObject({
      kind: "unknown",
      failure: { code: "timeout", next: expect.stringMatching(/settle/) },
    });
    expect(codeOf(await venue.order(BUY))).toMatch(/^not-sent RC16$/);
    expect(venue.unsettled()).toMatchObject([{ id: lost.id }]);
    expect(await venue.settle(lost)).toMatchObject({ kind: "filled", id: lost.id, isConfirmed: true });
    expect(box.ledger.orders()).toHaveLength(1);
  });

  test("is settled after a restart by the histories, whether or not the pairs can be read", async () => {
    const { box, open, venue } = await staged();
    await box.setFaults([{ fault: "lost-answer", on: "addOrder" }]);
    const lost = await venue.order(BUY);
    await venue.close();
    await box.setFaults([{ fault: "status", status: 503, on: "tradingPairs" }]);
    const again = await open();
    const settled = await again.settle(lost, { signal: AbortSignal.timeout(5_000) });
    expect(settled).toMatchObject({ kind: "filled", id: lost.id });
  });

  test("that never arrived is released by the full rule, up to a hundredth of the equity named; what has no value there a person decides", async () => {
    const { box, venue } = await staged({ limits: { equity: "40000" } });
    await venue.settle(await venue.order(BUY));
    await venue.balances();
    await box.setFaults([{ fault: "lost-request", on: "addOrder" }]);
    const lost = [await venue.order(BUY), await venue.order({ ...BUY, symbol: "VGBP/GBP" })];
    const [small, unvalued] = await Promise.all(lost.map((one) => venue.settle(one)));
    expect(small).toMatchObject({ kind: "rejected", failure: { code: "released" } });
    expect(unvalued).toMatchObject({ kind: "unknown", failure: { code: "escalated" } });
    expect(unvalued).toMatchObject({ failure: { next: expect.stringMatching(`pegbot resolve ${unvalued?.id}`) } });
    expect(venue.unsettled()).toEqual([unvalued]);
    expect(box.ledger.orders()).toHaveLength(1);
  });

  test("is not sent later than its lifetime after the call, whatever came before it", async () => {
    const { box, venue } = await staged();
    expect(codeOf(await venue.order({ ...BUY, lifetimeMs: 2_000 }))).toBe("not-sent RC28");
    expect(box.ledger.orders()).toEqual([]);
  });

  test("that sells is worth what it may bring to the rule of release, however low its limit", async () => {
    const { state, venue } = await staged();
    await venue.order({ ...BUY, side: "sell", quantity: "4000", limit: "0.01" });
    await venue.close();
    const reader = unwrap(JournalReader.open(`${state}/pegbot.db`));
    onTestFinished(() => reader.close());
    const values = unwrap(reader.read(0, 1_000)).flatMap(({ record }) =>
      record.kind === "intent" ? [`${record.value} ${record.value?.asset}`] : [],
    );
    expect(values).toEqual(["4000 CHF"]);
  });

  test("comes after a list whose last question was not answered, which would freeze it for good", async () => {
    const { box, venue } = await staged();
    expect(codeOf(await venue.order({ ...BUY, limit: "0.99" }))).toBe("rejected unfilled");
    await box.setFaults([{ fault: "status", status: 503, on: "accountBalance", times: 2 }]);
    expect(await venue.balances()).toMatchObject({ kind: "failed" });
    expect(codeOf(await venue.order(BUY))).toBe("not-sent venue-down");
    expect(codeOf(await venue.order(BUY))).toBe("filled");
  });

  test("given up in the queue sends nothing; given up on its way it is unknown, and settle leads out", async () => {
    const { box, venue } = await staged();
    expect(codeOf(await venue.order({ ...BUY, limit: "0.99" }))).toBe("rejected unfilled");
    await box.setFaults([{ fault: "lost-answer", on: "queryPaymentRails" }]);
    const stuck = venue.rails();
    const stop = new AbortController();
    const queued = venue.order(BUY, { signal: stop.signal });
    // At once: its slot comes within a second.
    while (venue.unsettled().length === 0) await setImmediate();
    stop.abort();
    const first = await Promise.race([queued, stuck]);
    expect(codeOf(first as MoneyResult)).toBe("not-sent aborted");
    await stuck;
    await venue.balances();
    expect(box.ledger.orders()).toHaveLength(1);
    await box.setFaults([{ fault: "lost-answer", on: "addOrder" }]);
    const midway = new AbortController();
    const sent = venue.order(BUY, { signal: midway.signal });
    await expect.poll(() => box.ledger.orders().length).toBe(2);
    midway.abort();
    const detached = await sent;
    expect(codeOf(detached)).toBe("unknown detached");
    expect(await venue.settle(detached)).toMatchObject({ kind: "filled" });
    expect(box.ledger.orders()).toHaveLength(2);
  });

  test("that close overtakes is not sent, wherever it was", async () => {
    const { box, open, venue } = await staged();
    const [first] = await Promise.all([venue.order(BUY), venue.close()]);
    const again = await open();
    expect(codeOf(await again.order({ ...BUY, limit: "0.99" }))).toBe("rejected unfilled");
    const [second, pairs] = await Promise.all([again.order(BUY), again.pairs(), again.close()]);
    expect([codeOf(first), codeOf(second)]).toEqual(["not-sent closed", "not-sent closed"]);
    expect(pairs.kind).toBe("failed");
    expect(box.ledger.orders()).toHaveLength(1);
  });

  test("whose journal is lost on its way is unknown, nothing leaves any more, and opening again leads out", async () => {
    const { box, state, venue } = await staged();
    await box.setFaults([{ fault: "lost-answer", on: "addOrder" }]);
    const sent = venue.order(BUY);
    await expect.poll(() => box.ledger.orders().length).toBe(1);
    renameSync(join(state, "pegbot.db"), join(state, "moved.db"));
    const lost = await sent;
    expect(lost).toMatchObject({ failure: { code: "failed", next: expect.stringMatching("open it again") } });
    await expect(venue.order(BUY)).rejects.toMatchObject({ code: "failed" });
    renameSync(join(state, "moved.db"), join(state, "pegbot.db"));
    expect(await venue.settle(lost)).toEqual(lost);
  });

  test("is refused and never cut: off the grid, beyond a limit of the caller, beyond the balance, and by the kill file", async () => {
    const { box, venue, state } = await staged({ limits: { orderQuantityMax: { "VCHF/CHF": "300" } } });
    const refused = async (change: Partial<NewOrder>) => codeOf(await venue.order({ ...BUY, ...change }));
    expect(await refused({ quantity: "300.01" })).toBe("not-sent RC02");
    expect(await refused({ symbol: "VGBP/GBP" })).toBe("not-sent RC19");
    expect(await refused({ symbol: "VCHF/XYZ" })).toBe("not-sent unknown-symbol");
    expect(await refused({ quantity: "1e3" })).toBe("not-sent invalid");
    expect(await refused({ quantity: "250.1234567" })).toBe("not-sent invalid");
    expect(await refused({ limit: "1.00450001" })).toBe("not-sent invalid");
    expect(await refused({ quantity: "0.01" })).toBe("not-sent invalid");
    writeFileSync(join(state, "pegbot.db.KILL"), "enough\nby me\n");
    expect(await venue.order(BUY)).toMatchObject({
      failure: { code: "halted", next: expect.stringMatching("pegbot resume") },
    });
    expect(box.ledger.orders()).toEqual([]);
  });

  test("spends what the books have and no more, at once after a fill too", async () => {
    const { box, venue } = await staged({}, { funds: { CHF: "600" } });
    const [one, two] = await Promise.all([
      venue.order({ ...BUY, quantity: "500" }),
      venue.order({ ...BUY, quantity: "200" }),
    ]);
    expect([codeOf(one), codeOf(two)].sort()).toEqual(["filled", "not-sent RC17"]);
    expect(codeOf(await venue.order({ ...BUY, side: "sell", quantity: "400", limit: "0.9955" }))).toBe("filled");
    expect(box.ledger.orders()).toHaveLength(2);
  });

  test("is refused while the venue's history has what the journal does not: adopt leads out", async () => {
    const { state, open, venue } = await staged();
    await venue.order(BUY);
    await venue.close();
    const other = `${state}/other`;
    // Another state folder does not know the key's pace.
    await sleep(200);
    vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
    const fresh = await open({ state: other });
    const refused = await fresh.order(BUY);
    expect(refused).toMatchObject({
      kind: "not-sent",
      failure: { code: "books-unopened", next: expect.stringMatching("pegbot adopt") },
    });
  });
});

describe("mints and rails", () => {
  test("a mint needs a limit that names its coin, and is followed until its coins have arrived", async () => {
    const { box, open, venue } = await staged({}, { funds: { CHF: "500000" } });
    const wanted = { asset: "VCHF", blockchain: "ETH", quantity: "150000" };
    expect(codeOf(await venue.mint(wanted))).toBe("not-sent RM03");
    await venue.close();
    const minter = await open({ limits: { mintMax: { VCHF: "200000" } } });
    expect(codeOf(await minter.mint({ ...wanted, quantity: "250000" }))).toBe("not-sent RM03");
    const sent = await minter.mint(wanted);
    expect(sent).toMatchObject({ kind: "minted", isSettled: false });
    expect(codeOf(await minter.mint(wanted))).toBe("not-sent RM07");
    await box.clock.advance(24 * 3_600_000);
    expect(await minter.settle(sent)).toMatchObject({ kind: "minted", isSettled: true });
    expect(box.ledger.supplyChanges("VCHF")).toMatchObject([{ status: "settled" }]);
  });

  test("a rail goes to a destination of the caller's list alone, and a lost answer is found in the list of rails", async () => {
    const account = "CH9300762011623852957";
    const { box, venue } = await staged({ limits: { destinations: [account] } });
    const sender = { name: "Zürich AG", country: "CH", type: "company" };
    const rail = { type: "StablecoinToFiat", sender, asset: "VCHF", currency: "CHF", blockchain: "ETH" } as const;
    expect(codeOf(await venue.rail({ ...rail, destination: "CH00" }))).toBe("not-sent not-whitelisted");
    await box.setFaults([{ fault: "lost-answer", on: "addPaymentRail" }]);
    const lost = await venue.rail({ ...rail, destination: account });
    expect(lost.kind).toBe("unknown");
    expect(await venue.settle(lost)).toMatchObject({ kind: "registered", rail: { status: "pending" } });
  });
});

describe("the owner of a key", () => {
  test("is one: a second venue of the process is refused as key-owned with the holder, until the first is closed", async () => {
    const { open, venue, state } = await staged();
    const refused = await open().catch((error: unknown) => error as VenueError);
    expect(refused).toMatchObject({
      code: "key-owned",
      message: expect.stringMatching(`library, process ${process.pid}`),
    });
    await venue.close();
    await (await open()).close();
    await expect(open({ state: `${state}/other` })).rejects.toMatchObject({ code: "refused" });
    expect(existsSync(`${state}/other/pegbot.db`)).toBe(false);
  });

  test("reads no host but the journal's, whose lists would be evidence", async () => {
    vi.stubEnv("PEGBOT_TIME_SCALE", undefined);
    const { state, open, venue } = await staged({ environment: "test" });
    await venue.close();
    writeFileSync(join(state, "pegbot.db.host"), "test venue.example\n", { mode: 0o600 });
    await expect(open()).rejects.toMatchObject({ code: "refused", message: expect.stringMatching("venue.example") });
  });

  test("is refused with the rule: a foreign address without environment, an address, a profile, a key file, a limit", async () => {
    const { box, venue } = await staged();
    await venue.close();
    const given = { url: box.url, key: box.key, state: temporaryFolder() };
    const reason = async (change: Partial<VenueOptions>) =>
      createVenue({ ...given, ...change }).then(
        () => "opened",
        (error: VenueError) => `${error.code}: ${error.message}`,
      );
    expect(await reason({ url: "https://venue.example/api/v1/" })).toMatch(
      /^refused: environment must be test or production/,
    );
    expect(await reason({ url: "https://venue.example/" })).toMatch(/^refused: url: must end in \/api\/v1\//);
    expect(await reason({ profile: "guess" as never })).toMatch(/^refused: profile/);
    expect(await reason({ key: fileKey("/nowhere/key.pem") })).toMatch(/^refused: .*key file/);
    expect(await reason({ limits: { orderQuantityMax: { "VCHF/CHF": "1,000" } } })).toMatch(
      /^refused: limits.orderQuantityMax.VCHF\/CHF must be a quoted decimal/,
    );
    expect(await reason({ limits: { orderQtyMax: {} } as never })).toBe("refused: limits takes no orderQtyMax");
  });
});

test("a simulated venue is the same for a seed, takes money from outside, and refuses a fault that it does not know", async () => {
  const { box, venue } = await staged({}, { funds: { CHF: "10" }, market: ["demo"] });
  await box.credit("VCHF", "5.5");
  expect(box.ledger.balances().map(({ asset, available }) => `${available} ${asset}`)).toContain("5.5 VCHF");
  expect(box.ledger.postings().length).toBeGreaterThan(1);
  await expect(box.setFaults([{ fault: "gremlins" } as never])).rejects.toThrow(RangeError);
  await expect(startVenue({ funds: { XYZ: "1" } })).rejects.toThrow(/asset must be a listed one/);
  expect(await venue.pairs()).toMatchObject({ kind: "read" });
});
