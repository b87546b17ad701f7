import { expect, test } from "vitest";
import { millis, mono } from "../../src/domain/time.ts";
import { RequestLog } from "../../src/simulator/http/request-log.ts";

test("the list of requests seen forgets the oldest and keeps the order of the others", () => {
  const log = new RequestLog();
  for (let i = 0; i < 45_000; i++)
    log.add({
      publicKey: i % 2 === 0 ? "even" : "odd",
      arrivedAt: millis(i),
      arrivedMono: mono(i),
      method: "GET",
      path: "/",
      nonce: undefined,
      digest: undefined,
      status: 200,
      outcome: "ok",
    });
  const all = log.of(undefined).map(({ arrivedAt }) => arrivedAt);
  expect(all).toEqual(Array.from({ length: 20_000 }, (_, i) => 25_000 + i));
  expect(log.of("odd")).toHaveLength(10_000);
});
