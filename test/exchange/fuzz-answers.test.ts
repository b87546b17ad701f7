// 20,000 damaged answers of every call; `npm run fuzz:answers` runs 200,000 and takes a seed.

import { expect, test } from "vitest";
import { specimens } from "../support/answer-corpus.ts";
import { fuzzAnswers } from "../support/answer-fuzz.ts";

test("20,000 damaged answers: no error escapes and no value is invented", () => {
  const seed = (Date.now() % 0x7fff_ffff) | 0;
  process.stdout.write(`fuzz-answers seed ${seed}\n`);
  const { outcomes } = fuzzAnswers(seed, 20_000);
  // Damage that nothing survives, or that nothing notices, would prove nothing.
  for (const path of new Set(specimens.map((specimen) => specimen.endpoint.path))) {
    const seen = [...outcomes].filter(([name]) => name.startsWith(`${path} `)).map(([name]) => name.split(" ")[1]);
    expect(seen.length, `${path}: ${seen.join(", ")}`).toBeGreaterThanOrEqual(2);
  }
  for (const path of ["addOrder", "mintTokens", "addPaymentRail"])
    for (const kind of ["accepted", "rejected", "doubt"])
      expect(outcomes.get(`/private/${path} ${kind}`) ?? 0, `${path} ${kind}`).toBeGreaterThan(9);
});
