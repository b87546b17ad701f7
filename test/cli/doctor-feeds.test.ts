// What doctor says of reference feeds, asked of servers on loopback.

import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { systemClock } from "../../src/app/system/system-clock.ts";
import { checkEachFeed } from "../../src/cli/contact/settings.ts";
import { parseConfig } from "../../src/config/load.ts";
import { unwrap } from "../../src/domain/result.ts";
import { temporaryFolder } from "../journal/place.ts";
import { startFeedServer } from "../support/feed-server.ts";
import { recordedShell } from "../support/recorded-shell.ts";
import { writeColumns } from "../support/write-columns.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

const sides = (bid: string, ask: string) => ({ a: [ask, "1", "1"], b: [bid, "1", "1"] });

function configOf(references: readonly object[], market: object = {}) {
  return unwrap(parseConfig(JSON.stringify({ market: { references, ...market } }), "pegbot.yaml", {})).config;
}

test("each feed is listened to, and told with its prices or with what is wrong", async () => {
  const server = await startFeedServer();
  closing.push(() => server.close());
  server.answer = (request, response) => {
    const isGood = request.url?.startsWith("/good");
    const result = { ZGBPZUSD: sides("1.31", "1.3102"), USDCHF: sides("0.8", "0.8001") };
    response.writeHead(isGood ? 200 : 500).end(JSON.stringify({ error: [], result }));
  };
  const gone = await startFeedServer();
  await gone.close();
  const url = `http://127.0.0.1:${server.port}`;
  const folder = temporaryFolder();
  const file = join(folder, "GBP-CHF.columns");
  writeColumns(file, "time,bid,ask\n1794731400000,1.05,1.0501\n1794731401000,1.05,1.0502\n");
  const kraken = { kind: "kraken-rest", symbols: ["GBP/USD", "USD/CHF"], derive: ["GBP/CHF"] };
  const config = configOf([
    { ...kraken, name: "good", url: `${url}/good` },
    { ...kraken, name: "broken", url: `${url}/broken` },
    { kind: "kraken-rest", name: "nobody", symbols: ["GBP/USD"], url: `http://127.0.0.1:${gone.port}/` },
    { kind: "recorded", name: "tape", symbols: ["GBP/CHF"], file },
  ]);
  const findings = await checkEachFeed({ ...recordedShell(), clock: systemClock }, config);
  expect(findings).toMatchObject([
    { check: "feed good", verdict: "ok", cause: expect.stringContaining("GBP/USD 1.31 to 1.3102") },
    { check: "feed broken", verdict: "problem", cause: "it answered with status 500" },
    { check: "feed nobody", verdict: "problem", cause: expect.stringContaining("ECONNREFUSED") },
    { check: "feed tape", verdict: "ok", cause: "GBP/CHF 1.05 to 1.0501" },
  ]);
  expect(findings[0]?.cause).toContain("GBP/CHF 1.048 to 1.048");
});
