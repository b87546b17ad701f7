import { expect, it } from "vitest";
import { z } from "zod";
import { prepareStrategy } from "../../src/strategy/prepare.ts";

const params = z.object({
  size: z.union([z.number(), z.array(z.number()).min(1)]).default(1),
  exit: z.union([z.enum(["fast", "slow"]), z.object({ afterMs: z.number().min(1) })]).default("fast"),
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
});

function refusal(given: unknown): string | undefined {
  const prepared = prepareStrategy({ name: "any", params, decide: () => undefined }, given);
  return prepared.ok ? undefined : prepared.error;
}

it.each([
  [{ sise: 1 }, "params has no sise"],
  [{ limits: { perOrdr: 1 } }, "params.limits has no perOrdr"],
  [{ strict: { a: 1, beyond: 2 } }, "params.strict has no beyond"],
  [{ exit: { afterMs: 5, aftrMs: 6 } }, "params.exit has no aftrMs"],
  [{ stop: { kind: "at", losMax: 5 } }, "params.stop has no losMax"],
  [{ stop: { kind: "never", lossMax: 5 } }, "params.stop has no lossMax"],
  [{ bounds: { mots: 5 } }, "params.bounds has no mots"],
  [{ ends: [{ from: 1, to: 2 }] }, "params.ends.0 has no to"],
  [{ later: { afterS: 1 } }, "params.later has no afterS"],
  [{ legs: [{ symbol: "VCHF/CHF" }, { symbol: "VCHF/CHF", x: 1 }] }, "params.legs.1 has no x"],
])("a parameter that there is none of, %j, is refused at any depth", (given, told) => {
  expect(refusal(given)).toContain(told);
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
