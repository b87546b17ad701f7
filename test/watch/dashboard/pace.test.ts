// Those without the token get so many answers at a time, all together.

import { expect, test } from "vitest";
import { createPace } from "../../../src/watch/dashboard/pace.ts";
import { pageFiles } from "../../../src/watch/dashboard/page-files.ts";
import { startServer } from "../../../src/watch/dashboard/server.ts";
import { handTime } from "../../support/hand-time.ts";
import { askAt, authorised, partsWith } from "./stage.ts";

const AT_ONCE = 50;

test("fifty are answered at once, the others in their turn, and nobody who has gone", async () => {
  const { timers, pass, waiting } = handTime(0);
  const pace = createPace(timers);
  const answered: number[] = [];
  const gone = new Set<number>();
  const ask = (id: number): void =>
    pace.when(
      () => !gone.has(id),
      () => void answered.push(id),
    );
  for (let id = 1; id <= 120; id++) ask(id);
  expect([answered.length, answered.at(-1)]).toEqual([AT_ONCE, 50]);
  for (let id = 51; id <= 60; id++) gone.add(id);
  await pass(250);
  expect([answered.length, answered[50], answered.at(-1)]).toEqual([100, 61, 110]);
  // One that comes now waits for the next turn, and then nothing is left to wait for.
  ask(121);
  expect(answered).toHaveLength(100);
  await pass(250);
  expect(answered.slice(100)).toEqual([111, 112, 113, 114, 115, 116, 117, 118, 119, 120, 121]);
  await pass(250);
  expect(waiting()).toEqual([]);
  // After a quiet while the next is answered at once again.
  ask(122);
  expect(answered.at(-1)).toBe(122);
});

test("one that is closed answers nobody any more, and leaves no timer", async () => {
  const { timers, pass, waiting } = handTime(0);
  const pace = createPace(timers);
  let answered = 0;
  for (let id = 1; id <= AT_ONCE + 1; id++)
    pace.when(
      () => true,
      () => void answered++,
    );
  pace.close();
  expect(waiting()).toEqual([]);
  await pass(250);
  expect(answered).toBe(AT_ONCE);
});

test("a page comes with all its files at once", () => {
  // Beside them the stream and what is heard of it.
  expect(pageFiles().size + 2).toBeLessThan(AT_ONCE);
});

test("who has the token does not wait behind those who have none", async () => {
  const server = await startServer(partsWith({ timers: handTime(0).timers }));
  const asked = Array.from({ length: AT_ONCE }, () => askAt(server.port, "/healthz"));
  for (const { status } of await Promise.all(asked)) expect(status).toBe(200);
  const late = askAt(server.port, "/healthz").catch(() => "let go");
  expect((await askAt(server.port, "/api/status", { headers: authorised })).status).toBe(200);
  const first = await Promise.race([late, askAt(server.port, "/readyz", { headers: authorised })]);
  expect(first).toMatchObject({ text: "ready\n" });
  await server.close();
  expect(await late).toBe("let go");
});
