// One process that uses a key: it asks for slots in the way its role says and sends through them, until SIGTERM. What it
// sent and what came of it goes to stdout, one JSON object per line.

import { randomUUID } from "node:crypto";
import { connect, type Socket } from "node:net";
import { systemClock } from "../../../src/cli/system-clock.ts";
import { systemTimers } from "../../../src/cli/system-timers.ts";
import { unwrap } from "../../../src/domain/result.ts";
import { millis } from "../../../src/domain/time.ts";
import type { Slot, SlotEnd } from "../../../src/exchange/budget/budget.ts";
import { systemHostClock } from "../../../src/exchange/budget/host-clock.ts";
import { openBudget } from "../../../src/exchange/budget/open-budget.ts";
import type { Want } from "../../../src/exchange/port.ts";
import type { DriverSettings } from "./drivers.ts";

const settings: DriverSettings = JSON.parse(process.argv[2] ?? "{}");
const roles: Readonly<Record<DriverSettings["role"], readonly Want[]>> = {
  poller: [
    { class: "quote", key: "quotes" },
    { class: "confirmation", key: "queryTrades" },
  ],
  balances: [{ class: "balance", key: "accountBalance" }],
  mint: [{ class: "treasury", key: "mintTokens" }],
  rail: [{ class: "other", key: "addPaymentRail" }],
  doubt: [{ class: "doubt", key: "queryOrders" }],
};

const budget = unwrap(
  await openBudget({
    place: { stateFolder: settings.stateFolder, fingerprint: settings.fingerprint },
    machine: { clock: systemClock, host: systemHostClock(), timers: systemTimers },
    identity: {
      instance: randomUUID().replaceAll("-", ""),
      pid: process.pid,
      folder: process.cwd(),
      role: settings.bot === true ? "bot" : "tool",
    },
    ...(settings.pacing && { pacing: settings.pacing }),
    ...(settings.lease && { lease: settings.lease }),
    ...(settings.budget && { budget: settings.budget }),
  }),
);
const answerMsMax = settings.answerMsMax ?? 20_000;
let stopping = false;
process.on("SIGTERM", () => {
  stopping = true;
});
say({ kind: "ready" });
let sent = 0;
let answered = 0;
const wants = roles[settings.role];
for (let i = 0; !stopping && i < (settings.requestsMax ?? 100_000); i++) {
  if (budget.needsVenueTime()) await budget.share({ class: "other", key: "assets" }, (slot) => send(slot, "assets"));
  const want = wants[i % wants.length] ?? { class: "other" };
  const outcome = await budget.share(want, (slot) => send(slot, want.key ?? "", { signed: true }));
  if (!outcome.ok) say({ kind: "refused", reason: outcome.error });
}
budget.close();
say({ kind: "end", sent, answered, longestMs: budget.ledger.longestTransactionMs });
process.exit(0);

async function send(slot: Slot, what: string, { signed = false } = {}): Promise<void> {
  const nonce = signed ? slot.nonce() : undefined;
  if (nonce?.ok === false) {
    say({ kind: "no-nonce", reason: nonce.error });
    slot.end({ kind: "unspent" });
    return;
  }
  const socket = await connected();
  const headers = [`host: venue`, `x-from: ${settings.role}-${process.pid}`, "connection: close"];
  if (nonce?.ok) headers.push(`x-app-nonce: ${nonce.value}`);
  const request = `POST /${what} HTTP/1.1\r\n${headers.join("\r\n")}\r\ncontent-length: 0\r\n\r\n`;
  // The last check and the write are one statement: nothing comes between them but a signal.
  const written = slot.held() && socket.write(request);
  if (!written) {
    say({ kind: "not-held" });
    socket.destroy();
    slot.end({ kind: "unspent" });
    return;
  }
  sent += 1;
  say({ kind: "sent", what, nonce: nonce?.value });
  const end = await answerOf(socket);
  if (end.kind === "answered") answered += 1;
  slot.end(end);
}

function connected(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: settings.port, host: "127.0.0.1", noDelay: true });
    socket.once("connect", () => resolve(socket));
    socket.once("error", reject);
  });
}

function answerOf(socket: Socket): Promise<SlotEnd> {
  return new Promise((resolve) => {
    let text = "";
    const end = (how: SlotEnd): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(how);
    };
    const timer = setTimeout(() => end({ kind: "abandoned" }), answerMsMax);
    socket.on("error", () => end({ kind: "abandoned" }));
    socket.on("close", () => end({ kind: "abandoned" }));
    socket.on("data", (data) => {
      text += data;
      const date = /\r\ndate: ([^\r]+)\r\n/i.exec(text)?.[1];
      if (!text.includes("\r\n\r\n") || date === undefined) return;
      const receivedAt = systemClock.now();
      budget.observe(millis(Date.parse(date)), receivedAt);
      end({ kind: "answered", rateLimited: text.startsWith("HTTP/1.1 429"), retryAfterMs: undefined });
    });
  });
}

function say(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
