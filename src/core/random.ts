// Random names. Not from node:crypto: loading it would take longer than a short command runs.

/** Cryptographically random bytes as lower-case hex, two digits per byte. */
export function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex");
}
