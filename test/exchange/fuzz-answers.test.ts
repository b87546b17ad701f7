// 20,000 damaged answers of every call; `npm run campaign answers` runs 200,000 and takes a seed.

import { expect, test } from "vitest";
import { specimens } from "../support/answer-corpus.ts";
import { fuzzAnswers } from "../support/answer-fuzz.ts";
import { fuzz } from "../support/fuzz.ts";

test("damaged answers: no error escapes and no value is invented", () => {
  // Every call in every outcome needs so many.
  const { seed, count } = fuzz("fuzz-answers", 20_000);
  const { outcomes } = fuzzAnswers(seed, Math.max(count, 20_000));
  // Damage that nothing survives, or that nothing notices, would prove nothing.
  for (const path of new Set(specimens.map((specimen) => specimen.endpoint.path))) {
    const seen = [...outcomes].filter(([name]) => name.startsWith(`${path} `)).map(([name]) => name.split(" ")[1]);
    expect(seen.length, `${path}: ${seen.join(", ")}`).toBeGreaterThanOrEqual(2);
  }
  for (const path of ["addOrder", "mintTokens", "addPaymentRail"])
    for (const kind of ["accepted", "rejected", "doubt"])
      expect(outcomes.get(`/private/${path} ${kind}`) ?? 0, `${path} ${kind}`).toBeGreaterThan(9);
});
