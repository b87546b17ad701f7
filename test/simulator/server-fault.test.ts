// Every fault on real sockets: what the client sees, and what really happened at the venue.

import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { FaultsSetting } from "../../src/simulator/fault.ts";
import { faultsSchema } from "../../src/simulator/fault.ts";
import { availableOf, field, filledOrder, rows, units } from "../contract/answer.ts";
import { type Answer, Client } from "../contract/client.ts";
import { openStage, openStillStage, order, portal, type Stage } from "./server-stage.ts";

type Rule = FaultsSetting["rules"][number];
const stageWith = (...rules: Rule[]) => openStage({ faults: { rules } });
const stillStageWith = (...rules: Rule[]) => openStillStage({ faults: { rules } });

async function tradesOf(client: Client): Promise<number> {
  return rows(await client.call("queryTrades")).length;
}

/** How a call failed that got no answer. */
async function failureOf(call: Promise<Answer>): Promise<string> {
  return call.then(
    (answer) => answer.text,
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  );
}

/** The server says that it swallowed the call, and nothing has come. */
async function expectSilence({ server }: Stage, call: Promise<Answer>): Promise<void> {
  const failed = failureOf(call);
  const silenced = async () => (await portal(server, "requests")).text.includes('"outcome":"silence');
  while (!(await silenced())) await sleep(5);
  expect(await Promise.race([failed, sleep(100, "nothing")])).toBe("nothing");
}

/** Silence blocks a client's queue: what is asked afterwards goes through another one with the same key. */
async function witness({ server, client }: Stage): Promise<Client> {
  // Nonces are milliseconds: the witness must be later than what it is to overtake.
  await sleep(2);
  return new Client(server.baseUrl, client.key, 0);
}

describe.concurrent("faults", () => {
  test("a lost request is never answered and never executed", async () => {
    const stage = await stageWith({ fault: "lost-request", on: "addOrder" });
    await expectSilence(stage, stage.client.call("addOrder", order()));
    expect(await tradesOf(await witness(stage))).toBe(0);
  });

  test("the 3rd addOrder: the answer is lost after execution", async () => {
    const stage = await stageWith({ fault: "lost-answer", on: "addOrder", nth: 3 });
    filledOrder(await stage.client.call("addOrder", order()));
    filledOrder(await stage.client.call("addOrder", order()));
    await expectSilence(stage, stage.client.call("addOrder", order()));
    expect(await tradesOf(await witness(stage))).toBe(3);
  });

  test("a late execution happens after its delay, checked on arrival, and is then answered", async () => {
    const stage = await stillStageWith({ fault: "late-execution", on: "addOrder", delayMs: 400 });
    const answer = stage.client.call("addOrder", order());
    await stage.untilWaiting();
    stage.pass(399);
    expect(await tradesOf(await witness(stage))).toBe(0);
    stage.pass(1);
    filledOrder(await answer);
    expect(await tradesOf(stage.client)).toBe(1);
  });

  test("a late arrival meets the nonce that overtook it", async () => {
    const stage = await stillStageWith({ fault: "late-arrival", on: "addOrder", delayMs: 300 });
    const answer = stage.client.call("addOrder", order());
    await stage.untilWaiting();
    expect(await tradesOf(await witness(stage))).toBe(0);
    stage.pass(300);
    expect((await answer).status).toBe(401);
    expect(await tradesOf(await witness(stage))).toBe(0);
  });

  test("a trade is published late", async () => {
    const { client, pass } = await stillStageWith({ fault: "publication-delay", on: "addOrder", delayMs: 500 });
    const before = availableOf(await client.call("accountBalance"), "VCHF");
    filledOrder(await client.call("addOrder", order()));
    pass(499);
    expect(await tradesOf(client)).toBe(0);
    expect(availableOf(await client.call("accountBalance"), "VCHF") - before).toBe(units("50"));
    pass(1);
    expect(await tradesOf(client)).toBe(1);
  });

  test.each<[Rule, executed: number, answer: string | number]>([
    ...([403, 429, 503] as const).map((status): [Rule, number, number] => [
      { fault: "status", on: "addOrder", status, retryAfterSeconds: 3 },
      0,
      status,
    ]),
    [{ fault: "status", on: "addOrder", status: 503, executes: true }, 1, 503],
    [{ fault: "html", on: "addOrder", status: 200 }, 1, "<html>"],
    [{ fault: "truncated-json", on: "addOrder" }, 1, '{"timestamp"'],
    [{ fault: "reset-before", on: "addOrder" }, 0, "ECONNRESET"],
    [{ fault: "reset-after", on: "addOrder" }, 1, "ECONNRESET"],
    ...([200, 400, 403, 404] as const).map((status): [Rule, number, number] => [
      { fault: "error-inside", on: "addOrder", status },
      1,
      status,
    ]),
  ])("%j: executed %i times, answered %s", async (rule, executed, expected) => {
    const { client } = await stageWith(rule);
    const call = client.call("addOrder", order());
    if (typeof expected === "number") {
      const answer = await call;
      expect(answer.status).toBe(expected);
      if ("retryAfterSeconds" in rule) expect(answer.headers["retry-after"]).toBe("3");
      if (rule.fault === "error-inside") expect(answer.body).toMatchObject({ code: "bad_gateway", status: 502 });
    } else expect((await failureOf(call)).startsWith(expected)).toBe(true);
    expect(await tradesOf(client)).toBe(executed);
  });

  test("the clock of an answer is wrong in Date and timestamp, not in what is kept", async () => {
    const offsetMs = -3_600_000;
    const { client } = await stageWith({ fault: "wrong-clock", on: "addOrder", offsetMs });
    const before = Date.now();
    const answer = await client.call("addOrder", order());
    const after = Date.now();
    // A Date is cut to the second.
    const isThen = (shown: unknown, wrongMs: number): boolean => {
      const at = Date.parse(String(shown)) - wrongMs;
      return at > before - 1_000 && at <= after;
    };
    const shown = [answer.headers.date, field(answer.body, "timestamp")];
    expect(shown.map((time) => isThen(time, offsetMs))).toEqual([true, true]);
    const [trade] = rows(await client.call("queryTrades"));
    expect(isThen(trade?.timestamp, 0)).toBe(true);
  });

  test("an order is answered and listed in other words", async () => {
    const { client } = await stageWith({ fault: "other-words", words: { Filled: "Parked" } });
    const answer = await client.call("addOrder", order());
    expect(field(field(answer.body, "order"), "ordstatus")).toBe("Parked");
    expect(await tradesOf(client)).toBe(1);
    const killed = await client.call("addOrder", order({ price: "0.97" }));
    expect(field(field(killed.body, "order"), "ordstatus")).toBe("Rejected");
    expect(rows(await client.call("queryOrders")).map(({ ordstatus }) => ordstatus)).toEqual(["Rejected", "Parked"]);
    expect(rows(await client.call("queryTrades")).map(({ status }) => status)).toEqual(["Parked"]);
  });

  test("a list that lags does not show what is younger", async () => {
    const { client } = await stageWith({ fault: "lists-lagging", on: "queryTrades", delayMs: 86_400_000, nth: 1 });
    filledOrder(await client.call("addOrder", order()));
    expect(rows(await client.call("queryTrades"))).toHaveLength(0);
    expect(rows(await client.call("queryTrades"))).toHaveLength(1);
  });

  test("balances lag behind the trades", async () => {
    const { client, pass } = await stillStageWith({ fault: "balances-lagging", delayMs: 600, nth: 2 });
    const before = availableOf(await client.call("accountBalance"), "VCHF");
    pass(700);
    filledOrder(await client.call("addOrder", order()));
    pass(100);
    expect(availableOf(await client.call("accountBalance"), "VCHF")).toBe(before);
    expect(availableOf(await client.call("accountBalance"), "VCHF") - before).toBe(units("50"));
  });
});

describe("fault rules", () => {
  const refusedRules: [string, unknown][] = [
    ["an unknown fault", { fault: "gremlin" }],
    ["an unknown call", { fault: "lost-answer", on: "addOrders" }],
    ["nth and probability together", { fault: "lost-answer", nth: 1, probability: 0.5 }],
    ["a probability above one", { fault: "lost-answer", probability: 1.5 }],
  ];
  test.each(refusedRules)("%s is refused", (_what, rule) => {
    expect(faultsSchema.safeParse({ rules: [rule] }).success).toBe(false);
  });
});
