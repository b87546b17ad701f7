// The address of a queue, and whether it may be used: beyond this machine only with TLS and a password, unless its host
// was named as an exception. The password is not part of the address, because every user of the machine can read the
// arguments of a process.

import { isLoopback } from "../../../src/domain/loopback.ts";
import { err, ok, type Result } from "../../../src/domain/result.ts";
import { printable } from "../../../src/domain/sanitise.ts";

export type QueueAddress = {
  readonly host: string;
  readonly port: number;
  readonly database: number;
  readonly tls: boolean;
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** For display, without the password. */
  readonly text: string;
};

export type AddressPolicy = {
  readonly password: string | undefined;
  /** The host that is allowed without TLS and password. */
  readonly insecureHost: string | undefined;
};

const PORT = 6_379;
const IN_ADDRESS =
  "must have no password in it, since every user of this machine can list it: set PEGBOT_QUEUE_PASSWORD, " +
  "and a new password where others may have seen this one";
const FORM = "must look like redis://host:6379 or rediss://user@host:6379/0";

export function parseQueueAddress(given: string, { password, insecureHost }: AddressPolicy): Result<QueueAddress> {
  const url = URL.parse(given);
  // The input is not shown, because it may contain a password.
  if (url === null || !/^rediss?:$/.test(url.protocol) || url.hostname === "" || url.search !== "" || url.hash !== "")
    return err(FORM);
  const database = /^(?:\/([0-9]{1,4})?)?$/.exec(url.pathname);
  if (database === null) return err(FORM);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const tls = url.protocol === "rediss:";
  if (url.password !== "") return err(IN_ADDRESS);
  const user = decoded(url.username);
  if (user === null) return err(FORM);
  const address = {
    host,
    port: url.port === "" ? PORT : Number(url.port),
    database: Number(database[1] ?? 0),
    tls,
    user,
    password,
  };
  const text = printable(`${url.protocol}//${url.host}${url.pathname === "/" ? "" : url.pathname}`, 200);
  const lacking = [...(tls ? [] : ["TLS (rediss://)"]), ...(password === undefined ? ["password"] : [])];
  if (lacking.length > 0 && !isLoopback(host) && insecureHost !== host)
    return err(
      `${text} is beyond this machine and has no ${lacking.join(" and no ")}: whoever reaches it can read and change what is computed; --insecure-queue ${host} uses it all the same`,
    );
  return ok({ ...address, text });
}

/** Null where the escapes are invalid. */
function decoded(text: string): string | undefined | null {
  if (text === "") return undefined;
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
