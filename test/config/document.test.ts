import { describe, expect, test } from "vitest";
import { mistakesOf } from "./complete.ts";

describe("a YAML file", () => {
  test("with a duplicate key is refused, and both lines are named", () => {
    expect(mistakesOf("mode: paper\nserver: {}\nmode: live\n")).toEqual([
      "pegbot.yaml:3:1: duplicate key mode, first on line 1",
    ]);
  });

  test("with an alias is refused at once, however much it would expand to", () => {
    const bomb = [
      "a: &a [x, x, x, x, x, x, x, x, x]",
      ..."bcdefgh".split("").map((name, i) => `${name}: &${name} [${`*${"abcdefgh"[i]}, `.repeat(9)}]`),
    ].join("\n");
    const lines = mistakesOf(bomb);
    expect(lines.filter((line) => line.includes("aliases are not taken here: write the value out"))).toHaveLength(63);
  });

  test("with merge keys is refused", () => {
    expect(mistakesOf("server: &s { port: 1 }\njournal: { <<: *s }").join("\n")).toContain(
      "aliases are not taken here",
    );
  });

  test.each([
    ["deep block mappings", Array.from({ length: 300 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
    ["seventeen levels", `strategy: { params: ${"{ a: ".repeat(16)}1${" }".repeat(16)} }`],
    ["many keys", Array.from({ length: 3_000 }, (_, i) => `k${i}: 1`).join("\n")],
  ])("with %s is refused in bounded time", (_, text) => {
    expect(mistakesOf(text)).not.toEqual([]);
  });

  test.each([
    ["an unknown tag", "mode: !secret paper", "not readable as YAML"],
    ["a tab as indent", "server:\n\tport: 1", "not readable as YAML"],
    ["no key", ": paper", "unknown key|not readable as YAML"],
    ["the prototype as key", "__proto__: { mode: live }", "unknown key __proto__"],
    ["the prototype as parameter", "strategy: { params: { __proto__: 1 } }", "unknown key __proto__"],
  ])("with %s is refused", (_, text, reason) => {
    const lines = mistakesOf(text);
    expect(lines.join("\n")).toMatch(new RegExp(reason));
    for (const line of lines) expect(line).toMatch(/^pegbot.yaml:\d+:\d+: /);
  });
});
