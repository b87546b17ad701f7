// What a person reads, and is asked, who closes a mint, and what is on record of it then.

import { expect, test } from "vitest";
import type { Input } from "../../src/bot/desk/input.ts";
import {
  type MovementResolveOptions,
  refuseToClose,
  resolveMovement,
  sayClosed,
} from "../../src/cli/action/resolve/movement.ts";
import { CommandFailure } from "../../src/cli/command-failure.ts";
import { exitCode } from "../../src/cli/exit-code.ts";
import { explain } from "../../src/cli/shell.ts";
import type { Tool } from "../../src/cli/tool/tool.ts";
import { configSchema } from "../../src/config/schema.ts";
import type { Asset } from "../../src/domain/asset.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import type { Nonce, SupplyChange } from "../../src/exchange/port.ts";
import type { Answer } from "../../src/execution/effects.ts";
import type { AnyReceipt, Resolution, MoneyRequest } from "../../src/execution/request.ts";
import type { Approval } from "../../src/risk/movement-gate.ts";
import { Keeping } from "../execution/keeping.ts";
import { aMint, CHF, VCHF } from "../execution/life.ts";
import { type RecordedShell, recordedShell, scriptedPrompts } from "../support/recorded-shell.ts";

const { id, request } = aMint;
const LISTED: SupplyChange = {
  requestId: "r1",
  transactionId: "x1",
  asset: VCHF,
  blockchain: "ETH",
  quantity: request.quantity,
  status: "settled",
  reason: undefined,
  at: undefined,
};

function listOf(bot: Keeping, rows: readonly SupplyChange[]): Answer {
  const asked = { askedAt: bot.now.mono, receivedAt: bot.now.at, nonce: ++bot.nonce as Nonce };
  return { witness: "supply-changes", asset: VCHF, rows, ...asked };
}

function sent(): Keeping {
  const bot = new Keeping().opened(Money.of("1000", CHF), Money.zero(VCHF));
  bot.take((out) =>
    bot.executor.intend({ kind: "mint", mint: request, id } as unknown as Approval, undefined, bot.now, out),
  );
  bot.send(id);
  return bot;
}

/** The list is what it is now. */
async function denied(bot: Keeping, rows: readonly SupplyChange[]): Promise<string> {
  const tool = {
    desk: { executor: bot.executor },
    ask: () => listOf(bot, rows),
    take: ({ answer }: { readonly answer: Answer }) => bot.answer(answer),
  } as unknown as Tool;
  const submission = bot.executor.get(id);
  if (submission === undefined) throw new Error("the mint must be there");
  const given = { notLanded: true, reason: "reversed", yes: true };
  return resolveMovement(tool, { shell: recordedShell(), prompts: scriptedPrompts() }, submission, given).then(
    (code) => `${code}`,
    (error: unknown) => `${explain(error).code} ${explain(error).lines.join("; ")}`,
  );
}

test("a rail moves no money: a word of the venue about it is refused, and nothing is looked at", async () => {
  const submission = { id: "T-1", kind: "rail", state: { kind: "doubt" } } as unknown as MoneyRequest;
  const given = { notLanded: true, venueConfirms: true, reason: "not there", yes: true };
  const people = { shell: recordedShell(), prompts: scriptedPrompts() };
  const error: unknown = await resolveMovement({} as Tool, people, submission, given).catch((thrown) => thrown);
  expect([explain(error).code, explain(error).lines.join("; ")]).toEqual([
    2,
    expect.stringContaining("T-1 is a rail: --venue-confirms is of money that left"),
  ]);
});

test("that the list calls a mint that had settled otherwise is its own word, and what differs is taken over", async () => {
  const bot = sent();
  const value = { requestId: "r1", transactionId: "x1", fee: Money.zero(CHF), spent: request.quantity.of(CHF) };
  const answer = { kind: "accepted", value, nonce: bot.nonce as Nonce, receivedAt: bot.now.at } as const;
  bot.take((out) => bot.executor.outcome(id, answer, bot.now, out));
  bot.answer(listOf(bot, [LISTED])).balances({ CHF: "1000", VCHF: "120000.37" });
  expect(bot.state(id)).toBe("settled");
  expect(await denied(bot, [LISTED])).toContain(
    `3 pegbot: ${id} is in the venue's list as "settled", and is adopted: settled`,
  );
  const reversed = await denied(bot, [{ ...LISTED, status: "rejected" }]);
  expect(reversed).toContain(`3 pegbot: ${id} is in the venue's list as "rejected", and had settled`);
  expect(reversed).toContain("what the balances differ by is taken over by pegbot adopt");
});

/** Sent, never heard of again, and left to a person; a later request was answered. */
function escalated(): Keeping {
  const bot = sent();
  bot.doubt(id);
  for (let minutes = 1; minutes <= 60 && bot.state(id) !== "escalated"; minutes++)
    bot.at(60 * minutes).answer(listOf(bot, []));
  expect(bot.state(id)).toBe("escalated");
  return bot;
}

/** An answer came, and the list has it under this word. */
function accepted(status: string): Keeping {
  const bot = sent();
  const value = { requestId: "r1", transactionId: "x1", fee: Money.zero(CHF), spent: request.quantity.of(CHF) };
  const answer = { kind: "accepted", value, nonce: bot.nonce as Nonce, receivedAt: bot.now.at } as const;
  bot.take((out) => bot.executor.outcome(id, answer, bot.now, out));
  return bot.answer(listOf(bot, [{ ...LISTED, status }]));
}

type Scene = {
  readonly bot?: Keeping;
  readonly rows?: readonly SupplyChange[];
  /** What a person types, who is asked at a terminal. */
  readonly typed?: readonly string[];
  /** While that person is asked. */
  readonly meanwhile?: (bot: Keeping) => void;
};

type Closing = { readonly said: string; readonly shell: RecordedShell; readonly taken: readonly Resolution<unknown>[] };

async function closing(options: MovementResolveOptions, scene: Scene = {}): Promise<Closing> {
  const { bot = escalated(), rows = [], typed, meanwhile } = scene;
  const taken: Resolution<unknown>[] = [];
  const tool = {
    desk: {
      executor: bot.executor,
      engine: { context: { pricing: { currency: CHF, rate: () => 1 }, accounts: bot.accounts } },
    },
    latch: { check: () => undefined },
    config: configSchema.parse({ venue: { baseUrl: "http://127.0.0.1:1/api/v1/" } }),
    timers: { after: (_ms: number, run: () => void) => run() },
    exchange: { quotes: async () => ({ kind: "failed" }) },
    ask: () => listOf(bot, rows),
    async take(input: Input, unless?: () => string | undefined) {
      if (input.kind === "answer") bot.answer(input.answer);
      if (input.kind !== "resolution") return;
      meanwhile?.(bot);
      const why = unless?.();
      if (why !== undefined) throw new CommandFailure(exitCode.refused, why);
      taken.push(input.resolution);
      bot.take((out) => bot.executor.resolve(id, input.resolution, bot.now, out));
    },
  } as unknown as Tool;
  const shell = recordedShell({ interactive: typed !== undefined });
  const given = { reason: "support says so", ...options };
  const submission = bot.executor.get(id) as MoneyRequest;
  const prompts = scriptedPrompts(...(typed ?? []));
  const said = await resolveMovement(tool, { shell, prompts }, submission, given).then(
    (code) => `${code}`,
    (error: unknown) => `${explain(error).code} ${explain(error).lines.join("; ")}`,
  );
  return { said, shell, taken };
}

const LANDED = { landed: true, venueId: "r-9" };

test.each<[string, MovementResolveOptions, object, string]>([
  ["nothing", {}, { spent: undefined, fee: undefined }, "what it cost is read from the balances"],
  [
    "a fee",
    { fee: " 12  CHF " },
    { spent: Money.of("120012.37", CHF), fee: Money.of("12", CHF) },
    "120012.37 CHF spent, fee 12 CHF",
  ],
  [
    "what was spent",
    { spent: "120003 CHF" },
    { spent: Money.of("120003", CHF), fee: Money.zero(CHF) },
    "120003 CHF spent, fee 0 CHF",
  ],
  [
    "both",
    { spent: "120004 CHF", fee: "4 CHF" },
    { spent: Money.of("120004", CHF), fee: Money.of("4", CHF) },
    "120004 CHF spent, fee 4 CHF",
  ],
  [
    // 120000.37 of the mint itself: what is taken elsewhere is no part of it.
    "a fee in another currency",
    { fee: "3 EUR" },
    { spent: Money.of("120000.37", CHF), fee: Money.of("3", "EUR" as Asset) },
    "120000.37 CHF spent, fee 3 EUR",
  ],
])("a mint that landed by a person's word has cost what was stated, here %s", async (_, stated, cost, text) => {
  const { said, shell, taken } = await closing({ ...LANDED, ...stated, yes: true });
  expect(said).toBe("0");
  const receipt = { requestId: "r-9", transactionId: undefined, status: undefined, reason: undefined, ...cost };
  expect(taken).toEqual([{ kind: "landed", receipt, by: expect.any(String), reason: "support says so" }]);
  expect(shell.stdout()).toMatch(
    new RegExp(
      `^mint     ${id}: 120000\\.37 VCHF on ETH\\nstate    escalated: .+\\nclosing  as landed: request r-9, ${text}\\n${id} is closed as landed`,
    ),
  );
});

test.each<[MovementResolveOptions, string]>([
  [{}, "one of --landed and --not-landed is needed"],
  [{ landed: true, notLanded: true }, "one of --landed and --not-landed is needed"],
  [{ landed: true }, "its id there must be stated"],
  [{ ...LANDED, fee: "12" }, '--fee must be an amount and an asset like "100 VCHF", was 12'],
  [{ ...LANDED, fee: "12 CHF each" }, '--fee must be an amount and an asset like "100 VCHF", was 12 CHF each'],
  [{ ...LANDED, spent: "much CHF" }, "--spent"],
])("closes nothing with %s", async (options, why) => {
  const { said, taken } = await closing({ yes: true, ...options });
  expect([said, taken]).toEqual([expect.stringContaining(why), []]);
  expect(said).toMatch(/^2 /);
});

test.each([
  ["landed", LANDED],
  ["not-landed", { notLanded: true }],
] as const)("closes as %s only for who says so, and types just that", async (word, options) => {
  const other = word === "landed" ? "not-landed" : "landed";
  const [unasked, mistyped, typed] = [
    await closing(options),
    await closing(options, { typed: [other] }),
    await closing(options, { typed: [word] }),
  ];
  expect([unasked.said, unasked.taken]).toEqual([expect.stringContaining("2 pegbot: this needs a confirmation"), []]);
  expect([mistyped.said, mistyped.taken]).toEqual([expect.stringContaining(`must be ${word}, was ${other}`), []]);
  expect([typed.said, typed.taken]).toMatchObject(["0", [{ kind: word }]]);
});

test("is not asked about an id that cannot be its own", async () => {
  // The list had it before the mint was sent.
  const { said, taken } = await closing({ landed: true, venueId: "r0" });
  expect([said, taken]).toEqual([expect.stringMatching(/^3 .*r0.*before M-\S+ was sent; nothing was changed/), []]);
});

test("a mint that nobody has heard of is closed without a word on what balances showed: none is needed", async () => {
  const { said, taken } = await closing({ notLanded: true, venueConfirms: true, yes: true });
  expect([said, taken]).toMatchObject(["0", [{ kind: "not-landed", reason: "support says so" }]]);
});

test.each(["rejected", "weird"])(
  "money of a mint that the list has as %s is back by a person's word",
  async (status) => {
    const bot = accepted(status);
    const { said, shell, taken } = await closing(
      { notLanded: true, yes: true },
      { bot, rows: [{ ...LISTED, status }] },
    );
    expect([said, taken]).toMatchObject(["0", [{ kind: "not-landed" }]]);
    expect(shell.stdout()).toContain("the venue has accepted it: closed so, its money counts as given back");
  },
);

test("a mint that is there by a person's word alone is taken back by one: the list has no word against it", async () => {
  const bot = escalated();
  expect((await closing({ ...LANDED, yes: true }, { bot })).said).toBe("0");
  // Of a list that shows others the newest may be all.
  const others = [{ ...LISTED, requestId: "r-8", transactionId: "x-8", quantity: Quantity.of("5") }];
  const { said, taken } = await closing({ notLanded: true, yes: true }, { bot, rows: others });
  expect([said, taken]).toMatchObject(["0", [{ kind: "not-landed" }]]);
});

test("a mint that the list has is there for who says so, and nothing more is recorded", async () => {
  const rows = [{ ...LISTED, status: "pending" }];
  const { said, shell, taken } = await closing({ landed: true }, { bot: accepted("pending"), rows });
  expect([said, taken, shell.stdout()]).toEqual([
    "0",
    [],
    `${id} is in the venue's list as "pending", and is adopted: confirmed\n`,
  ]);
});

test("who comes second reads whose word was the first: before being asked, and where it came meanwhile", async () => {
  const bot = escalated();
  const close = (resolution: Resolution<AnyReceipt>) => (one: Keeping) =>
    one.take((out) => one.executor.resolve(id, resolution, one.now, out));
  const by = { by: "anna", reason: "support" };
  const dead = close({ kind: "not-landed", ...by });
  const late = await closing({ ...LANDED, yes: true }, { bot, meanwhile: dead });
  const early = await closing(LANDED, { bot });
  for (const { said, taken } of [late, early])
    expect([said, taken]).toEqual([expect.stringMatching(/^3 .*must be escalated .*: anna has closed it/), []]);
  const receipt = { requestId: "r-9", transactionId: undefined, status: undefined, reason: undefined };
  const there = close({ kind: "landed", receipt: { ...receipt, spent: undefined, fee: undefined }, ...by });
  const other = escalated();
  const denied = await closing({ notLanded: true, yes: true }, { bot: other, meanwhile: there });
  expect([denied.said, denied.taken]).toEqual([expect.stringMatching(/^3 .* is confirmed: anna has closed it/), []]);
  const agreed = await closing(LANDED, { bot: other });
  expect([agreed.said, agreed.taken]).toEqual(["0", []]);
  expect(agreed.shell.stdout()).toMatch(/ is confirmed: anna has closed it .*\n$/);
});

test.each([
  ["sending", "; a running bot looks for it"],
  ["escalated", ""],
  ["presumed-dead", ""],
] as const)("says of what is %s how it gets known, where evidence may still decide: %s", (kind, next) => {
  const submission = { ...aMint, state: { kind, at: 0 } } as unknown as MoneyRequest;
  const tool = { desk: { executor: new Keeping().executor } } as unknown as Tool;
  let thrown: unknown;
  try {
    refuseToClose(tool, submission, "not now");
  } catch (error) {
    thrown = error;
  }
  const { code, lines } = explain(thrown);
  expect([code, lines.join("; ").slice(0, 64)]).toEqual([3, `pegbot: not now; nothing was changed${next}`]);
});

test("who has closed something reads how, what must happen first, and that a stopped bot is resumed then", () => {
  const said = (stopped: string | undefined, first?: string, json?: boolean): string => {
    const shell = recordedShell();
    const closed = { id: "M-1", as: "landed", text: "is closed as landed", json };
    sayClosed(shell, { latch: { check: () => stopped } } as unknown as Tool, closed, first);
    return shell.stdout();
  };
  expect(said(undefined)).toBe("M-1 is closed as landed\n");
  expect(said(undefined, "pegbot adopt")).toBe("M-1 is closed as landed\nnext: pegbot adopt\n");
  expect(said("halted")).toBe('M-1 is closed as landed\nnext: pegbot resume --reason "..."\n');
  expect(said("halted", "pegbot adopt")).toMatch(/\nnext: pegbot adopt, then pegbot resume --reason "\.\.\."\n$/);
  expect(JSON.parse(said(undefined, undefined, true))).toEqual({
    id: "M-1",
    as: "landed",
    text: "is closed as landed",
  });
});
