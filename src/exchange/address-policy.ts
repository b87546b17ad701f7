// Which addresses may be talked to. Paper reaches loopback only, so that it can never trade; live never reaches a
// loopback, private or otherwise special address, whatever the name server says.

import { BlockList, isIPv6 } from "node:net";

export type Reach = "loopback" | "public";

const loopback = listOf([
  ["127.0.0.0", 8],
  ["::1", 128],
]);

const special = listOf([
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
  ["::", 96],
  ["64:ff9b::", 96],
  ["64:ff9b:1::", 48],
  ["fc00::", 7],
  ["fe80::", 10],
  ["ff00::", 8],
]);

/** A reason to refuse, or undefined. */
export function refuseAddress(address: string, reach: Reach): string | undefined {
  const family = isIPv6(address) ? "ipv6" : "ipv4";
  if (reach === "loopback")
    return loopback.check(address, family) ? undefined : `paper mode reaches loopback addresses only, was ${address}`;
  return special.check(address, family)
    ? `live mode must not reach loopback, private or special addresses, was ${address}`
    : undefined;
}

/** An IPv4 rule also covers the address written as IPv6 (::ffff:10.0.0.1): the list sees through that form. */
function listOf(subnets: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of subnets) list.addSubnet(net, prefix, isIPv6(net) ? "ipv6" : "ipv4");
  return list;
}
