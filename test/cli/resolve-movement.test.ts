import { FRESH } from "../../src/risk/trading-state.ts";
// What a person reads, and is asked, who closes a mint, and what is on record of it then.

import { expect, test } from "vitest";
import type { MoneyCommand } from "../../src/app/money-command/money-command.ts";
import { explain } from "../../src/app/shell.ts";
import type { Input } from "../../src/bot/trading-core/input.ts";
import { type ResolveOptions, refuseToClose, resolveMovement, sayClosed } from "../../src/cli/command/resolve.ts";
import { configSchema } from "../../src/config/schema.ts";
import { CommandFailure } from "../../src/domain/command-failure.ts";
import { exitCode } from "../../src/domain/exit-code.ts";
import { Money, Quantity } from "../../src/domain/money/money.ts";
import type { Nonce, SupplyChange } from "../../src/exchange/port.ts";
import type { Answer } from "../../src/execution/effects.ts";
import { type AnyReceipt, isEscalated, type MoneyRequest, type Resolution } from "../../src/execution/request.ts";
import type { Approval } from "../../src/risk/treasury-gate.ts";
import { Keeping } from "../execution/keeping.ts";
import { aMint, CHF, VCHF } from "../execution/life.ts";
import { booksMovements } from "../execution/moving.ts";
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
  const bot = booksMovements(new Keeping().opened(Money.of("500000", CHF), Money.zero(VCHF)));
  bot.take((out) =>
    bot.executor.intend({ kind: "mint", mint: request, id } as unknown as Approval, undefined, bot.now, out),
  );
  bot.send(id);
  return bot;
}

/** The list is what it is now. */
async function denied(bot: Keeping, rows: readonly SupplyChange[]): Promise<string> {
  const tool = {
    tradingCore: { executor: bot.executor },
    ask: () => listOf(bot, rows),
    take: ({ answer }: { readonly answer: Answer }) => bot.answer(answer),
  } as unknown as MoneyCommand;
  const submission = bot.executor.get(id);
  if (submission === undefined) throw new Error("the mint must be there");
  const given = { notLanded: true, reason: "reversed", yes: true };
  return resolveMovement(tool, { shell: recordedShell(), prompts: scriptedPrompts() }, submission, given).then(
    (code) => `${code}`,
    (error: unknown) => `${explain(error).code} ${explain(error).lines.join("; ")}`,
  );
}

test("that the list calls a mint that had settled otherwise is its own word, and what differs is taken over", async () => {
  const bot = sent();
  const value = { requestId: "r1", transactionId: "x1", fee: Money.zero(CHF), spent: request.quantity.of(CHF) };
  const answer = { kind: "accepted", value, nonce: bot.nonce as Nonce, receivedAt: bot.now.at } as const;
  bot.take((out) => bot.executor.outcome(id, answer, bot.now, out));
  bot.answer(listOf(bot, [LISTED]));
  expect(bot.state(id)).toBe("settled");
  for (const status of ["settled", "rejected"])
    expect(await denied(bot, [{ ...LISTED, status }])).toBe(
      `3 pegbot: ${id} is settled, and the venue lists it as "${status}"; nothing was changed; pegbot adopt`,
    );
});

/** Sent, never heard of again, and left to a person; a later request was answered. */
function escalated(): Keeping {
  const bot = sent();
  bot.doubt(id);
  for (let minutes = 1; minutes <= 20; minutes++) bot.at(60 * minutes).answer(listOf(bot, []));
  expect(isEscalated((bot.executor.get(id) as MoneyRequest).state)).toBe(true);
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
  /** What the venue has of CHF; unless given, what the books have. */
  readonly chf?: string;
};

type Closing = { readonly said: string; readonly shell: RecordedShell; readonly taken: readonly Resolution<unknown>[] };

async function closing(options: ResolveOptions, scene: Scene = {}): Promise<Closing> {
  const { bot = escalated(), rows = [], typed, meanwhile, chf } = scene;
  const taken: Resolution<unknown>[] = [];
  const tool = {
    tradingCore: {
      executor: bot.executor,
      engine: {
        books: {
          pricing: { currency: CHF, rate: () => 1 },
          accounts: bot.accounts,
          counters: { tradingState: FRESH },
        },
      },
    },
    killFile: { standing: () => FRESH },
    config: configSchema.parse({ venue: { baseUrl: "http://127.0.0.1:1/api/v1/" } }),
    timers: { after: (_ms: number, run: () => void) => run() },
    exchange: {
      quotes: async () => ({ kind: "failed" }),
      balances: () => [
        bot.balanceOf("CHF", chf ?? String(bot.accounts.settled(CHF))),
        bot.balanceOf("VCHF", String(bot.accounts.settled(VCHF))),
      ],
    },
    now: () => bot.now,
    read: async (_what: string, answer: unknown) => answer,
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
  } as unknown as MoneyCommand;
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

const LANDED = { landed: true, venueId: "r-9", spent: "120004 CHF", fee: "4 CHF" };

test("a mint that landed by a person's word has cost what was stated", async () => {
  const { said, shell, taken } = await closing({ ...LANDED, yes: true });
  expect(said).toBe("0");
  const cost = { spent: Money.of("120004", CHF), fee: Money.of("4", CHF) };
  const receipt = { requestId: "r-9", transactionId: undefined, status: undefined, reason: undefined, ...cost };
  expect(taken).toEqual([{ kind: "landed", receipt, by: expect.any(String), reason: "support says so" }]);
  const text = "closing  as landed: request r-9, 120004 CHF spent, fee 4 CHF";
  expect(shell.stdout()).toMatch(
    new RegExp(`^mint     ${id}: 120000\\.37 VCHF on ETH\nstate    escalated: .+\n${text}\n${id} is closed as`),
  );
});

test("a mint that the list shows without its cost takes the stated one, under the id of the list", async () => {
  const bot = escalated();
  const rows = [{ ...LISTED, status: "pending" }];
  const unstated = await closing({ landed: true, yes: true }, { bot, rows });
  expect([unstated.said, unstated.taken]).toEqual([expect.stringMatching(/^2 .*what M-\S+ cost must be stated/), []]);
  const { said, taken } = await closing({ landed: true, spent: "120004 CHF", fee: "4 CHF", yes: true }, { bot, rows });
  expect([said, taken]).toMatchObject(["0", [{ kind: "landed", receipt: { requestId: "r1" } }]]);
  expect(String(bot.accounts.settled(CHF))).toBe("379996");
});

test.each<[ResolveOptions, string]>([
  [{}, "one of --landed and --not-landed is needed"],
  [{ landed: true, notLanded: true }, "one of --landed and --not-landed is needed"],
  [{ landed: true }, "its id there must be stated"],
  [{ landed: true, venueId: "r-9", fee: "4 CHF" }, "cost must be stated"],
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
  const { said, taken } = await closing({ ...LANDED, venueId: "r0" });
  expect([said, taken]).toEqual([expect.stringMatching(/^3 .*r0.*before M-\S+ was sent; nothing was changed/), []]);
});

test("a mint of unknown outcome is not closed as not landed where the balances show that its money left, unless the venue confirms it", async () => {
  const gone = await closing({ notLanded: true, yes: true }, { chf: "379999.63" });
  expect([gone.said, gone.taken]).toEqual([
    expect.stringMatching(/^3 .*would differ from the books.*--venue-confirms/),
    [],
  ]);
  const confirmed = await closing({ notLanded: true, venueConfirms: true, yes: true }, { chf: "379999.63" });
  expect([confirmed.said, confirmed.taken]).toMatchObject(["0", [{ kind: "not-landed", reason: "support says so" }]]);
  expect((await closing({ notLanded: true, yes: true })).said).toBe("0");
});

test.each([
  ["rejected", undefined, "3"],
  ["rejected", "500000", "0"],
  ["weird", "500000", "0"],
  ["pending", "500000", "3"],
  ["held", "500000", "3"],
])(
  "money of a mint that the list has as %s is given back where the balances have %s CHF: exit code %s",
  async (status, chf, code) => {
    const scene = { bot: accepted(status), rows: [{ ...LISTED, status }], ...(chf === undefined ? {} : { chf }) };
    const { said, shell, taken } = await closing({ notLanded: true, yes: true }, scene);
    expect([said[0], taken.length]).toEqual([code, code === "0" ? 1 : 0]);
    if (code === "0") expect(shell.stdout()).toContain("not landed: its money counts as given back, fee included");
  },
);

test("a mint that is there by a person's word alone is taken back by one", async () => {
  const bot = escalated();
  expect((await closing({ ...LANDED, yes: true }, { bot })).said).toBe("0");
  const others = [{ ...LISTED, requestId: "r-8", transactionId: "x-8", quantity: Quantity.of("5") }];
  const { said, taken } = await closing({ notLanded: true, yes: true }, { bot, rows: others, chf: "500000" });
  expect([said, taken]).toMatchObject(["0", [{ kind: "not-landed" }]]);
});

test("a mint that the list has is there for who says so, and nothing more is recorded", async () => {
  const rows = [{ ...LISTED, status: "pending" }];
  const { said, shell, taken } = await closing({ landed: true }, { bot: accepted("pending"), rows });
  expect([said, taken, shell.stdout()]).toEqual(["0", [], `${id} is confirmed, and the venue lists it as "pending"\n`]);
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
    expect([said, taken]).toEqual([expect.stringMatching(/^3 .*must wait for a person .*, was released by anna/), []]);
  const receipt = { requestId: "r-9", transactionId: undefined, status: undefined, reason: undefined };
  const cost = { spent: Money.of("120004", CHF), fee: Money.of("4", CHF) };
  const there = close({ kind: "landed", receipt: { ...receipt, ...cost }, ...by });
  const other = escalated();
  const denied = await closing({ notLanded: true, yes: true }, { bot: other, meanwhile: there });
  expect([denied.said, denied.taken]).toEqual([expect.stringMatching(/^3 .* is confirmed since/), []]);
  const agreed = await closing(LANDED, { bot: other });
  expect([agreed.said, agreed.taken]).toEqual(["0", []]);
  expect(agreed.shell.stdout()).toMatch(/ is confirmed\n$/);
});

test.each([
  ["sending", "; only a running bot resolves it"],
  ["released", ""],
] as const)(
  "a refusal to close what is %s says how its outcome becomes known, where evidence may still decide: %s",
  (kind, next) => {
    const request = { ...aMint, state: { kind, at: 0, by: "anna" } } as unknown as MoneyRequest;
    const bot = new Keeping();
    const tool = { tradingCore: { executor: bot.executor }, now: () => bot.now } as unknown as MoneyCommand;
    let thrown: unknown;
    try {
      refuseToClose(tool, request, "not-landed");
    } catch (error) {
      thrown = error;
    }
    const { code, lines } = explain(thrown);
    const refused = `pegbot: ${id} must wait for a person to be closed by one, was ${kind}${kind === "released" ? " by anna" : ""}; nothing was changed`;
    expect([code, lines.join("; ").slice(0, refused.length + next.length)]).toEqual([3, `${refused}${next}`]);
  },
);

test("who has closed something reads how, what must happen first, and that a stopped bot is resumed then", () => {
  const said = (stopped: boolean, first?: string, json = false): string => {
    const shell = recordedShell({ json });
    const closed = { id: "M-1", as: "landed", text: "is closed as landed" };
    const killFile = { standing: () => (stopped ? { ...FRESH, state: "HALTED" } : FRESH) };
    const tradingCore = { engine: { books: { counters: { tradingState: FRESH } } } };
    sayClosed(shell, { killFile, tradingCore } as unknown as MoneyCommand, closed, first);
    return shell.stdout();
  };
  expect(said(false)).toBe("M-1 is closed as landed\n");
  expect(said(false, "pegbot adopt")).toBe("M-1 is closed as landed\nnext: pegbot adopt\n");
  expect(said(true)).toBe('M-1 is closed as landed\nnext: pegbot resume --reason "..."\n');
  expect(said(true, "pegbot adopt")).toMatch(/\nnext: pegbot adopt, then pegbot resume --reason "\.\.\."\n$/);
  expect(JSON.parse(said(false, undefined, true))).toEqual({
    id: "M-1",
    as: "landed",
    text: "is closed as landed",
  });
});
