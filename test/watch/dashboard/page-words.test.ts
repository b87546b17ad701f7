// The page's own words, without a browser: what it makes of a status.

import { afterEach, expect, it, vi } from "vitest";
import { utcText } from "../../../src/domain/time-text.ts";
import { RESUME } from "../../../src/risk/trading-state.ts";
// @ts-expect-error: files of the page have no types
import { said, ticks } from "../../../src/watch/chart/page/format.js";
// @ts-expect-error: files of the page have no types
import { watchPlace } from "../../../src/watch/dashboard/page/background.js";
// @ts-expect-error: files of the page have no types
import { grouped, moment, quantity } from "../../../src/watch/dashboard/page/format.js";
// @ts-expect-error: files of the page have no types
import { awayOf, plain, totalOf } from "../../../src/watch/dashboard/page/inventory.js";
import {
  equityGap,
  laneTone,
  stateShown,
  stopsOf,
  waitsText,
  whoseText,
  wordsOf,
  // @ts-expect-error: files of the page have no types
} from "../../../src/watch/dashboard/page/state.js";
// @ts-expect-error: files of the page have no types
import { follow, leftOf } from "../../../src/watch/dashboard/page/stream.js";
// @ts-expect-error: files of the page have no types
import { lackingOf, sentence, stopText } from "../../../src/watch/dashboard/page/switch.js";
import type { ShownLimit, Status } from "../../../src/watch/status.ts";
import { acceptedTexts, againTexts } from "../../../src/watch/text/resume-text.ts";
import { untilItHolds } from "../../support/until-it-holds.ts";
import { modelWith, statusAt, T0 } from "./stage.ts";

/** The words of such a status as the page hears them: at the beginning, and with each second. */
function heardOf(changes: Partial<Status> = {}) {
  const model = modelWith(() => statusAt(changes));
  const [first, tick] = [model.snapshot(), model.tick()].map(({ status }) =>
    wordsOf(JSON.parse(JSON.stringify(status))),
  );
  expect(tick).toEqual(first);
  return first;
}

const SILENT = "the venue fails or is silent: nothing new is sent until it answers";

it("a resume names what it accepts with amount and limit, on the page as by command, and of a person's own stop nothing", () => {
  const row = (key: ShownLimit["key"], name: string, unit: string, used: number | undefined, limit: number) => ({
    ...{ key, rule: "RC00", name, unit, used, limit, usedBps: undefined },
  });
  const limits = [
    row("daily-loss", "loss of the day", "CHF", 717.017, 700),
    row("drawdown", "loss from the peak", "CHF", undefined, Number.NaN),
    row("gross-exposure", "gross exposure", "CHF", 900, 1_000),
    row("turnover-hour", "turnover of the hour", "CHF", 0, 500),
    row("orders-day", "orders of the day", "", 14_000, 20_000),
    row("doubts", "orders in doubt", "", 1, 2),
  ];
  const texts = [
    "loss of the day, 717.02 CHF: the limit of 700.00 CHF counts anew from now (RC00)",
    "loss from the peak, not known now: its limit counts anew from now (RC00)",
    "orders of the day, 14,000: the limit of 20,000 counts anew from now (RC00)",
  ];
  expect(acceptedTexts(limits)).toEqual(texts);
  const [halted, killed] = (["loss", "person"] as const).map((cause) =>
    heardOf({ standing: { ...statusAt().standing, state: "HALTED", cause }, limits }),
  );
  expect(halted.accepts).toEqual(texts.map((text) => `accepts ${text}`));
  expect(killed.accepts).toEqual([]);
  expect(sentence(killed.forgiven)).toContain("a limit that is still broken stops the bot again");
  expect(sentence(halted.forgiven)).toMatch(/^Figures .* begin anew .* counts whole from now\.$/);
});

it("a resume names what would stop the bot again, and whether balances agree by now, on the page as by command", () => {
  const stop = { ...statusAt().standing, state: "HALTED", cause: "balances", wayOut: "pegbot adopt" } as const;
  const journal = { ...stop, cause: "journal", wayOut: RESUME } as const;
  const venue = { ...stop, cause: "venue", wayOut: `pegbot doctor until it can be read, then ${RESUME}` } as const;
  const loss = { ...stop, cause: "loss", wayOut: RESUME } as const;
  const standing = { ...stop, also: [journal, venue, loss] };
  const texts = [
    "balances: stops a running bot again unless it was dealt with; first: pegbot adopt",
    "journal: stops a running bot again unless it was dealt with",
    "venue: stops a running bot again unless it was dealt with; first: pegbot doctor until it can be read",
  ];
  expect(againTexts(standing)).toEqual(texts);
  const [differing, agreeing, killed, ended] = [
    heardOf({ standing }),
    heardOf({ standing, balancesAgreeSince: T0 }),
    heardOf({ standing: { ...standing, cause: "person" } }),
    heardOf({ standing: { ...loss, also: [] }, balancesAgreeSince: T0 }),
  ];
  expect([differing.again, killed.again, ended.again]).toEqual([texts, [], []]);
  expect(differing.balances).toMatch(/differ from the books still, or were not read yet/);
  expect(agreeing.balances).toBe(`they agree with the books since ${utcText(T0)}, at every reading`);
  expect(ended.balances).toBeUndefined();
});

it("a bot that is not ready is neither green nor said to trade, and its reasons are told once each", () => {
  const unready = statusAt({ unready: [SILENT] });
  expect([stateShown(unready, true), heardOf({ unready: [SILENT] }).doing]).toEqual([
    { text: "ACTIVE", tone: "unready" },
    "not ready",
  ]);
  expect([stateShown(statusAt(), true).tone, heardOf().doing]).toEqual(["ACTIVE", "trading"]);
  expect(stateShown(unready, false)).toEqual({ text: "was ACTIVE", tone: "unheard" });
  const halted = { unready: ["HALTED: RC05: lost", SILENT] };
  expect(heardOf(halted).unsaid).toEqual([SILENT]);
  expect(heardOf({ ...halted, phase: { kind: "reading", text: "comparing" } }).unsaid).toEqual([]);
});

it("says why there is no curve of equity: what it waits for, or that it has only begun", () => {
  expect(equityGap({ missing: "VGBP has no price" })).toBe("equity is not known yet: VGBP has no price");
  expect(equityGap({})).toMatch(/^equity is not known yet: it needs balances/);
  expect(equityGap({ now: "100" })).toBe("equity is known: its curve begins with the next points");
});

it("leaves room for the half of the last label that stands beyond the axis, once its labels are known", async () => {
  vi.stubGlobal("uPlot", { sync: () => ({ key: "time" }) });
  // @ts-expect-error: files of the page have no types
  const { edge } = await import("../../../src/watch/chart/page/frame.js");
  const ctx = { save() {}, restore() {}, measureText: (text: string) => ({ width: text.length * 6.1 }) };
  const plot = (...labels: string[]) => ({ ctx, axes: [{ _values: labels }], _padding: [8, 27, 0, 0] });
  expect(edge(plot(), 1, [], 0)).toBe(18);
  expect(edge(plot("12:05"), 1, [], 1)).toBe(18);
  // 8 letters of 6.1 are 48.8 wide.
  expect(edge(plot("12:05:30", "12:06:00\n16 Nov"), 1, [], 1)).toBe(27);
  expect(edge(plot("12:05"), 1, [], 2)).toBe(27);
});

it("of an older bot, which says nothing of being ready, the page shows the rest", () => {
  const { unready: _, ...older } = statusAt();
  const { doing, unsaid } = wordsOf(older);
  expect([stateShown(older, true).tone, doing, unsaid]).toEqual(["ACTIVE", "trading", []]);
});

/** Each connection begins with everything and then says nothing. */
function bot(heard: number): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("fetch", (path: string, { signal }: { readonly signal: AbortSignal }): Promise<Response> => {
    if (path.startsWith("/heard")) return Promise.resolve(new Response("", { status: heard }));
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        stream.enqueue(new TextEncoder().encode("event: snapshot\ndata: {}\n\n"));
        signal.addEventListener("abort", () => stream.error(signal.reason));
      },
    });
    return Promise.resolve(new Response(body));
  });
}

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  [502, "lost"],
  [404, "live"],
  [200, "live"],
])("a page whose word that something arrived is answered by %i is %s", async (status, link) => {
  const links: string[] = [];
  bot(status);
  follow({ token: () => undefined, snapshot: () => {}, tick: () => {}, link: (name: string) => links.push(name) });
  await untilItHolds(() => expect(links).toContain(link));
  for (let turn = 0; turn < 20; turn++) await new Promise((later) => setImmediate(later));
  expect(links.includes("lost")).toBe(link === "lost");
});

type Asked = { readonly signal?: AbortSignal; readonly ifAvailable?: boolean };

/** One at a time, in the order in which they asked; as the browser has them for all tabs of one place. */
function tabLocks() {
  const queue: (() => void)[] = [];
  let isHeld = false;
  const grant = async (work: (lock: object | null) => unknown): Promise<void> => {
    isHeld = true;
    await work({});
    isHeld = false;
    queue.shift()?.();
  };
  return {
    async request(_: string, { signal, ifAvailable }: Asked, work: (lock: object | null) => unknown): Promise<void> {
      await Promise.resolve();
      if (!isHeld) return grant(work);
      if (ifAvailable === true) return void (await work(null));
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      queue.push(resolve);
      signal?.addEventListener("abort", () => {
        queue.splice(queue.indexOf(resolve), 1);
        reject(signal.reason);
      });
      await promise;
      return grant(work);
    },
  };
}

class Tab extends EventTarget {
  hidden = false;
  isLive = false;

  constructor(locks: ReturnType<typeof tabLocks> | undefined) {
    super();
    watchPlace({ page: this, locks, taken: () => this.live(true), lost: () => this.live(false) });
  }

  live(isLive: boolean): void {
    this.isLive = isLive;
  }

  async turn(hidden: boolean): Promise<void> {
    this.hidden = hidden;
    this.dispatchEvent(new Event("visibilitychange"));
    for (let turn = 0; turn < 5; turn++) await new Promise((later) => setImmediate(later));
  }
}

it("of pages in the background one goes on, the next when that is seen or closed, and what is looked at is always live", async () => {
  const locks = tabLocks();
  const tabs = Array.from({ length: 8 }, () => new Tab(locks));
  const live = (): number[] => tabs.flatMap(({ isLive }, index) => (isLive ? [index] : []));
  const [first, second, third] = tabs as [Tab, Tab, Tab];
  for (const tab of tabs.slice(0, 7)) await tab.turn(true);
  expect(live()).toEqual([0, 7]);
  // As one looks at the third: the first still has its place.
  await third.turn(false);
  expect(live()).toEqual([0, 2, 7]);
  await first.turn(false);
  expect(live()).toEqual([0, 1, 2, 7]);
  await second.turn(false);
  expect(live()).toEqual([0, 1, 2, 3, 7]);
  await third.turn(true);
  expect(live()).toEqual([0, 1, 3, 7]);
});

it("a page whose browser has no locks is live, seen or not", async () => {
  const tab = new Tab(undefined);
  await tab.turn(true);
  expect(tab.isLive).toBe(true);
});

it.each([
  ["at once", () => Promise.reject(new DOMException("blocked", "SecurityError"))],
  [
    "by throwing",
    () => {
      throw new DOMException("blocked", "SecurityError");
    },
  ],
  [
    "where it would wait",
    (_: string, { ifAvailable }: { ifAvailable?: boolean }, hold: (lock: null) => void) =>
      ifAvailable ? Promise.resolve(hold(null)) : Promise.reject(new DOMException("blocked", "SecurityError")),
  ],
])("a page whose browser refuses locks %s is live, seen or not, and nothing is left unhandled", async (_, request) => {
  const tab = new Tab({ request } as unknown as ReturnType<typeof tabLocks>);
  await tab.turn(true);
  expect(tab.isLive).toBe(true);
  await tab.turn(false);
  expect(tab.isLive).toBe(true);
});

it("a page at rest keeps no connection and makes none, and goes on at once with everything", async () => {
  const links: string[] = [];
  let asked = 0;
  bot(200);
  const served = fetch;
  vi.stubGlobal("fetch", (path: string, options: { readonly signal: AbortSignal }) => {
    if (path.startsWith("/stream")) asked++;
    return served(path, options);
  });
  const link = (name: string): void => void links.push(name);
  const page = follow({ token: () => undefined, snapshot: () => {}, tick: () => {}, link });
  await untilItHolds(() => expect(links).toContain("live"));
  page.rest();
  await untilItHolds(() => expect(links.at(-1)).toBe("resting"));
  await vi.advanceTimersByTimeAsync(60_000);
  expect([asked, vi.getTimerCount(), links.includes("lost")]).toEqual([1, 0, false]);
  page.goOn();
  await untilItHolds(() => expect(links.at(-1)).toBe("live"));
  expect(asked).toBe(2);
});

it("a page that cannot show what it got has its next try before it, whatever comes of saying so", async () => {
  const tries: number[] = [];
  bot(200);
  const snapshot = (): never => {
    throw new TypeError("of another version");
  };
  const link = (name: string): unknown => name === "lost" && tries.push(vi.getTimerCount());
  follow({ token: () => undefined, snapshot, tick: () => {}, link });
  await untilItHolds(() => expect(tries).toEqual([1]));
});

it("a small price and a small amount have the digits that they need, a large one those that it had", () => {
  expect([0.000025587, 0.00000981, 0.999206, 1.25, 0].map((value) => said(value, "price"))).toEqual([
    "0.000025587",
    "0.00000981",
    "0.99921",
    "1.25000",
    "0.00000",
  ]);
  expect(ticks([0.0000256, 0.00002565], "price")).toEqual(["0.00002560", "0.00002565"]);
  expect(
    ["0.00412345", "1.23456789", "102500", "-97502.519", "12.5", "0.000000000000000001", undefined].map(quantity),
  ).toEqual(["0.00412345", "1.23456", "102,500.00", "\u221297,502.51", "12.50", "0.000000000000000001", "\u2013"]);
});

it("what comes is as old as the moment in which the last was said to have arrived, whatever the clocks say", () => {
  expect([leftOf(1_000, 2_000), leftOf(1_000, 7_000)]).toEqual([4_000, -1_000]);
});

it("a share of what is not known is not known", () => {
  const known = [
    { held: "10", value: "10" },
    { held: "0", value: undefined },
  ];
  expect(totalOf(known)).toBe(10);
  expect(totalOf([...known, { held: "0.004", value: undefined }])).toBeUndefined();
});

it.each([
  ["one mint in doubt that the venue lists", { pending: "119999.41", inFlight: "0", mayCome: "119999.41" }, 119_999.41],
  ["one that it does not list", { pending: "0", inFlight: "0", mayCome: "119999.41" }, 119_999.41],
  ["one in the books and one in doubt, both listed", { pending: "300", inFlight: "100", mayCome: "200" }, 300],
  // 100 of them are somebody else's.
  ["more than ours", { pending: "400", inFlight: "100", mayCome: "200" }, 400],
  ["an order beside it", { reserved: "7", pending: undefined, inFlight: "100", mayCome: "200" }, 307],
])("what is on its way is counted once: %s", (_, holding, away) => {
  expect(awayOf({ reserved: "0", ...holding })).toBe(away);
});

it("a sum loses no cent to binary fractions where it is cut", () => {
  const shown = (value: number): string => quantity(plain(value));
  expect([119_999.04, 0.1 + 0.2, 0.000001, 1_591_238.21].map(shown)).toEqual([
    "119,999.04",
    "0.30",
    "0.000001",
    "1,591,238.21",
  ]);
});

it("equity on the chart is cut as the figure is, and a price that is old leaves a gap", () => {
  const old = statusAt().quotes.map((quote) => ({
    ...quote,
    ageMs: 65_000,
    fair: undefined,
    noFair: "stale" as const,
  }));
  const drawn = (quotes: ReturnType<typeof statusAt>["quotes"]) =>
    modelWith(() => statusAt({ quotes, equity: { ...statusAt().equity, now: "423322.138" } })).tick().points[0]?.values;
  expect(drawn(statusAt().quotes)).toEqual([423_322.13, 0.999, 0.9996, 1]);
  expect(drawn(old)).toEqual([423_322.13, null, null, null]);
});

it("a moment has its day unless it is today's", () => {
  expect([moment(T0, T0 + 1_000), moment(T0 - 86_400_000, T0)]).toEqual(["08:00:00", "2026-11-14 08:00:00"]);
});

it("whoever resumes reads which stops are taken back, by whom and since when", () => {
  const stop = { state: "HALTED", reason: "fat finger", wayOut: "", by: "anna", since: T0 - 3 * 86_400_000 };
  const also = { ...stop, state: "HALTED", reason: "RC05: lost", by: "bot", since: T0 };
  expect(stopsOf({ ...stop, also: [also] }).map((one: typeof stop) => stopText(one, T0))).toEqual([
    "HALTED by anna, 2026-11-12 08:00:00 UTC: fat finger",
    "HALTED by bot, 08:00:00 UTC: RC05: lost",
  ]);
  expect(stopsOf(statusAt().standing)).toEqual([]);
});

it("the first field from above that lacks something is the one that is named", () => {
  const fields = ["reason", "confirm", "token"];
  const lacking = (reason: string, confirm: string, token?: string) =>
    lackingOf(fields, { reason, confirm, token })?.field;
  expect([lacking("", ""), lacking("why", ""), lacking("why", "resume"), lacking("why", "resume", "t")]).toEqual([
    "reason",
    "confirm",
    "token",
    undefined,
  ]);
});

it("a plan that waits for approval is in the bar, one that has all of them is not", () => {
  const plan = { persons: 2, approvedBy: ["anna"] };
  expect(waitsText({ plans: [plan] })).toBe("1 plan waits for approval");
  expect(waitsText({ plans: [{ ...plan, approvedBy: ["anna", "ben"] }], railsFrozen: "why" })).toBe("rails are frozen");
  expect(waitsText()).toBe("");
});

it("whose stop it is stands apart from its reason", () => {
  const stop = { state: "HALTED", reason: "the venue refuses our key", by: "bot", since: T0, cause: "venue" };
  expect(whoseText(stop, T0)).toBe("(venue, by bot, 08:00:00 UTC)");
  expect(whoseText({ ...stop, by: "kill file", cause: undefined }, T0)).toBe("(by kill file, 08:00:00 UTC)");
});

it("what evidence did not decide is in the bar, what it may still decide is not", () => {
  const decide = "look at the venue's portal, then pegbot resolve";
  const open = [{ kind: "order", decide }, { kind: "order" }, { kind: "mint", decide }, { kind: "mint", decide }];
  expect(waitsText({ railsFrozen: "why" }, open)).toBe("1 order, 2 mints wait for a person's word, rails are frozen");
  expect(waitsText(undefined, open.slice(0, 2))).toBe("1 order waits for a person's word");
});

it("what the venue holds is in the bar, payments on rails too", () => {
  const heldSince = T0;
  const open = [{ kind: "mint", heldSince }, { kind: "mint" }, { kind: "rail", heldSince }];
  const held = [{ id: "payment:1" }, { id: "payment:2" }];
  expect(waitsText({ held }, open)).toBe("1 mint, 1 rail, 2 payments are held by the venue");
  expect(waitsText({ held: [], railsFrozen: "why" }, open.slice(0, 2))).toBe(
    "1 mint is held by the venue, rails are frozen",
  );
});

it("an amount that is to be paid is shown to the last digit, with the thousands apart", () => {
  expect(["3509 VCHF", "1250000.125 CHF", "999.5 VCHF"].map(grouped)).toEqual([
    "3,509 VCHF",
    "1,250,000.125 CHF",
    "999.5 VCHF",
  ]);
});

it("what the venue holds is never green, nor is a mint whose coins are on their way; a rail that it has confirmed is", () => {
  const tone = (kind: string) => (state: string) => laneTone({ kind, state });
  expect(["held", "confirmed", "settled"].map(tone("mint"))).toEqual(["loss", "warn", "gain"]);
  expect(["held", "confirmed", "doubt"].map(tone("rail"))).toEqual(["loss", "gain", "loss"]);
  expect(["held", "on its way", "arrived"].map(tone("payment"))).toEqual(["loss", "warn", "gain"]);
});
