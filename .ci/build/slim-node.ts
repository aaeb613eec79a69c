// Reduces a Node binary to what the loader needs, without the ICU data that atoms cannot use. Saves 9.6 MB compressed
// (docs/measurements/sandbox.md). Mach-O files are not changed: macOS on arm64 does not start a program with an invalid
// signature.
import { stripElf } from "./elf.ts";
import { trimIcu } from "./icu.ts";
import { unsignPe } from "./pe.ts";

const MACH_O_64 = 0xfeedfacf;

/** Returns the reduced Node binary of a target. Throws when its format is not as expected. */
export function slimNode(binary: Uint8Array): Uint8Array {
  const view = new DataView(binary.buffer, binary.byteOffset, binary.byteLength);
  if (view.getUint32(0, true) === MACH_O_64) return binary;
  return trimIcu(unsignPe(stripElf(binary)));
}
