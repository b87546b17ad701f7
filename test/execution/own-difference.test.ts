// What the balances differ by, where it is like what a mint, a payment or an order of ours moved: who is stopped by it reads
// which one.

import { describe, expect, test } from "vitest";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import type { Nonce } from "../../src/exchange/port.ts";
import type { Held } from "../../src/execution/kept/held.ts";
import { ownDifferences } from "../../src/execution/own-difference.ts";
import { planAdoption } from "../../src/execution/plan-adoption.ts";
import type { Approval } from "../../src/risk/movement-gate.ts";
import { Keeping, opened, tradeOf } from "./keeping.ts";
import { aMint, CHF, failure, VCHF } from "./life.ts";
import { asked, compared, halts, hearSaid, LISTED, minted, QUANTITY, takenOver } from "./moving.ts";

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

test("nobody is led to closing a mint that the list has as on its way by balances that never showed that it left", () => {
  const bot = opened();
  const id = minted(bot);
  bot.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) });
  hearSaid(bot);
  bot.accounts.adopt([Money.of("-120000.37", CHF), Money.of("200000", CHF)]);
  const [behind, gone] = ["201000", "80999.63"].map((chf) => [bot.balanceOf("CHF", chf), bot.balanceOf("VCHF", "0")]);
  if (behind === undefined || gone === undefined) throw new Error("both are there");
  halts(bot, behind);
  const command = `pegbot resolve ${id} --not-landed --reason "..."`;
  const wait = `wait until the balances show that it left (then pegbot status calls nothing frozen); if the venue confirms in writing that it gave it back: ${command} --venue-confirms`;
  expect(bot.controls).toMatchObject([
    {
      reason: expect.stringContaining(
        `had cost, and the balances never showed that it left, and may be behind: ${wait}`,
      ),
      wayOut: `${wait}, then pegbot resume --reason "..."`,
    },
  ]);
  expect(takenOver(bot, behind)).toContain(`the balances never showed that it left, and may be behind: ${wait}`);
  // Once they have, it is on record; the same balances then have money that is back.
  bot.answer({ witness: "balances", rows: gone, ...asked(bot) });
  hearSaid(bot);
  const next = new Keeping({ writer: "bot00002", entries: bot.entries });
  for (const one of [bot, next])
    expect(one.executor.balances.likeness([Money.of(QUANTITY, CHF)]).text).toContain(
      `had cost: if the venue gave it back, ${command} instead of adopt`,
    );
});

test.each([
  ["a mint", []],
  ["a mint and an order before it", ["T-1"]],
])("balances from before %s, and without an order since, are waited for and not taken over", (_, orders) => {
  const bot = new Keeping().opened(Money.of("500000", CHF), Money.of("0", VCHF));
  const move = (): void => {
    for (const event of bot.said) if (event.kind === "movement") bot.accounts.move(event.id, event.report, bot.now.at);
    hearSaid(bot);
  };
  for (const order of orders) bot.fill(bot.send(bot.intend(order)));
  const id = minted(bot);
  move();
  bot.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) });
  move();
  bot.seconds += 10;
  bot.fill();
  const [before, other] = ["500000", "500001"].map((chf) => [bot.balanceOf("CHF", chf), bot.balanceOf("VCHF", "0")]);
  if (before === undefined || other === undefined) throw new Error("both are there");
  halts(bot, before);
  const wait = /^wait until they show all of it .*, and ask the venue if they do not, then pegbot resume/;
  expect(bot.controls).toMatchObject([{ finding: `cost of ${id}`, wayOut: expect.stringMatching(wait) }]);
  const ours = new RegExp(
    `is just what the books have of ${id} and of the last .*orders?, and the balances may be from before ${id} left`,
  );
  expect(takenOver(bot, before)).toMatch(ours);
  // Also where one answer has shown that it left: the next may come from another server, which is behind.
  bot.balances({ CHF: String(bot.accounts.settled(CHF)), VCHF: String(bot.accounts.settled(VCHF)) });
  expect(bot.executor.balances.haveShownGone(id)).toBe(true);
  expect(takenOver(bot, before)).toMatch(ours);
  // Anything else is somebody else's, and so is this by a person's word.
  for (const taken of [takenOver(bot, other), takenOver(bot, before, id)])
    expect(taken).toMatch(/^120\d+\.\d+ CHF, -\d00 VCHF$/);
});

test("balances from before a mint left are one stop, also once they must show what has filled since", () => {
  const bot = new Keeping().opened(Money.of("500000", CHF), Money.of("0", VCHF));
  const move = (): void => {
    for (const event of bot.said) if (event.kind === "movement") bot.accounts.move(event.id, event.report, bot.now.at);
  };
  const id = minted(bot);
  move();
  bot.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) });
  move();
  bot.seconds += 100;
  bot.fill();
  const before = [bot.balanceOf("CHF", "500000"), bot.balanceOf("VCHF", "0")];
  for (let looks = 0; looks < 18; looks++) {
    bot.seconds += 15;
    bot.trades([]);
    bot.answer({ witness: "balances", rows: before, ...asked(bot) });
  }
  expect(bot.controls).toMatchObject([{ subject: `cost of ${id}` }]);
});

test.each([
  ["the last order", 1],
  ["the last orders", 2],
])("balances that count a mint's coins as pending, and lack %s, are waited for", (_, count) => {
  const bot = new Keeping().opened(Money.of("500000", CHF), Money.of("0", VCHF));
  minted(bot);
  for (const event of bot.said) if (event.kind === "movement") bot.accounts.move(event.id, event.report, bot.now.at);
  bot.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) });
  bot.seconds += 10;
  const chf = String(bot.accounts.settled(CHF));
  const trades = Array.from({ length: count }, () => tradeOf(bot.fill()));
  const behind = [bot.balanceOf("CHF", chf), bot.balanceOf("VCHF", `0+${QUANTITY}`)];
  for (const after of [130, 130]) {
    bot.seconds += after;
    bot.trades(trades);
    bot.answer({ witness: "balances", rows: behind, ...asked(bot) });
  }
  const last = trades.at(-1)?.clientOrderId;
  expect(bot.controls).toMatchObject([
    {
      cause: "balances",
      subject: `fills up to ${last}`,
      finding: `fill of ${last}`,
      reason: expect.stringMatching(/-\d00 VCHF, \d+\.\d+ CHF is just what the books have of/),
      wayOut: expect.stringMatching(/^wait until the balances show it.* then pegbot resume --reason "..."$/),
    },
  ]);
});

describe("an order that was closed as not filled, beside a mint whose coins are in flight", () => {
  const gaveUp = (): { readonly bot: Keeping; readonly id: string; readonly chf: Money } => {
    const bot = new Keeping().opened(Money.of("500000", CHF), Money.of("0", VCHF));
    minted(bot);
    for (const event of bot.said) if (event.kind === "movement") bot.accounts.move(event.id, event.report, bot.now.at);
    bot.answer({ witness: "supply-changes", asset: VCHF, rows: [LISTED], ...asked(bot) });
    const id = bot.doubt();
    bot.at(1_000).trades([]);
    bot.take((out) => bot.executor.time(bot.now, out));
    const resolution = { kind: "not-landed", by: "anna", reason: "the portal has none" } as const;
    bot.take((out) => bot.executor.resolve(id, resolution, bot.now, out));
    // 500,000 less the 120,000.37 of the mint.
    return { bot, id, chf: bot.accounts.settled(CHF) as Money };
  };
  const seen = (bot: Keeping, chf: Money, vchf: string) => {
    const rows = [bot.balanceOf("CHF", String(chf)), bot.balanceOf("VCHF", vchf)];
    const rest = { witness: "balances", rows } as const;
    for (const after of [130, 130]) {
      bot.seconds += after;
      bot.trades([]);
      bot.answer({ ...rest, ...asked(bot) });
    }
    const plan = planAdoption(compared(bot, rows), { reason: "looked", by: "ann" }, bot.now.at);
    const booked = plan.ok ? plan.value.record.amounts.map((one) => `${one} ${one.asset}`).join(", ") : plan.error;
    return { stop: bot.controls.at(-1), booked, unbooked: plan.ok ? plan.value.unbooked : [] };
  };
  const paid = Money.of("100.05", CHF);

  test.each([
    ["counted as pending", `100+${QUANTITY}`],
    ["not counted yet", "100+0"],
  ])(
    "is named by the stop where it filled after all and the coins are %s, and just its fill is taken over",
    (_, vchf) => {
      const { bot, id, chf } = gaveUp();
      const { stop, booked, unbooked } = seen(bot, chf.minus(paid), vchf);
      expect(stop).toMatchObject({
        finding: `filled ${id}`,
        reason: expect.stringContaining(`; 100 VCHF, -100.05 CHF is what order ${id} may have moved`),
      });
      expect([booked, unbooked]).toEqual(["-100.05 CHF, 100 VCHF", [id]]);
    },
  );

  test.each([
    ["the coins alone are", (chf: Money) => chf, `0+${QUANTITY}`, undefined, ""],
    ["nothing is", (chf: Money) => chf, "0+0", undefined, ""],
    ["a wire is, beside the coins", (chf: Money) => chf.plus(paid), `0+${QUANTITY}`, "", "100.05 CHF"],
    ["half of it is, beside the coins", (chf: Money) => chf.minus(paid), `0+${QUANTITY}`, "", "-100.05 CHF"],
  ])("is not named where %s there", (_, chfOf, vchf, finding, amounts) => {
    const { bot, chf } = gaveUp();
    const { stop, booked, unbooked } = seen(bot, chfOf(chf), vchf);
    expect([stop === undefined ? undefined : "finding" in stop && stop.finding, booked, unbooked]).toEqual([
      finding,
      amounts,
      [],
    ]);
  });

  test("that sold as many as the mint brings is no part of a wire that is taken over beside the coins", () => {
    const { bot, chf } = gaveUp();
    const sale = bot.doubt(bot.send(bot.intend(undefined, { side: "sell", quantity: Quantity.of(QUANTITY) })));
    bot.at(2_000).trades([]);
    bot.take((out) => bot.executor.time(bot.now, out));
    const resolution = { kind: "not-landed", by: "anna", reason: "the portal has none" } as const;
    bot.take((out) => bot.executor.resolve(sale, resolution, bot.now, out));
    const wire = Money.of("121000", CHF);
    const { booked, unbooked } = seen(bot, chf.plus(wire), `0+${QUANTITY}`);
    expect([booked, unbooked]).toEqual(["121000 CHF", []]);
  });
});

test("money that came back is no other's, however many that are named after it are like another difference", () => {
  const mint = (id: string, state: object) => ({ kind: "mint", id, request: aMint.request, state }) as Held;
  const open = mint("M-1", { kind: "confirmed", receipt: { requestId: "r1", spent: Money.of(QUANTITY, CHF) } });
  const givenUp = ["M-2", "M-3", "M-4"].map((id) => mint(id, { kind: "presumed-dead" }));
  const differences = [CHF, VCHF].map((asset) => Money.of(QUANTITY, asset));
  const { text, own } = ownDifferences(
    { differences, all: differences },
    { moving: [open, ...givenUp], fills: [], givenUp: [] },
    { open: () => [], over: () => [], told: () => undefined },
  );
  expect(text).toContain("; 1 earlier ones are like it too");
  expect(own.map(({ command }) => command)).toEqual([expect.stringContaining("resolve M-1 --not-landed")]);
});

describe("what a difference is like", () => {
  const OPEN = { open: () => [], over: () => [], told: () => undefined };
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
    const open = { open: () => [flight as never], over: () => [], told: () => undefined };
    expect(liken([vchf("0")], {}, open).text).toBe("");
    const moved = (text: string, change: string) => {
      const over = () => [{ id: "payment:p1", change: vchf(change), what: "moved" }];
      return liken([vchf(text)], {}, { open: () => [], over, told: () => undefined }).finding;
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
    const { own } = liken([chf("-1")], { fills: [fillAt("T-2", "sell", "101"), bought] });
    expect(own).toMatchObject([{ id: "T-1", assets: [CHF] }]);
  });
});

test("other money than that of several of ours is named beside all of them at once", () => {
  const bot = opened();
  const comparison = compared(bot, [bot.balanceOf("CHF", "1000"), bot.balanceOf("VCHF", "0")]);
  const own = ["M-1", "M-2", "M-3", "M-4"].map((id) => {
    return { id, text: `7 CHF is what ${id} cost`, command: "", refusal: "it is ours", assets: [CHF] };
  });
  const planned = (...beside: readonly string[]) =>
    planAdoption({ ...comparison, own }, { reason: "looked", by: "ann", beside }, bot.now.at);
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
