// What an order of W2 costs, by where its time goes: samples of the profiler over one run, by the file at the top of the
// stack. The sum is that of a profiled run, so shares are what to read.

import { Session } from "node:inspector/promises";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
/** The first that fits. */
const ROOMS: readonly (readonly [name: string, path: RegExp])[] = [
  ["equity", /src\/bot\/books\/valuation|src\/risk\/monitor|src\/bot\/review\/risk-monitor|src\/market\/mark/],
  ["gate", /src\/risk|src\/bot\/review/],
  ["strategy", /src\/strategy|src\/bot\/strategy-host|bench\//],
  ["trace", /trace|canonical|sha|text\//],
  ["records", /src\/journal|backtest\/(record|backtest-record)/],
  ["books", /src\/bot\/(books|accounts|bookkeeping)|src\/domain/],
  ["protocol", /src\/execution|src\/bot\/(requests|engine)/],
  ["venue and slots", /src\/(simulator|exchange)|src\/bot\/effects|src\/bot\/inbox/],
  ["prices", /src\/market/],
  ["replay", /backtest/],
  ["decimal.js", /decimal/],
];

export async function printOrderCost(run: () => { readonly orders: number }): Promise<void> {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  // Compiled first.
  run();
  await session.post("Profiler.start");
  const { orders } = run();
  const { profile } = await session.post("Profiler.stop");
  const names = new Map(
    profile.nodes.map(({ id, callFrame: { url, functionName } }) => [id, roomOf(url.replace(ROOT, ""), functionName)]),
  );
  const own = new Map<string, number>();
  for (const [place, id] of (profile.samples ?? []).entries()) {
    const name = names.get(id) ?? "runtime";
    own.set(name, (own.get(name) ?? 0) + (profile.timeDeltas?.[place] ?? 0));
  }
  const sum = [...own.values()].reduce((total, us) => total + us, 0);
  const row = (name: string, cost: string, share: string): string =>
    `${name.padEnd(18)}${cost.padStart(11)}${share.padStart(9)}\n`;
  process.stdout.write(`${orders} orders\n${row("part", "us an order", "share")}`);
  for (const [name, us] of [...own].sort(([, one], [, other]) => other - one))
    process.stdout.write(row(name, (us / orders).toFixed(1), `${((100 * us) / sum).toFixed(1)} %`));
  process.stdout.write(row("all", (sum / orders).toFixed(1), ""));
}

function roomOf(path: string, functionName: string): string {
  if (functionName === "(garbage collector)") return "garbage";
  return ROOMS.find(([, pattern]) => pattern.test(path))?.[0] ?? "runtime";
}
