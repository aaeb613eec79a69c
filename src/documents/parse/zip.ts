// Decompresses the members of an office file within one total limit. Libraries receive a new archive of these members, so
// that they never decompress a bomb.
import { constants, inflateRawSync } from "node:zlib";
import { zipSync } from "fflate";
import { MAX_UNZIPPED_BYTES, MAX_ZIP_ENTRIES } from "../limits.ts";
import { Unreadable } from "../types.ts";

const END = 0x06054b50;
const DIRECTORY = 0x02014b50;
const LOCAL = 0x04034b50;
const END_BYTES = 22;
const STORED = 0;
const DEFLATED = 8;

/** The text members of an archive by name, without pictures and media. Throws `Unreadable`. */
export function readZip(bytes: Uint8Array): Map<string, Uint8Array> {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0 || end + END_BYTES > file.length || file.readUInt32LE(end) !== END) {
    throw new Unreadable("it is damaged: the archive has no directory");
  }
  const count = file.readUInt16LE(end + 10);
  let at = file.readUInt32LE(end + 16);
  if (count > MAX_ZIP_ENTRIES) {
    throw new Unreadable(`its archive has ${count} members; the limit is ${MAX_ZIP_ENTRIES}`);
  }
  const members = new Map<string, Uint8Array>();
  let room = MAX_UNZIPPED_BYTES;
  for (let i = 0; i < count; i++) {
    if (at + 46 > file.length || file.readUInt32LE(at) !== DIRECTORY) {
      throw new Unreadable("it is damaged: the archive's directory ends early");
    }
    const nameBytes = file.readUInt16LE(at + 28);
    const name = file.toString("utf8", at + 46, at + 46 + nameBytes);
    if (isNeeded(name)) {
      const data = member(file, at, name, room);
      room -= data.byteLength;
      members.set(name, data);
    }
    at += 46 + nameBytes + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return members;
}

/** An uncompressed archive of these members. */
export function rezip(members: ReadonlyMap<string, Uint8Array>): Uint8Array {
  return zipSync(Object.fromEntries(members), { level: 0 });
}

function isNeeded(name: string): boolean {
  return /\.(?:xml|rels)$/i.test(name);
}

function member(file: Buffer, entry: number, name: string, room: number): Uint8Array {
  const local = file.readUInt32LE(entry + 42);
  if (local + 30 > file.length || file.readUInt32LE(local) !== LOCAL) {
    throw new Unreadable(`it is damaged: the archive has no ${name}`);
  }
  if ((file.readUInt16LE(entry + 8) & 1) !== 0)
    throw new Unreadable("it is encrypted; save it without a password");
  const start = local + 30 + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
  const packed = file.subarray(start, start + file.readUInt32LE(entry + 20));
  const method = file.readUInt16LE(entry + 10);
  if (method === STORED && packed.length <= room) return packed;
  if (method !== DEFLATED && method !== STORED) {
    throw new Unreadable(`its ${name} is compressed with the unknown method ${method}`);
  }
  try {
    if (method === STORED) throw Object.assign(new Error("too large"), { code: "ERR_BUFFER_TOO_LARGE" });
    return inflateRawSync(packed, {
      maxOutputLength: Math.max(1, room),
      finishFlush: constants.Z_SYNC_FLUSH,
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
      throw new Unreadable(`it decompresses to more than ${MAX_UNZIPPED_BYTES} bytes`);
    }
    throw new Unreadable(`it is damaged: ${name} cannot be decompressed`);
  }
}
