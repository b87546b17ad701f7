// The page's own words, without a browser: what it makes of a status.

import { afterEach, expect, it, vi } from "vitest";
// @ts-expect-error: files of the page have no types
import { watchPlace } from "../../../src/watch/dashboard/page/background.js";
// @ts-expect-error: files of the page have no types
import { awayOf } from "../../../src/watch/dashboard/page/inventory.js";
import {
  stateShown,
  stopsOf,
  waitsText,
  wordsOf,
  // @ts-expect-error: files of the page have no types
} from "../../../src/watch/dashboard/page/state.js";
// @ts-expect-error: files of the page have no types
import { follow } from "../../../src/watch/dashboard/page/stream.js";
// @ts-expect-error: files of the page have no types
import { sentence, stopText } from "../../../src/watch/dashboard/page/switch.js";
import type { ShownLimit, Status } from "../../../src/watch/status.ts";
import { acceptedTexts } from "../../../src/watch/text/resume-text.ts";
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

it("a bot that is not ready is neither green nor said to trade, and its reasons are told once each", () => {
  const unready = statusAt({ unready: [SILENT] });
  expect(stateShown(unready, true)).toEqual({ text: "ACTIVE", tone: "unready" });
  expect(stateShown(unready, false)).toEqual({ text: "was ACTIVE", tone: "unheard" });
  const halted = { unready: ["HALTED: RC05: lost", SILENT] };
  expect(heardOf(halted).unsaid).toEqual([SILENT]);
  expect(heardOf({ ...halted, phase: { kind: "reading", text: "comparing" } }).unsaid).toEqual([]);
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

it("whoever resumes reads which stops are taken back, by whom and since when", () => {
  const stop = { state: "HALTED", reason: "fat finger", wayOut: "", by: "anna", since: T0 - 3 * 86_400_000 };
  const also = { ...stop, state: "HALTED", reason: "RC05: lost", by: "bot", since: T0 };
  expect(stopsOf({ ...stop, also: [also] }).map((one: typeof stop) => stopText(one, T0))).toEqual([
    "HALTED by anna, 2026-11-12 08:00:00 UTC: fat finger",
    "HALTED by bot, 08:00:00 UTC: RC05: lost",
  ]);
  expect(stopsOf(statusAt().standing)).toEqual([]);
});

it("a plan that waits for approval is in the bar, one that has all of them is not", () => {
  const plan = { persons: 2, approvedBy: ["anna"] };
  expect(waitsText({ plans: [plan] })).toBe("1 plan waits for approval");
  expect(waitsText({ plans: [{ ...plan, approvedBy: ["anna", "ben"] }], railsFrozen: "why" })).toBe("rails are frozen");
  expect(waitsText()).toBe("");
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
