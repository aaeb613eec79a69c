// Strips an ELF file without external tools: keeps what the program headers load, drops symbol table, debug data and
// section headers. Other files than 64-bit little-endian ELF are not changed.

const HEADER_BYTES = 64;
const PROGRAM_HEADER_BYTES = 56;

/** Returns the stripped program. */
export function stripElf(bytes: Uint8Array): Uint8Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const isElf64 =
    bytes.byteLength > HEADER_BYTES && view.getUint32(0) === 0x7f454c46 && bytes[4] === 2 && bytes[5] === 1;
  if (!isElf64) return bytes;
  const table = Number(view.getBigUint64(32, true));
  const entryBytes = view.getUint16(54, true);
  const count = view.getUint16(56, true);
  if (entryBytes !== PROGRAM_HEADER_BYTES) return bytes;
  let end = table + entryBytes * count;
  for (let i = 0; i < count; i++) {
    const at = table + entryBytes * i;
    const offset = Number(view.getBigUint64(at + 8, true));
    const fileBytes = Number(view.getBigUint64(at + 32, true));
    end = Math.max(end, offset + fileBytes);
  }
  if (end > bytes.byteLength) return bytes;
  const stripped = new Uint8Array(bytes.subarray(0, end));
  const out = new DataView(stripped.buffer);
  // No section headers: offset, entry size, number and index of names.
  out.setBigUint64(40, 0n, true);
  out.setUint16(58, 0, true);
  out.setUint16(60, 0, true);
  out.setUint16(62, 0, true);
  return stripped;
}
