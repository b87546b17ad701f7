import { expect, test } from "vitest";
import type { MintRecord } from "../../src/domain/mint.ts";
import { Money } from "../../src/domain/money/money.ts";
import type { RailIntent } from "../../src/domain/rail.ts";
import { millis, mono } from "../../src/domain/time.ts";
import type { WithdrawAddress } from "../../src/exchange/port.ts";
import { Foreign } from "../../src/execution/history/foreign.ts";
import type { TrackedRequest } from "../../src/execution/request-store.ts";
import { costOf } from "../../src/execution/mint-cost.ts";
import { Movements } from "../../src/execution/movements.ts";
import { Payments } from "../../src/execution/payments.ts";
import { RailGuard, whitelistOf } from "../../src/execution/treasury-requests.ts";
import { receiptDifference } from "../../src/execution/evidence.ts";
import type { Mover } from "../../src/execution/totals.ts";
import { coinsInFlight, mintsSince, movementRefusal } from "../../src/execution/under-way.ts";
import { gathered } from "./gathered.ts";
import { ABSENT, aMint, CHF, Life, NONCE, VCHF } from "./life.ts";

const MINT: MintRecord = {
  requestId: "r1",
  transactionId: undefined,
  fee: undefined,
  spent: Money.of("120000.37", CHF),
};

test("a mint is never given up by itself, however often nothing is found, and its way out names its own answers", () => {
  const life = new Life(aMint).doubt().answered();
  life.terms = { ...life.terms, releaseMax: Money.of("1000000", CHF) };
  for (let minute = 0; minute < 15; minute++) life.look(minute * 60, ABSENT);
  expect(life.state).toMatchObject({ kind: "fenced" });
  life.at(900);
  expect(life.effects).toMatchObject([
    { kind: "escalate", wayOut: `pegbot resolve ${aMint.id} --landed|--not-landed --reason "..."` },
  ]);
});

test("a rate-limited mint needs a person as well", () => {
  expect(new Life(aMint).doubt("rate-limited").answered().look(0, ABSENT).state.kind).toBe("fenced");
});

test("a mint in doubt is looked for every minute, then every 5 minutes, then every 15, for seven days", () => {
  const life = new Life(aMint).doubt().answered();
  const asked: number[] = [];
  for (let seconds = 0; seconds < 8 * 86_400; seconds += 30) {
    life.at(seconds);
    for (const effect of life.effects) {
      if (effect.kind !== "ask") continue;
      expect(effect.witnesses).toEqual(["supply-changes", "balances"]);
      asked.push(seconds / 60);
      life.hear(ABSENT);
    }
  }
  expect(asked.slice(0, 14)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15.5, 20.5, 25.5]);
  expect(asked.at(-1)).toBeGreaterThan(7 * 1_440 - 15);
  expect(asked.at(-1)).toBeLessThanOrEqual(7 * 1_440 + 15);
});

test("a mint that is found in the list is adopted once, and a later record with its amounts is the same mint", () => {
  const found: MintRecord = { ...MINT, spent: undefined };
  const life = new Life(aMint).doubt().answered().hear({ kind: "landed", receipt: found });
  expect(life.effects).toEqual([{ kind: "book", receipt: found }]);
  expect(life.hear({ kind: "landed", receipt: MINT }).effects).toEqual([]);
  expect(life.hear({ kind: "landed", receipt: { ...found, requestId: "r2" } }).todo).toEqual(["halt"]);
});

test("a mint is confirmed by a record that has its request id and, where shown, its amounts", () => {
  const answered = () =>
    new Life(aMint).send().outcome({ kind: "accepted", value: MINT, nonce: NONCE, receivedAt: millis(0) });
  expect(answered().hear({ kind: "landed", receipt: { ...MINT, spent: undefined } }).todo).toEqual(["confirm"]);
  const other = { ...MINT, spent: Money.of("120000.38", CHF) };
  expect(answered().hear({ kind: "landed", receipt: other }).effects).toMatchObject([
    { kind: "halt", reason: expect.stringContaining("known is 120000.37 CHF; seen is 120000.38 CHF") },
  ]);
});

test("a rail is known by its id, whatever its status has become", () => {
  const rail = { railId: "a", status: "pending", reason: undefined };
  expect(receiptDifference("rail", rail, { ...rail, status: "held" })).toBeUndefined();
  expect(receiptDifference("rail", rail, { ...rail, railId: "b" })).toBe("known is rail a; seen is rail b");
});

test("what a mint has cost is told by balances that nothing else can have moved, and only within what was approved", () => {
  const cost = (change: string, others: readonly Mover[] = [], moved: readonly Mover[] = []): string | undefined => {
    const differences = [Money.of(change, CHF)];
    const totals = {
      differences,
      moved,
      landed: [],
      unexplained: [],
      unjudged: [],
      unsure: [],
      unknown: [],
      unlisted: [],
      negative: [],
    };
    return costOf(aMint, totals, others)?.toString();
  };
  expect(["-120000.36", "-120000.37", "-120120.37", "-120120.38"].map((change) => cost(change))).toEqual([
    undefined,
    "120000.37",
    "120120.37",
    undefined,
  ]);
  const fill: Mover = {
    id: "T-1",
    booked: true,
    movements: [{ least: Money.of("-50", CHF), most: Money.of("-50", CHF) }],
  };
  expect([cost("-120050", [fill]), cost("-120050", [fill], [fill])]).toEqual([undefined, "120050"]);
});

test("a mint costs no more than was approved, fee and sum each, or everything stops", () => {
  const halts: unknown[] = [];
  const movements = movementsWith((stop) => halts.push(stop));
  const [spent, fee] = [Money.of("120120.37", CHF), Money.of("120", CHF)];
  const now = { at: millis(0), mono: mono(0) };
  movements.check(aMint as never, { ...MINT, spent, fee }, now);
  expect(halts).toEqual([]);
  movements.check(aMint as never, { ...MINT, spent, fee: Money.of("120.01", CHF) }, now);
  movements.check(aMint as never, { ...MINT, spent: Money.of("120120.38", CHF), fee }, now);
  expect(halts).toHaveLength(2);
  expect(halts[0]).toEqual({
    ...{ cause: "contradiction", subject: `cost of ${aMint.id}`, wayOut: 'pegbot resume --reason "..."' },
    reason: `mint ${aMint.id} cost 120120.37 CHF with a fee of 120.01 CHF, approved was at most 120120.37 CHF with a fee of 120 CHF; it is booked`,
  });
  // However little it is, in another currency nobody approved it.
  const little = Money.of("1", VCHF);
  movements.check(aMint as never, { ...MINT, spent: little, fee }, now);
  movements.check(aMint as never, { ...MINT, spent, fee: little }, now);
  expect(halts).toHaveLength(4);
});

test("while rails are frozen no mint goes to a wallet either", () => {
  const movements = movementsWith(() => expect.unreachable());
  const toWallet = { kind: "mint", mint: { ...aMint.request, destination: "0x1" }, ...WHEN } as const;
  expect(movements.listRefusal(toWallet)).toBeUndefined();
  movements.acknowledge({
    kind: "rails",
    at: millis(0),
    state: "frozen",
    whitelist: undefined,
    reason: "new",
    by: "bot",
  });
  const refused = (destination: string | undefined): boolean => {
    const wish = { kind: "mint", mint: { ...aMint.request, destination }, ...WHEN } as const;
    return movements.listRefusal(wish) !== undefined;
  };
  expect([refused(undefined), refused("0x1")]).toEqual([false, true]);
});

test("a mint of unknown outcome counts for the day, and one to a wallet outside brings nothing here", () => {
  const held = (kind: string, destination?: string): TrackedRequest =>
    ({ ...aMint, request: { ...aMint.request, destination }, state: { kind }, intendedAt: millis(5) }) as never;
  const kinds = ["sending", "doubt", "confirmed", "rejected"];
  expect(kinds.map((kind) => mintsSince(millis(5), [held(kind)]).length)).toEqual([1, 1, 1, 0]);
  expect(mintsSince(millis(6), [held("doubt")])).toEqual([]);
  const coming = [held("confirmed"), held("confirmed", "0x1"), held("doubt")];
  expect(coinsInFlight(VCHF, coming).map(({ coins }) => String(coins))).toEqual(["120000.37"]);
});

test("beside a rail in doubt no second one of its content begins, also where a second is meant", () => {
  const sender = { name: "A", country: "CH", type: "company" };
  const content = { type: "StablecoinToFiat", sender, destination: "CH93", memo: undefined, known: [] } as const;
  const rail: RailIntent = { ...content, asset: VCHF, currency: CHF, blockchain: "ETH" };
  const refused = (state: object, isAnother: boolean): boolean => {
    const open = { kind: "rail", id: "R-1", request: rail, state } as never as TrackedRequest;
    return movementRefusal({ kind: "rail", rail, isAnother, ...WHEN }, [open]) !== undefined;
  };
  const stands = { kind: "confirmed", receipt: { railId: "a", status: "pending", reason: undefined } };
  expect([refused({ kind: "doubt" }, true), refused(stands, true), refused(stands, false)]).toEqual([
    true,
    false,
    true,
  ]);
});

test("a whitelist that has changed freezes rails, is told once, and only a person lets them go", () => {
  const guard = new RailGuard();
  const rows = (...addresses: readonly string[]): WithdrawAddress[] =>
    addresses.map((address) => ({ asset: VCHF, blockchain: "ETH", address, label: "ours", status: "Confirmed" }));
  const seen = (...addresses: readonly string[]) => guard.see(rows(...addresses), millis(0));
  expect([seen("0x1")?.state, seen("0x1"), seen("0x1", "0x2")?.state, seen("0x2", "0x1")]).toEqual([
    "seen",
    undefined,
    "frozen",
    undefined,
  ]);
  // As it was before, and as another process has seen it first: it stays frozen.
  expect(seen("0x1")).toBeUndefined();
  const record = { kind: "rails", at: millis(0), whitelist: undefined, reason: "looked", by: "ann" } as const;
  guard.fold({ ...record, state: "seen" });
  expect(guard.reason).toContain("new is VCHF ETH 0x2");
  guard.fold({ ...record, state: "released", whitelist: whitelistOf(rows("0x1", "0x2")) });
  expect([guard.reason, seen("0x1", "0x2"), seen("0x1")?.state]).toEqual([undefined, undefined, "frozen"]);
});

const OFF_RAMP: RailIntent = {
  ...{ type: "StablecoinToFiat", sender: { name: "A", country: "CH", type: "company" }, destination: "CH93" },
  ...{ memo: undefined, known: [], asset: VCHF, currency: CHF, blockchain: "ETH" },
};

const railIn = (state: object, change: object = {}): TrackedRequest =>
  ({ kind: "rail", id: "R-1", request: OFF_RAMP, state, bookedAt: millis(3), ...change }) as never;
const mintIn = (state: object, change: object = {}): TrackedRequest =>
  ({ ...aMint, id: "M-1", state, ...change, request: { ...aMint.request, ...change } }) as never;
const railSaid = (status: string, railId = "a") => ({ railId, status, reason: undefined });

/** Beside these submissions, whose lives go on elsewhere; with what was asked of them. */
function beside(held: readonly TrackedRequest[], payments = new Payments(), foreign = new Foreign()) {
  const calls: string[] = [];
  const lives = {
    submissions: { open: held, movements: () => held, get: (id: string) => held.find((one) => one.id === id) },
    looked: ({ id }: TrackedRequest, { kind }: { kind: string }) => void calls.push(`looked ${id} ${kind}`),
    explained: ({ id }: TrackedRequest) => void calls.push(`explained ${id}`),
  };
  const totals = { moved: (asset: string, at: number) => void calls.push(`moved ${asset} ${at}`) };
  const movements = new Movements(lives as never, payments, foreign, totals as never);
  return { movements, calls };
}

const NOW = { at: millis(5), mono: mono(5) };

test("a rail that the list shows as refused is over, one that works stands, and one that was over is left alone", () => {
  const listed = (state: object): readonly string[] => {
    const { movements, calls } = beside([railIn(state)]);
    const answer = { witness: "rails", rows: [railSaid("pending")], askedAt: mono(0), receivedAt: millis(0) } as const;
    const { asks } = gathered((out) => movements.listed({ ...answer, nonce: undefined }, NOW, out));
    expect(asks).toEqual([]);
    return calls;
  };
  expect(listed({ kind: "confirmed", receipt: railSaid("rejected") })).toEqual(["looked R-1 landed", "explained R-1"]);
  expect(listed({ kind: "confirmed", receipt: railSaid("pending") })).toEqual(["looked R-1 landed"]);
  expect(listed({ kind: "settled", receipt: railSaid("rejected") })).toEqual(["looked R-1 landed"]);
  expect(listed({ kind: "confirmed", receipt: railSaid("settled") })).toEqual(["looked R-1 landed"]);
  expect(listed({ kind: "doubt" })).toEqual(["looked R-1 landed"]);
});

test("the balances are asked about a mint that has settled by the list, or whose cost is not known, and only of its own coin", () => {
  const asks = (state: object, change: object = {}): readonly unknown[] => {
    const { movements, calls } = beside([mintIn(state, change)]);
    const row = {
      requestId: "r1",
      transactionId: undefined,
      blockchain: "ETH",
      quantity: undefined,
      reason: undefined,
    };
    const rows = [{ ...row, asset: VCHF, status: "pending", at: undefined }];
    const answer = { witness: "supply-changes", asset: VCHF, rows, askedAt: mono(0), nonce: undefined } as const;
    const out = gathered((effects) => movements.listed({ ...answer, receivedAt: millis(0) }, NOW, effects));
    return [calls.length, ...out.asks.map((ask) => `${ask.witness} ${ask.asset} ${ask.class}`)];
  };
  const receipt = { ...MINT, status: "pending" };
  expect(asks({ kind: "confirmed", receipt })).toEqual([1]);
  expect(asks({ kind: "confirmed", receipt: { ...receipt, status: "rejected" } })).toEqual([1]);
  expect(asks({ kind: "confirmed", receipt: { ...receipt, status: "settled" } })).toEqual([
    1,
    "balances undefined balance",
  ]);
  expect(asks({ kind: "confirmed", receipt: { ...receipt, spent: undefined } })).toEqual([
    1,
    "balances undefined balance",
  ]);
  expect(asks({ kind: "settled", receipt: { ...receipt, status: "settled" } })).toEqual([1]);
  expect(asks({ kind: "doubt" })).toEqual([1]);
  expect(asks({ kind: "confirmed", receipt }, { asset: "VGBP" })).toEqual([0]);
});

test("a payment on a rail of ours is told, moves its coin and is looked for in the balances; one that nobody can book freezes rails", () => {
  let isValued = true;
  const stands = railIn({ kind: "confirmed", receipt: railSaid("pending") });
  const { movements, calls } = beside([railIn({ kind: "doubt" }, { id: "R-0" }), stands], new Payments(() => isValued));
  const paid = (railId: string, paymentId: string, amount: Money, status = "pending") => {
    const { reports, asks, records, notes } = gathered((out) =>
      movements.paid([{ railId, paymentId, status, amount, at: undefined }], NOW, out),
    );
    expect(asks.every((ask) => ask.class === "balance" && ask.asset === undefined)).toBe(true);
    return [reports.length, asks.map(({ witness }) => witness), records.length, notes.length, calls.splice(0).length];
  };
  const coins = Money.of("400", VCHF);
  expect(paid("b", "p0", coins)).toEqual([0, [], 0, 0, 0]);
  gathered((out) =>
    movements.paid([{ railId: "a", paymentId: "p", status: "pending", amount: coins, at: undefined }], NOW, out),
  );
  expect(calls.splice(0)).toEqual(["moved VCHF 5", "moved VCHF 5"]);
  // And that the list has p no more.
  expect(paid("a", "p1", coins)).toEqual([3, ["balances"], 0, 0, 2]);
  expect([paid("a", "p1", coins), movements.railsFrozen]).toEqual([[0, [], 0, 0, 0], undefined]);
  isValued = false;
  expect(paid("a", "p1", coins, "settled")).toEqual([1, ["balances"], 0, 1, 2]);
  expect(gathered((out) => movements.valued(NOW, out)).reports).toEqual([]);
  isValued = true;
  const late = gathered((out) => movements.valued(NOW, out)).reports;
  expect(late.map((event) => event.kind === "movement" && event.report.kind)).toEqual(["arrived"]);
  calls.length = 0;
  expect(paid("a", "p2", Money.of("7", CHF))).toEqual([1, ["balances"], 1, 0, 2]);
  expect([movements.railsFrozen, movements.railsFrozenAt]).toEqual([expect.stringContaining("payment p2"), 5]);
  const wish = { kind: "rail", rail: OFF_RAMP, isAnother: true, ...WHEN } as const;
  expect(movements.refusal(wish)).toMatch(/^rails are frozen: payment p2/);
});

test("who has what the venue names, and on which rails a payment is awaited", () => {
  const receipt = { ...MINT, transactionId: "0x1" };
  const held = [
    railIn({ kind: "doubt" }, { id: "R-0" }),
    railIn({ kind: "confirmed", receipt: railSaid("pending") }),
    railIn({ kind: "confirmed", receipt: railSaid("held", "b") }, { id: "R-2" }),
    railIn({ kind: "confirmed", receipt: railSaid("pending", "c") }, { id: "R-3", bookedAt: undefined }),
    mintIn({ kind: "confirmed", receipt: { ...receipt, status: "pending" } }, { bookedAt: millis(1) }),
  ];
  const { movements } = beside(held);
  expect(["a", "b", "r1"].map((id) => movements.ownerOf("rail", id))).toEqual(["R-1", "R-2", undefined]);
  expect(["r1", "0x1", "a"].map((id) => movements.ownerOf("mint", id))).toEqual(["M-1", "M-1", undefined]);
  expect(movements.awaited()).toEqual([]);
  gathered((out) => movements.paid([], NOW, out));
  expect(movements.awaited()).toEqual([{ id: "R-1", rail: "R-1", pays: undefined, since: 3 }]);
  const payment = { railId: "a", paymentId: "p", status: "pending", amount: Money.of("4", VCHF), at: undefined };
  gathered((out) => movements.paid([payment], NOW, out));
  expect(movements.awaited()).toEqual([]);
  expect(movements.railRefused(OFF_RAMP)).toBeUndefined();
  const refused = railIn({ kind: "settled", receipt: { ...railSaid("rejected"), reason: "no papers" } });
  expect(beside([refused]).movements.railRefused(OFF_RAMP)).toContain("no papers");
  const wish = { kind: "mint", mint: aMint.request, ...WHEN } as const;
  expect(movements.refusal(wish)).toMatch(/^one mint of VCHF at a time: M-1 is confirmed/);
});

test("a row of the list that was taken over as a stranger's is none of a mint or rail in doubt", () => {
  const listed = (isTaken: boolean): readonly string[] => {
    const foreign = { covers: () => isTaken } as never as Foreign;
    const [mint, rail] = [mintIn({ kind: "doubt" }), railIn({ kind: "doubt" })];
    const { movements, calls } = beside([mint, rail], new Payments(), foreign);
    const row = { requestId: "r1", transactionId: undefined, asset: VCHF, blockchain: "ETH", quantity: undefined };
    const supply = { witness: "supply-changes", asset: VCHF, rows: [{ ...row, status: "pending" }] };
    for (const answer of [supply, { witness: "rails", rows: [railSaid("pending")] }])
      gathered((out) => movements.listed(answer as never, NOW, out));
    return calls;
  };
  expect([listed(false), listed(true)]).toEqual([["looked M-1 landed", "looked R-1 landed"], []]);
});

test("a rail is not stated by an id that another has or that was listed before, and an answer with such a one is heard", () => {
  const { movements } = beside([railIn({ kind: "confirmed", receipt: railSaid("pending") })]);
  const other = (known: readonly string[], id = "R-2") =>
    railIn({ kind: "sending" }, { id, request: { ...OFF_RAMP, known } });
  const why = (held: TrackedRequest): string | undefined => movements.whyNotIts(held, railSaid("pending"));
  expect([why(other(["a"])), why(other([])), why(other([], "R-1"))]).toEqual([
    "the venue listed a before R-2 was sent",
    "a is R-1, and not R-2",
    undefined,
  ]);
  const outcome = { kind: "accepted", value: railSaid("pending"), nonce: NONCE, receivedAt: millis(0) } as const;
  expect(movements.believed(other(["a"]), outcome)).toBe(outcome);
});

const WHEN = { decidedAt: millis(0), expiresAt: millis(1), reason: "a test" };

function movementsWith(halt: (stop: unknown) => void): Movements {
  return new Movements({ halt } as never, {} as never, {} as never, {} as never);
}
