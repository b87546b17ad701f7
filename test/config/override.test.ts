import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config/load.ts";
import { unwrap } from "../../src/domain/result.ts";
import { mistakesOf } from "./complete.ts";

describe("a PEGBOT__ variable", () => {
  const configOf = (text: string, environment: Record<string, string>) =>
    unwrap(parseConfig(text, "/home/user/pegbot.yaml", environment)).config;

  test("beats the file, and its name is matched without regard to case", () => {
    const config = configOf("server: { port: 1 }", {
      PEGBOT__SERVER__PORT: "9000",
      PEGBOT__VENUE__BASEURL: "http://127.0.0.1:1/api/v1/",
    });
    expect(config.server).toEqual({ host: "127.0.0.1", port: 9000 });
    expect(config.venue.baseUrl).toBe("http://127.0.0.1:1/api/v1/");
  });

  test("can bring a list or a mapping as YAML, and a key of it beside", () => {
    const config = configOf("", {
      PEGBOT__VENUE__PROFILE__CURVE: "secp256k1",
      // After its key by name, and before it all the same.
      pegbot__venue__profile: "{ preset: observed, curve: p256 }",
      PEGBOT__STRATEGY__PARAMS: "{ edgeBps: 8, size: '500' }",
      PEGBOT__MARKET__REFERENCES: "[]",
    });
    expect(config.venue.profile).toEqual({ preset: "observed", curve: "secp256k1" });
    expect(config.strategy.params).toEqual({ edgeBps: 8, size: "500" });
  });

  test("is what its place takes: a number or a yes only where one is asked for", () => {
    for (const text of ["7", "true", "[a]"])
      expect(configOf("", { PEGBOT__JOURNAL__PATH: text }).journal.path).toBe(`/home/user/${text}`);
    for (const [isOn, line] of [
      ["yes", 'treasury.approvals.automatic must be true or false, was "yes"'],
      ["1", "treasury.approvals.automatic must be true or false"],
    ] as const)
      expect(mistakesOf("", { PEGBOT__TREASURY__APPROVALS__AUTOMATIC: isOn }).join("\n")).toContain(line);
    expect(configOf("", { PEGBOT__TREASURY__APPROVALS__AUTOMATIC: "false" }).treasury.approvals.automatic).toBe(false);
  });

  test.each([
    [{ PEGBOT__SERVER__PROT: "1" }, "PEGBOT__SERVER__PROT: no such setting; known here: PEGBOT__SERVER__HOST, "],
    [{ PEGBOT____PROTO____MODE: "live" }, "PEGBOT____PROTO____MODE: no such setting"],
    [{ PEGBOT__STRATEGY__PARAMS__EDGE: "1" }, "PEGBOT__STRATEGY__PARAMS__EDGE: no such setting; known here: none"],
    [
      { PEGBOT__SERVER__PORT: "70000" },
      "PEGBOT__SERVER__PORT: server.port must be a whole number from 0 to 65535, was 70000",
    ],
    [{ PEGBOT__SERVER__PORT: "" }, "PEGBOT__SERVER__PORT: server.port must be a whole number"],
    [{ PEGBOT__SERVER: "{ prot: 1 }" }, "PEGBOT__SERVER: unknown key server.prot; did you mean port?"],
    [{ PEGBOT__MODE: "live" }, 'PEGBOT__MODE: live mode needs confirm: "trade real money on test"'],
    [{ PEGBOT__MODE: "paper", pegbot__mode: "paper" }, "sets mode, which PEGBOT__MODE sets too"],
  ])("with a mistake is named: %j", (environment, line) => {
    expect(mistakesOf("", environment as Record<string, string>).join("\n")).toContain(line);
  });

  test("cannot reach into a value that is no mapping", () => {
    expect(mistakesOf("venue: { profile: contract }", { PEGBOT__VENUE__PROFILE__CURVE: "p256" })).toEqual([
      "PEGBOT__VENUE__PROFILE__CURVE: cannot be set: venue.profile is not a mapping",
    ]);
  });

  test("is no business of ours without the double underscore", () => {
    expect(mistakesOf("", { PEGBOT_DEBUG: "1", PEGBOTX__MODE: "x", PATH: "/bin" })).toEqual([]);
  });
});
