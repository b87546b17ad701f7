// The simulator's HTTP server under load: 500 signed requests a second, spread over 1,000 keys, with limiter and
// signature check on. Requests are signed beforehand; server and load run in two threads. Passes when every answer is a
// 200 and the schedule was kept. `--seconds N` changes the length.

import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { systemClock } from "../src/app/system/system-clock.ts";
import { systemTimers } from "../src/app/system/system-timers.ts";
import { createSimulatorServer } from "../src/simulator/server.ts";
import { setUpAccount } from "../src/simulator/stage.ts";

const KEYS = 1_000;
const PER_SECOND = 500;
/** A second, and a millisecond for timers that ring early. */
const SPACING_MS = 1_001;

type Call = { path: string; headers: Record<string, string>; body: string };

if (isMainThread) process.exitCode = await run(secondsWanted());
else await serve(workerData as string[]);

async function serve(publicKeys: readonly string[]): Promise<void> {
  const server = await createSimulatorServer({ clock: systemClock, timers: systemTimers, seed: 7 });
  for (const key of publicKeys) await setUpAccount(server.writer, key, new Map([["CHF", "1000000"]]));
  parentPort?.postMessage(server.baseUrl);
}

async function run(seconds: number): Promise<number> {
  const keys = Array.from({ length: KEYS }, () => generateKeyPairSync("ec", { namedCurve: "P-256" }));
  const names = keys.map(({ publicKey }) => publicKey.export({ type: "spki", format: "der" }).toString("base64"));
  const calls = Array.from({ length: seconds * PER_SECOND }, (_, i) => {
    const pair = keys[i % KEYS] as (typeof keys)[number];
    return signedCall(i, names[i % KEYS] as string, pair.privateKey);
  });
  const worker = new Worker(new URL(import.meta.url), { workerData: names });
  const baseUrl = await new Promise<string>((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
  // Unsigned calls warm both threads up; without a key they are outside the limiter.
  const warm: Call = { path: "private/accountBalance", headers: { "user-agent": "bench" }, body: "" };
  await load(baseUrl, new Array<Call>(2 * PER_SECOND).fill(warm));
  const before = await worker.cpuUsage();
  const outcome = await load(baseUrl, calls);
  const spent = await worker.cpuUsage(before);
  const cpuMs = (spent.user + spent.system) / 1_000 / calls.length;
  await worker.terminate();
  return report(outcome, calls.length, cpuMs);
}

/** Every tenth request is an order, the others read balances. */
function signedCall(i: number, publicKey: string, privateKey: Parameters<typeof sign>[2]): Call {
  const name = i % 10 === 0 ? "addOrder" : "accountBalance";
  const fields = name === "addOrder" ? order(i) : {};
  const nonce = String(Date.now() + i);
  const body = name === "addOrder" ? JSON.stringify(fields) : "";
  const text = Buffer.from(`/api/v1/private/${name}${body}${nonce}`);
  return {
    path: `private/${name}`,
    headers: {
      "user-agent": "bench",
      "content-type": "application/x-www-form-urlencoded",
      "x-app-public-key": publicKey,
      "x-app-nonce": nonce,
      "x-app-signed-data": sign("sha256", text, privateKey as never).toString("base64url"),
    },
    body: new URLSearchParams(fields).toString(),
  };
}

/** Fields in alphabetical order: their JSON is canonical as it stands. */
function order(i: number): Record<string, string> {
  return {
    clordid: createHash("sha256").update(String(i)).digest("hex").slice(0, 20),
    orderqty: "1",
    ordtype: "Limit",
    price: "1.01",
    side: "Buy",
    symbol: "VCHF/CHF",
    timeinforce: "FOK",
    timestamp: new Date().toISOString(),
  };
}

type Outcome = { statuses: Map<number, number>; latencies: number[]; elapsedMs: number; held: number };

/**
 * An open loop: requests leave when they are due, whether or not those of other keys were answered. A key is used again no
 * sooner than a second after its last answer: when this thread was kept waiting it falls behind its schedule, and the
 * rate shows that, instead of sending what the limiter is there to refuse.
 */
async function load(baseUrl: string, calls: readonly Call[]): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const statuses = new Map<number, number>();
  const latencies: number[] = [];
  const freeAt = new Map<string, number>();
  let held = 0;
  const pending: Promise<void>[] = [];
  const startedAt = performance.now();
  while (pending.length < calls.length) {
    const now = performance.now();
    const due = Math.min(calls.length, Math.ceil(((now - startedAt) * PER_SECOND) / 1_000));
    while (pending.length < due) {
      const call = calls[pending.length] as Call;
      const key = call.headers["x-app-public-key"];
      if (key !== undefined && (freeAt.get(key) ?? 0) > now) {
        held++;
        break;
      }
      if (key !== undefined) freeAt.set(key, Number.POSITIVE_INFINITY);
      const sentAt = performance.now();
      pending.push(
        statusOf(baseUrl, call, agent).then((status) => {
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
          latencies.push(performance.now() - sentAt);
          if (key !== undefined) freeAt.set(key, performance.now() + SPACING_MS);
        }),
      );
    }
    await sleep(2);
  }
  await Promise.all(pending);
  agent.destroy();
  const elapsedMs = performance.now() - startedAt;
  return { statuses, latencies: latencies.sort((a, b) => a - b), elapsedMs, held };
}

function statusOf(baseUrl: string, call: Call, agent: Agent): Promise<number> {
  return new Promise((resolve) => {
    const headers = { ...call.headers, "content-length": Buffer.byteLength(call.body) };
    const outgoing = request(new URL(call.path, baseUrl), { method: "POST", headers, agent }, (incoming) => {
      incoming.resume();
      incoming.on("end", () => resolve(incoming.statusCode ?? 0));
    });
    outgoing.on("error", () => resolve(0));
    outgoing.end(call.body);
  });
}

function report({ statuses, latencies, elapsedMs, held }: Outcome, wanted: number, cpuMs: number): number {
  const accepted = statuses.get(200) ?? 0;
  const rate = (accepted / elapsedMs) * 1_000;
  const at = (share: number) => (latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN).toFixed(1);
  const kept = accepted === wanted && rate >= PER_SECOND * 0.98;
  process.stdout.write(
    [
      `simulator over HTTP, ${wanted} signed requests of ${KEYS} keys, limiter and signature check on`,
      `accepted       ${accepted} of ${wanted}${accepted === wanted ? "" : `: ${JSON.stringify([...statuses])}`}`,
      `rate           ${rate.toFixed(1)} a second (wanted ${PER_SECOND})${held > 0 ? `, ${held} waits for a key` : ""}`,
      `answer after   ${at(0.5)} ms median, ${at(0.99)} ms at 99 %`,
      `server CPU     ${cpuMs.toFixed(2)} ms a request, ${(cpuMs * PER_SECOND * 0.1).toFixed(0)} % of one core at that rate`,
      kept ? "held" : "NOT HELD",
      "",
    ].join("\n"),
  );
  return kept ? 0 : 1;
}

function secondsWanted(): number {
  const [flag, text = "10"] = process.argv.slice(2);
  const seconds = flag === undefined ? 10 : Number(text);
  if ((flag !== undefined && flag !== "--seconds") || !Number.isInteger(seconds) || seconds < 1 || seconds > 600)
    throw new RangeError("usage: bench:simulator-http [--seconds N], N from 1 to 600");
  return seconds;
}
