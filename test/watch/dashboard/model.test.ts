// What the page is told: folded from real steps, bounded, each thing once.

import { describe, expect, test } from "vitest";
import { millis } from "../../../src/domain/time.ts";
import { createSeries } from "../../../src/watch/dashboard/model/series.ts";
import { modelWith, statusAt, T0 } from "./stage.ts";

describe("a second", () => {
  test("brings equity and prices once, and lists only where they changed", () => {
    let status = statusAt();
    const model = modelWith(() => status);
    const first = model.tick();
    expect(first.status.decisions).toHaveLength(1);
    expect(first.points[0]).toEqual({ tier: 0, time: T0 / 1_000, values: [428139.63, 0.999, 0.9996, 1] });
    status = { ...status, at: millis(T0 + 1_000) };
    const second = model.tick();
    expect(second.status).not.toHaveProperty("decisions");
    expect(second.points).toMatchObject([{ tier: 0, time: T0 / 1_000 + 1 }]);
    status = { ...status, at: millis(T0 + 2_000), decisions: [...status.decisions] };
    expect(model.tick().status.decisions).toHaveLength(1);
  });
});

describe("memory", () => {
  test("keeps a bounded number of rows, coarser the older they are", () => {
    const specs = [
      { everyMs: 1_000, rows: 5 },
      { everyMs: 10_000, rows: 3 },
    ];
    const series = createSeries(1, specs);
    for (let second = 0; second < 100; second++) series.add(second * 1_000, Float64Array.of(second));
    expect(series.tiers()).toEqual([
      { everyMs: 1_000, time: [95, 96, 97, 98, 99], columns: [[95, 96, 97, 98, 99]] },
      { everyMs: 10_000, time: [70, 80, 90], columns: [[70, 80, 90]] },
    ]);
  });
});
