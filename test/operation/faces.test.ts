// Each operation has the faces that its scope allows, and no other: a command, the HTTP API and its OpenAPI document, the socket.

import { Command } from "commander";
import { expect, test } from "vitest";
import { addCommands } from "../../src/cli/commands.ts";
import type { Scope } from "../../src/domain/bearer-token.ts";
import { MONEY_OPERATIONS, OPERATIONS } from "../../src/operation/table.ts";
import { ADDRESSES, apiDocument } from "../../src/watch/dashboard/api.ts";

type Entry = { readonly name: string; readonly scope: Scope | "trade"; readonly isForSocket?: true };
type Faces = {
  /** Its scope by its path. */
  readonly http: Readonly<Record<string, Scope>>;
  readonly documented: readonly string[];
  /** Flags by command. */
  readonly commands: ReadonlyMap<string, readonly string[]>;
};

/** The commands of an operation, where they are not its name; what only shows has its own on the page and in `status`. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  rail: ["rail on", "rail off"],
  acknowledge: ["rails"],
  limits: ["limits reload"],
  read: ["balances", "orders", "trades", "payments", "supply", "rails", "addresses", "assets", "pairs", "quotes"],
  ...{ fills: [], plans: [], propose: ["mcp"] },
};

function findings(entries: readonly Entry[], { http, documented, commands }: Faces): readonly string[] {
  const names = new Set(entries.map(({ name }) => `/api/${name}`));
  return [
    ...Object.keys(http).flatMap((path) => (names.has(path) ? [] : [`${path} is no operation`])),
    ...documented.flatMap((path) => (path in http ? [] : [`${path} is documented, and no address`])),
    ...entries.flatMap(({ name, scope, isForSocket }) => {
      const path = `/api/${name}`;
      const isOverHttp = scope !== "trade" && isForSocket !== true;
      const flagsOf = (COMMANDS[name] ?? [name]).map((command) => [command, commands.get(command)] as const);
      return [
        ...(path in http === isOverHttp ? [] : [`${name} ${isOverHttp ? "lacks" : "exceeds"} its scope over HTTP`]),
        ...(isOverHttp && http[path] !== scope ? [`${name} asks for another scope over HTTP`] : []),
        ...(documented.includes(path) === isOverHttp
          ? []
          : [`${name} ${isOverHttp ? "lacks" : "exceeds"} the document`]),
        ...flagsOf.flatMap(([command, flags]) => {
          if (flags === undefined) return [`${name} lacks the command ${command}`];
          return scope === "trade" && !flags.includes("--yes") ? [`${command} moves without a confirmation`] : [];
        }),
      ];
    }),
  ];
}

async function facesNow(): Promise<Faces> {
  const program = new Command();
  await addCommands(program, async () => undefined, undefined);
  const commands = new Map<string, readonly string[]>();
  const walk = (parent: Command, before: string): void => {
    for (const one of parent.commands) {
      commands.set(
        `${before}${one.name()}`,
        one.options.map(({ long }) => long ?? ""),
      );
      walk(one, `${before}${one.name()} `);
    }
  };
  walk(program, "");
  const http = Object.fromEntries(ADDRESSES.map(({ path, scope }) => [path, scope]));
  return { http, documented: Object.keys(apiDocument("test").paths as object), commands };
}

const ENTRIES: readonly Entry[] = [...OPERATIONS, ...MONEY_OPERATIONS];

test("no operation lacks or exceeds the faces of its scope", async () => {
  expect(findings(ENTRIES, await facesNow())).toEqual([]);
});

test("one that does is found", async () => {
  const faces = await facesNow();
  const { "/api/halt": _, ...http } = faces.http;
  expect(findings(ENTRIES, { ...faces, http })).toEqual([
    "/api/halt is documented, and no address",
    "halt lacks its scope over HTTP",
    "halt asks for another scope over HTTP",
  ]);
  const open = { ...faces, http: { ...faces.http, "/api/order": "read", "/api/token": "read" } as const };
  expect(findings(ENTRIES, open)).toEqual(["/api/token is no operation", "order exceeds its scope over HTTP"]);
  const mute = { ...faces, documented: [], commands: new Map(faces.commands).set("mint", []) };
  expect(findings(ENTRIES, mute)).toEqual(
    expect.arrayContaining(["resume lacks the document", "mint moves without a confirmation"]),
  );
  const secret: Entry = { name: "withdraw", scope: "trade" };
  expect(findings([...ENTRIES, secret], faces)).toEqual(["withdraw lacks the command withdraw"]);
});

test.each(MONEY_OPERATIONS.filter(({ name }) => name !== "acknowledge").map(({ name }) => name))(
  "%s is previewed and asked again by its id",
  async (name) => {
    const { commands } = await facesNow();
    for (const command of COMMANDS[name] ?? [name])
      expect(commands.get(command), command).toEqual(expect.arrayContaining(["--id", "--json"]));
  },
);
