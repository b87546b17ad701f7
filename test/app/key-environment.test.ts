import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { openExchange } from "../../src/app/key/open-exchange.ts";
import type { Config } from "../../src/config/schema.ts";
import { configSchema } from "../../src/config/schema.ts";
import { CommandFailure } from "../../src/domain/command-failure.ts";
import { exitCode } from "../../src/domain/exit-code.ts";
import { generatePrivateKey } from "../../src/exchange/key/load.ts";
import { temporaryFolder } from "../journal/place.ts";
import { recordedShell } from "../support/recorded-shell.ts";

test("a key that was used in the test environment is refused in production, with the way out; paper takes it", async () => {
  vi.stubEnv("XDG_STATE_HOME", temporaryFolder());
  onTestFinished(() => void vi.unstubAllEnvs());
  const file = join(temporaryFolder(), "key.pem");
  writeFileSync(file, generatePrivateKey("p256"), { mode: 0o600 });
  const open = async (mode: Config["mode"], environment: string): Promise<void> => {
    const venue = { baseUrl: "https://venue.example/api/v1/", environment };
    const opened = await openExchange(recordedShell(), configSchema.parse({ mode, venue, key: { file } }));
    opened.close();
  };
  await open("paper", "production");
  await open("live", "test");
  const refusal = await open("live", "production").catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(CommandFailure);
  expect(refusal).toMatchObject({
    code: exitCode.usage,
    message: expect.stringContaining("belongs to environment test, and venue.environment is production"),
    next: expect.stringMatching(/section key .* move .* away while no pegbot runs/),
  });
  await open("live", "test");
  await open("paper", "production");
});
