// Private, local and unassigned addresses: pages are fetched from them only if the configuration allows it. A host name may
// resolve to any address, so the address is checked when the connection is made.
import { BlockList, isIP } from "node:net";

const PRIVATE = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const)
  PRIVATE.addSubnet(net, bits, "ipv4");
/** Only 2000::/3 is assigned. Excluded from it: subnets with embedded IPv4 addresses and for documentation. */
const ASSIGNED = new BlockList();
ASSIGNED.addSubnet("2000::", 3, "ipv6");
for (const [net, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  PRIVATE.addSubnet(net, bits, "ipv6");

/** Whether an address is not in the public internet; also true for a text that is not an address. */
export function isPrivate(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const family = isIP(bare);
  if (family === 4) return PRIVATE.check(bare, "ipv4");
  return family !== 6 || !ASSIGNED.check(bare, "ipv6") || PRIVATE.check(bare, "ipv6");
}
