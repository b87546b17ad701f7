import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { loadConfig, parseConfig } from "../../src/config/load.ts";
import { mistakeLine } from "../../src/config/mistake.ts";
import { unwrap } from "../../src/domain/result.ts";
import { completeConfig, mistakesOf } from "./complete.ts";

const folder = mkdtempSync(join(tmpdir(), "pegbot-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

const references = (feeds: string): string => `market: { references: [${feeds}] }`;

describe("a mistake", () => {
  test("is shown with line, column and what was meant, and with all the others", () => {
    expect(mistakesOf("mode: papr\nvenu: {}\n")).toEqual([
      'pegbot.yaml:1:7: mode must be paper, shadow or live, was "papr"; did you mean paper?',
      "pegbot.yaml:2:1: unknown key venu; did you mean venue?",
    ]);
  });

  test("of something that is missing is shown at the nearest mapping above it", () => {
    const lines = ["mode: paper", "notices:", "  telegram:", "    tokenEnv: T"];
    expect(mistakesOf(`${lines.join("\n")}\n`)).toEqual([
      expect.stringMatching(/^pegbot\.yaml:3:3: notices\.telegram\.chatId is missing: /),
    ]);
    expect(mistakesOf("mode: paper\nrisk:\n  currency: CHF\n")[0]).toMatch(/^pegbot\.yaml:2:1: risk\.\w+ is missing/);
  });

  test("of a section of which most is missing is one line, beside what is wrong with the rest of it", () => {
    const mistakes = mistakesOf("mode: paper\nrisk:\n  currency: CHF\n  dailyLossBpsMax: 2%\n  maxOrder: 5\n");
    expect(mistakes).toEqual([
      expect.stringMatching(
        /^pegbot\.yaml:2:1: risk\.symbols is missing, and so are 37 more of risk: orderValueMax, .*, rampSizeBps; it names every limit, or a preset/,
      ),
      'pegbot.yaml:4:20: risk.dailyLossBpsMax must be a whole number of basis points (1/10000) from 10 to 999, was "2%"',
      expect.stringMatching(/^pegbot\.yaml:5:3: unknown key risk\.maxOrder; known here: /),
    ]);
  });

  test("is one person named twice, and none where one person is enough; a key of a person is refused by name", () => {
    const people = (list: string): readonly string[] =>
      mistakesOf(`treasury: { approvals: { persons: 1, people: [${list}] } }`);
    expect(people("{ name: anna }, { name: bo }")).toEqual([]);
    expect(people("{ name: anna }, { name: anna }")).toEqual([expect.stringContaining("was anna twice")]);
    expect(people("{ name: anna, publicKey: abc }")).toEqual([expect.stringContaining("publicKey")]);
    expect(mistakesOf("treasury: { approvals: { persons: 1 } }")).toEqual([]);
  });

  test("is a recording as a reference of live mode, and none on paper", () => {
    const feed = references("{ kind: recorded, name: bank, symbols: [GBP/CHF], file: r.csv }");
    const found = (mode: string): readonly string[] =>
      mistakesOf(`mode: ${mode}\n${feed}\n`).filter((line) => line.includes("prices of the past"));
    expect([found("paper"), found("live").length]).toEqual([[], 1]);
  });

  test("is a weekend's collar where there is none to narrow, and none where one of both is set", () => {
    const off = "off: set by hand";
    const found = (risk: object, weekend = "collar"): number => {
      const complete = completeConfig();
      const all = { ...complete, market: { weekend }, risk: { ...(complete.risk as object), ...risk } };
      return mistakesOf(JSON.stringify(all)).filter((line) => line.includes("market.weekend is collar")).length;
    };
    expect(found({ collarBps: off, collarHardBps: off })).toBe(1);
    expect([found({ collarBps: off }), found({ collarHardBps: off }), found({})]).toEqual([0, 0, 0]);
    expect(found({ collarBps: off, collarHardBps: off }, "closed")).toBe(0);
  });

  test("in a parameter of a strategy is named by its path: lists and mappings are taken, and nothing deeper", () => {
    const text = "strategy: { params: { targets: { CHF: 0.5, VCHF: 0.5 }, symbols: [VCHF/CHF] } }";
    const { config } = unwrap(parseConfig(text, "/home/user/pegbot.yaml", {}));
    expect(config.strategy.params).toEqual({ targets: { CHF: 0.5, VCHF: 0.5 }, symbols: ["VCHF/CHF"] });
    expect(mistakesOf("strategy: { params: { targets: { CHF: { low: 1 } } } }")).toEqual([
      "pegbot.yaml:1:39: strategy.params.targets.CHF must be text, a finite number, true or false: inside a list or a mapping there are no others, was a mapping",
    ]);
    expect(mistakesOf(`strategy: { params: { ${"x".repeat(65)}: 1 } }`)).toEqual([
      expect.stringMatching(/: key strategy\.params\.x+\.\.\. \(65 characters\) must have at most 64 characters$/),
    ]);
    expect(mistakesOf(`strategy: { params: { a: [${"1,".repeat(1_001)}] } }`)).toEqual([
      "pegbot.yaml:1:26: strategy.params.a must have at most 1000 entries, was a list",
    ]);
  });

  test.each([
    ["venue: { baseUrl: http://127.0.0.1:8700/api/v1 }", "must end in /api/v1/"],
    ["venue: { baseUrl: http://venue.example/api/v1/ }", "must be https, except on loopback"],
    ["venue: { proxy: 'https://proxy.internal' }", "must be the address of an HTTP proxy"],
    ["venue: { proxy: 'http://bob:secret@proxy.internal:3128' }", "without a password"],
    ["strategy: { params: { edge: [1, {}] } }", "strategy.params.edge[1] must be text, a finite number"],
    ["mode: live\nconfirm: yes", 'confirm must be "trade real money on test", was "yes"'],
    ["server: { host: 0.0.0.0 }", "must be a loopback address"],
    ["server: { host: 127.evil.example }", "must be a loopback address"],
    ["market: { source: synthetc }", "did you mean synthetic?"],
    [references("{ kind: ecb, name: ecb, symbols: [GBP/USD] }"), "for ecb set market.bands"],
    [references("{ kind: kraken-socket, name: a1, symbols: [GBP/USD] }"), "kraken-rest polls"],
    ["market: { leapBps: 50 }", "market.bands"],
    ["strategy: { use: peg-arbitrag }", "did you mean peg-arbitrage?"],
    ["strategy: { use: virtual-grid }", "copy strategies/virtual-grid.ts"],
    ["strategy: { use: cross-rate }", "cross-rate was removed"],
    ["treasury: { targets: { VCHF: '1' } }", "treasury.targets.VCHF must be a mapping"],
    ["treasury: { targets: { vchf: { low: '1' } } }", "must be an asset like VCHF, or an asset and a place"],
    ["treasury: { targets: { VCHF: {} } }", "treasury.targets.VCHF must name at least one of low, target and high"],
    ["treasury: { targets: { VCHF: { low: '2', high: '1' } } }", "low must not be above high"],
    ["treasury: { approvals: { persons: 2, people: [{ name: anna }] } }", "persons is 2, and 1 may approve"],
    ["treasury: { planning: { rails: { bank: {} } } }", "rails names bank, which treasury.rails does not have"],
    ["treasury: { planning: { mints: { VCHF: { chain: ETH, cutOff: '25:00' } } } }", "time of day"],
    [references("{ kind: kraken-rest, name: venue, symbols: [GBP/USD] }"), "must be a name"],
    [
      references("{ kind: recorded, name: tape, symbols: [GBP/USD], file: a.csv, everyMs: 1000 }"),
      "unknown key market.references[0].everyMs",
    ],
    ["market: { bands: { GBP/CHF: { low: 2, high: 1 } } }", "must have its low below its high"],
    ["market: { bands: { GBP/CHF: { low: 0.01, high: 2 } } }", "must not reach a hundred times"],
    ["market: { weekend: sometimes }", "market.weekend must be open, closed or collar"],
    ["market: { holidays: ['2026-02-30'] }", "must be a day"],
    ["strategy:", "strategy must be a mapping, was empty"],
    ["- a\n- b", "the configuration must be a mapping, was a list"],
  ])("in %s is refused", (text, reason) => {
    expect(mistakesOf(text).join("\n")).toContain(reason);
  });

  test("in an address is shown without the password or the token in it", () => {
    for (const scheme of ["https", "ftp"])
      expect(
        mistakesOf(`venue: { baseUrl: "${scheme}://bob:hun/ter@2@venue.example/api/v2/?token=abc#def" }`)[0],
      ).toMatch(/, was "(https|ftp):\/\/\*\*\*@venue\.example\/api\/v2\/\?\*\*\*"$/);
  });

  test("of a symbol shows in its limit too: a pair without one is refused, and a limit without a pair", () => {
    const settings = completeConfig();
    settings.risk = {
      ...(settings.risk as object),
      symbols: ["VCHF/CHF", "VGBP/GBP"],
      orderQuantityMax: { "VCHF/CHF": "1", "VEUR/EUR": "2" },
    };
    const lines = mistakesOf(settings).map((line) => line.replace(/^\S+ /, ""));
    expect(lines.sort()).toEqual([
      "risk.orderQuantityMax must name VGBP/GBP",
      "risk.orderQuantityMax names VEUR/EUR, which risk.symbols does not list",
    ]);
  });

  test.each([
    ["collarBps", 300, "collarHardBps", 299],
    ["assetExposureMax", "1000.01", "grossExposureMax", "1000"],
    ["ordersPerMinuteMax", 11, "ordersPerDayMax", 10],
    ["turnoverPerHourMax", "1000.01", "turnoverPerDayMax", "1000"],
    ["rejectsPerSymbolMax", 4, "rejectsMax", 3],
    ["doubtsPerAssetMax", 3, "doubtsMax", 2],
  ])("of %s at %s shows beside %s of %s: a limit that never holds", (narrow, value, wide, most) => {
    const risk = { ...(completeConfig().risk as object), [wide]: most };
    const [line, ...more] = mistakesOf({ ...completeConfig(), risk: { ...risk, [narrow]: value } });
    expect(more).toEqual([]);
    expect(line).toMatch(/^pegbot.yaml:\d+:\d+: /);
    expect(line).toContain(`: risk.${narrow} must be at most risk.${wide}, ${most}, was ${value}`);
    expect(mistakesOf({ ...completeConfig(), risk: { ...risk, [narrow]: most } })).toEqual([]);
    expect(
      mistakesOf({ ...completeConfig(), risk: { ...risk, [narrow]: value, [wide]: "off: no bound here" } }),
    ).toEqual([]);
  });

  test("that names a pair twice is refused at the second", () => {
    const risk = { ...(completeConfig().risk as object), symbols: ["VCHF/CHF", "VCHF/CHF"] };
    expect(mistakesOf({ ...completeConfig(), risk })).toEqual([
      expect.stringMatching(/: risk\.symbols\[1\] must be a pair of its own, VCHF\/CHF is there twice$/),
    ]);
  });

  test.each(["off", "off: xx", "off: yolo", "Off"])("of a limit loosened as %j says how that is written", (text) => {
    for (const key of ["orderValueMax", "collarBps", "orderQuantityMax"]) {
      const risk = { ...(completeConfig().risk as object), [key]: text };
      expect(mistakesOf({ ...completeConfig(), risk })).toEqual([
        expect.stringContaining(
          `: risk.${key} must be the limit, or "off: " with a reason of 8 to 200 characters, was "${text}"`,
        ),
      ]);
    }
  });

  test("with control or bidirectional characters reaches the screen escaped and cut", () => {
    const [line = ""] = mistakesOf(`"\\e[2J\\u202e${"x".repeat(300)}": 1`);
    expect(line).toMatch(/^pegbot.yaml:1:1: unknown key \\x1b\[2J\\u202ex+\.\.\. \(305 characters\); known here: mode/);
  });
});

describe("live mode", () => {
  test("is refused without its sentence, address, key and limits, all said at once", () => {
    expect(mistakesOf("mode: live")).toEqual([
      'pegbot.yaml:1:7: live mode needs confirm: "trade real money on test"',
      "pegbot.yaml:1:7: live mode needs venue.baseUrl",
      "pegbot.yaml:1:7: live mode needs the section key",
      "pegbot.yaml:1:7: live mode needs the section risk",
    ]);
  });

  test.each(["trade real money on production", ""])(
    "is refused with the sentence %j for the test environment",
    (confirm) => {
      expect(mistakesOf({ ...completeConfig(), confirm })).toEqual([
        `pegbot.yaml:2:10: confirm must be "trade real money on test", was "${confirm}"`,
      ]);
    },
  );

  test("is refused on an address that it could never talk to", () => {
    const venue = { ...(completeConfig().venue as object), baseUrl: "http://127.0.0.1:8700/api/v1/" };
    expect(mistakesOf({ ...completeConfig(), venue })).toEqual([
      expect.stringMatching(/: venue\.baseUrl must be https in live mode, was http on 127\.0\.0\.1:8700$/),
    ]);
  });

  test("takes no simulated market", () => {
    expect(mistakesOf({ ...completeConfig(), market: { source: "synthetic" } }).join()).toContain(
      "live mode takes none",
    );
  });
});

describe("paper mode", () => {
  test("is what an empty file means, on the embedded simulator", () => {
    const { config } = unwrap(parseConfig("", "/home/user/pegbot.yaml", {}));
    expect(config).toMatchObject({
      mode: "paper",
      venue: { environment: "test", profile: "contract" },
      server: { port: 8787 },
    });
    expect(config.venue.baseUrl).toBeUndefined();
  });

  test("with an address takes no market of its own", () => {
    const text = "venue: { baseUrl: http://127.0.0.1:8700/api/v1/ }\nmarket: { source: synthetic }";
    expect(mistakesOf(text)).toEqual([
      "pegbot.yaml:2:19: market.source must not be set beside venue.baseUrl: the prices are those of the simulator there",
    ]);
  });

  test("refuses an address that is not on this machine", () => {
    expect(mistakesOf("venue: { baseUrl: https://venue.example/api/v1/ }")).toEqual([
      "pegbot.yaml:1:19: paper mode talks to loopback only, venue.baseUrl was venue.example",
    ]);
  });
});

describe("the key", () => {
  const secret = "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgCANARY";

  test.each([
    `key: { publicKey: ${secret}, file: x.pem }`,
    `key: ${secret}`,
    `key: { file: 'x' ${secret} }`,
    `key: "${secret}" : x`,
  ])("is never repeated in a message: %s", (text) => {
    const lines = mistakesOf(text);
    expect(lines).not.toEqual([]);
    expect(lines.join("\n")).not.toContain("CANARY");
  });

  test("comes from exactly one place", () => {
    expect(mistakesOf("key: {}")).toEqual([
      "pegbot.yaml:1:6: key needs exactly one of file, env, keystore, there is none",
    ]);
    expect(mistakesOf("key: { file: a.pem, env: A }")).toEqual([
      "pegbot.yaml:1:6: key needs exactly one of file, env, keystore, there are file, env",
    ]);
  });

  test("that looks like a private key where a path belongs is answered with what to do", () => {
    expect(mistakesOf(`key: { env: ${secret} }`)).toEqual([
      "pegbot.yaml:1:13: key.env must not be the private key itself: keep it in a file and name the file",
    ]);
  });
});

describe("paths", () => {
  test("are relative to the file that names them; absolute ones and names of strategies stay", () => {
    const text =
      "key: { file: keys/a.pem }\nmarket: { source: ../prices.csv }\nstrategy: { use: ./mine.ts }\njournal: { path: /var/j.db }";
    const { config } = unwrap(parseConfig(text, "/home/user/pegbot.yaml", {}));
    expect(config.key?.file).toBe("/home/user/keys/a.pem");
    expect(config.market.source).toBe("/home/prices.csv");
    expect(config.strategy.use).toBe("/home/user/mine.ts");
    // Whatever the runtime loads as code: a backtest takes it too.
    for (const use of ["mine.js", "mine.mjs", "mine.mts"]) {
      const { strategy } = unwrap(parseConfig(`strategy: { use: ${use} }`, "/home/user/pegbot.yaml", {})).config;
      expect(strategy.use).toBe(`/home/user/${use}`);
    }
    expect(config.journal.path).toBe("/var/j.db");
    const files = {
      key: { keystore: "k.age", passphraseFile: "pass" },
      market: { references: [{ kind: "recorded", name: "bank", symbols: ["GBP/CHF"], file: "r.csv" }] },
      server: { tls: { certFile: "c.pem", keyFile: "k.pem" } },
      notices: {
        webhook: { urlFile: "url" },
        telegram: { tokenFile: "token", chatId: "-100" },
      },
    };
    const all = JSON.stringify(unwrap(parseConfig(JSON.stringify(files), "/home/user/pegbot.yaml", {})).config);
    for (const name of ["k.age", "pass", "r.csv", "c.pem", "k.pem", "url", "token"])
      expect(all).toContain(`"/home/user/${name}"`);
    const plain = unwrap(parseConfig("market: { source: synthetic }", "/home/user/pegbot.yaml", {}));
    expect([plain.config.market.source, plain.config.strategy.use]).toEqual(["synthetic", "peg-arbitrage"]);
  });
});

describe("the file", () => {
  const refusal = (file: string): string => {
    const loaded = loadConfig(file, {});
    return loaded.ok ? "accepted" : loaded.error.map((mistake) => mistakeLine(file, mistake)).join();
  };

  test("that does not exist is named, with the next step", () => {
    expect(refusal(join(folder, "none.yaml"))).toMatch(
      /none.yaml: there is no such file; pegbot start needs none .*, pegbot init writes one, --config names another/,
    );
  });

  test("is refused above 64 KiB and when it is not UTF-8", () => {
    const file = join(folder, "large.yaml");
    writeFileSync(file, `#${"x".repeat(65_535)}`);
    expect(refusal(file)).toBe("accepted");
    writeFileSync(file, `#${"x".repeat(65_536)}`);
    expect(refusal(file)).toMatch(/must be at most 65536 bytes long, was 65537$/);
    writeFileSync(file, Buffer.from([0x6d, 0xff, 0xfe]));
    expect(refusal(file)).toMatch(/must be UTF-8 text/);
  });
});
