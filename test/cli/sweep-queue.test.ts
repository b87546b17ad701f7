import { expect, it } from "vitest";
import { BUSY } from "../support/busy.ts";
import { needs } from "../support/needs.ts";
import { startRedis } from "../support/redis.ts";
import { sweepStage } from "./sweep-stage.ts";

const SECRET = "hush-hush-77";
const SHORT = ["--param", "edgeBps=1,2", ...BUSY, "--to", "2026-01-01T00:02:00Z", "--objective", "profit"];

it("a queue with TLS and a password works, and the password is in no message and no argument", async () => {
  needs("redis-server");
  const stage = sweepStage();
  const { port, certificate } = await startRedis({ password: SECRET, tls: true });
  const trusted = { NODE_EXTRA_CA_CERTS: certificate };
  const bare = `rediss://127.0.0.1:${port}`;
  const known = { ...trusted, PEGBOT_QUEUE_PASSWORD: SECRET };
  // A scheme may be written in capitals, and is the same.
  const worker = stage.run(["worker", "--queue", bare.replace("rediss", "REDISS"), "--workers", "1"], known);
  await worker.line(/ready, 1 at a time/);
  const sweep = ["sweep", ...SHORT, "--db", "q.db", "--queue"];
  const [done, untrusted, wrong, none] = await Promise.all([
    stage.finished([...sweep, bare], known),
    stage.finished(["worker", "--queue", bare], { PEGBOT_QUEUE_PASSWORD: SECRET }),
    stage.finished(["worker", "--queue", bare], { ...trusted, PEGBOT_QUEUE_PASSWORD: `not-${SECRET}` }),
    stage.finished(["worker", "--queue", bare], trusted),
  ]);
  expect(done.stderr).toBe("");
  expect(done.code).toBe(0);
  const reason = `pegbot: the queue at ${bare} cannot be used:`;
  expect(untrusted).toMatchObject({ code: 1, stderr: expect.stringContaining(`${reason} self-signed certificate`) });
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining(`${reason} WRONGPASS`) });
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining(`${reason} NOAUTH`) });
  worker.kill("SIGTERM");
  expect((await worker.ended()).code).toBe(0);
  const all = [done, untrusted, wrong, none, { stdout: worker.lines().join("\n"), stderr: worker.stderr() }];
  for (const { stdout, stderr } of all) expect(stdout + stderr).not.toContain(SECRET);
});
