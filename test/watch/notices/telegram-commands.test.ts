// Commands from a chat: looking and stopping, from one chat only, and never resuming.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { systemTimers } from "../../../src/app/system/system-timers.ts";
import { millis } from "../../../src/domain/time.ts";
import { listenToTelegram } from "../../../src/watch/notices/telegram.ts";
import { until } from "../../support/program.ts";
import { START } from "./stage.ts";

const NOW = START / 1_000;

type Chat = {
  readonly text: unknown;
  readonly chat?: number;
  readonly from?: number;
  readonly username?: string;
  readonly date?: number;
};
/** Written when all before it had been taken. */
type Late = { readonly late: Chat };

const chatting = (...said: readonly (Chat | Late)[]) => chattingIn("-5", said);

/** Hands out the updates once, as Telegram does until they are confirmed by an offset; then it waits. */
async function chattingIn(
  chatId: string,
  told: readonly (Chat | Late)[],
  problem?: string,
  now: () => number = () => START,
) {
  let said = told;
  const delays: number[] = [];
  const replies: { chat_id: string; text: string }[] = [];
  const offsets: (number | undefined)[] = [];
  const halts: string[] = [];
  const troubles: string[] = [];
  const approvals: string[] = [];
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const asked = JSON.parse(body);
      if (request.url === "/bot1:t/sendMessage") {
        replies.push(asked);
        return response.end('{"ok":true,"result":{}}');
      }
      offsets.push(asked.offset);
      const from = asked.offset ?? 0;
      const next = said[from];
      if (next !== undefined && "late" in next) {
        said = said.with(from, next.late);
        return response.end('{"ok":true,"result":[]}');
      }
      if (from >= said.length) return undefined;
      // As many as were asked for, 100 unless it says how many.
      const written = said.slice(from, from + (asked.limit ?? 100));
      const end = written.findIndex((one) => "late" in one);
      const result = (end < 0 ? written : written.slice(0, end)).map((one, index) => {
        const { text, chat = -5, from: user, username, date = NOW } = one as Chat;
        const sender = user === undefined ? {} : { from: { id: user } };
        return { update_id: from + index, message: { date, text, ...sender, chat: { id: chat, username } } };
      });
      return response.end(JSON.stringify({ ok: true, result }));
    });
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const apiRoot = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const quick = { after: (ms: number, run: () => void) => systemTimers.after(ms / 100, run) };
  const close = listenToTelegram(
    { apiRoot, token: "1:t", chatId, approvers: [77] },
    {
      clock: { now: () => millis(now()) },
      timers: {
        after(ms, run) {
          delays.push(ms);
          return (ms > 20_000 ? systemTimers : quick).after(ms, run);
        },
      },
      status: () => "ACTIVE, trading",
      balances: () => "CHF 1,000.00",
      halt(reason, by) {
        halts.push(`${reason} by ${by}`);
        return problem;
      },
      plans: () => new Promise<string>(() => undefined),
      approve: async (digest, by) => {
        approvals.push(`${digest} by ${by}`);
        return "approved";
      },
      trouble: (reason) => void troubles.push(reason),
    },
  );
  onTestFinished(() => {
    close();
    server.closeAllConnections();
    server.close();
  });
  await until(() => offsets.includes(said.length), "all updates to be taken");
  return { replies, halts, troubles, delays, approvals };
}

test("the chat may look and stop, also while plans wait, and a resume is refused there", async () => {
  const { replies, halts } = await chatting(
    { text: "/plans" },
    { text: "/status" },
    { text: "/balances@pegbot" },
    { text: "/halt" },
    { text: "/halt  it looks\nwrong \u202E" },
    { text: "/resume now" },
    { text: "hello" },
  );
  expect(replies.map(({ text }) => text)).toEqual([
    "ACTIVE, trading",
    "CHF 1,000.00",
    "NOT STOPPED: why? /halt REASON",
    "HALTED: nothing leaves any more",
    'not from here: pegbot resume --reason "..." on its own machine',
    expect.stringMatching(/^I know .*\/approve DIGEST$/),
  ]);
  expect(replies.every(({ chat_id }) => chat_id === "-5")).toBe(true);
  expect(halts).toEqual(["it looks wrong \\u202e by telegram"]);
});

test("a stop is one however a phone spells it, and an incomplete one is reported", async () => {
  const { replies, halts } = await chattingIn("-5", [{ text: " /Halt dinner" }], "kill file cannot be written");
  expect(halts).toEqual(["dinner by telegram"]);
  expect(replies.map(({ text }) => text)).toEqual(["HALTED, but: kill file cannot be written"]);
});

test("an approver alone approves, by the id of the user and not by the chat, and no message of before counts", async () => {
  const { replies, approvals } = await chatting(
    { text: "/approve abc", from: 78 },
    { text: "/approve abc" },
    { text: "/approve abc", from: 77, chat: 6 },
    { text: "/approve abc", from: 77, date: NOW - 3_600 },
    { text: "/approve abc", from: 77 },
  );
  await until(() => replies.length === 4, "the last reply");
  expect(approvals).toEqual(["abc by telegram-77"]);
  expect(replies.map(({ text }) => text.split(":")[0])).toEqual([
    ...["NOT APPROVED", "NOT APPROVED", expect.stringMatching(/^not acted on/), "approved"],
  ]);
});

test("strangers get no answer and stop nothing", async () => {
  const { replies, halts } = await chatting(
    { text: "/halt me", chat: 6 },
    { text: "/status", chat: 6, date: NOW - 3_600 },
    { text: "/status" },
  );
  expect([halts, replies.length]).toEqual([[], 1]);
  // A chat that is known by its name is that one, and not one without a name.
  const named = await chattingIn("@pegs", [
    { text: "/halt me" },
    { text: "/halt me", username: "other" },
    { text: "/status", username: "pegs" },
  ]);
  expect([named.halts, named.replies.length]).toEqual([[], 1]);
});

test("a stop that is written while the bot listens stops it, whatever the clock of the machine says", async () => {
  const late = { late: { text: "/halt now", date: NOW - 3_600 } };
  const { replies, halts, troubles } = await chatting({ text: "/status" }, late);
  expect(halts).toEqual(["now by telegram"]);
  expect(replies.map(({ text }) => text)).toEqual(["ACTIVE, trading", "HALTED: nothing leaves any more"]);
  expect(troubles).toEqual([]);
});

test("however much strangers write, and whatever it is, a stop comes through", async () => {
  const long = { text: "\u0416".repeat(40_000), chat: 6 };
  const odd = { text: { no: "text" }, chat: 6 };
  const { halts, troubles } = await chatting(...Array<Chat>(30).fill(long), odd, { text: "/halt now" });
  expect([halts, troubles]).toEqual([["now by telegram"], []]);
});
