// A bot with real money but for the money: live mode, whole processes, a public address, TLS, the machine's own clock. To be
// run where the network is its own (`unshare -rn`) and has that address; the simulator behind it is on loopback, as it
// always is. The bot trades, is killed, and trades on. Says on stdout what was seen.

import { readFileSync, writeFileSync, writeSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createServer } from "node:tls";
import { stringify } from "yaml";
import { newKey } from "../../../src/app/key/new-key.ts";
import { systemClock } from "../../../src/app/system/system-clock.ts";
import { systemTimers } from "../../../src/app/system/system-timers.ts";
import { millis } from "../../../src/domain/time.ts";
import { DEMO_MARKET, withoutEdge } from "../../../src/simulator/market/parameters.ts";
import { syntheticMarket } from "../../../src/simulator/market/synthetic.ts";
import { createSimulatorServer } from "../../../src/simulator/server.ts";
import { setUpAccount } from "../../../src/simulator/stage.ts";
import { completeConfig } from "../../config/complete.ts";
import { selfSigned } from "../../support/certificate.ts";
import { type Program, start } from "../../support/program.ts";
import { LAUNCHER } from "../pegbot.ts";

const [folder = "", address = ""] = process.argv.slice(2);
const PORT = 8_443;
const DAY_MS = 86_400_000;
const at = (name: string): string => join(folder, name);

const SELLER = `export default {
  name: "seller",
  decide({ quote, sell }) {
    return sell(quote.symbol, { limit: quote.bid * 0.9995, size: "100", reason: "a little at every quote" });
  },
};
`;

const now = Date.now();
const { cert, key } = selfSigned({ names: [address], from: new Date(now - DAY_MS), to: new Date(now + DAY_MS) });
const { content, publicKey } = await newKey("p256", undefined);
const { risk } = completeConfig() as { risk: object };
const OFF = "off: some orders a minute";
const config = (host: string): string =>
  stringify({
    mode: "live",
    confirm: "trade real money on test",
    venue: { baseUrl: `https://${host}:${PORT}/api/v1/` },
    key: { file: "./key.pem" },
    market: { par: { "VCHF/CHF": 50 }, weekend: "open" },
    strategy: { use: "./seller.js" },
    risk: { ...risk, heartbeatMsMax: undefined, duplicateWindowMs: OFF, ordersPerMinuteMax: OFF },
    journal: { path: "./pegbot.db" },
  });
writeFileSync(at("key.pem"), content, { mode: 0o600 });
writeFileSync(at("cert.pem"), cert);
writeFileSync(at("seller.js"), SELLER);
writeFileSync(at("pegbot.yaml"), config(address));

// A coin that strays from par does so by the calendar: at some hours of some days the risk module would refuse every order.
const market = syntheticMarket(11, withoutEdge(DEMO_MARKET));
// The venue's clock: 20 s behind for the first bot, 20 s ahead for the second.
let offMs = -20_000;
const clock = { ...systemClock, now: () => millis(systemClock.now() + offMs) };
const simulator = await createSimulatorServer({ clock, timers: systemTimers, market });
const funds = new Map(Object.entries({ CHF: "100000", VCHF: "100000" }));
const account = await setUpAccount(simulator.writer, publicKey, funds);
if (!account.ok) throw new Error(account.error);
const front = createServer({ cert, key }, (client) => {
  const venue = connect(Number(new URL(simulator.url).port), "127.0.0.1");
  client.pipe(venue).pipe(client);
  client.on("error", () => venue.destroy());
  venue.on("error", () => client.destroy());
});
await new Promise<void>((listening) => front.listen(PORT, address, listening));

const trusting = { NODE_EXTRA_CA_CERTS: at("cert.pem") };
function pegbot(env: object, ...args: string[]): Program {
  const own = { PATH: process.env.PATH, XDG_STATE_HOME: at("state"), XDG_RUNTIME_DIR: at("."), ...env };
  return start(process.execPath, [LAUNCHER, ...args], { cwd: folder, env: own });
}
const run = (env: object = trusting): Program => pegbot(env, "run", "--port", "0");
const said = (bot: Program, pattern: RegExp): Promise<void> =>
  bot.until(() => pattern.test(bot.stderr()), `it said ${pattern}`);
async function refused(bot: Program): Promise<object> {
  const { code } = await bot.ended();
  return { code, said: bot.stderr() };
}

// Nobody vouches for this certificate, as the machine knows it.
const stranger = await refused(run({}));
const first = run();
await said(first, /confirmed by the history/);
await said(first, / filled: .*(?![\s\S]*confirmed)/);
first.killGroup("SIGKILL");
await first.ended();
offMs = 20_000;
const second = run();
await said(second, /strategy seller/);
await said(second, /confirmed by the history/);
const pause = { fault: "status", status: 503, on: "queryTrades", retryAfterSeconds: 600, times: 1 };
await simulator.act("faults", { rules: [pause] });
await said(second, /paused by the venue until/);
second.killGroup("SIGKILL");
await second.ended();
const third = run();
await said(third, /paused by the venue until/);
const page = /listening on (\S+?): /.exec(third.stderr())?.[1];
const ready = await fetch(new URL("/readyz", page));
const paused = { ready: `${ready.status} ${await ready.text()}`, status: pegbot(trusting, "status") };
const statusCode = (await paused.status.ended()).code;
const statusText = paused.status.lines().join("\n");
third.kill("SIGTERM");
const ended = await third.ended();
// The same bytes would go to whoever sits there.
writeFileSync(at("pegbot.yaml"), config("9.9.9.10"));
const elsewhere = await refused(run());
writeFileSync(at("pegbot.yaml"), config(address));
const agreed = pegbot(trusting, "adopt", "--json");
const adopt = { ...(await agreed.ended()), said: JSON.parse(agreed.lines().join("\n")) };
const host = readFileSync(at("pegbot.db.host"), "utf8");
const seen = {
  paused: { ready: paused.ready, statusCode, statusText },
  stranger,
  first: first.lines().join("\n"),
  second: second.stderr(),
  ended,
  elsewhere,
  adopt,
  host,
};
writeSync(1, JSON.stringify(seen));
process.exit(0);
