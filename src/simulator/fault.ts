// Configurable faults: a rule names a fault, the calls it applies to, and when it strikes (always, at the nth matching
// request, or with a probability drawn from the seed). Unknown fields are refused.

import { z } from "zod";
import type { Random } from "../domain/random.ts";
import { ENDPOINT_NAMES, type EndpointName } from "./http/endpoint.ts";

const names = z.enum(ENDPOINT_NAMES);
const when = {
  on: z.union([names, z.array(names).min(1)]).optional(),
  /** Restricts the rule to requests with this public key. */
  publicKey: z.string().min(1).optional(),
  nth: z.union([z.int().min(1), z.array(z.int().min(1)).min(1)]).optional(),
  probability: z.number().min(0).max(1).optional(),
  /** The most times the rule strikes. */
  times: z.int().min(1).optional(),
};
const delayMs = z.int().min(1).max(86_400_000);
export const amount = z.string().regex(/^(0|[1-9][0-9]{0,17})(\.[0-9]{1,18})?$/, "must be a plain decimal in quotes");
const rule = <K extends string, S extends z.ZodRawShape>(kind: K, shape: S) =>
  z.strictObject({ fault: z.literal(kind), ...when, ...shape });

const ruleSchema = z.discriminatedUnion("fault", [
  rule("lost-request", {}),
  rule("lost-answer", {}),
  rule("late-arrival", { delayMs }),
  rule("late-execution", { delayMs }),
  rule("publication-delay", { delayMs }),
  rule("status", {
    status: z.literal([401, 403, 429, 500, 502, 503, 504]),
    executes: z.boolean().default(false),
    retryAfterSeconds: z.int().min(0).max(3_600).optional(),
  }),
  rule("html", { status: z.int().min(200).max(599).default(502), executes: z.boolean().default(true) }),
  rule("truncated-json", {}),
  rule("reset-before", {}),
  rule("reset-after", {}),
  rule("wrong-clock", { offsetMs: z.int().min(-31_536_000_000).max(31_536_000_000) }),
  rule("other-words", { words: z.record(z.string().min(1).max(40), z.string().min(1).max(40)) }),
  rule("pending-missing", {}),
  rule("error-inside", {
    status: z.literal([200, 400, 403, 404]).default(200),
    code: z.string().min(1).max(80).default("bad_gateway"),
    inner: z.int().min(100).max(599).default(502),
    message: z.string().min(1).max(400).default("the upstream gave no answer"),
    executes: z.boolean().default(true),
  }),
  rule("balances-lagging", { delayMs }),
  rule("lists-lagging", { delayMs }),
]);

type FaultRule = z.infer<typeof ruleSchema>;
type FaultKind = FaultRule["fault"];
type FaultOf<K extends FaultKind> = Extract<FaultRule, { fault: K }>;

const LISTS = ["queryOrders", "queryTrades", "queryPaymentRails", "queryPayments", "querySupplyChanges"] as const;

/** The calls for which a fault is meaningful; a fault without an entry applies to every call. */
const MEANT_FOR: Partial<Record<FaultKind, readonly EndpointName[]>> = {
  "publication-delay": ["addOrder"],
  "other-words": ["addOrder", "addPaymentRail", ...LISTS],
  "pending-missing": ["accountBalance"],
  "balances-lagging": ["accountBalance"],
  "lists-lagging": LISTS,
};

export const faultsSchema = z.strictObject({
  rules: z
    .array(
      ruleSchema.superRefine((one, context) => {
        if (one.nth !== undefined && one.probability !== undefined)
          context.addIssue({ code: "custom", message: "a rule has nth or probability, not both" });
        const meant = MEANT_FOR[one.fault];
        const stray = meant && one.on !== undefined && [one.on].flat().find((name) => !meant.includes(name));
        if (stray)
          context.addIssue({ code: "custom", message: `${one.fault} is for ${meant.join(", ")}, not ${stray}` });
      }),
    )
    .max(1_000),
});

export type FaultsSetting = z.input<typeof faultsSchema>;

/** Whether the rule applies to this call. */
function watches(one: FaultRule, name: EndpointName): boolean {
  const on = one.on === undefined ? MEANT_FOR[one.fault] : [one.on].flat();
  return on === undefined || on.includes(name);
}

// Decides which faults strike a request. Every rule counts its matching requests and draws from its own stream, so that
// the same seed and the same requests produce the same faults.

/** The faults that strike one request, each kind at most once. */
export interface Struck {
  get<K extends FaultKind>(kind: K): FaultOf<K> | undefined;
  readonly kinds: readonly FaultKind[];
}

type Watched = { readonly rule: FaultRule; readonly random: Random; seen: number; struck: number };

export class FaultPlan {
  private readonly random: Random;
  private watched: Watched[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  /** Replaces all rules and resets their counters. */
  set(rules: readonly FaultRule[]): void {
    this.watched = rules.map((rule, i) => ({ rule, random: this.random.fork(`fault ${i}`), seen: 0, struck: 0 }));
  }

  list(): readonly { rule: FaultRule; seen: number; struck: number }[] {
    return this.watched.map(({ rule, seen, struck }) => ({ rule, seen, struck }));
  }

  draw(name: EndpointName, publicKey: string | undefined): Struck {
    const struck = new Map<FaultKind, FaultRule>();
    for (const one of this.watched) {
      const { rule } = one;
      if (!watches(rule, name) || (rule.publicKey !== undefined && rule.publicKey !== publicKey)) continue;
      one.seen++;
      if (struck.has(rule.fault) || !strikes(one)) continue;
      one.struck++;
      struck.set(rule.fault, rule);
    }
    return {
      get: <K extends FaultKind>(kind: K) => struck.get(kind) as FaultOf<K> | undefined,
      kinds: [...struck.keys()],
    };
  }
}

function strikes({ rule, random, seen, struck }: Watched): boolean {
  // Drawn in every case: the stream must not depend on the other conditions.
  const drawn = rule.probability === undefined || random.next() < rule.probability;
  if (rule.times !== undefined && struck >= rule.times) return false;
  if (rule.nth !== undefined) return [rule.nth].flat().includes(seen);
  return drawn;
}
