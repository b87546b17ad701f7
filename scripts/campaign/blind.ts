// `npm run campaign blind [DAYS [SEED [TRUTH]]]`: how far the fill chances of `blind-taker` can be relied on, and what an order
// of 190 a day earns against orders at even times, on six markets inside and outside what it assumes. Ends with 1 where a
// decile of 400 orders is off by more than three standard errors, the slope leaves 0.8 to 1.2, or fewer than five of the
// six earn more than orders at even times do.

import { distanceOf } from "../../src/domain/reliability.ts";
import { TRUTHS, type Truth, trial } from "../../test/support/blind-truths.ts";

const [days, seed] = [Number(process.argv[2] ?? 14), Number(process.argv[3] ?? 11)];
const truths = (Object.keys(TRUTHS) as Truth[]).filter((one) => one === (process.argv[4] ?? one));
const print = (text: string): void => void process.stdout.write(`${text}\n`);
let [earning, isRight] = [0, true];

print(`seed ${seed}, ${days} days each`);
for (const truth of truths) {
  const {
    orders,
    slope = Number.NaN,
    worst = 0,
    gained,
    gainedError,
    gainExpected,
    deciles,
  } = trial({
    ...{ truth, seed, days },
    choice: "taught",
  });
  const holds = slope >= 0.8 && slope <= 1.2 && worst <= 3;
  isRight &&= holds;
  const each = `${gained.toFixed(3)} +-${gainedError.toFixed(3)} CHF an order of ${gainExpected.toFixed(3)} expected`;
  print(
    `${holds ? "holds" : "FAILS"}  ${truth}: ${orders} orders, slope ${slope.toFixed(2)}, worst ${worst.toFixed(1)}; ${each}`,
  );
  for (const one of deciles.filter((decile) => decile.orders > 0)) {
    const [expected, filled] = [one.expected, one.filled].map((count) => ((100 * count) / one.orders).toFixed(0));
    print(
      `         ${String(one.orders).padStart(5)} orders: ${expected} % expected, ${filled} % filled, ${distanceOf(one).toFixed(1)}`,
    );
  }
  for (const choice of ["in turn", "again"] as const) {
    const fixed = trial({ truth, seed, days, choice });
    if (choice === "in turn" && gained > fixed.gained) earning++;
    print(
      `         ${choice}: ${fixed.orders} orders, ${fixed.filled} filled, ${fixed.gained.toFixed(3)} +-${fixed.gainedError.toFixed(3)}`,
    );
  }
}
print(`${earning} of ${truths.length} earn more than orders at even times`);
process.exitCode = isRight && earning >= truths.length - 1 ? 0 : 1;
