// Mints and rails beside what else happens to the books: they are remembered whatever number of orders comes after them, and
// an adoption does not take their coins over a second time.

import { describe, expect, test } from "vitest";
import type { Balance } from "../../src/domain/balance.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import { SHOWN, UNSHOWN } from "../../src/domain/movement.ts";
import type { RailIntent } from "../../src/domain/rail.ts";
import { unwrap } from "../../src/domain/result.ts";
import { millis } from "../../src/domain/time.ts";
import type { Nonce, Payment, SupplyChange, TradeRecord } from "../../src/exchange/port.ts";
import type { Answer, Effects } from "../../src/execution/executor.ts";
import type { Held } from "../../src/execution/held.ts";
import { judgeStart } from "../../src/execution/judge-start.ts";
import { WAS_IT_YOU } from "../../src/execution/move.ts";
import { ownDifferences } from "../../src/execution/own-difference.ts";
import { planAdoption } from "../../src/execution/plan-adoption.ts";
import { type Comparison, compareWithVenue } from "../../src/execution/reconcile.ts";
import type { AnyReceipt } from "../../src/execution/submission.ts";
import type { Approval } from "../../src/risk/movement-gate.ts";
import { Keeping, tradeOf } from "./keeping.ts";
import { aMint, CHF, failure, VCHF } from "./life.ts";

const QUANTITY = "120000.37";
const opened = () => new Keeping().opened(Money.of("1000", CHF), Money.of("0", VCHF));
const asked = (bot: Keeping) => ({ askedAt: bot.now.mono, receivedAt: bot.now.at, nonce: ++bot.nonce as Nonce });

function accepted(bot: Keeping, approval: object, id: string, value: AnyReceipt): void {
  bot.take((out) => bot.executor.intend({ ...approval, id } as Approval, undefined, bot.now, out));
  const nonce = ++bot.nonce as Nonce;
  for (const one of bot.executor.sending(id, { nonce, digest: "d", host: "h" }, bot.now)) bot.write(one);
  bot.take((out) => bot.executor.outcome(id, { kind: "accepted", value, nonce, receivedAt: bot.now.at }, bot.now, out));
}

function doubted(bot: Keeping, approval: object, id: string): void {
  bot.take((out) => bot.executor.intend({ ...approval, id } as Approval, undefined, bot.now, out));
  const nonce = ++bot.nonce as Nonce;
  for (const one of bot.executor.sending(id, { nonce, digest: "d", host: "h" }, bot.now)) bot.write(one);
  const unknown = { kind: "doubt", failure: failure("no answer"), nonce, halt: false } as const;
  bot.take((out) => bot.executor.outcome(id, unknown, bot.now, out));
}

/** What it just said of movements is on record. */
function hearSaid(bot: Keeping): void {
  for (const event of bot.said) {
    const step = { sequence: 1, at: bot.now.at, event, decisions: [], commands: [], mark: undefined };
    bot.write({ kind: "step", at: bot.now.at, step });
  }
}

function minted(bot: Keeping): string {
  const spent = Money.of(QUANTITY, CHF);
  const receipt = { requestId: "r1", transactionId: "x1", fee: Money.zero(CHF), spent };
  accepted(bot, { kind: "mint", mint: aMint.request }, aMint.id, receipt);
  return aMint.id;
}

const RAIL = {
  type: "FiatToStablecoin",
  sender: { name: "Zürich Handels AG", country: "CH", type: "company" },
  destination: "0x1",
  memo: undefined,
  asset: VCHF,
  currency: CHF,
  blockchain: "ETH",
  known: [],
};

const LISTED: SupplyChange = {
  requestId: "r1",
  transactionId: "x1",
  asset: VCHF,
  blockchain: "ETH",
  quantity: aMint.request.quantity,
  status: "pending",
  reason: undefined,
  at: undefined,
};

describe("a mint and a rail that are over", () => {
  test("are no strangers in the venue's lists after ten thousand orders, also after a restart, and count for the day", () => {
    const bot = opened();
    const mint = minted(bot);
    bot.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) });
    bot.take((out) => bot.executor.resolve(mint, { kind: "not-landed", by: "ann", reason: "paid back" }, bot.now, out));
    const rows = [{ railId: "a", status: "rejected", reason: "name" }];
    accepted(bot, { kind: "rail", rail: RAIL, isAnother: false }, "L-1", {
      railId: "a",
      status: "held",
      reason: undefined,
    });
    bot.answer({ witness: "rails", rows, ...asked(bot) });
    expect([bot.state(mint), bot.state("L-1")]).toEqual(["settled", "settled"]);
    for (let count = 0; count < 10_001; count++) bot.reject();
    const after = new Keeping({ writer: "bot00002", entries: bot.entries });
    for (const keeping of [bot, after]) {
      keeping.nonce = 50_000;
      keeping.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(keeping) });
      keeping.answer({ witness: "rails", rows, ...asked(keeping) });
      expect(keeping.controls).toEqual([]);
      expect(keeping.executor.movements.mintsSince(millis(0))).toHaveLength(1);
    }
  });

  test("are known by the venue's ids, each under its own kind", () => {
    const bot = opened();
    const mint = minted(bot);
    expect(["r1", "x1", "r2"].map((id) => bot.executor.movements.ownerOf("mint", id))).toEqual([mint, mint, undefined]);
    expect(bot.executor.movements.ownerOf("rail", "r1")).toBeUndefined();
  });
});

test("since when the venue holds a mint or a rail is known while it does, also after a restart", () => {
  const bot = opened();
  const mint = minted(bot);
  accepted(bot, { kind: "rail", rail: RAIL, isAnother: false }, "L-1", {
    railId: "a",
    status: "pending",
    reason: undefined,
  });
  const heldAt = (status: string): readonly (number | undefined)[] => {
    bot.seconds += 60;
    bot.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status }], ...asked(bot) });
    bot.answer({ witness: "rails", rows: [{ railId: "a", status, reason: undefined }], ...asked(bot) });
    const after = new Keeping({ writer: "bot00002", entries: bot.entries });
    return [bot, after].flatMap(({ executor }) => [mint, "L-1"].map((id) => executor.keptBackAt(id)));
  };
  const never = [undefined, undefined, undefined, undefined];
  expect(heldAt("pending")).toEqual(never);
  const at = bot.now.at + 60_000;
  expect(heldAt("held")).toEqual([at, at, at, at]);
  expect(heldAt("held")).toEqual([at, at, at, at]);
  expect(heldAt("pending")).toEqual(never);
});

test.each([
  ["that the list had before it was sent", ["r1"], "the venue listed r1 before M-2 was sent"],
  ["of another one of ours", [], `r1 is ${aMint.id}, and not M-2`],
])("a mint that is answered with the id %s is in doubt, stops the bot, and is found in the list", (_, known, why) => {
  const bot = opened();
  const first = minted(bot);
  bot.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) });
  bot.take((out) => bot.executor.resolve(first, { kind: "not-landed", by: "ann", reason: "paid back" }, bot.now, out));
  const receipt = { requestId: "r1", transactionId: "x1", fee: Money.zero(CHF), spent: Money.of(QUANTITY, CHF) };
  accepted(bot, { kind: "mint", mint: { ...aMint.request, known } }, "M-2", receipt);
  expect(bot.state("M-2")).toBe("doubt");
  expect(bot.controls).toMatchObject([
    { kind: "halt", cause: "contradiction", reason: `the answer to M-2 contradicts itself: ${why}` },
  ]);
  bot.answer({
    ...{ witness: "supply-changes", asset: VCHF, ...asked(bot) },
    rows: [LISTED, { ...LISTED, requestId: "r2", transactionId: "x2" }],
  });
  expect([bot.state("M-2"), bot.executor.movements.ownerOf("mint", "r2")]).toEqual(["confirmed", "M-2"]);
});

test.each([
  ["with its own id: what it cost is heard", "r1", { spent: Money.of(QUANTITY, CHF) }, undefined],
  ["with that of another: the bot stops", "r0", { spent: undefined }, "the venue listed r0 before"],
])("a mint that another process found in the list meanwhile is answered %s", (_, requestId, receipt, why) => {
  const command = opened();
  const mint = { kind: "mint", mint: { ...aMint.request, known: ["r0"] }, id: aMint.id } as unknown as Approval;
  command.take((out) => command.executor.intend(mint, undefined, command.now, out));
  const nonce = ++command.nonce as Nonce;
  for (const one of command.executor.sending(aMint.id, { nonce, digest: "d", host: "h" }, command.now))
    command.write(one);
  const bot = new Keeping({ writer: "bot00002", entries: command.entries });
  const known = bot.entries.length;
  bot.nonce = command.nonce;
  bot.take((out) => bot.executor.recover(() => true, bot.now, out));
  bot.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) });
  for (const entry of bot.entries.slice(known)) command.hear(entry);
  expect(command.state(aMint.id)).toBe("confirmed");
  const spent = Money.of(QUANTITY, CHF);
  const value = { requestId, transactionId: "x1", fee: Money.zero(CHF), spent };
  const answer = { kind: "accepted", value, nonce, receivedAt: command.now.at } as const;
  command.take((out) => command.executor.outcome(aMint.id, answer, command.now, out));
  expect(command.executor.get(aMint.id)?.state).toMatchObject({ kind: "confirmed", receipt });
  const stops = why === undefined ? [] : [{ cause: "contradiction", reason: expect.stringContaining(why) }];
  expect(command.controls).toMatchObject(stops);
});

test.each([
  ["mint", { kind: "mint", mint: aMint.request }, aMint.id],
  ["rail", { kind: "rail", rail: RAIL, isAnother: false }, "L-1"],
])("a %s that falls into doubt is told as such, once, also over a restart", (_, approval, id) => {
  const bot = opened();
  doubted(bot, approval, id);
  const doubts = ({ said }: Keeping) => said.filter(({ report }) => report.kind === "doubt");
  expect(doubts(bot)).toMatchObject([{ id, report: { kind: "doubt", cause: failure("no answer").message } }]);
  hearSaid(bot);
  expect(doubts(bot.at(5))).toEqual([]);
  const after = new Keeping({ writer: "bot00002", entries: bot.entries });
  after.take((out) => after.executor.recover(() => true, after.now, out));
  expect([after.state(id), doubts(after)]).toEqual([expect.stringMatching(/doubt|fenced/), []]);
});

test("a rail that was in doubt and is listed after all says so, once, also over a restart", () => {
  const bot = opened();
  doubted(bot, { kind: "rail", rail: RAIL, isAnother: false }, "L-1");
  hearSaid(bot);
  const rows = [{ railId: "a", status: "pending", reason: undefined }];
  bot.answer({ witness: "rails", rows, ...asked(bot) });
  expect(bot.said).toMatchObject([{ id: "L-1", report: { kind: "told", status: "pending" } }]);
  hearSaid(bot);
  bot.answer({ witness: "rails", rows, ...asked(bot) });
  expect(bot.said).toEqual([]);
  const after = new Keeping({ writer: "bot00002", entries: bot.entries });
  after.take((out) => after.executor.recover(() => true, after.now, out));
  expect([after.state("L-1"), after.said]).toEqual(["confirmed", []]);
});

test("a rail that was in doubt and did not happen by a person's word says so", () => {
  const bot = opened();
  doubted(bot, { kind: "rail", rail: RAIL, isAnother: false }, "L-1");
  hearSaid(bot);
  bot.answer({ witness: "rails", rows: [], ...asked(bot) });
  bot.at(1_000);
  bot.at(700_000);
  const never = { kind: "not-landed", by: "ann", reason: "the portal shows none" } as const;
  bot.take((out) => bot.executor.resolve("L-1", never, bot.now, out));
  expect(bot.said).toMatchObject([{ id: "L-1", report: { kind: "released" } }]);
});

test("a mint that was answered as done and is never listed can be closed by a person as given back, also for the next start", () => {
  const bot = opened();
  const id = minted(bot);
  const paidBack = { kind: "not-landed", by: "ann", reason: "paid back" } as const;
  const resolve = (out: Effects): void => bot.executor.resolve(id, paidBack, bot.now, out);
  expect(() => bot.take(resolve)).toThrow("must be escalated");
  bot.at(1).at(1_000);
  expect(bot.controls).toMatchObject([
    { kind: "halt", cause: "doubt", reason: expect.stringMatching(/history does not show it after 0:15:00$/) },
  ]);
  bot.take(resolve);
  expect(bot.said).toMatchObject([{ report: { kind: "returned" } }]);
  const after = new Keeping({ writer: "bot00002", entries: bot.entries });
  for (const { executor } of [bot, after])
    expect(executor.get(id)?.state).toMatchObject({ kind: "settled", receipt: { status: "returned" } });
  expect([...after.executor.open()]).toEqual([]);
});

test("a mint that was closed as given back and settles after all is named by the stop, and by a start", () => {
  const bot = opened();
  const id = minted(bot);
  bot.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status: "held" }], ...asked(bot) });
  bot.take((out) => bot.executor.resolve(id, { kind: "not-landed", by: "ann", reason: "promised" }, bot.now, out));
  const named = `by 120000.37 VCHF, which no order of ours explains; 120000.37 VCHF is just what mint ${id} (request r1) was to bring, which was closed as not landed`;
  const balances = [bot.balanceOf("CHF", "1000"), bot.balanceOf("VCHF", "120000.37")];
  for (const seconds of [130, 260]) {
    bot.seconds = seconds;
    bot.answer({ witness: "balances", rows: balances, ...asked(bot) });
  }
  expect(bot.controls).toMatchObject([{ kind: "halt", reason: expect.stringContaining(named) }]);
  const after = new Keeping({ writer: "bot00002", entries: bot.entries });
  const rows = [{ witness: "trades" }, { witness: "orders" }, { witness: "rails" }].map((one) => ({
    ...one,
    rows: [],
  }));
  const answers = [...rows, { witness: "balances", rows: balances }].map((one) => ({ ...one, ...asked(after) }));
  const compared = unwrap(compareWithVenue(after.executor, answers as readonly Answer[], after.accounts, after.now));
  expect(judgeStart(after.executor, compared, after.now)).toMatchObject({ reason: expect.stringContaining(named) });
});

test("a mint that the venue calls returned is that by its word, no person has closed it, and what the list says next is heard", () => {
  const bot = opened();
  const id = minted(bot);
  const listed = (status: string): void => {
    bot.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status }], ...asked(bot) });
  };
  listed("returned");
  expect(bot.said).toMatchObject([{ id, report: { kind: "told", status: "returned" } }]);
  expect(bot.state(id)).toBe("confirmed");
  // Its money, when it comes back, is for a person to close.
  expect(bot.executor.balances.likeness([Money.of("120000.37", CHF)]).text).toContain(`resolve ${id} --not-landed`);
  expect(bot.executor.balances.likeness([Money.of("120000.37", VCHF)]).text).toBe("");
  hearSaid(bot);
  listed("settled");
  expect(bot.said).toMatchObject([{ id, report: { kind: "told", status: "settled" } }]);
});

test("money that comes back of a mint that is under way is named as its own", () => {
  const bot = opened();
  const id = minted(bot);
  const [back, other] = ["120000.37", "5"].map(
    (amount) => bot.executor.balances.likeness([Money.of(amount, CHF)]).text,
  );
  expect(back).toContain(
    `what mint ${id} (request r1) had cost: if the venue gave it back, pegbot resolve ${id} --not-landed`,
  );
  expect(other).toBe("");
});

/** For a person who is about to take over what differs. */
function compared(bot: Keeping, balances: readonly Balance[]): Comparison {
  const rows = ["trades", "orders", "rails"].map((witness) => ({ witness, rows: [] }));
  const answers = [...rows, { witness: "balances", rows: balances }].map((one) => ({ ...one, ...asked(bot) }));
  const how = { takesOver: true };
  return unwrap(compareWithVenue(bot.executor, answers as readonly Answer[], bot.accounts, bot.now, how));
}

function takenOver(bot: Keeping, balances: readonly Balance[], ...beside: readonly string[]): string {
  const plan = planAdoption(compared(bot, balances), { reason: "looked", by: "ann", beside }, bot.now.at);
  return plan.ok ? plan.value.record.amounts.map((one) => `${one} ${one.asset}`).join(", ") : plan.error;
}

function halts(bot: Keeping, balances: readonly Balance[]): void {
  for (const after of [130, 130]) {
    bot.seconds += after;
    bot.answer({ witness: "balances", rows: balances, ...asked(bot) });
  }
}

test("a mint whose coins come a little short of what has settled is named by the stop", () => {
  const bot = opened();
  const id = minted(bot);
  bot.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status: "settled" }], ...asked(bot) });
  const short = [bot.balanceOf("CHF", "1000"), bot.balanceOf("VCHF", "119900.37")];
  halts(bot, short);
  const like = `-100 VCHF is missing of the 120000.37 VCHF of mint ${id} (request r1), which is settled by the list: a fee may be off them`;
  expect(bot.controls).toMatchObject([{ reason: expect.stringContaining(`; ${like}`) }]);
  expect([compared(bot, short).likeness, takenOver(bot, short)]).toEqual([`; ${like}`, "-100 VCHF"]);
  const likeness = (amount: string) => bot.executor.balances.likeness([Money.of(amount, VCHF)]).text;
  // More than 1 % is no fee.
  expect([likeness("-1200.01"), likeness("-1200").length > 0, likeness("100")]).toEqual(["", true, ""]);
});

test("a mint that is reversed after it has settled is named by the stop, and what the list calls it since is told once; also by the next process", () => {
  const bot = opened();
  const id = minted(bot);
  const list = (one: Keeping, status: string): readonly string[] =>
    one.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status }], ...asked(one) }).notes;
  expect(list(bot, "settled")).toEqual([]);
  hearSaid(bot);
  bot.balances({ CHF: "1000", VCHF: QUANTITY });
  hearSaid(bot);
  bot.accounts.adopt([Money.of(QUANTITY, VCHF)]);
  expect([bot.state(id), list(bot, "Completed")]).toEqual(["settled", []]);
  const likeness = (one: Keeping, amount: string, asset = VCHF) =>
    one.executor.balances.likeness([Money.of(amount, asset)]).text;
  const mint = `mint ${id} (request r1)`;
  expect([likeness(bot, "-120000.37"), likeness(bot, "-119900.37")]).toEqual([
    `; -120000.37 VCHF is just what ${mint} had brought, which has settled`,
    "",
  ]);
  halts(bot, [bot.balanceOf("CHF", "121000.37"), bot.balanceOf("VCHF", "0")]);
  expect(bot.controls).toMatchObject([
    { reason: expect.stringContaining(`; 120000.37 CHF is just what ${mint} had cost, which has settled`) },
  ]);
  const next = new Keeping({ writer: "bot00002", entries: bot.entries });
  for (const one of [bot, next]) {
    const since = 'which has settled and is listed as "rejected" since';
    expect(list(one, "rejected")).toEqual([
      `${mint} has settled and is listed as "rejected" since; what the balances differ by is taken over by pegbot adopt`,
    ]);
    expect(list(one, "rejected")).toEqual([]);
    expect([likeness(one, "120000.37", CHF), likeness(one, "-119900.37")]).toEqual([
      `; 120000.37 CHF is just what ${mint} had cost, ${since}`,
      `; -119900.37 VCHF is, less a fee, what ${mint} had brought, ${since}`,
    ]);
  }
  expect([list(bot, "settled"), likeness(bot, "-119900.37")]).toEqual([[], ""]);
});

test("who is stopped for money that came back of a mint is led to closing it, and cannot take it over beside the mint", () => {
  const bot = opened();
  const id = minted(bot);
  bot.accounts.adopt([Money.of("-120000.37", CHF), Money.of("200000", CHF)]);
  const back = [bot.balanceOf("CHF", "201000"), bot.balanceOf("VCHF", "0")];
  halts(bot, back);
  const command = `pegbot resolve ${id} --not-landed --reason "..."`;
  const wayOut = `${command}, then pegbot resume --reason "..."`;
  expect(bot.controls).toMatchObject([{ reason: expect.stringContaining(`${command} instead of adopt`), wayOut }]);
  expect(takenOver(bot, back)).toContain(
    `taken over it would be in the books twice; if the venue gave it back: ${command}`,
  );
  // Other money of just that size is taken over by whoever says so, and names what it is not.
  expect(takenOver(bot, back)).toContain(`if it is other money of just that amount: pegbot adopt --beside ${id}`);
  expect(takenOver(bot, back, id)).toBe("120000.37 CHF");
  expect(takenOver(bot, back, id, "M-9")).toBe(
    "nothing that differs is just what M-9 took: --beside is for other money of that amount alone",
  );
  // What is not just its cost is no money of it.
  expect(takenOver(bot, [bot.balanceOf("CHF", "201000.01"), bot.balanceOf("VCHF", "0")])).toBe("120000.38 CHF");
  // What else differs is taken over when it is closed.
  bot.controls.splice(0);
  halts(bot, [bot.balanceOf("CHF", "201000"), bot.balanceOf("VCHF", "7")]);
  expect(bot.controls).toMatchObject([{ wayOut: `${command}, then pegbot adopt, then pegbot resume --reason "..."` }]);
});

test("nobody is led to closing a mint as given back as long as the balances may not show that it left", () => {
  const bot = opened();
  const id = minted(bot);
  bot.accounts.adopt([Money.of("-120000.37", CHF), Money.of("200000", CHF)]);
  const behind = [bot.balanceOf("CHF", "201000"), bot.balanceOf("VCHF", "0")];
  bot.seconds += 119;
  const { likeness } = compared(bot, behind);
  expect(likeness).toMatch(
    /had cost, and the balances have until 1970-01-01T00:02:00Z to show that it left: pegbot adopt again then$/,
  );
  bot.seconds += 1;
  expect(compared(bot, behind).likeness).toContain(`if the venue gave it back, pegbot resolve ${id} --not-landed`);
});

test("money that came back is no other's, however many that are named after it are like another difference", () => {
  const mint = (id: string, state: object) => ({ kind: "mint", id, request: aMint.request, state }) as Held;
  const open = mint("M-1", { kind: "confirmed", receipt: { requestId: "r1", spent: Money.of(QUANTITY, CHF) } });
  const givenUp = ["M-2", "M-3", "M-4"].map((id) => mint(id, { kind: "presumed-dead" }));
  const differences = [CHF, VCHF].map((asset) => Money.of(QUANTITY, asset));
  const { text, backs } = ownDifferences(
    { differences, all: differences },
    { moving: [open, ...givenUp], fills: [], givenUp: [] },
    { open: () => [], over: () => [] },
  );
  expect(text).toContain("; 1 earlier ones are like it too");
  expect(backs.map(({ command }) => command)).toEqual([expect.stringContaining("resolve M-1 --not-landed")]);
});

describe("what a difference is like", () => {
  const OPEN = { open: () => [], over: () => [] };
  const chf = (text: string) => (text.startsWith("-") ? Money.of(text.slice(1), CHF).negated() : Money.of(text, CHF));
  const vchf = (text: string) =>
    text.startsWith("-") ? Money.of(text.slice(1), VCHF).negated() : Money.of(text, VCHF);
  const liken = (
    differences: readonly Money[],
    { moving = [], fills = [] }: { readonly moving?: readonly Held[]; readonly fills?: readonly Held[] },
    payments: Parameters<typeof ownDifferences>[2] = OPEN,
  ) => ownDifferences({ differences, all: differences }, { moving, fills, givenUp: [] }, payments);
  const mintOf = (state: object, destination?: string): Held =>
    ({ kind: "mint", id: "M-1", request: { ...aMint.request, destination }, state }) as Held;
  const receipt = (status: string) => ({ requestId: "r1", status, spent: Money.of("7", CHF), fee: Money.zero(CHF) });

  test("a little that is missing of coins is a fee only of a mint that has settled, in its coin, and came to the account", () => {
    const short = (difference: Money, status: string, destination?: string) =>
      liken([difference], { moving: [mintOf({ kind: "confirmed", receipt: receipt(status) }, destination)] }).finding;
    expect(short(vchf("-1"), "settled")).toBe("short of M-1");
    expect(short(vchf("1"), "settled")).toBe("");
    expect(short(vchf("-1"), "pending")).toBe("");
    expect(short(vchf("-1"), "settled", "0xabc")).toBe("");
    expect(short(chf("-1"), "settled")).toBe("");
  });

  test("coins of a mint that went elsewhere were never here to be taken back", () => {
    const undone = (destination?: string) =>
      liken([vchf(`-${QUANTITY}`)], { moving: [mintOf({ kind: "settled", receipt: receipt("settled") }, destination)] })
        .finding;
    expect([undone(), undone("0xabc")]).toEqual(["coins of M-1", ""]);
  });

  test("nothing is no money that a payment from outside had taken, and more than a payment took is not its own", () => {
    const flight = { id: "payment:p1", spent: vchf("0"), comes: vchf("400") };
    const open = { open: () => [flight as never], over: () => [] };
    expect(liken([vchf("0")], {}, open).text).toBe("");
    const moved = (text: string, change: string) => {
      const over = () => [{ id: "payment:p1", change: vchf(change), what: "moved" }];
      return liken([vchf(text)], {}, { open: () => [], over }).finding;
    };
    expect([moved("399.9", "400"), moved("400.1", "400")]).toEqual(["moved by payment:p1", ""]);
    expect([moved("-400", "-400"), moved("-400.1", "-400"), moved("-399.9", "-400")]).toEqual([
      "moved by payment:p1",
      "",
      "",
    ]);
  });

  test("orders that cancel each other out are no fill that the balances lack, and only what is missing is theirs", () => {
    const fillAt = (id: string, side: "buy" | "sell", price: string): Held => {
      const [coins, paid] = [Money.of("100", VCHF), Money.of(price, CHF)];
      const [bought, sold] = side === "buy" ? [coins, paid] : [paid, coins];
      const request = { symbol: "VCHF/CHF", side, quantity: Quantity.of("100") };
      const state = { kind: "confirmed", receipt: { orderId: `o-${id}`, bought, sold, fee: Money.zero(CHF) } };
      return { kind: "order", id, request, state } as never;
    };
    const bought = fillAt("T-1", "buy", "100");
    expect(liken([vchf("3")], { fills: [fillAt("T-2", "sell", "100"), bought] }).text).toBe("");
    expect(liken([], { fills: [fillAt("T-2", "sell", "100"), bought] }).text).toBe("");
    const { backs } = liken([chf("-1")], { fills: [fillAt("T-2", "sell", "101"), bought] });
    expect(backs).toMatchObject([{ id: "T-1", assets: [CHF] }]);
  });
});

test("other money than that of several of ours is named beside all of them at once", () => {
  const bot = opened();
  const comparison = compared(bot, [bot.balanceOf("CHF", "1000"), bot.balanceOf("VCHF", "0")]);
  const backs = ["M-1", "M-2", "M-3", "M-4"].map((id) => {
    return { id, text: `7 CHF is what ${id} cost`, command: "", refusal: "it is ours", assets: [CHF] };
  });
  const planned = (...beside: readonly string[]) =>
    planAdoption({ ...comparison, backs }, { reason: "looked", by: "ann", beside }, bot.now.at);
  const text = (id: string) => `7 CHF is what ${id} cost, and it is ours; `;
  expect(planned("M-2")).toEqual({
    ok: false,
    error: `${text("M-4")}${text("M-3")}${text("M-1")}if it is other money of just that amount: pegbot adopt --beside M-2 M-4 M-3 M-1`,
  });
  expect(planned()).toMatchObject({
    error: expect.stringMatching(/; 1 earlier ones are like it too; .* M-4 M-3 M-2 M-1$/),
  });
  expect(planned("M-1", "M-2", "M-3", "M-4").ok).toBe(true);
});

test("the way out of a stranger's row beside a mint whose outcome is unknown begins with that mint", () => {
  const bot = opened();
  doubted(bot, { kind: "mint", mint: aMint.request }, aMint.id);
  const other = { ...LISTED, requestId: "r9", quantity: Quantity.of("100000.37") };
  bot.answer({ witness: "supply-changes", asset: VCHF, rows: [other], ...asked(bot) });
  const resolve = `pegbot resolve ${aMint.id} --landed|--not-landed --reason "..."`;
  const after = 'then pegbot adopt, then pegbot resume --reason "..."';
  expect(bot.controls.at(-1)).toMatchObject({
    cause: "foreign",
    wayOut: `${WAS_IT_YOU}; then wait until pegbot status shows ${aMint.id} as in doubt no more (if it asks a person: ${resolve}), ${after}`,
  });
});

describe("a payment on a rail", () => {
  function paid(): Keeping {
    const bot = new Keeping().opened(Money.of("1000", CHF), Money.of("20000", VCHF));
    const rail = { ...RAIL, type: "StablecoinToFiat", destination: "CH93" };
    accepted(bot, { kind: "rail", rail }, "L-1", { railId: "a", status: "pending", reason: undefined });
    listed(bot, "pending");
    return bot;
  }
  function book(bot: Keeping): void {
    for (const event of bot.said)
      if (event.kind === "movement") expect(bot.accounts.move(event.id, event.report, bot.now.at)).toBeUndefined();
    hearSaid(bot);
  }
  const FIRST: Payment = {
    railId: "a",
    paymentId: "p1",
    status: "pending",
    amount: Money.of("10000", VCHF),
    at: undefined,
  };
  function listed(bot: Keeping, status?: string): void {
    bot.answer({ witness: "payments", rows: status === undefined ? [] : [{ ...FIRST, status }], ...asked(bot) });
    book(bot);
  }
  const shown = (bot: Keeping, coins: string) => [bot.balanceOf("CHF", "1000"), bot.balanceOf("VCHF", coins)];
  const command = 'pegbot resolve payment:p1 --not-landed --reason "..."';

  test("that comes back is named by the stop, is not taken over beside it, and closed by a person it is owned once; also for the next process", () => {
    const bot = paid();
    listed(bot, "returned");
    halts(bot, shown(bot, "20000"));
    expect(bot.controls).toMatchObject([
      {
        reason: expect.stringContaining(
          `10000 VCHF is just what payment:p1 had taken: if the venue gave it back, ${command}`,
        ),
        wayOut: `${command}, then pegbot resume --reason "..."`,
      },
    ]);
    expect(takenOver(bot, shown(bot, "20000"))).toContain(command);
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    expect(next.executor.movements.payment("payment:p1")).toMatchObject({ id: "payment:p1" });
    bot.take((out) =>
      bot.executor.movements.closePayment("payment:p1", { kind: "back" }, "support says so", bot.now, out),
    );
    book(bot);
    expect([bot.accounts.held(VCHF), bot.accounts.inFlight(CHF)].map(String)).toEqual(["20000", "0"]);
    expect(takenOver(bot, shown(bot, "20000"))).toBe("");
    // Whatever the list says of it later, it is not booked again; what it moves is named.
    listed(bot, "settled");
    expect([bot.said, bot.executor.movements.payment("payment:p1")]).toEqual([[], undefined]);
    expect(bot.executor.balances.likeness([Money.of("-10000", VCHF)])).toMatchObject({
      text: "; -10000 VCHF is just what payment:p1 was to take, which counts as given back",
      backs: [],
    });
    expect(takenOver(bot, shown(bot, "10000"))).toBe("-10000 VCHF");
  });

  test("that has just left is not taken over, nor is anybody led to closing it, while the balances may not show it", () => {
    const bot = paid();
    bot.seconds += 119;
    const early = takenOver(bot, shown(bot, "20000"));
    expect(early).toMatch(
      /^10000 VCHF is just what payment:p1 had taken, and the balances have until 1970-01-01T00:02:00Z to show/,
    );
    expect(early).not.toContain("--not-landed");
    bot.seconds += 1;
    expect(takenOver(bot, shown(bot, "20000"))).toContain(command);
  });

  test("whose list could not be read once is booked when it is, and halts nothing before", () => {
    const bot = paid();
    bot.seconds = 500;
    const see = (coins: string) => bot.answer({ witness: "balances", rows: shown(bot, coins), ...asked(bot) });
    const isAsked = () => bot.asks.some(({ witness }) => witness === "payments");
    see("10000");
    expect([see("8766").controls, isAsked()]).toEqual([[], true]);
    const failed = { ...asked(bot), witness: "payments", asset: undefined, code: "unavailable" } as const;
    bot.take((out) => bot.executor.unanswered(failed, bot.now, out));
    bot.seconds += 1;
    bot.trades([]);
    bot.seconds += 1;
    expect([see("8766").controls, isAsked()]).toEqual([[], true]);
    bot.seconds += 1;
    const second = { ...FIRST, paymentId: "p2", amount: Money.of("1234", VCHF) };
    bot.answer({ witness: "payments", rows: [FIRST, second], ...asked(bot) });
    book(bot);
    bot.seconds += 1;
    expect([see("8766").controls, bot.executor.freeze(bot.now)]).toEqual([[], { kind: "none" }]);
  });

  test("that is listed with other coins than it was booked with is booked as it is listed, each coin once, freezes rails, and halts nothing where the balances agree; also for the next process", () => {
    const bot = paid();
    const correct = (one: Keeping, amount: string, status = "pending"): readonly string[] => {
      one.answer({ witness: "payments", rows: [{ ...FIRST, amount: Money.of(amount, VCHF), status }], ...asked(one) });
      const told = one.said.flatMap((event) => (event.kind === "movement" ? [event.report.kind] : []));
      book(one);
      return told;
    };
    const owned = (): readonly string[] => [bot.accounts.held(VCHF), bot.accounts.inFlight(CHF)].map(String);
    const odd = "it is listed with 9000 VCHF, and booked with 10000 VCHF";
    expect([correct(bot, "9000"), bot.said]).toMatchObject([["corrected"], [{ report: { reason: odd } }]]);
    // 20,000 less the 9,000 that are on their way.
    expect([owned(), correct(bot, "9000")]).toEqual([["11000", "9000"], []]);
    expect(bot.executor.movements.railsFrozen).toBe(
      `payment p1 on rail L-1 is not as it was: ${odd}; look at the venue's portal: it is booked as it is listed now`,
    );
    bot.seconds = 500;
    bot.answer({ witness: "balances", rows: shown(bot, "11000"), ...asked(bot) });
    expect([bot.controls, bot.executor.freeze(bot.now)]).toEqual([[], { kind: "none" }]);
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    expect(next.executor.movements.payment("payment:p1")).toMatchObject({ since: 0 });
    next.answer({ witness: "payments", rows: [{ ...FIRST, amount: Money.of("9000", VCHF) }], ...asked(next) });
    expect(next.said).toEqual([]);
    // Nothing is told of a word that nobody knows, and one that is refused gives back what is booked of it.
    expect([correct(bot, "8000", "odd"), owned()]).toEqual([["told"], ["11000", "9000"]]);
    expect([correct(bot, "8000"), owned()]).toEqual([
      ["corrected", "told"],
      ["12000", "8000"],
    ]);
    expect([correct(bot, "0"), owned()]).toEqual([["told"], ["12000", "8000"]]);
    expect([correct(bot, "8500", "settled"), owned()]).toEqual([
      ["corrected", "told", "arrived"],
      ["11500", "0"],
    ]);
    expect(bot.executor.balances.likeness([Money.of("8500", VCHF)]).text).toBe("");
    // Where the balances do not agree, whoever is called reads why the books are so.
    expect(bot.executor.balances.likeness([Money.of("500", VCHF)]).text).toBe(
      "; 500 VCHF is just what payment:p1 was corrected by: it is listed with 8500 VCHF, and booked with 8000 VCHF",
    );
    expect([correct(bot, "8000", "settled"), owned()]).toEqual([["told"], ["11500", "0"]]);
    const given = paid();
    correct(given, "9000");
    expect([correct(given, "8000", "rejected"), String(given.accounts.held(VCHF))]).toEqual([
      ["told", "returned"],
      "20000",
    ]);
  });

  test("whose other amount a person took over before it was listed is not booked by it a second time; also by the next process", () => {
    const bot = paid();
    bot.seconds = 1_000;
    const amounts = [Money.of("1000", VCHF), Money.of("7", CHF)];
    const history = { until: undefined, ids: [] };
    bot.adopt({ kind: "adoption", at: bot.now.at, amounts, history, reason: "looked", by: "ann" });
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    for (const one of [bot, next]) {
      const seen = (amount: string, status = "pending"): readonly string[] => {
        const row = { ...FIRST, amount: Money.of(amount, VCHF), status };
        one.answer({ witness: "payments", rows: [row], ...asked(one) });
        return one.said.flatMap((event) => (event.kind === "movement" ? [event.report.kind] : []));
      };
      one.seconds = 1_100;
      expect([seen("9000"), seen("9000"), seen("9000", "settled")]).toEqual([["told"], [], ["told", "arrived"]]);
    }
    const other = paid();
    other.seconds = 1_000;
    other.adopt({ kind: "adoption", at: other.now.at, amounts, history, reason: "looked", by: "ann" });
    // What else was taken over is not of it.
    other.answer({ witness: "payments", rows: [{ ...FIRST, amount: Money.of("8000", VCHF) }], ...asked(other) });
    expect(other.said).toMatchObject([{ report: { kind: "corrected" } }]);
  });

  test("that is booked and then listed with other fiat freezes rails, once, is named by the stop and by adopt, and is well when it is corrected; also for the next process", () => {
    const bot = paid();
    const correct = (one: Keeping, amount: string, status = "pending"): readonly string[] => {
      const row = { ...FIRST, amount: Money.of(amount, CHF), status };
      one.answer({ witness: "payments", rows: [row], ...asked(one) });
      const told = one.said.map((event) =>
        event.kind === "movement" && "reason" in event.report ? event.report.reason : "",
      );
      book(one);
      return told.map((reason) => reason ?? "as booked");
    };
    const odd = "it is listed with 9000 CHF, and booked with 10000 CHF";
    expect([correct(bot, "9000"), correct(bot, "9000")]).toEqual([[odd], []]);
    expect(bot.executor.movements.railsFrozen).toBe(
      `payment p1 on rail L-1 is not as it was: ${odd}; look at the venue's portal: what the balances then differ by is taken over by pegbot adopt`,
    );
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    expect(correct(next, "9000"), "on record").toEqual([]);
    halts(bot, shown(bot, "11000"));
    const like = `1000 VCHF is just what payment:p1 is off by: ${odd}`;
    expect(bot.controls).toMatchObject([{ reason: expect.stringContaining(`; ${like}`) }]);
    expect([bot, next].map((one) => one.executor.balances.likeness([Money.of("1000", VCHF)]).text)).toEqual([
      `; ${like}`,
      `; ${like}`,
    ]);
    expect(compared(bot, shown(bot, "11000")).likeness).toBe(`; ${like}`);
    expect(takenOver(bot, shown(bot, "11000"))).toBe("1000 VCHF");
    expect(correct(bot, "9000", "settled")).toEqual([odd, ""]);
    expect([correct(bot, "10000", "settled"), correct(bot, "10000", "settled")]).toEqual([["as booked"], []]);
    expect(bot.executor.balances.likeness([Money.of("1000", VCHF)]).text).toBe("");
    expect([bot.accounts.held(VCHF), bot.accounts.inFlight(CHF)].map(String)).toEqual(["10000", "0"]);
  });

  test("that had arrived and is listed as rejected since is told once, named by the stop and by adopt, and says how it ended", () => {
    const bot = paid();
    bot.seconds = 60;
    listed(bot, "settled");
    expect(bot.notes).toEqual([]);
    bot.seconds = 600;
    const like = 'what payment:p1 had taken, which had arrived outside and is listed as "rejected" since';
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    for (const one of [bot, next]) {
      listed(one, "rejected");
      expect(one.notes).toEqual([`10000 VCHF are ${like}; what the balances differ by is taken over by pegbot adopt`]);
      listed(one, "rejected");
      expect(one.notes).toEqual([]);
      expect(one.executor.balances.likeness([Money.of("10000", VCHF)])).toMatchObject({
        text: `; 10000 VCHF is just ${like}`,
        backs: [],
      });
      expect(one.executor.movements.paymentEnded("payment:p1")).toBe("it arrived outside at 1970-01-01T00:01:00Z");
    }
    expect(takenOver(bot, shown(bot, "20000"))).toBe("10000 VCHF");
    // What is over and back is no money that moves: it is judged at the second look, as any other.
    for (const witness of ["balances", "trades", "payments", "balances"] as const) {
      bot.seconds += 1;
      const rows = { balances: shown(bot, "20000"), trades: [], payments: [{ ...FIRST, status: "rejected" }] };
      bot.answer({ witness, rows: rows[witness], ...asked(bot) } as Answer);
    }
    expect(bot.controls).toMatchObject([{ reason: expect.stringContaining(like) }]);
    listed(bot, "settled");
    expect(bot.executor.balances.likeness([Money.of("10000", VCHF)]).text).toBe("");
  });

  test("without an id, or under the id of one on another rail, is not booked, told once and named", () => {
    const bot = paid();
    const rail = { ...RAIL, toAccount: true };
    accepted(bot, { kind: "rail", rail }, "L-2", { railId: "b", status: "pending", reason: undefined });
    const list = (...rows: readonly Partial<Payment>[]): readonly string[] => {
      bot.answer({ witness: "payments", rows: rows.map((row) => ({ ...FIRST, ...row })), ...asked(bot) });
      book(bot);
      return bot.notes;
    };
    const amount = Money.of("4000", VCHF);
    const second = { railId: "b", amount, status: "settled" };
    const bare = { paymentId: undefined, amount: Money.of("2222", VCHF) };
    // Whichever is listed first, the one that is booked stays itself.
    const [twice, nameless] = [
      "what payment:p1 on rail L-2 would bring, which is listed under the id of a payment on another rail and cannot be booked",
      "what a payment on rail L-1 would take, which is listed without an id and cannot be booked",
    ];
    const end = "; what the balances differ by is taken over by pegbot adopt";
    expect(list(second, {}, bare)).toEqual([`4000 VCHF are ${twice}${end}`, `-2222 VCHF are ${nameless}${end}`]);
    expect(list({}, bare, second)).toEqual([]);
    expect([bot.said, bot.accounts.held(VCHF), bot.accounts.inFlight(CHF)].map(String)).toEqual(["", "10000", "10000"]);
    const like = (text: string) => bot.executor.balances.likeness([Money.of(text, VCHF)]).text;
    expect([like("4000"), like("-2222")]).toEqual([`; 4000 VCHF is just ${twice}`, `; -2222 VCHF is just ${nameless}`]);
    // For whoever takes over, as long as they are listed.
    expect(bot.executor.movements.odd()).toEqual([`-2222 VCHF are ${nameless}`, `4000 VCHF are ${twice}`]);
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    next.answer({ witness: "payments", rows: [{ ...FIRST, ...second }, FIRST], ...asked(next) });
    expect([next.said, next.notes.length]).toEqual([[], 1]);
    expect([list({}), like("4000"), bot.executor.movements.odd()]).toEqual([[], "", []]);
  });

  test("keeps its own word beside another of its id on a rail the same way, whichever is listed first or alone; also for the next process", () => {
    const bot = paid();
    const rail = { ...RAIL, type: "StablecoinToFiat", destination: "CH94" };
    accepted(bot, { kind: "rail", rail }, "L-2", { railId: "b", status: "pending", reason: undefined });
    const other = { ...FIRST, railId: "b", amount: Money.of("4000", VCHF), status: "settled" };
    const note = expect.stringMatching(/^-4000 VCHF are what payment:p1 on rail L-2 would take, .* cannot be booked/);
    for (const rows of [
      [FIRST, other],
      [other, FIRST],
    ]) {
      const next = new Keeping({ writer: "bot00002", entries: bot.entries });
      for (const one of [bot, next]) {
        one.answer({ witness: "payments", rows, ...asked(one) });
        expect(one.said).toEqual([]);
      }
      expect(next.notes).toEqual([note]);
    }
    bot.answer({ witness: "payments", rows: [other], ...asked(bot) });
    expect(bot.said).toMatchObject([{ id: "payment:p1", report: { kind: "told", status: "no longer listed" } }]);
    expect(bot.executor.movements.payment("payment:p1")).toMatchObject({ spent: FIRST.amount });
  });

  test("that is listed late, and dated before an adoption that has room for it, is not booked again; also by the next process", () => {
    const bot = paid();
    bot.seconds = 1_000;
    const late = (paymentId: string, amount: string, more: object = {}): void => {
      const row = {
        railId: "a",
        paymentId,
        status: "pending",
        amount: Money.of(amount, VCHF),
        at: millis(990_000),
        ...more,
      };
      bot.answer({ witness: "payments", rows: [FIRST, row], ...asked(bot) });
      book(bot);
    };
    const held = (): string => [bot.accounts.held(VCHF), bot.accounts.inFlight(CHF)].join(" ");
    const history = { until: undefined, ids: [] };
    const amounts = [Money.of("-3500", VCHF), Money.of("7", CHF)];
    bot.adopt({ kind: "adoption", at: bot.now.at, amounts, history, reason: "looked", by: "ann" });
    expect(held()).toBe("6500 10000");
    late("p2", "2000");
    expect(bot.said).toMatchObject([
      { id: "payment:p2", report: { kind: "released", reason: expect.stringContaining("1970-01-01T00:16:40Z") } },
    ]);
    late("p2", "2000", { status: "settled" });
    expect([held(), bot.said]).toEqual(["6500 10000", []]);
    expect(bot.executor.balances.likeness([Money.of("-2000", VCHF)]).text).toContain(
      "is just what payment:p2 was to take, which was taken over by an adoption",
    );
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    for (const one of [bot, next]) {
      const seen = (paymentId: string, amount: string, at: number | undefined): string => {
        const row = { railId: "a", paymentId, status: "pending", amount: Money.of(amount, VCHF), at } as Payment;
        one.answer({ witness: "payments", rows: [row], ...asked(one) });
        const own = one.said.filter((event) => event.kind === "movement" && event.id.endsWith(paymentId));
        return own.map((event) => (event.kind === "movement" ? event.report.kind : "")).join();
      };
      one.seconds = 1_100;
      // There is no room for as much again, nor for what is younger or has no time.
      expect([seen("p2", "2000", 990_000), seen("p3", "1600", 990_000), seen("p4", "100", 1_000_001)]).toEqual([
        "",
        "departed,told",
        "departed,told",
      ]);
      expect([seen("p5", "100", undefined), seen("p6", "1500", 1_000_000)]).toEqual(["departed,told", "released"]);
    }
  });

  test("onto the account that is listed late and has settled was taken over with what differed, less its fee", () => {
    const bot = opened();
    const rail = { ...RAIL, toAccount: true };
    accepted(bot, { kind: "rail", rail }, "L-1", { railId: "a", status: "pending", reason: undefined });
    bot.seconds = 1_000;
    const history = { until: undefined, ids: [] };
    const adoption = { kind: "adoption", at: bot.now.at, amounts: [Money.of("4990", VCHF)], history } as const;
    bot.adopt({ ...adoption, reason: "looked", by: "ann" });
    const rows: Payment[] = [];
    const seen = (paymentId: string, status: string): readonly string[] => {
      const row = { railId: "a", paymentId, status, amount: Money.of("5000", VCHF), at: millis(500_000) };
      rows.push(row);
      bot.answer({ witness: "payments", rows, ...asked(bot) });
      return bot.said.flatMap((event) => (event.kind === "movement" ? [event.report.kind] : []));
    };
    // What is still on its way nobody can have taken over.
    expect([seen("p1", "pending"), seen("p2", "settled"), seen("p3", "settled")]).toEqual([
      ["departed", "told"],
      ["released"],
      ["departed", "told"],
    ]);
  });

  test("to a bank or onto the account, under a word that nobody knows, is in the adoption of just its amount and waited for no longer; also by the next process", () => {
    for (const [type, amount, others] of [
      ["StablecoinToFiat", "-400", []],
      ["FiatToStablecoin", "398", []],
      // Nobody knows what else is in it.
      ["StablecoinToFiat", "-401", ["waits"]],
      ["FiatToStablecoin", "401", ["waits"]],
    ] as const) {
      const bot = new Keeping().opened(Money.of("1000", CHF), Money.of("20000", VCHF));
      accepted(bot, { kind: "rail", rail: { ...RAIL, type, toAccount: true } }, "L-1", {
        railId: "a",
        status: "pending",
        reason: undefined,
      });
      bot.take((out) => bot.executor.movements.expect("L-1", Quantity.of("400"), bot.now, out));
      hearSaid(bot);
      const row = { ...FIRST, status: "processing", amount: Money.of("400", VCHF) };
      const list = (): void => {
        bot.seconds += 10;
        bot.answer({ witness: "payments", rows: [row], ...asked(bot) });
        hearSaid(bot);
      };
      const waits = (one: Keeping) => Array.from(one.executor.movements.expectations(), () => "waits");
      list();
      expect(waits(bot)).toEqual(["waits"]);
      bot.seconds += 10;
      const history = { until: undefined, ids: [] };
      const amounts = [Money.of(amount, VCHF)];
      bot.adopt({ kind: "adoption", at: bot.now.at, amounts, history, reason: "looked", by: "ann" });
      hearSaid(bot);
      const next = new Keeping({ writer: "bot00002", entries: bot.entries });
      expect([waits(bot), waits(next)], `${type} ${amount}`).toEqual([others, others]);
      // It is told once, and what a known word says of it later is in the adoption too.
      list();
      expect(bot.said).toEqual([]);
      if (others.length > 0) continue;
      row.status = "settled";
      list();
      expect(bot.said).toEqual([]);
    }
  });

  /** On a rail to a bank or to our own account, listed so. */
  function first(type: RailIntent["type"], status: string): Keeping {
    const bot = new Keeping().opened(Money.of("1000", CHF), Money.of("20000", VCHF));
    accepted(bot, { kind: "rail", rail: { ...RAIL, type, toAccount: true } }, "L-1", {
      railId: "a",
      status: "pending",
      reason: undefined,
    });
    listed(bot, status);
    return bot;
  }

  test.each([
    ["to a bank", "StablecoinToFiat", "10000", "-10000", "is just what payment:p1 would take"],
    ["onto the account", "FiatToStablecoin", "30000", "10000", "is just what payment:p1 would bring"],
    [
      "onto the account, less its fee",
      "FiatToStablecoin",
      "29990",
      "9990",
      "is, less a fee, what payment:p1 would bring",
    ],
  ] as const)(
    "%s under a word that nobody knows is named by the stop for what it moved, and is not said to be listed late once that is taken over",
    (_, type, coins, moved, is) => {
      const bot = first(type, "processing");
      halts(bot, shown(bot, coins));
      expect(bot.controls).toMatchObject([
        {
          reason: expect.stringMatching(
            new RegExp(
              `explains; ${moved} VCHF ${is}, which the venue lists as "processing", a word that nobody knows$`,
            ),
          ),
          wayOut: 'pegbot adopt, then pegbot resume --reason "..."',
        },
      ]);
      expect(takenOver(bot, shown(bot, coins))).toBe(`${moved} VCHF`);
      const likeness = (amount: string) => bot.executor.balances.likeness([Money.of(amount, VCHF)]).text;
      const isOut = type === "StablecoinToFiat";
      const others = isOut ? ["-10000.01", "-9999.99", "10000"] : ["10000.01", "9899.99", "-10000"];
      expect(others.map(likeness)).toEqual(["", "", ""]);
      const history = { until: undefined, ids: [] };
      const amounts = [Money.of(moved, VCHF)];
      bot.adopt({ kind: "adoption", at: bot.now.at, amounts, history, reason: "looked", by: "ann" });
      const [{ report } = expect.unreachable("it must be told")] = bot.said.flatMap((event) =>
        event.kind === "movement" ? [event] : [],
      );
      expect(report).toMatchObject({
        kind: "released",
        reason: expect.stringMatching(
          /^listed as "processing", a word that nobody knows: its -?[0-9]+ VCHF were taken over by the adoption of /,
        ),
      });
      expect(likeness(moved)).toContain("payment:p1 was to");
      expect(likeness(moved)).toContain("which was taken over by an adoption");
    },
  );

  test.each([
    [
      "to a bank, and comes back",
      "StablecoinToFiat",
      { kind: "through" },
      "10000",
      "; 10000 VCHF is just what payment:p1 had taken, which was closed as arrived outside",
    ],
    [
      "to a bank, and comes back less a fee",
      "StablecoinToFiat",
      { kind: "through" },
      "9950",
      "; 9950 VCHF is, less a fee, what payment:p1 had taken, which was closed as arrived outside",
    ],
    [
      "onto the account, and is taken back",
      "FiatToStablecoin",
      { kind: "here", fee: Money.of("20", VCHF) },
      "-9980",
      "; -9980 VCHF is just what payment:p1 had brought, which was closed as landed",
    ],
    [
      "onto the account as not coming, and comes less a fee",
      "FiatToStablecoin",
      { kind: "back" },
      "9950",
      "; 9950 VCHF is, less a fee, what payment:p1 was to bring, which counts as given back",
    ],
  ] as const)("%s after a person closed it is named", (_, type, end, moved, text) => {
    const bot = first(type, "pending");
    bot.take((out) => bot.executor.movements.closePayment("payment:p1", end, "ann says so", bot.now, out));
    book(bot);
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    for (const one of [bot, next])
      expect(one.executor.balances.likeness([Money.of(moved, VCHF)])).toMatchObject({
        text,
        finding: "moved by payment:p1",
      });
    expect(bot.executor.balances.likeness([Money.of("9899", VCHF)]).text).toBe("");
  });

  test.each([
    ["under a word that nobody knows", "returned", "lists payment:p1 as returned"],
    ["without an entry", undefined, "does not list payment:p1 any more"],
  ])(
    "that comes back %s is asked of a person after a day, once, and no longer when the list knows it again",
    (_, status, says) => {
      const bot = paid();
      const asks = (hours: number, word: string | undefined) => {
        bot.seconds += hours * 3_600;
        listed(bot, word);
        return bot.said.filter((one) => one.kind === "movement" && one.report.kind === "escalated");
      };
      expect([asks(30, "pending"), asks(1, status), asks(23, status)]).toEqual([[], [], []]);
      expect(asks(1, status)).toMatchObject([
        {
          id: "payment:p1",
          report: { reason: expect.stringContaining(says), wayOut: expect.stringContaining(command) },
        },
      ]);
      expect([asks(48, status), asks(1, "pending"), asks(1, status), asks(20, status)]).toEqual([[], [], [], []]);
      expect(asks(5, status)).toHaveLength(1);
    },
  );

  test.each([
    ["under a word that nobody knows", "returned"],
    ["without an entry", undefined],
  ])("that goes on %s is asked of a person after a day, however often the bot is started meanwhile", (_, status) => {
    let bot = paid();
    const asks = (hours: number): number => {
      const next = new Keeping({ writer: `bot${bot.seconds}`, entries: bot.entries });
      next.seconds = bot.seconds + hours * 3_600;
      bot = next;
      listed(bot, status);
      return bot.said.filter((one) => one.kind === "movement" && one.report.kind === "escalated").length;
    };
    expect([asks(1), asks(12), asks(11), asks(1), asks(1), asks(48)]).toEqual([0, 0, 0, 1, 0, 0]);
  });
});

test("coins like those of a mint that was refused or never sent are told as that, and of many the last three are named", () => {
  const bot = opened();
  const intend = (id: string, mint: object): void => {
    bot.take((out) => bot.executor.intend({ kind: "mint", mint, id } as Approval, undefined, bot.now, out));
  };
  const refused = (id: string, mint: object = aMint.request): void => {
    intend(id, mint);
    const nonce = ++bot.nonce as Nonce;
    for (const one of bot.executor.sending(id, { nonce, digest: "d", host: "h" }, bot.now)) bot.write(one);
    const outcome = { kind: "rejected", failure: failure("no"), nonce, receivedAt: bot.now.at } as const;
    bot.take((out) => bot.executor.outcome(id, outcome, bot.now, out));
  };
  const likeness = (): string => bot.executor.balances.likeness([Money.of(QUANTITY, VCHF)]).text;
  // Its coins would not have come here.
  refused("M-0", { ...aMint.request, destination: "0x1" });
  expect(likeness()).toBe("");
  refused("M-1");
  expect(likeness()).toBe("; 120000.37 VCHF is just what mint M-1 was to bring, which the venue had refused");
  for (const id of ["M-2", "M-3", "M-4"]) refused(id);
  intend("M-5", aMint.request);
  const unsent = { kind: "not-sent", code: "expired", reason: "too old" } as const;
  bot.take((out) => bot.executor.outcome("M-5", unsent, bot.now, out));
  expect(likeness()).toMatch(
    /^; \S+ VCHF is just what mint M-3 .* mint M-4 .* mint M-5 was to bring, which was never sent; /,
  );
  expect(likeness()).toMatch(/; 2 earlier ones are like it too$/);
});

test.each([
  ["counted as pending", "pending", "50+120000.37", "50"],
  ["not counted at all", "pending", "50", "50"],
  ["counted as pending, beside nothing else", "pending", "0+120000.37", undefined],
  // Else they are in the books twice: once taken over, and once more when they are booked as arrived.
  ["available and settled by the list, with another difference", "settled", "120050.37", "50"],
  ["available and settled by the list, less what was sold since", "settled", "100000.37", "-20000"],
])("an adoption leaves coins in flight out that are %s", (_, status, balance, amount) => {
  const bot = opened();
  minted(bot);
  bot.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status }], ...asked(bot) });
  bot.seconds = 130;
  const rows = [bot.balanceOf("CHF", "1000"), bot.balanceOf("VCHF", balance)];
  const compared = compareWithVenue(
    bot.executor,
    [
      { witness: "trades", rows: [], ...asked(bot) },
      { witness: "orders", rows: [], ...asked(bot) },
      { witness: "rails", rows: [], ...asked(bot) },
      { witness: "balances", rows, ...asked(bot) },
    ],
    bot.accounts,
    bot.now,
  );
  if (!compared.ok) throw new Error(compared.error);
  const plan = planAdoption(compared.value, { reason: "wire", by: "ann" }, bot.now.at);
  if (!plan.ok) throw new Error(plan.error);
  expect(plan.value.event.amounts.map(String)).toEqual(amount === undefined ? [] : [amount]);
});

describe("an adoption beside a mint of which only the list is known", () => {
  const SOLD: Partial<TradeRecord> = {
    side: "sell",
    bought: Money.of("100", CHF),
    sold: Money.of("100.02", VCHF),
    fee: Money.of("0.01", CHF),
  };
  const BOUGHT: Partial<TradeRecord> = {
    side: "buy",
    bought: Money.of("50", VCHF),
    sold: Money.of("50.02", CHF),
    fee: Money.zero(CHF),
  };

  /** Books of 500,000 CHF and 1,000 VCHF; the mint has cost 120,024.37 CHF, of which 24 are its fee. */
  function listed(): Keeping {
    const bot = new Keeping().opened(Money.of("500000", CHF), Money.of("1000", VCHF));
    const take = bot.take.bind(bot);
    // As the desk does it: what is said of movements is booked.
    bot.take = (call) => {
      take(call);
      for (const event of bot.said)
        if (event.kind === "movement") expect(bot.accounts.move(event.id, event.report, bot.now.at)).toBeUndefined();
      hearSaid(bot);
      return bot;
    };
    doubted(bot, { kind: "mint", mint: aMint.request }, aMint.id);
    bot.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) });
    expect(bot.state(aMint.id)).toBe("confirmed");
    bot.seconds = 130;
    return bot;
  }

  function seen(bot: Keeping, chf: string, vchf: string, trade?: Partial<TradeRecord>) {
    const rows = [bot.balanceOf("CHF", chf), bot.balanceOf("VCHF", vchf)];
    const answers: readonly Answer[] = [
      { witness: "trades", rows: trade === undefined ? [] : [tradeOf("A-9", trade)], ...asked(bot) },
      { witness: "orders", rows: [], ...asked(bot) },
      { witness: "rails", rows: [], ...asked(bot) },
      { witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) },
      { witness: "balances", rows, ...asked(bot) },
    ];
    for (const answer of answers) bot.answer(answer);
    const comparison = unwrap(compareWithVenue(bot.executor, answers, bot.accounts, bot.now));
    return unwrap(planAdoption(comparison, { reason: "restored", by: "ann" }, bot.now.at));
  }

  test.each([
    // 500000 - 120024.37 + 100 - 0.01, and 1000 - 100.02
    ["a trade that history shows", "380075.62", "899.98+120000.37", SOLD, ["24", true], ["99.99", "-100.02"]],
    // 500000 - 120024.37 - 50.02: with the trade it would still be within what was approved.
    ["a trade that is like a fee", "379925.61", "1050+120000.37", BOUGHT, ["24", true], ["-50.02", "50"]],
    // 5,000 more left: the fee is what was approved at most, and 5000 + 24 - 120 are taken over.
    ["money that left", "374975.63", "1000+120000.37", undefined, ["120", false], ["-4904"]],
    ["money that came", "384975.63", "1000+120000.37", undefined, ["0", false], ["4976"]],
  ] as const)("books it as departed, and takes over the rest alone: %s", (_, chf, vchf, trade, [fee, isTold], rest) => {
    const bot = listed();
    const { record, costs } = seen(bot, chf, vchf, trade);
    expect(costs).toEqual([
      { id: aMint.id, spent: Money.of(QUANTITY, CHF).plus(Money.of(fee, CHF)), fee: Money.of(fee, CHF), isTold },
    ]);
    expect(record.amounts.map(String)).toEqual(rest);
    bot.adopt(record, costs);
    const [coins] = vchf.split("+");
    const figures = (one: Keeping) => [one.accounts.settled(CHF), one.accounts.settled(VCHF)].map(String);
    expect([...figures(bot), String(bot.accounts.inFlight(VCHF)), bot.accounts.leaving(CHF).isZero()]).toEqual([
      ...[chf, coins, QUANTITY, true],
    ]);
    const after = new Keeping({ writer: "bot00002", entries: bot.entries }).executor;
    expect([after.get(aMint.id)?.state.kind, after.movements.uncosted(CHF)]).toEqual(["confirmed", []]);
    // Settled, it is there once: no difference, and nothing is taken over again.
    const settled = Money.of(coins ?? "", VCHF).plus(Money.of(QUANTITY, VCHF));
    bot.controls.length = 0;
    for (const seconds of [260, 390, 520]) {
      bot.seconds = seconds;
      const rows = [{ ...LISTED, status: "settled" }];
      bot.answer({ witness: "supply-changes", asset: VCHF, rows, ...asked(bot) });
      bot.balances({ CHF: chf, VCHF: String(settled) });
    }
    expect([bot.state(aMint.id), ...figures(bot), bot.accounts.inFlight(VCHF).isZero(), bot.controls]).toEqual([
      ...["settled", chf, String(settled), true, []],
    ]);
  });

  test("leaves a mint alone for which nothing has left yet", () => {
    const { record, costs } = seen(listed(), "500050", "1000");
    expect([record.amounts.map(String), costs]).toEqual([["50"], []]);
  });
});

test.each([
  ["to a wallet, whose coins leave the account, waits", "0x1", false],
  ["onto the account, where they stay, does not wait", undefined, true],
])("a mint %s for a rate before it is over", (_, destination, isOverAtOnce) => {
  let isValued = false;
  const bot = new Keeping({ isValued: () => isValued }).opened(Money.of("120000.37", CHF), Money.of("0", VCHF));
  const receipt = { requestId: "r1", transactionId: "x1", fee: Money.zero(CHF), spent: Money.of(QUANTITY, CHF) };
  accepted(bot, { kind: "mint", mint: { ...aMint.request, destination } }, aMint.id, receipt);
  bot.accounts.adopt([Money.of(`-${QUANTITY}`, CHF)]);
  const coins = destination === undefined ? QUANTITY : "0";
  const look = (): string | undefined => {
    bot.seconds += 200;
    bot.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status: "settled" }], ...asked(bot) });
    bot.answer({
      witness: "balances",
      rows: [bot.balanceOf("CHF", "0"), bot.balanceOf("VCHF", coins)],
      ...asked(bot),
    });
    return bot.state(aMint.id);
  };
  expect(look()).toBe(isOverAtOnce ? "settled" : "confirmed");
  isValued = true;
  expect(look()).toBe("settled");
});

describe("a mint that the venue's list has no longer", () => {
  const HOUR = 3_600;
  const OLDER: SupplyChange = { ...LISTED, requestId: "r0", transactionId: "x0", status: "settled" };
  const NEWER: SupplyChange = { ...OLDER, requestId: "r2", transactionId: "x2", quantity: Quantity.of("130000") };
  const read = (bot: Keeping, ...rows: readonly SupplyChange[]): readonly string[] => {
    bot.seconds += HOUR;
    bot.answer({ witness: "supply-changes", asset: VCHF, rows, ...asked(bot) });
    const said = bot.said.map(({ report }) => (report.kind === "told" ? report.status : report.kind));
    hearSaid(bot);
    return said;
  };
  const pending = (): Keeping => {
    const bot = opened();
    minted(bot);
    hearSaid(bot);
    expect(read(bot, OLDER, LISTED)).toContain("pending");
    return bot;
  };

  test.each([
    ["is empty", []],
    ["shows what is older", [OLDER]],
  ])("which %s, is told as that once, stays in flight, and is told again when it is back", (_, rows) => {
    let bot = pending();
    expect([read(bot, ...rows), read(bot, ...rows)]).toEqual([["no longer listed"], []]);
    bot = new Keeping({ writer: "bot00002", entries: bot.entries });
    bot.seconds = 3 * HOUR;
    expect([bot.said, read(bot, ...rows)]).toEqual([[], []]);
    expect([bot.state(aMint.id), read(bot, OLDER, LISTED), read(bot, OLDER, LISTED)]).toEqual([
      "confirmed",
      ["pending"],
      [],
    ]);
  });

  test("which had it again meanwhile, is asked of a person a day after it has it no longer for the second time", () => {
    const bot = pending();
    expect([read(bot), read(bot, OLDER, LISTED)]).toEqual([["no longer listed"], ["pending"]]);
    bot.seconds += 30 * HOUR;
    expect([read(bot), read(bot)]).toEqual([["no longer listed"], []]);
    bot.seconds += 23 * HOUR;
    expect(read(bot)).toEqual(["escalated"]);
  });

  test("which may show only the newest, says nothing", () => {
    const bot = pending();
    expect(read(bot, NEWER)).toEqual([]);
  });

  test("is asked of a person after a day, once, however often the bot is started meanwhile", () => {
    let bot = pending();
    const told = Array.from({ length: 30 }, () => {
      const { seconds, entries } = bot;
      bot = new Keeping({ writer: `bot${seconds}`, entries });
      bot.seconds = seconds;
      return read(bot);
    });
    expect(told.slice(0, 24).flat()).toEqual(["no longer listed"]);
    expect(told.slice(24).flat()).toEqual(["escalated"]);
  });
});

describe("a mint that has settled on one side only", () => {
  const HOUR = 3_600;
  const balancesOf = (bot: Keeping, vchf: string | undefined): readonly Balance[] => {
    return [bot.balanceOf("CHF", "200000"), ...(vchf === undefined ? [] : [bot.balanceOf("VCHF", vchf)])];
  };
  const says = (bot: Keeping, status: string, vchf: string | undefined): readonly string[] => {
    bot.seconds += HOUR;
    bot.answer({ witness: "supply-changes", asset: VCHF, rows: [{ ...LISTED, status }], ...asked(bot) });
    const rows = balancesOf(bot, vchf);
    bot.answer({ witness: "balances", rows, ...asked(bot) });
    return bot.said.flatMap(({ report }) => (report.kind === "escalated" ? [report.reason] : []));
  };
  const rich = (): Keeping => {
    const bot = new Keeping().opened(Money.of("320000.37", CHF), Money.of("0", VCHF));
    minted(bot);
    bot.accounts.adopt([Money.of("-120000.37", CHF)]);
    return bot;
  };

  test.each([
    ["by the list", "settled", "0", "listed"],
    ["by the balances", "pending", "120000.37", "balances have shown"],
  ])("%s is asked of a person after a day, once, and settles when the other side follows", (_, status, vchf, why) => {
    const bot = rich();
    const told = Array.from({ length: 30 }, () => says(bot, status, vchf));
    expect(told.slice(0, 24).flat()).toEqual([]);
    expect(told.flat()).toEqual([expect.stringContaining(why)]);
    expect(bot.state(aMint.id)).toBe("confirmed");
    expect(says(bot, "settled", "120000.37")).toEqual([]);
    expect(bot.state(aMint.id)).toBe("settled");
  });

  test.each([
    ["by the list", "settled", "0"],
    ["by the balances", "pending", "120000.37"],
  ])("%s is asked of a person after a day, once, however often the bot is started meanwhile", (_, status, vchf) => {
    let [bot, shown] = [rich(), 0];
    const asks = (hours: number): number => {
      const next = new Keeping({ writer: `bot${bot.seconds}`, entries: bot.entries });
      next.accounts.adopt([Money.of("-120000.37", CHF)]);
      next.seconds = bot.seconds + (hours - 1) * HOUR;
      bot = next;
      const asked = says(bot, status, vchf).length;
      shown += bot.said.filter(({ report }) => report.kind === "told" && report.reason === SHOWN).length;
      hearSaid(bot);
      return asked;
    };
    expect([asks(1), asks(12), asks(11), asks(2), asks(1), asks(48)]).toEqual([0, 0, 0, 1, 0, 0]);
    expect(shown).toBe(status === "pending" ? 1 : 0);
  });

  test("by the balances that went and came again is asked of a person a day after it came again, over a start too", () => {
    const bot = rich();
    expect(says(bot, "pending", "120000.37")).toEqual([]);
    hearSaid(bot);
    expect(says(bot, "pending", "0")).toEqual([]);
    bot.seconds += 27 * HOUR;
    expect(says(bot, "pending", "120000.37")).toEqual([]);
    hearSaid(bot);
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    next.accounts.adopt([Money.of("-120000.37", CHF)]);
    next.seconds = bot.seconds;
    expect(says(next, "pending", "120000.37")).toEqual([]);
    next.seconds += 23 * HOUR;
    expect(says(next, "pending", "120000.37")).toHaveLength(1);
  });

  test("by the balances that went while it ran and came again before the next start is asked of a person a day after that", () => {
    const bot = rich();
    says(bot, "pending", "120000.37");
    hearSaid(bot);
    says(bot, "pending", "0");
    expect(bot.said).toMatchObject([{ report: { kind: "told", status: "pending", reason: UNSHOWN } }]);
    hearSaid(bot);
    says(bot, "pending", "0");
    expect(bot.said).toEqual([]);
    const next = new Keeping({ writer: "bot00002", entries: bot.entries });
    next.accounts.adopt([Money.of("-120000.37", CHF)]);
    next.seconds = bot.seconds + 27 * HOUR;
    expect(says(next, "pending", "120000.37")).toEqual([]);
    next.seconds += 23 * HOUR;
    expect(says(next, "pending", "120000.37")).toHaveLength(1);
  });

  test("by the balances while the list has it no longer is told once as either", () => {
    const bot = rich();
    says(bot, "pending", "0");
    const told = [1, 2, 3].flatMap(() => {
      bot.seconds += HOUR;
      bot.answer({ witness: "supply-changes", asset: VCHF, rows: [], ...asked(bot) });
      const listed = bot.said;
      bot.answer({ witness: "balances", rows: balancesOf(bot, "120000.37"), ...asked(bot) });
      return [...listed, ...bot.said].flatMap(({ report }) =>
        report.kind === "told" ? [report.reason ?? report.status] : [],
      );
    });
    expect(told).toEqual(["no longer listed", SHOWN]);
  });

  test("by the balances, and in the list no longer, is asked of a person as either, once, over starts too", () => {
    let bot = rich();
    const hour = (rows: readonly SupplyChange[], vchf: string): readonly string[] => {
      const { seconds, entries } = bot;
      bot = new Keeping({ writer: `bot${seconds}`, entries });
      bot.accounts.adopt([Money.of("-120000.37", CHF)]);
      bot.seconds = seconds + HOUR;
      const answers: readonly Answer[] = [
        { witness: "supply-changes", asset: VCHF, rows, ...asked(bot) },
        { witness: "balances", rows: balancesOf(bot, vchf), ...asked(bot) },
      ];
      return answers.flatMap((answer) => {
        bot.answer(answer);
        hearSaid(bot);
        return bot.said.flatMap(({ report }) => (report.kind === "escalated" ? [report.reason] : []));
      });
    };
    const day = (rows: readonly SupplyChange[], vchf: string): readonly string[] =>
      Array.from({ length: 26 }, () => hour(rows, vchf)).flat();
    hour([LISTED], "0");
    expect(day([], "0")).toEqual([expect.stringContaining("does not list")]);
    expect(day([], "120000.37")).toEqual([expect.stringContaining("balances have shown the coins")]);
    // The list has it again, and no longer once more: nothing is new of the balances.
    expect(day([LISTED], "120000.37")).toEqual([]);
    expect(day([], "120000.37")).toEqual([expect.stringContaining("does not list")]);
  });

  test("by the balances while it is held for one reason, and then for another, is told with the other", () => {
    const bot = rich();
    const rows = balancesOf(bot, "120000.37");
    const heard = (reason: string | undefined) => {
      bot.seconds += HOUR;
      bot.answer({
        witness: "supply-changes",
        asset: VCHF,
        rows: [{ ...LISTED, status: "held", reason }],
        ...asked(bot),
      });
      const listed = [...bot.said];
      bot.answer({ witness: "balances", rows, ...asked(bot) });
      return [...listed, ...bot.said].flatMap(({ report }) => (report.kind === "told" ? [report.reason] : []));
    };
    expect(["EDD", "EDD", "sanctions", "sanctions"].map(heard)).toEqual([["EDD", SHOWN], [], ["sanctions"], []]);
  });

  test.each([
    ["that lists what there is nothing of", "0", "0"],
    ["that leaves it out", undefined, undefined],
    ["that leaves it out since", "0", undefined],
  ])("by the list for a day ends with an adoption, at a venue %s", (_, before, after) => {
    const bot = rich();
    for (let hour = 0; hour < 26; hour++) says(bot, "settled", before);
    const balances = balancesOf(bot, after);
    const compared = (): Comparison => {
      const answers = [
        ...(["trades", "orders", "rails"] as const).map((witness) => ({ witness, rows: [], ...asked(bot) })),
        { witness: "balances", rows: balances, ...asked(bot) } as const,
      ];
      return unwrap(compareWithVenue(bot.executor, answers, bot.accounts, bot.now, { takesOver: true }));
    };
    const { record } = unwrap(planAdoption(compared(), { reason: "lost", by: "ann" }, bot.now.at));
    expect(record.amounts).toEqual([Money.of("-120000.37", VCHF)]);
    bot.adopt(record);
    expect(unwrap(planAdoption(compared(), { reason: "again", by: "ann" }, bot.now.at)).record.amounts).toEqual([]);
    bot.answer({ witness: "balances", rows: balances, ...asked(bot) });
    expect([bot.state(aMint.id), bot.executor.freeze(bot.now)]).toEqual(["settled", { kind: "none" }]);
  });
});

test("a mint in doubt is asked for in the list of its coin and in all balances, ahead of orders; one that is under way after them", () => {
  const bot = opened();
  doubted(bot, { kind: "mint", mint: aMint.request }, aMint.id);
  expect(bot.trades([]).asks).toEqual([
    { witness: "supply-changes", asset: VCHF, class: "doubt" },
    { witness: "balances", asset: undefined, class: "doubt" },
  ]);
  bot.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) });
  expect(bot.state(aMint.id)).toBe("confirmed");
  const later = [10, 20].flatMap((seconds) => bot.at(seconds).asks);
  expect(new Set(later.map(({ class: urgency }) => urgency))).toEqual(new Set(["treasury"]));
});

test("a mint that is answered as done and whose list cannot be read is a stop for that list, and not for the mint", () => {
  const bot = opened();
  minted(bot);
  for (const seconds of [1, 902]) {
    bot.at(seconds).take((out) => {
      const question = { witness: "supply-changes", asset: VCHF, askedAt: bot.now.mono, code: "venue-down" } as const;
      bot.executor.unanswered(question, bot.now, out);
      bot.executor.time(bot.now, out);
    });
  }
  expect(bot.controls).toMatchObject([{ cause: "venue", subject: expect.stringMatching(/^unread /) }]);
});
