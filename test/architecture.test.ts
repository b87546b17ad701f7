import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { filesWith, findingsOf, packagesWith, readHouse } from "./architecture/rule.ts";
import { COMES_WITH, FLOORS, SEAMS } from "./architecture/table.ts";

const fixture = (name: string) => findingsOf(readHouse(`test/fixture/architecture/${name}`));

describe("the house", () => {
  const house = readHouse(".");

  test("keeps the import table, the packages' rooms and the seams, and has no import cycle", () => {
    expect(house.sources.length).toBeGreaterThan(20);
    expect(findingsOf(house)).toEqual([]);
  });

  test("names no seam file that is gone or opens less than it may", () => {
    const opened = Object.entries(SEAMS).map(([path, seams]) => {
      const source = house.sources.find((one) => one.path === path);
      return [path, seams.filter((seam) => source?.seams.some((use) => use.seam === seam))];
    });
    expect(Object.fromEntries(opened)).toEqual(SEAMS);
  });

  test("loads with a command that is wanted at once no package that it does not need", () => {
    const loaded = Object.keys(COMES_WITH).map((path) => [path, packagesWith(path, house)]);
    expect(Object.fromEntries(loaded)).toEqual(COMES_WITH);
  });

  const textsOf = (path: RegExp) =>
    house.sources.filter((one) => path.test(one.path)).map((one) => ({ ...one, text: readFileSync(one.path, "utf8") }));

  test("sends for the bot and for commands by one path: one file of it asks the venue to move money", () => {
    const moving = /\.(addOrder|mintTokens|addPaymentRail)\(/;
    // Those below hand the call on: the back-off of reads, and what a rehearsal learns by.
    const passing = /^src\/(exchange|simulator|watch\/dashboard\/page)\/|^src\/cli\/contact\/learning\.ts$/;
    const files = textsOf(/^src\//).filter(({ path, text }) => moving.test(text) && !passing.test(path));
    expect(files.map(({ path }) => path)).toEqual(["src/execution/dispatch.ts"]);
  });

  test("has at most 2 imports in src/app that run upwards, its files beside the floors standing on the ground", () => {
    const floorOf = (path: string) =>
      FLOORS["src/app"]?.findIndex((floor) => path.startsWith(`src/app/${floor}/`)) ?? -1;
    const upwards = textsOf(/^src\/app\//).flatMap(({ path, imports }) =>
      imports.flatMap(({ specifier }) => {
        const target = join(dirname(path), specifier);
        return specifier.startsWith(".") && floorOf(target) > floorOf(path) ? [`${path} -> ${target}`] : [];
      }),
    );
    expect(upwards).toEqual(["finding", "shell"].map((name) => `src/app/${name}.ts -> src/app/terminal/terminal.ts`));
  });

  test("knows of other processes at the lock of a key alone", () => {
    const files = textsOf(/^src\//).filter(({ text }) => /\b(an)?other process(es)?\b/i.test(text));
    expect(files.map(({ path }) => path)).toEqual(["src/exchange/budget/budget.ts", "src/exchange/budget/key-file.ts"]);
  });

  test("takes node:http by process.getBuiltinModule: an import also makes the WebSocket that it hands out, a tenth of a second of a start", () => {
    const eager = house.sources.filter(({ imports }) =>
      imports.some(({ specifier, isEager }) => specifier === "node:http" && isEager),
    );
    expect(eager.map(({ path }) => path).filter((path) => /^(src|backtest)\//.test(path))).toEqual([]);
  });

  test("gives those who use pegbot/venue and pegbot/simulator nothing of bot, command line or backtest", () => {
    for (const entry of ["src/venue/venue.ts", "src/venue/simulator.ts"]) {
      const files = filesWith(entry, house);
      expect(files.length).toBeGreaterThan(50);
      expect(files.filter((path) => /^(src\/(bot|cli)|backtest)\//.test(path))).toEqual([]);
    }
  });

  test("has the floors of its rooms in docs/inside/architecture.md as they are enforced", () => {
    const page = readFileSync("docs/inside/architecture.md", "utf8");
    for (const [room, floors] of Object.entries(FLOORS)) {
      const rows = floors.map((floor) => `| \`${room.replace("src/", "")}/${floor}/\` | .*\n`);
      expect(page).toMatch(new RegExp(rows.toReversed().join("").replaceAll("|", "\\|")));
    }
  });
});

describe("the rules can fail", () => {
  test("an import outside the table is found in every form the language has", () => {
    const strategyMay = "but src/strategy may import src/domain";
    expect(fixture("import")).toEqual([
      "src/cellar/lost.ts is in no room of the import table",
      "src/domain/absolute.ts:1 imports an absolute path",
      "src/simulator/wire.ts:1 imports src/exchange/transport.ts, but src/simulator may import src/disk, src/domain, " +
        "src/exchange/wire/canonical-json, src/exchange/port, src/exchange/profile, src/market/column",
      `src/strategy/dynamic.ts:1 imports src/exchange/port.ts, ${strategyMay}`,
      `src/strategy/dynamic.ts:2 imports src/exchange/port.ts, ${strategyMay}`,
      `src/strategy/re-export.ts:1 imports src/exchange/port.ts, ${strategyMay}`,
      `src/strategy/re-export.ts:2 imports src/exchange/port.ts, ${strategyMay}`,
      `src/strategy/static.ts:1 imports src/exchange/port.ts, ${strategyMay}`,
      `src/strategy/type-only.ts:1 imports src/exchange/port.ts, ${strategyMay}`,
      `src/strategy/worker.ts:1 imports src/exchange/port.ts, ${strategyMay}`,
      `src/strategy/worker.ts:2 imports src/exchange/port.ts, ${strategyMay}`,
      "strategies/greedy.ts:1 imports pegbot/journal, but strategies may import src/strategy",
    ]);
  });

  test("a package outside its rooms is found", () => {
    expect(fixture("package")).toEqual([
      "src/bot/loud.ts:2 imports pino, which belongs to src/watch/log",
      "src/bot/loud.ts:3 imports prom-client, which belongs to src/watch/metrics",
      "src/exchange/shortcut.ts:1 imports undici, which belongs to src/exchange/wire/transport, src/market, src/watch/notices",
      "src/exchange/shortcut.ts:2 imports node:sqlite, which belongs to src/journal, src/exchange/budget, src/disk, backtest",
      "src/simulator/core/leak.ts:1 imports node:fs into a pure room",
      "src/strategy/stream.ts:1 imports rxjs, which belongs to src/app, src/bot, src/market, src/execution",
      "src/strategy/stream.ts:2 imports decimal.js, which belongs to src/domain/money",
    ]);
  });

  test("time, chance, timers, environment, console, network and the making of folders and files are found outside seam files", () => {
    const found = fixture("seam").map((line) => line.replace(/^src\/risk\/leaks\.ts:(\d+) uses (.*), but.*$/, "$1 $2"));
    expect(found).toEqual([
      "1 node:timers/promises (timer)",
      "2 node:process (environment)",
      "3 Date.now (clock)",
      "4 new Date() (clock)",
      "5 Date (clock)",
      "6 Math.random (chance)",
      "7 Math (chance)",
      "8 performance.now (clock)",
      "9 process.hrtime (clock)",
      "10 setTimeout (timer)",
      "11 globalThis.setInterval (timer)",
      "12 process.env (environment)",
      "13 console.log (console)",
      "13 Date.now (clock)",
      "14 fetch (network)",
      "15 Date (clock)",
      "16 Date (clock)",
      "17 AbortSignal.timeout (timer)",
      "18 import(...) (computed import)",
      "19 globalThis.... (environment)",
      "20 new Date() (clock)",
      "22 eval (computed import)",
      "23 Function (computed import)",
      "24 node:module (computed import)",
      "27 mkdirSync (folder)",
      "28 mkdirSync (folder)",
      "29 mkdir (folder)",
      "30 mkdir (folder)",
      "31 writeFileSync (file)",
      "32 createWriteStream (file)",
      "32 open for writing (file)",
    ]);
  });

  test("a folder of a room that imports one above it, or that stands on no floor, is found", () => {
    expect(fixture("floor")).toEqual([
      "src/bot/attic/lost.ts is on no floor of src/bot (FLOORS in test/architecture/table.ts)",
      "src/bot/strategy-host/up.ts:1 imports src/bot/review/engine.ts, which stands above src/bot/strategy-host",
    ]);
  });

  test("an import cycle is found, also through types and through itself", () => {
    expect(fixture("cycle")).toEqual([
      "import cycle: src/domain/self.ts -> src/domain/self.ts",
      "import cycle: src/risk/a.ts -> src/risk/b.ts -> src/risk/c.ts -> src/risk/a.ts",
    ]);
  });

  test("comments, strings, types, members and dates of given moments are no findings", () => {
    expect(existsSync("test/fixture/architecture/sound/src/strategy/strategy.ts")).toBe(true);
    expect(fixture("sound")).toEqual([]);
  });
});
