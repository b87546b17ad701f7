// The daily rates of the European Central Bank, served from loopback as it publishes them.

import { afterEach, describe, expect, it } from "vitest";
import type { PairSymbol } from "../../../src/domain/asset.ts";
import type { QuoteEvent } from "../../../src/domain/event.ts";
import { createRandom } from "../../../src/domain/random.ts";
import { ecbFeed } from "../../../src/market/feed/ecb.ts";
import { createHttpText } from "../../../src/market/http-text.ts";
import { startFeedServer } from "../../support/feed-server.ts";
import { handTime } from "../../support/hand-time.ts";
import { untilItHolds } from "../../support/until-it-holds.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

type Rates = Readonly<Record<string, string>>;

const RATES: Rates = { USD: "1.1630", JPY: "179.50", GBP: "0.88130", CHF: "0.92420" };

function file(days: Readonly<Record<string, Rates>>): string {
  const cubes = Object.entries(days).map(([day, rates]) => {
    const rows = Object.entries(rates).map(([currency, rate]) => `\t\t\t<Cube currency='${currency}' rate='${rate}'/>`);
    return `\t\t<Cube time='${day}'>\n${rows.join("\n")}\n\t\t</Cube>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
\t<gesmes:subject>Reference rates</gesmes:subject>
\t<gesmes:Sender>
\t\t<gesmes:name>European Central Bank</gesmes:name>
\t</gesmes:Sender>
\t<Cube>
${cubes.join("\n")}
\t</Cube>
</gesmes:Envelope>`;
}

async function stage(text: string, now: number, symbols: readonly string[] = ["GBP/CHF", "EUR/USD", "USD/JPY"]) {
  const server = await startFeedServer();
  closing.push(() => server.close());
  server.answer = (_, response) => void response.writeHead(200, { "content-type": "text/xml" }).end(text);
  const time = handTime(now);
  const http = createHttpText();
  closing.push(http.close);
  const quotes: QuoteEvent[] = [];
  const troubles: (string | undefined)[] = [];
  const source = {
    name: "ecb",
    url: `http://127.0.0.1:${server.port}/stats/eurofxref/eurofxref-daily.xml`,
    symbols: new Set(symbols as PairSymbol[]),
  };
  const subscription = ecbFeed(source, {
    ...time,
    random: createRandom(5),
    read: http.read,
    onTrouble: (_, reason) => troubles.push(reason),
  }).subscribe((quote) => quotes.push(quote));
  closing.push(() => subscription.unsubscribe());
  return { server, time, quotes, troubles };
}

const at = (text: string): number => Date.parse(text);

describe("the ECB's daily rates", () => {
  it("become pairs of any two currencies, as old as the afternoon they were published", async () => {
    const { quotes, troubles } = await stage(file({ "2026-11-12": RATES }), at("2026-11-13T10:00:00Z"));
    await untilItHolds(() => expect(quotes).toHaveLength(3));
    const [gbpChf, eurUsd, usdJpy] = quotes;
    // 0.9242 / 0.8813, and 179.5 / 1.163
    expect(gbpChf?.bid).toBeCloseTo(1.0486781, 6);
    expect(eurUsd).toMatchObject({ bid: 1.163, ask: 1.163, at: at("2026-11-12T15:00:00Z") });
    expect(usdJpy?.ask).toBeCloseTo(154.342218, 5);
    expect(troubles).toEqual([]);
  });

  it("are taken of the newest day in the file of 90 days", async () => {
    const days = { "2026-11-12": RATES, "2026-11-13": { ...RATES, USD: "1.2" }, "2026-11-11": RATES };
    const { quotes } = await stage(file(days), at("2026-11-14T10:00:00Z"), ["EUR/USD"]);
    await untilItHolds(() => expect(quotes).toHaveLength(1));
    expect(quotes[0]).toMatchObject({ bid: 1.2, at: at("2026-11-13T15:00:00Z") });
  });

  it("are not looked for at length in a megabyte of days without an end", async () => {
    const before = process.cpuUsage();
    const { troubles } = await stage('<Cube time="2026-11-12">'.repeat(40_000), at("2026-11-13T10:00:00Z"));
    await untilItHolds(() => expect(troubles).toEqual(["its answer has no rates"]));
    // By the processor's time, which a busy machine does not stretch: looking for the end of each day anew takes 8 s of it.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3);
  });

  it("are asked for once an hour, and told again in between", async () => {
    const { server, time, quotes } = await stage(file({ "2026-11-12": RATES }), at("2026-11-13T10:00:00Z"), [
      "EUR/USD",
    ]);
    await untilItHolds(() => expect(quotes).toHaveLength(1));
    await time.pass(3_590_000);
    expect(quotes.length).toBeGreaterThan(100);
    expect(server.asked).toHaveLength(1);
    await time.pass(20_000);
    await untilItHolds(() => expect(server.asked).toHaveLength(2));
  });

  it.each([
    ["over a weekend", "2026-11-13", "2026-11-16T14:00:00Z", undefined],
    ["over Easter", "2026-04-02", "2026-04-07T14:00:00Z", undefined],
    ["in summer, an hour before 15:00 UTC", "2026-07-14", "2026-07-14T14:05:00Z", undefined],
    ["four working days later", "2026-11-09", "2026-11-13T10:00:00Z", "of 2026-11-09, 4 working days old"],
    ["before their day", "2026-11-14", "2026-11-13T10:00:00Z", "of 2026-11-14, which has not come yet"],
  ])("%s: those of %s at %s", async (_, day, now, reason) => {
    const { quotes, troubles } = await stage(file({ [day]: RATES }), at(now), ["EUR/USD"]);
    await untilItHolds(() => expect(quotes.length + troubles.length).toBe(1));
    if (reason === undefined) expect(quotes).toHaveLength(1);
    else expect(troubles[0]).toContain(reason);
  });

  it.each([
    ["a page", "<html><body>maintenance</body></html>", "its answer has no rates"],
    ["a file that is cut", file({ "2026-11-12": RATES }).slice(0, 500), "its answer has no rates"],
    ["a comma", file({ "2026-11-12": { ...RATES, GBP: "0,8813" } }), "its rate of GBP is a comma for a point: 0,8813"],
    ["no number", file({ "2026-11-12": { ...RATES, GBP: "N/A" } }), "its rate of GBP is not a number: N/A"],
    ["zero", file({ "2026-11-12": { ...RATES, GBP: "0" } }), "its rate of GBP is not above zero"],
    ["zero of the other", file({ "2026-11-12": { ...RATES, CHF: "0" } }), "its rate of CHF is not above zero"],
    ["a currency too few", file({ "2026-11-12": { USD: "1.1", CHF: "0.9" } }), "it has no rate of GBP"],
    ["no such day", file({ "2026-13-12": RATES }), "of no day"],
  ])("with %s give no price of it and a reason", async (_, text, reason) => {
    const { quotes, troubles } = await stage(text, at("2026-11-13T10:00:00Z"), ["GBP/CHF"]);
    await untilItHolds(() => expect(troubles).toHaveLength(1));
    expect(troubles[0]).toContain(reason);
    expect(quotes).toEqual([]);
  });
});
