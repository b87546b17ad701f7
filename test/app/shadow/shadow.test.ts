// Shadow on a strict venue, by whole processes: the venue's own request log says what reached it.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parse, stringify } from "yaml";
import { movesNothing } from "../../../src/exchange/endpoint/endpoint.ts";
import { paperLimits } from "../../../src/risk/paper-limits.ts";
import { type BotStage, botStage, eventually } from "../../cli/bot-stage.ts";
import { httpServer } from "../../watch/notices/stage.ts";

const REAL = {
  market: { par: { "VCHF/CHF": 50, "VGBP/GBP": 50 }, parFair: ["VCHF/CHF", "VGBP/GBP"], weekend: "open" },
  risk: { ...paperLimits, ordersPerMinuteMax: "off: many orders", duplicateWindowMs: "off: many orders" },
};
const FUNDS = { CHF: "100000", VCHF: "100000" };
const SHADOW = { mode: "shadow", shadow: { funds: FUNDS }, ...REAL };

type Hook = Awaited<ReturnType<typeof httpServer>>;
type Look = Readonly<Record<"id" | "quantity" | "limit" | "became", string>> & {
  readonly quote: { readonly bid: number; readonly bidSize: number };
};

const looksOf = ({ journal }: BotStage): readonly Look[] =>
  readFileSync(`${journal}.looks`, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

type Shown = { readonly mode: string; readonly holdings: readonly { readonly asset: string; readonly held: string }[] };

function rewrite({ folder }: BotStage, change: object): void {
  const file = join(folder, "pegbot.yaml");
  writeFileSync(file, stringify({ ...parse(readFileSync(file, "utf8")), ...change }));
}

const COMPARE = ["--config", "pegbot.yaml", "--compare", "data/pegbot.db"];

/** On each surface that shows a figure of it. */
async function watermarked(stage: BotStage, bot: ReturnType<BotStage["run"]>, hook: Hook): Promise<void> {
  expect(hook.heard).not.toEqual([]);
  const page = /listening on (\S+?): /.exec(bot.stderr())?.[1];
  const of = async (path: string): Promise<string> => (await fetch(new URL(path, page))).text();
  const books = await stage.ask("journal", "export", "--books", "-");
  const rows = books.stdout.trim().split("\n").slice(1);
  const told = {
    headline: bot.lines().join("\n"),
    status: (await stage.ask("status")).stdout,
    json: (await stage.ask("status", "--json")).stdout,
    why: (await stage.ask("why", looksOf(stage).at(-1)?.id ?? "")).stdout,
    screen: bot.stderr(),
    messages: hook.heard.every(({ body }) => JSON.parse(body).text.startsWith("pegbot shadow: ")) ? "shadow" : "",
    metrics: /pegbot_build_info\{.*/.exec(await of("/metrics"))?.[0] ?? "",
    page: await of("/data"),
    report: /SHADOW orders/.exec((await stage.ask("backtest", ...COMPARE)).stdout)?.[0] ?? "",
    books: rows.every((row) => row.endsWith(",shadow")) ? "shadow" : books.stdout,
    records: (await stage.ask("journal", "export", "--json", "-")).stdout.slice(0, 1_000),
  };
  for (const [surface, text] of Object.entries(told)) expect(text, surface).toMatch(/shadow|\bS-/i);
}

/** What the page tells a reader to type, but `run`, which runs. */
async function typed(stage: BotStage): Promise<readonly (number | null)[]> {
  const page = readFileSync("docs/guides/shadow.md", "utf8");
  const further: Record<string, readonly string[]> = {
    data: ["--duration", "20s"],
  };
  const codes: (number | null)[] = [];
  for (const [, line = ""] of page.matchAll(/^npx pegbot (?!run$)(.*)$/gm)) {
    const [command = "", ...args] = line.split(" ");
    codes.push((await stage.ask(command, ...args, ...(further[command] ?? []))).code);
  }
  return codes;
}

test("a shadow sends no request that moves money, keeps the pace, and its book is what the shown quotes make of its orders", async () => {
  const hook = await httpServer({ status: 200 });
  const notices = { webhook: { url: hook.url }, fillValueMin: "1" };
  const stage = await botStage({ ...SHADOW, notices }, onTestFinished, { strict: true });
  const before = JSON.parse((await stage.ask("balances", "--json")).stdout);
  const bot = stage.run();
  await eventually(async () => bot.stderr().includes(" filled: "), "a fill of the local book");
  // The venue is not always well: a look that is lost is an order of unknown outcome.
  const faults = [
    { fault: "status", status: 503, on: "quotes", times: 1 },
    { fault: "lost-answer", on: "queryTrades", times: 1 },
  ];
  await stage.portal("faults", { rules: faults });
  await eventually(async () => looksOf(stage).length > 15, "15 orders");
  bot.kill("SIGKILL");
  await bot.ended();
  const again = stage.run();
  await eventually(async () => looksOf(stage).length > 20, "5 orders after the kill");
  await watermarked(stage, again, hook);
  const host = /127\.0\.0\.1:\d+/.exec(stage.config())?.[0];
  for (const [at, verdict] of [["other.example", "warning"] as const, [host, "ok"] as const]) {
    const page = `# Rehearsal at ${at} (test), then\n\nAll scenes were played.\n`;
    writeFileSync(join(stage.folder, "rehearsal-20260101.md"), page);
    const list = await stage.ask("doctor", "--live", "--json");
    const findings: readonly { check: string; verdict: string }[] = JSON.parse(list.stdout).findings;
    const verdictOf = (check: string): string | undefined => findings.find((one) => one.check === check)?.verdict;
    expect([list.code, ...["days", "orders", "budget", "stress", "rehearsal", "live"].map(verdictOf)]).toEqual([
      ...[1, "problem", "problem", "ok", "ok", verdict, "problem"],
    ]);
  }
  expect((await stage.ask("balances")).stderr).toContain("local book");
  expect(await typed(stage)).toEqual([0, 1, 0]);
  again.kill("SIGINT");
  await again.ended();

  // Over the quotes that were recorded beside it for 20 s, with the orders of that time.
  const report = await stage.ask("backtest", ...COMPARE, "--data", "quotes/venue", "--as", "venue", "--json");
  const { compared } = JSON.parse(report.stdout);
  const { symbol, journal, causes, apartBps } = compared.pairs[0];
  expect([compared.journal, symbol]).toEqual(["shadow", "VCHF/CHF"]);
  const ends = looksOf(stage).filter(({ became }) => became !== "doubt");
  expect(journal.orders).toBeGreaterThan(0);
  expect(journal.orders).toBeLessThan(ends.length);
  expect(causes.filled + causes.price).toBeCloseTo(apartBps, 9);

  const seen = await stage.requests();
  const method = (path: string): "GET" | "POST" => (path.includes("/private/") ? "POST" : "GET");
  const moving = seen.filter(({ path }) => !movesNothing(method(path), path.replace("/api/v1", "")));
  expect(moving).toEqual([]);
  expect(seen.filter(({ status }) => status === 429)).toEqual([]);
  const gaps = seen.slice(1).map(({ monotonicMs }, i) => monotonicMs - (seen[i]?.monotonicMs ?? 0));
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);

  const held = { CHF: 100_000, VCHF: 100_000 };
  const looks = looksOf(stage);
  for (const { quantity, limit, quote, became } of looks) {
    const isFilled = Number(limit) <= quote.bid && Number(quantity) <= quote.bidSize;
    if (became === "accepted") expect(isFilled, JSON.stringify(quote)).toBe(true);
    if (became !== "accepted") continue;
    held.VCHF -= Number(quantity);
    held.CHF += Math.floor(Number((Number(quantity) * quote.bid * 1e8).toFixed(3))) / 1e8;
  }
  const status = JSON.parse((await stage.ask("status", "--json")).stdout) as Shown;
  const shown = Object.fromEntries(status.holdings.map(({ asset, held }) => [asset, Number(held)]));
  expect(looks.filter(({ became }) => became === "accepted").length).toBeGreaterThan(15);
  expect(shown.VCHF).toBeCloseTo(held.VCHF, 6);
  expect(shown.CHF).toBeCloseTo(held.CHF, 4);
  const backup = JSON.parse((await stage.ask("journal", "backup", "kept", "--json")).stdout);
  expect(backup.with).toEqual(expect.arrayContaining(["shadow", "looks"]));
  writeFileSync(`${stage.journal}.shadow`, "damaged\n");
  const broken = stage.run();
  expect((await broken.ended()).code).toBe(1);
  expect(broken.stderr()).toMatch(/pegbot\.db\.shadow .*move the files that begin with/s);
  // The account at the venue has not moved.
  rewrite(stage, { journal: { path: "./other.db" } });
  expect(JSON.parse((await stage.ask("balances", "--json")).stdout)).toEqual(before);
});
