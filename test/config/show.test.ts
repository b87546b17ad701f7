import { expect, test } from "vitest";
import { stringify } from "yaml";
import { parseConfig } from "../../src/config/load.ts";
import { showConfig } from "../../src/config/show.ts";
import { unwrap } from "../../src/domain/result.ts";
import { completeConfig, mistakesOf, type Plain } from "./complete.ts";

function shown(text: string, environment: Record<string, string> = {}) {
  return showConfig(unwrap(parseConfig(text, "/home/user/pegbot.yaml", environment)), "pegbot.yaml");
}

test("what is shown says where each value came from, unless it is a default", () => {
  const { lines, origins } = shown("server:\n  port: 1\n", { PEGBOT__JOURNAL__PATH: "j.db" });
  expect(lines).toContain("  port: 1  # pegbot.yaml:2:9");
  expect(lines).toContain('  path: "/home/user/j.db"  # PEGBOT__JOURNAL__PATH');
  expect(lines).toContain('  host: "127.0.0.1"');
  expect(origins).toMatchObject({ "server.port": "pegbot.yaml:2:9", "journal.path": "PEGBOT__JOURNAL__PATH" });
  const told = Object.keys(origins).filter((name) => !name.startsWith("risk."));
  expect(told).toEqual(["journal.path", "server.port"]);
});

test("on paper without limits of its own those in force are shown, and are a configuration again", () => {
  const { lines, config } = shown("");
  expect(lines).toContain("  referenceAgeMsMax: 10000  # paper limits");
  expect(config).toMatchObject({ risk: { orderValueMax: "15000", referenceAgeMsMax: 10_000 } });
  expect(mistakesOf(lines.join("\n"))).toEqual([]);
  const own = shown(stringify(completeConfig()));
  expect(own.lines.join("\n")).not.toContain("paper limits");
  // With limits of its own these are in force, on paper too.
  const paper: Plain = { risk: { ...(completeConfig().risk as Plain), orderValueMax: "123" } };
  expect(shown(stringify(paper)).config).toMatchObject({ mode: "paper", risk: { orderValueMax: "123" } });
});

test("a preset with currency and symbols is complete: every limit in force is printed with where it came from", () => {
  const { risk: _, ...live } = completeConfig();
  const market = { ...(live.market as Plain), parFair: [] };
  const text = (risk: Plain): string =>
    stringify({ ...live, market, risk: { preset: "cautious", currency: "CHF", symbols: ["VCHF/CHF"], ...risk } });
  const { lines, config } = shown(text({ equity: "200000", dailyLossBpsMax: 30 }));
  expect(config).toMatchObject({
    // 5 %, 30 %, 60 % and 0.05 % of equity.
    risk: {
      orderValueMax: "10000",
      orderQuantityMax: { "VCHF/CHF": "10000" },
      assetExposureMax: "60000",
      grossExposureMax: "120000",
      feesPerDayMax: "100",
      dailyLossBpsMax: 30,
    },
  });
  expect(lines).toContain('  orderValueMax: "10000"  # preset cautious');
  expect(lines.find((line) => line.startsWith("  dailyLossBpsMax"))).toMatch(/# pegbot\.yaml:\d+/);
  expect(mistakesOf(lines.join("\n"))).toEqual([]);
  // Of an account that states none, the amounts are those of 10,000.
  expect(shown(text({})).config).toMatchObject({ risk: { orderValueMax: "500", exit: { orderValueMax: "250" } } });
});

test("a limit that the preset lacks, a misspelt preset and a misspelt limit are refused by name", () => {
  const { risk: _, journal: __, treasury: ___, ...live } = completeConfig();
  const told = (risk: Plain) =>
    mistakesOf(
      stringify({
        ...{ ...live, shadow: {}, market: {} },
        risk: {
          preset: "cautious",
          currency: "CHF",
          symbols: ["BTC/CHF"],
          orderQuantityMax: { "BTC/CHF": "0.1" },
          ...risk,
        },
      }),
    ).join("\n");
  expect(told({})).toBe("");
  expect(told({ orderQuantityMax: {} })).toContain("risk.orderQuantityMax must name BTC/CHF");
  expect(told({ preset: "cautios" })).toMatch(/^[^\n]*risk\.preset must be/);
  expect(told({ equity: "1" })).toMatch(/^[^\n]*risk\.equity must be/);
  expect(told({ currency: undefined })).toMatch(/^[^\n]*risk\.currency is missing/);
  expect(told({ dailyLosBpsMax: 50 })).toMatch(/^[^\n]*dailyLosBpsMax/);
});

test("parameters that sound like secrets are masked, in lines and in data", () => {
  const params: Plain = { apiToken: "CANARY", password: "CANARY", mySecret: ["CANARY"], edgeBps: 8 };
  const all = shown(stringify({ strategy: { params } }), { PEGBOT__STRATEGY__PARAMS__APITOKEN: "CANARY" });
  expect(JSON.stringify(all)).not.toContain("CANARY");
  expect(all.config).toMatchObject({ strategy: { params: { apiToken: "***", mySecret: "***", edgeBps: 8 } } });
});

test("an address that may be a secret is masked, and so is a private key wherever it was pasted", () => {
  const pem = "-----BEGIN PRIVATE KEY-----\nCANARY\n-----END PRIVATE KEY-----";
  const notices = { webhook: { url: "https://hooks.example/CANARY" } };
  const all = shown(stringify({ notices, strategy: { use: "twap", params: { note: pem } } }));
  expect(JSON.stringify(all)).not.toContain("CANARY");
  expect(all.config).toMatchObject({
    notices: { webhook: { url: "***" } },
    strategy: { use: "twap", params: { note: "***" } },
  });
});
