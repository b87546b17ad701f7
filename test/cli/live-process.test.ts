// Live mode as a whole: a public address in a network of its own, real certificates, the machine's own clock.

import { execFileSync, spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../journal/place.ts";
import { needs } from "../support/needs.ts";
import { TEST_MS_MAX } from "../support/patience.ts";

/** Public by its number, and nobody's here. */
const ADDRESS = "9.9.9.9";
const NETWORK = `ip link set lo up && ip addr add ${ADDRESS}/32 dev lo`;

test("a live bot trades, is killed and trades on over TLS, and sends nothing to a host it does not know", ({
  skip,
}) => {
  needs("unshare", "ip");
  const isAllowed = spawnSync("unshare", ["-rn", "sh", "-c", NETWORK]).status === 0;
  skip(!isAllowed, "a network of its own may not be made here");
  const line = `${NETWORK}; exec "$0" --disable-warning=ExperimentalWarning "$1" "$2" ${ADDRESS}`;
  const driver = resolve("test/cli/processes/live-world.ts");
  const args = ["-rn", "sh", "-euc", line, process.execPath, driver, temporaryFolder()];
  const said = JSON.parse(execFileSync("unshare", args, { encoding: "utf8", timeout: TEST_MS_MAX }));
  expect(said.stranger).toMatchObject({ code: 3, said: expect.stringMatching(/the venue does not answer: tls: /) });
  expect(said.first).toContain(`pegbot trades REAL MONEY on test, https://${ADDRESS}:8443/api/v1/, with `);
  // The first traded with a venue 20 s behind its clock, the second with one 20 s ahead.
  expect(said.second, "what the killed one had sent").toMatch(/-2 confirmed by the history[\s\S]*strategy seller/);
  // Started within the pause: up at once, and it says until when.
  const until = /paused by the venue until \d\d:\d\d:\d\d \(503 with Retry-After 600 to queryTrades\)/;
  expect(said.paused.ready).toMatch(/^503 /);
  expect(said.paused.ready).toMatch(until);
  expect(said.paused.statusText).toMatch(until);
  expect(said.ended).toMatchObject({ code: 0 });
  expect(said.host).toBe(`test ${ADDRESS}:8443\n`);
  expect(said.elsewhere).toMatchObject({ code: 2, said: expect.stringContaining(`belongs to "test ${ADDRESS}:8443"`) });
  const { code, said: books } = said.adopt;
  expect(code).toBe(0);
  const traded = books.assets.map(({ difference }: { difference: string }) => difference);
  expect(traded).toEqual(["0", "0"]);
  expect(books.assets[1]).toMatchObject({ asset: "VCHF", venue: expect.stringMatching(/^9\d{4}/) });
  expect(books.unknown).toEqual([]);
});
