/// <reference lib="dom" />
// What the page knows and shows, and how it asks the bot: one request a second, whose answer is as old as the request at
// most. The token is kept in this page's memory and nowhere else.

import type { WaitingPlan } from "../../../operation/plan.ts";
import type { Mark, PageData } from "../model.ts";

export type Dialog =
  | { readonly kind: "halt" | "resume" | "token" | "help" }
  | { readonly kind: "plan"; readonly id: string; readonly plan?: PlanShown };
export type PlanShown = WaitingPlan & { readonly steps: readonly string[] };

export const TABS = ["fills", "decisions", "refusals", "orders", "conversions", "notes"] as const;
export const SPANS = [
  ["1h", 3_600_000],
  ["6h", 21_600_000],
  ["1d", 86_400_000],
  ["7d", 604_800_000],
  ["30d", 2_592_000_000],
] as const;

export type View = {
  data: PageData | undefined;
  link: "connecting" | "live" | "quiet" | "lost" | "locked";
  isOutdated: boolean;
  token: string | undefined;
  dialog: Dialog | undefined;
  /** What stands about the order that was sent last. */
  problem: string;
  isSending: boolean;
  tab: (typeof TABS)[number];
  span: number;
  pair: string | undefined;
  filter: string;
  /** The index of the row that the keys are on, and the ids of those that are open. */
  row: string;
  opened: ReadonlySet<string>;
  allLimits: boolean;
};

export const view: View = {
  ...{ data: undefined, link: "connecting", isOutdated: false, token: undefined, dialog: undefined, problem: "" },
  ...{
    isSending: false,
    tab: "fills",
    span: 0,
    pair: undefined,
    filter: "",
    row: "",
    opened: new Set(),
    allLimits: false,
  },
};

let redraw = (): void => {};
export function onChange(draw: () => void): void {
  redraw = draw;
}

export function set(change: Partial<View>): void {
  Object.assign(view, change);
  redraw();
}

const EVERY_MS = 1_000;
/** Older than this is no present any more. */
const OLD_MS = 5_000;
const ANSWER_MS = 5_000;
const ANSWER_MS_MAX = 20_000;

function headers(): Record<string, string> {
  return view.token === undefined ? {} : { authorization: `Bearer ${view.token}` };
}

/** Asks for ever, one request at a time. A page in the background asks less often. */
export async function follow(news: () => void): Promise<void> {
  const build = document.querySelector<HTMLMetaElement>("meta[name=build]")?.content;
  let heardAt = performance.now();
  for (;;) {
    const askedAt = performance.now();
    try {
      const answer = await fetch("/data", {
        headers: headers(),
        cache: "no-store",
        signal: AbortSignal.timeout(OLD_MS),
      });
      if (answer.status === 401) set({ link: "locked", token: undefined, dialog: view.dialog ?? { kind: "token" } });
      else if (answer.ok) {
        const data = (await answer.json()) as PageData;
        heardAt = askedAt;
        set({ data, link: "live", isOutdated: data.build !== build });
        news();
      } else throw new Error(`status ${answer.status}`);
    } catch {
      set({ link: view.data === undefined ? "connecting" : performance.now() - heardAt > OLD_MS ? "lost" : "quiet" });
    }
    const pause = document.hidden ? 10 * EVERY_MS : EVERY_MS;
    await new Promise((resolve) => setTimeout(resolve, Math.max(100, pause - (performance.now() - askedAt))));
  }
}

export async function rowsOf(
  from: number,
  of: readonly string[],
  pair: string,
): Promise<{ time: number[]; columns: (number | null)[][]; fills: Mark[] } | undefined> {
  try {
    const answer = await fetch(
      `/history?from=${from}&of=${encodeURIComponent(of.join(","))}&fills=${encodeURIComponent(pair)}`,
      { headers: headers() },
    );
    return answer.ok ? await answer.json() : undefined;
  } catch {
    return undefined;
  }
}

/** Sends what a person decided; says what became of it in the dialog, which stays open unless it was done. */
export async function act(path: string, body: object, token: string): Promise<void> {
  const isHalt = path.endsWith("halt");
  const otherwise = isHalt ? "stop it with pegbot halt, the kill file or SIGUSR2" : "see pegbot status";
  const unknown = `NOT KNOWN whether it was done, or will be: no answer from the bot; ${otherwise}`;
  const late = setTimeout(() => set({ problem: unknown, isSending: false }), ANSWER_MS);
  set({ isSending: true, problem: "" });
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const told = (await answer.json().catch(() => ({}))) as { error?: string };
    if (answer.ok) set({ token, dialog: undefined, problem: "", isSending: false });
    else
      set({
        token: answer.status === 401 ? undefined : token,
        problem: `${isHalt ? "NOT STOPPED: " : ""}${told.error ?? `status ${answer.status}`}`,
        isSending: false,
      });
  } catch {
    set({ problem: unknown, isSending: false });
  } finally {
    clearTimeout(late);
  }
}

/** Shows the plan before it can be decided on: what is approved is what was read here. */
export async function showPlan(id: string, token: string): Promise<void> {
  const answer = await fetch("/api/plans", { headers: { authorization: `Bearer ${token}` } }).catch(() => undefined);
  const { plans = [] } = (answer?.ok ? await answer.json() : {}) as { plans?: readonly WaitingPlan[] };
  const plan = plans.find((one) => one.id === id);
  if (plan === undefined) return set({ problem: "the plan cannot be read with this token, or waits no longer" });
  const steps = view.data?.status.treasury?.plans.find((one) => one.id === id)?.steps ?? [];
  set({ token, dialog: { kind: "plan", id, plan: { ...plan, steps } }, problem: "" });
}
