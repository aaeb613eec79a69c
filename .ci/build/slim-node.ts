// What of a Node binary goes into the executable: what the loader loads, without the ICU data that atoms cannot
// use. Saves 9.6 MB compressed (docs/measurements/sandbox.md). Mach-O stays as it is: macOS on arm64 does not start a program
// whose bytes do not fit its signature.
import { stripElf } from "./elf.ts";
import { trimIcu } from "./icu.ts";
import { unsignPe } from "./pe.ts";

const MACH_O_64 = 0xfeedfacf;

/** The Node of a target, as small as it can be. Throws when it is not the binary that is expected. */
export function slimNode(binary: Uint8Array): Uint8Array {
  const view = new DataView(binary.buffer, binary.byteOffset, binary.byteLength);
  if (view.getUint32(0, true) === MACH_O_64) return binary;
  return trimIcu(unsignPe(stripElf(binary)));
}
