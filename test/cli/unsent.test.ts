import { expect, test } from "vitest";
import { type Asking, stopBy, type Trader } from "../../src/operation/money.ts";
import { planEnd } from "../../src/operation/proposal.ts";
import { codeOfUnsent, textOfUnsent } from "../../src/operation/request-end.ts";
import { FRESH } from "../../src/risk/trading-state.ts";

test("an order that got no slot in time says that nothing was sent and that it can be tried again, with exit code 1", () => {
  const reason = "past-deadline: order waited 66 ms beyond its deadline";
  expect(textOfUnsent({ code: "dropped", reason })).toBe(
    `${reason}: other requests of the key went first; nothing was sent, try again`,
  );
  expect(codeOfUnsent("dropped", undefined)).toBe(1);
  // Whoever was refused is not told to try again.
  expect(textOfUnsent({ code: "refused", reason: "RC05" })).toBe("RC05");
  expect(textOfUnsent({ code: "dropped", reason: "key-full: no room" })).toBe("key-full: no room");
  expect([codeOfUnsent("refused", undefined), codeOfUnsent("dropped", stopBy({ ...FRESH, state: "HALTED" }))]).toEqual([
    3, 5,
  ]);
});

test("a command refused by a stop names that stop's limit, and no other one", () => {
  const reason = "RC05: loss of the day is 717 CHF, limit is 700 CHF";
  expect(stopBy({ ...FRESH, state: "HALTED", cause: "loss", reason, wayOut: "pegbot resume" })).toMatchObject({
    code: 5,
    message: `HALTED by bot: ${reason}; nothing was sent, for that needs ACTIVE or REDUCED`,
    next: "way out: pegbot resume",
  });
  expect(stopBy({ ...FRESH, state: "REDUCED" })).toBeUndefined();
});

const REFUSAL = { unmoved: 1, why: "" };
const progress = (state: string) =>
  state === "refused" ? { state: "stopped", text: "", refusal: REFUSAL } : { state, text: "" };

test.each([
  // The gate let a part of the first step through.
  [["begun", "stopped"], 4],
  [["begun", "refused"], 3],
  [["begun", "step", "stopped"], 4],
  [["begun", "step", "done"], 0],
])("a plan that went %j ends with exit code %i: a script reads 3 as nothing sent", async (states, exit) => {
  const plan = { begunBy: "bot00001", progress: states.map(progress), plan: { id: "P-1", at: 0, by: "ben" } };
  const log = { get: () => plan, all: () => [plan] };
  const core = { rebalancer: { log, conversions: () => [] }, executor: { open: () => [] } };
  const standing = () => ({ state: "ACTIVE" });
  const trader = { core: () => core, standing, until: (test: () => unknown) => test() } as unknown as Trader;
  const asking = { tell: () => undefined, gone: new AbortController().signal } as unknown as Asking;
  expect((await planEnd(trader, "P-1", asking)).exit).toBe(exit);
});
