// Removes the signature of a Windows program (PE32+), which a changed program must not keep. Other files, and files that
// do not end with their certificates, are not changed.

const PE32_PLUS = 0x20b;
/** Offsets in the optional header: the checksum, and entry 4 of the data directories, the certificates. */
const CHECK_SUM = 64;
const CERTIFICATES = 112 + 4 * 8;

/** Returns the program without its signature. */
export function unsignPe(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.byteLength < 64 || view.getUint16(0) !== 0x4d5a) return bytes;
  const header = view.getUint32(0x3c, true);
  const optional = header + 24;
  if (optional + CERTIFICATES + 8 > bytes.byteLength || view.getUint32(header) !== 0x50450000) return bytes;
  if (view.getUint16(optional, true) !== PE32_PLUS) return bytes;
  const at = view.getUint32(optional + CERTIFICATES, true);
  const size = view.getUint32(optional + CERTIFICATES + 4, true);
  if (size === 0 || at + size !== bytes.byteLength) return bytes;
  const unsigned = new Uint8Array(bytes.subarray(0, at));
  const out = new DataView(unsigned.buffer);
  // A checksum of 0 means "not set"; only drivers need one.
  out.setUint32(optional + CHECK_SUM, 0, true);
  out.setUint32(optional + CERTIFICATES, 0, true);
  out.setUint32(optional + CERTIFICATES + 4, 0, true);
  return unsigned;
}
