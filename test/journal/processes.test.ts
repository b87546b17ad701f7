import { copyFileSync, statSync, truncateSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createRandom } from "../../src/domain/random.ts";
import { unwrap } from "../../src/domain/result.ts";
import { inspectJournal } from "../../src/journal/file/inspect.ts";
import { JournalReader } from "../../src/journal/journal-reader.ts";
import { isAlive, type Program, start, until } from "../support/program.ts";
import { journalAt, temporaryPath } from "./place.ts";
import type { DriverTask } from "./processes/driver.ts";

const driver = resolve("test/journal/processes/driver.ts");
const runtime = ["--disable-warning=ExperimentalWarning"];

function launch(task: DriverTask): Program {
  const program = start(process.execPath, [...runtime, driver, JSON.stringify(task)]);
  onTestFinished(() => {
    if (isAlive(program.pid)) program.kill("SIGKILL");
  });
  return program;
}

describe("a writer that is killed", () => {
  it("leaves a sound journal with all it acknowledged, batch by batch", async () => {
    const seed = 41;
    const random = createRandom(seed);
    const path = temporaryPath();
    journalAt(path).close();
    for (let kill = 0; kill < 12; kill++) {
      const program = launch({ role: "write", path, writer: `killed${seed}x${kill}` });
      await program.line(/sequence/);
      await sleep(random.integer(0, 80));
      program.kill("SIGKILL");
      await program.ended();
      const heads = program.lines().filter((line) => line.endsWith("}"));
      const acknowledged = JSON.parse(heads.at(-1) ?? "");
      const inspected = inspectJournal(path);
      expect(inspected, `seed ${seed}, kill ${kill}`).toMatchObject({ ok: true });
      const reader = unwrap(JournalReader.open(path));
      const kept = unwrap(reader.one(acknowledged.sequence));
      expect(kept?.entry.hash, `seed ${seed}, kill ${kill}`).toBe(acknowledged.hash);
      const last = unwrap(reader.one(reader.head().sequence))?.entry.record;
      const [part, size] = last?.kind === "doubt" ? last.cause.split(" of ") : [];
      expect(part, `seed ${seed}, kill ${kill}: the last batch is whole`).toBe(size);
      reader.close();
    }
  });

  it("on a disk that also loses the end of the -wal: acknowledged records are missed by name", async () => {
    const seed = 42;
    const random = createRandom(seed);
    const path = temporaryPath();
    journalAt(path).close();
    const program = launch({ role: "write", path, writer: "torntail" });
    await until(() => program.lines().length >= 20, "a -wal that is long enough to be cut");
    program.kill("SIGKILL");
    await program.ended();
    const acknowledged = JSON.parse(
      program
        .lines()
        .filter((line) => line.endsWith("}"))
        .at(-1) ?? "",
    ).sequence;
    const verdicts: Record<string, number> = {};
    for (let n = 0; n < 25; n++) {
      const copy = temporaryPath();
      journalAt(copy).close();
      for (const suffix of ["", "-wal", ".anchor"]) copyFileSync(path + suffix, copy + suffix);
      truncateSync(`${copy}-wal`, random.integer(0, statSync(`${path}-wal`).size));
      const inspected = inspectJournal(copy);
      const kind = inspected.ok ? "intact" : inspected.error.kind;
      verdicts[kind] = (verdicts[kind] ?? 0) + 1;
      if (inspected.ok) expect(inspected.value.head.sequence).toBeGreaterThanOrEqual(acknowledged);
      else expect(kind, `seed ${seed}, cut ${n}`).toBe("broken");
    }
    expect(verdicts.broken).toBeGreaterThan(10);
  });
});
