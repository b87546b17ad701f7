import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { BUSY } from "../support/busy.ts";
import { needs } from "../support/needs.ts";
import { isAlive, until } from "../support/program.ts";
import { startRedis } from "../support/redis.ts";
import { SIXTY, sweepStage } from "./sweep-stage.ts";

describe("a sweep of sixty runs", () => {
  it("gives one table, byte by byte: on two cores, killed at half on one core, and on Redis with a worker killed and the sweep stopped", async () => {
    needs("redis-server");
    const stage = sweepStage();
    const sweep = (db: string, ...more: string[]) => [
      "sweep",
      ...SIXTY,
      "--json",
      "--db",
      db,
      "--out",
      `${db}.html`,
      ...more,
    ];
    const whole = await stage.finished(sweep("two.db", "--workers", "2"));
    expect(whole).toMatchObject({ code: 0, stderr: "" });
    const table = JSON.parse(whole.stdout) as { rows: { inSample: number }[] };
    expect(table.rows).toHaveLength(30);
    expect(new Set(table.rows.map(({ inSample }) => inSample)).size).toBeGreaterThan(10);

    const killed = stage.run(sweep("one.db", "--workers", "1"));
    await stage.has("one.db", 30);
    killed.kill("SIGKILL");
    expect((await killed.ended()).signal).toBe("SIGKILL");
    const kept = stage.count("one.db");
    expect(kept).toBeLessThan(60);
    const resumed = await stage.finished(sweep("one.db", "--workers", "1"));
    expect(resumed).toEqual({
      code: 0,
      stdout: whole.stdout,
      stderr: `60 runs, ${kept} of them kept in one.db from before\n`,
    });

    const { port } = await startRedis();
    const queue = ["--queue", `redis://127.0.0.1:${port}`];
    const workers = [1, 2].map(() => stage.run(["worker", ...queue, "--workers", "1", "--lock", "1s"]));
    for (const worker of workers) await worker.line(/ready, 1 at a time/);
    const stopped = stage.run(sweep("queue.db", ...queue));
    await stage.has("queue.db", 15);
    workers[0]?.kill("SIGKILL");
    await stage.has("queue.db", 30);
    stopped.kill("SIGINT");
    expect((await stopped.ended()).code).toBe(1);
    expect(stopped.stderr()).toMatch(
      /^stopped: \d+ of 60 runs are kept in queue.db; the same command goes on from there$/m,
    );
    const onQueue = await stage.finished(sweep("queue.db", ...queue));
    expect(onQueue).toMatchObject({ code: 0, stdout: whole.stdout });
    workers[1]?.kill("SIGTERM");
    expect((await workers[1]?.ended())?.code).toBe(0);
  });
});

it("a run that never ends does not outlive its sweep, stopped by Ctrl-C or killed", async () => {
  const { place, run } = sweepStage();
  const contract = pathToFileURL(join(import.meta.dirname, "../../src/strategy/strategy.ts")).href;
  const [strategy, begun] = [place("endless.ts"), place("begun")];
  writeFileSync(
    strategy,
    `import { renameSync, writeFileSync } from "node:fs";
     import { defineStrategy, z } from ${JSON.stringify(contract)};
     export default defineStrategy({ name: "endless", params: z.object({ edge: z.number() }), decide: () => {
       writeFileSync("written", String(process.pid));
       renameSync("written", ${JSON.stringify(begun)});
       for (;;);
     } });`,
  );
  const args = [
    "sweep",
    "--objective",
    "profit",
    "--strategy",
    strategy,
    "--param",
    "edge=1,2",
    ...BUSY,
    "--to",
    "2026-01-01T00:02:00Z",
    "--workers",
    "1",
  ];
  const underWay = async () => {
    rmSync(begun, { force: true });
    const sweep = run(args);
    await until(() => existsSync(begun), "a run that has begun");
    const worker = Number(readFileSync(begun, "utf8"));
    onTestFinished(() => void (isAlive(worker) && process.kill(worker, "SIGKILL")));
    return { sweep, worker };
  };
  const stopped = await underWay();
  stopped.sweep.killGroup("SIGINT");
  expect((await stopped.sweep.ended()).code).toBe(1);
  expect(stopped.sweep.stderr()).toBe(
    "stopped: 0 of 4 runs are kept in sweep.db; the same command goes on from there\n",
  );
  expect(isAlive(stopped.worker)).toBe(false);
  const killed = await underWay();
  expect(isAlive(killed.worker)).toBe(true);
  killed.sweep.kill("SIGKILL");
  await until(() => !isAlive(killed.worker), "the end of what a killed sweep had started");
});

it("a run of a sweep is the backtest with the same flags, trace by trace", async () => {
  const { place, said } = sweepStage();
  const flags = [
    ...BUSY,
    "--to",
    "2026-01-01T00:30:00Z",
    "--seed",
    "1",
    "--latency",
    "40ms",
    "--market",
    "depthSigma=0.4",
  ];
  const more = [
    "--quotes-every",
    "5s",
    "--funds",
    "CHF=50000,VCHF=50000",
    "--param",
    "size=700",
    "--param",
    "skewBps=0",
    "--limit",
    "ordersPerMinuteMax=7",
  ];
  const swept = await said(
    ...["sweep", ...flags, ...more, "--param", "edgeBps=0,4", "--objective", "profit", "--out-of-sample", "seeds:1"],
    ...["--json", "--db", place("s.db")],
  );
  type Row = { values: { edgeBps: number }; chosen: { traces: string[] }; judged: { traces: string[] } };
  const { rows } = JSON.parse(swept.stdout) as { rows: Row[] };
  // The parameter makes a difference where it chooses, and so does the seed.
  expect(new Set(rows.flatMap(({ chosen }) => chosen.traces)).size).toBe(2);
  expect(rows.every(({ chosen, judged }) => chosen.traces[0] !== judged.traces[0])).toBe(true);
  for (const { values, chosen, judged } of rows)
    for (const [seed, trace] of [
      ["1", chosen.traces[0]],
      ["2", judged.traces[0]],
    ] as const) {
      const own = [...flags.map((flag, i) => (flags[i - 1] === "--seed" ? seed : flag)), ...more];
      const alone = await said("backtest", ...own, "--param", `edgeBps=${values.edgeBps}`);
      expect(alone.stdout).toContain(`trace   ${trace}`);
    }
});

const SCREEN = ["--param", "edgeBps=0.5..8", "--screen", "12", "--then", "6", "--objective", "profit-over-holding"];

it("a kernel looks at all sets and the bot runs the best, with the agreement of both; one thread or two give the same", async () => {
  const { place, said } = sweepStage();
  const args = ["sweep", ...SCREEN, ...BUSY, "--to", "2026-01-01T01:00:00Z", "--quotes-every", "5s", "--json"];
  const one = await said(...args, "--workers", "1", "--db", place("one.db"));
  const two = await said(...args, "--workers", "2", "--db", place("two.db"));
  expect(one.code).toBe(0);
  expect(two.stdout).toBe(one.stdout);
  const { screen, rows } = JSON.parse(one.stdout) as { screen: { sets: number; agreement: number }; rows: unknown[] };
  expect([screen.sets, rows.length]).toEqual([12, 6]);
  expect(Math.abs(screen.agreement)).toBeLessThanOrEqual(1);
});

describe("a sweep that cannot be", () => {
  const short = ["sweep", "--param", "edgeBps=1,2", ...BUSY, "--to", "2026-01-01T00:02:00Z", "--objective", "profit"];

  it.each([
    [["--param", "edgeBips=1..3:1"], "params has no edgeBips: there are symbols, edgeBps"],
    [
      ["--param", "edgeBps=1,900", "--param", "size=0,500"],
      "--param: 3 of 4 parameter sets are refused: edgeBps=1 size=0 (params.size must be above 0, was 0); ",
    ],
    [["--market", "pegs.VCHF.deviatonBps=1,2"], '"pegs.VCHF.deviatonBps" is no parameter'],
    [["--param", "edgeBps=1,2", "--queue", "redis://10.1.2.3:6379"], "--insecure-queue 10.1.2.3 uses it all the same"],
    [["--param", "edgeBps=1,2", "--queue", "ftp://:hush-hush@x"], "--queue must look like redis://host:6379"],
    [[...SCREEN, "--market", "gridMs=250,500"], "--screen has one market"],
    [["--param", "edgeBps=1,2", "--data", "x.csv", "--out-of-sample", "seeds:2"], "recorded prices have no seed"],
  ])("%j ends with exit code 2 and says why", async (args, reason) => {
    const { place, said } = sweepStage();
    const { code, stderr } = await said("sweep", ...args, "--db", place("bad.db"));
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain("hush-hush");
    expect(code).toBe(2);
  });

  it("another specification in the same file is refused by name, an unreachable Redis is said; what is kept stays", async () => {
    const { place, said, count } = sweepStage();
    const db = place("kept.db");
    const first = await said(...short, "--db", db);
    expect(first).toMatchObject({ code: 0, stderr: "" });
    expect(first.stdout).toMatch(
      /^Sweep of peg-arbitrage over edgeBps\n.* search .* judge · a synthetic market \(demo\) · seed 1 /,
    );
    expect(first.stdout).toMatch(/^ {2}best in-sample +edgeBps=\d/m);
    expect(await said(...short, "--seed", "2", "--db", db)).toMatchObject({
      code: 2,
      stderr: `pegbot: ${db} has the results of another specification: seed differs; --db names another file\n`,
    });
    expect(await said(...short, "--db", db, "--queue", "redis://127.0.0.1:1")).toMatchObject({
      code: 1,
      stderr: "pegbot: the queue at redis://127.0.0.1:1 cannot be used: connect ECONNREFUSED 127.0.0.1:1\n",
    });
    expect(count("kept.db")).toBe(4);
    const again = await said(...short, "--db", db);
    expect(again).toEqual({ ...first, stderr: `4 runs, 4 of them kept in ${db} from before\n` });
  });
});
