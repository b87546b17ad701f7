import { expect, it } from "vitest";
import { type AddressPolicy, parseQueueAddress } from "../../../../backtest/search/queue/address.ts";

const SECRET = "hush-hush";
const NONE: AddressPolicy = { password: undefined, insecureHost: undefined };
const KNOWN = { ...NONE, password: SECRET };

it("reads host, port, database and user, and its text has no password", () => {
  expect(parseQueueAddress("rediss://me%21@queue.example:7000/3", KNOWN)).toEqual({
    ok: true,
    value: {
      ...{ host: "queue.example", port: 7_000, database: 3, tls: true, user: "me!", password: SECRET },
      text: "rediss://queue.example:7000/3",
    },
  });
  expect(parseQueueAddress("redis://127.0.0.1", NONE)).toMatchObject({
    value: { host: "127.0.0.1", port: 6_379, database: 0, tls: false, password: undefined },
  });
  expect(parseQueueAddress("redis://[::1]:1", NONE)).toMatchObject({ value: { host: "::1" } });
});

it.each(["", "x", "http://:hush-hush@x", "redis://", "redis://h/x", "redis://h?p=hush-hush", "redis://%E0%A4%A@h"])(
  "refuses %j without repeating it",
  (text) => {
    const parsed = parseQueueAddress(text, NONE);
    expect(parsed).toEqual({ ok: false, error: "must look like redis://host:6379 or rediss://user@host:6379/0" });
  },
);

it("beyond this machine it wants TLS and a password, unless the host is named", () => {
  const refused = (text: string, lacking: string, policy = NONE) => {
    const parsed = parseQueueAddress(text, policy);
    expect(parsed).toMatchObject({ ok: false, error: expect.stringContaining(`has no ${lacking}: whoever`) });
    expect(JSON.stringify(parsed)).not.toContain(SECRET);
  };
  refused("redis://10.0.0.5", "TLS (rediss://) and no password");
  refused("redis://10.0.0.5", "TLS (rediss://)", KNOWN);
  refused("rediss://10.0.0.5", "password");
  // A name that only looks like loopback is somebody else's.
  refused("redis://localhost.example", "TLS (rediss://) and no password");
  expect(parseQueueAddress("rediss://10.0.0.5", KNOWN).ok).toBe(true);
  expect(parseQueueAddress("redis://10.0.0.5", { ...NONE, insecureHost: "10.0.0.5" }).ok).toBe(true);
  expect(parseQueueAddress("redis://10.0.0.5", { ...NONE, insecureHost: "10.0.0.6" }).ok).toBe(false);
});

it("refuses one with a password in it, which everybody can list, whatever the environment says", () => {
  for (const policy of [NONE, KNOWN])
    for (const text of [`rediss://:${SECRET}@127.0.0.1`, `REDIS://me:${SECRET}@h`, `redis://:${SECRET}%E0@h`])
      expect(parseQueueAddress(text, policy)).toEqual({
        ok: false,
        error:
          "must have no password in it, since every user of this machine can list it: set PEGBOT_QUEUE_PASSWORD, " +
          "and a new password where others may have seen this one",
      });
});
