// Zeroes the ICU data inside a Node binary that atoms can never use: languages, converters, dictionaries. The archive
// keeps its position and table of contents; zeroed items compress to nothing. ICU rejects an item without its header and
// falls back to the root locale, as if the item did not exist.
// Format: UDataInfo header, then `uint32 count`, count pairs of (name offset, data offset), names, data
// (ICU, source/common/ucmndata.h); offsets count from the end of the header.

/** The locales to keep: the one that V8 falls back to. */
const KEPT_LOCALES = /^(en|en_US|en_US_POSIX)$/;
/** Folders from which only locales are removed; all other folders are removed completely. */
const KEPT_FOLDERS = new Set(["", "coll", "curr"]);
const LOCALE = /^[a-z]{2,3}(_[A-Za-z0-9]+)*$/;

interface Item {
  name: string;
  start: number;
  end: number;
}

/** True for items that a Node without `Intl` does not need. Unicode properties, normal forms, case, root collation, time
 * zones and alias tables stay.
 * @param name path inside the archive, without its own name: `coll/de.res` */
export function isUnused(name: string): boolean {
  const slash = name.lastIndexOf("/");
  const folder = name.slice(0, Math.max(0, slash));
  const file = name.slice(slash + 1);
  const dot = file.lastIndexOf(".");
  const [stem, kind] = [file.slice(0, dot), file.slice(dot + 1)];
  if (!KEPT_FOLDERS.has(folder)) return true;
  if (kind === "res") return LOCALE.test(stem) && stem !== "res_index" && !KEPT_LOCALES.test(stem);
  // Converters, profiles of stringprep, look-alikes, names of characters.
  return ["cnv", "spp", "cfu"].includes(kind) || file === "unames.icu";
}

/** A copy of a binary with the unused items of its ICU archive zeroed.
 * Throws when it holds no archive, or one that does not parse to the end. */
export function trimIcu(binary: Uint8Array): Uint8Array {
  // Not `slice`, which does not copy a Buffer.
  const trimmed = new Uint8Array(binary);
  for (const item of icuItems(binary)) if (isUnused(item.name)) trimmed.fill(0, item.start, item.end);
  return trimmed;
}

/** The items of the ICU archive in a binary, except for the last one, whose end is unknown. */
export function icuItems(binary: Uint8Array): Item[] {
  const bytes = Buffer.from(binary.buffer, binary.byteOffset, binary.byteLength);
  for (let at = bytes.indexOf("CmnD"); at >= 0; at = bytes.indexOf("CmnD", at + 1)) {
    const items = parseArchive(bytes, at - 12);
    if (items !== undefined) return items;
  }
  throw new Error("no ICU data archive in the binary");
}

/** Parses the archive with its header at `header`; undefined when there is none. */
function parseArchive(bytes: Buffer, header: number): Item[] | undefined {
  // headerSize, magic 0xda 0x27; then size of the info (20), little-endian, ASCII, UChar of two bytes.
  if (header < 0 || !isHeader(bytes, header) || bytes[header + 8] !== 0 || bytes[header + 10] !== 2) return;
  const table = header + bytes.readUInt16LE(header);
  const count = bytes.readUInt32LE(table);
  const names = table + 4 + 8 * count;
  if (count < 2 || names >= bytes.byteLength) return;
  const items: Item[] = [];
  for (let i = 0; i < count; i++) {
    const nameAt = table + bytes.readUInt32LE(table + 4 + 8 * i);
    const start = table + bytes.readUInt32LE(table + 8 + 8 * i);
    const nameEnd = bytes.indexOf(0, nameAt);
    if (nameAt < names || nameEnd < 0 || start <= nameEnd || !isHeader(bytes, start)) return;
    const path = bytes.toString("latin1", nameAt, nameEnd);
    const previous = items.at(-1);
    if (previous !== undefined) {
      if (start <= previous.start) return;
      previous.end = start;
    }
    if (!/^icudt\d+l\//.test(path)) return;
    items.push({ name: path.slice(path.indexOf("/") + 1), start, end: start });
  }
  return items.slice(0, -1);
}

/** True at a MappedData header with its UDataInfo. */
function isHeader(bytes: Buffer, at: number): boolean {
  return (
    at + 24 <= bytes.byteLength &&
    bytes.readUInt16LE(at) >= 24 &&
    bytes[at + 2] === 0xda &&
    bytes[at + 3] === 0x27 &&
    bytes.readUInt16LE(at + 4) >= 20
  );
}
