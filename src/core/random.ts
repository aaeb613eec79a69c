// Names that nobody else has. Not from node:crypto: loading it takes longer than a quick command runs.

/** Random bytes of the system as lower-case hex, two digits a byte. */
export function randomHex(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex");
}
