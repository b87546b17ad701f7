import { expect, it } from "vitest";
import { z } from "zod";
import { prepareStrategy } from "../../src/strategy/prepare.ts";

const params = z.object({
  size: z.union([z.number(), z.array(z.number()).min(1)]).default(1),
  exit: z.union([z.enum(["fast", "slow"]), z.object({ afterMs: z.number().min(1) })]).default("fast"),
  shape: z
    .discriminatedUnion("kind", [z.object({ kind: z.literal("flat") }), z.object({ kind: z.literal("step") })])
    .optional(),
  limits: z.object({ perOrder: z.number(), perDay: z.number() }).partial().default({}),
  strict: z.strictObject({ a: z.number() }).optional(),
  open: z.looseObject({ a: z.number() }).optional(),
  stop: z
    .discriminatedUnion("kind", [
      z.object({ kind: z.literal("never") }),
      z.object({ kind: z.literal("at"), lossMax: z.number().optional() }),
    ])
    .optional(),
  bounds: z
    .object({ most: z.number().optional() })
    .transform(({ most = 1 }) => most)
    .optional(),
  ends: z.tuple([z.object({ from: z.number() })]).optional(),
  later: z.lazy(() => z.object({ afterMs: z.number().optional() })).optional(),
  legs: z
    .array(
      z.object({
        symbol: z.string().min(7),
        name: z
          .string()
          .regex(/^[a-z]+$/)
          .optional(),
      }),
    )
    .default([]),
  grid: z.number().multipleOf(5).optional(),
  when: z.union([z.string().regex(/^\d+ (s, or m)$/), z.string().regex(/^[a-z]{9}$/)]).optional(),
  own: z
    .number()
    .refine((n) => n !== 13, "no thirteens here")
    .optional(),
});

function refusal(given: unknown): string | undefined {
  const prepared = prepareStrategy({ name: "any", params, decide: () => undefined }, given);
  return prepared.ok ? undefined : prepared.error;
}

it.each([
  [{ size: {} }, "params.size must be a number or a list, was object"],
  [{ size: [] }, "params.size must have at least 1 entry, was a list"],
  [{ exit: "slwo" }, 'params.exit must be fast or slow, was "slwo"'],
  [{ exit: 5 }, "params.exit must be fast, slow or a mapping, was 5"],
  [{ exit: { afterMs: 0 } }, "params.exit.afterMs must be at least 1, was 0"],
  [{ shape: { kind: "flt" } }, 'params.shape.kind must be flat or step, was "flt"'],
  [{ grid: 7 }, "params.grid must be a multiple of 5, was 7"],
  [{ legs: [{ symbol: "A/B" }] }, 'params.legs.0.symbol must have at least 7 characters, was "A/B"'],
  [{ legs: [{ symbol: "VCHF/CHF", name: "A" }] }, 'params.legs.0.name must match /^[a-z]+$/, was "A"'],
  [
    { when: "later" },
    'params.when must be text that matches /^\\d+ (s, or m)$/ or text that matches /^[a-z]{9}$/, was "later"',
  ],
  [{ own: 13 }, "params.own: no thirteens here"],
])("a parameter that does not fit, %j, is told as rule, limit and value", (given, told) => {
  expect(refusal(given)).toBe(told);
});

it.each([
  [
    { sise: 1 },
    "params has no sise: there are size, exit, shape, limits, strict, open, stop, bounds, ends, later, legs, grid, when, own; did you mean size?",
  ],
  [{ limits: { perOrdr: 1 } }, "params.limits has no perOrdr: there are perOrder, perDay; did you mean perOrder?"],
  [{ strict: { a: 1, beyond: 2 } }, "params.strict has no beyond: there are a"],
  [{ exit: { afterMs: 5, aftrMs: 6 } }, "params.exit has no aftrMs: there are afterMs; did you mean afterMs?"],
  [{ stop: { kind: "at", losMax: 5 } }, "params.stop has no losMax: there are kind, lossMax; did you mean lossMax?"],
  [{ stop: { kind: "never", lossMax: 5 } }, "params.stop has no lossMax: there are kind"],
  [{ bounds: { mots: 5 } }, "params.bounds has no mots: there are most; did you mean most?"],
  [{ ends: [{ from: 1, to: 2 }] }, "params.ends.0 has no to: there are from"],
  [{ later: { afterS: 1 } }, "params.later has no afterS: there are afterMs; did you mean afterMs?"],
  [{ legs: [{ symbol: "VCHF/CHF" }, { symbol: "VCHF/CHF", x: 1 }] }, "params.legs.1 has no x: there are symbol, name"],
])("a parameter that there is none of, %j, is refused at any depth, with those that there are", (given, told) => {
  expect(refusal(given)).toBe(told);
});

it("what fits is taken, with keys that its author left open", () => {
  const given = {
    size: [1, 2],
    exit: { afterMs: 5 },
    limits: { perDay: 3 },
    open: { a: 1, b: 2 },
    stop: { kind: "at", lossMax: 1 },
    bounds: { most: 2 },
    ends: [{ from: 1 }],
  };
  expect(refusal(given)).toBeUndefined();
});
