// A system call filter as a BPF program: opcodes, the checks every filter starts with, conditions on arguments, and
// the encoding for the kernel (linux/bpf_common.h, linux/seccomp.h).

export type Arch = "x64" | "arm64";

const AUDIT_ARCH: Record<Arch, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };

const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER_EQUAL = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const ERRNO = 0x00050000;
const KILL_PROCESS = 0x80000000;
const OFFSET_NUMBER = 0;
const OFFSET_ARCH = 4;
const X32_NUMBERS = 0x40000000;
export const EPERM = 1;
export const EACCES = 13;
export const ENOSYS = 38;

export type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, k: number];

/** Numbers of a call on x86-64 and in the generic table that arm64 uses; -1 where the call does not exist. */
export type CallNumbers = readonly [x64: number, arm64: number];

export const allow: Instruction = [RETURN, 0, 0, ALLOW];
export const deny = (errno: number): Instruction => [RETURN, 0, 0, ERRNO | errno];
/** Loads the low half of an argument; both architectures are little-endian. */
const load = (argument: number): Instruction => [LOAD, 0, 0, 16 + 8 * argument];

/** Allows the call when the argument is one of the values. */
export function oneOf(argument: number, values: readonly number[], errno = EPERM): Instruction[] {
  return [
    load(argument),
    ...values.map((value, i): Instruction => [JUMP_EQUAL, values.length - i, 0, value]),
    deny(errno),
    allow,
  ];
}

/** Denies the call when the argument is one of the values. */
export function notOneOf(argument: number, values: readonly number[], errno = EPERM): Instruction[] {
  return [
    load(argument),
    ...values.map((value, i): Instruction => [JUMP_EQUAL, values.length - i, 0, value]),
    allow,
    deny(errno),
  ];
}

/** Denies the call when any of the bits is set in the argument. */
export function noneOf(argument: number, bits: number, errno: number): Instruction[] {
  return [load(argument), [JUMP_ANY_BIT, 0, 1, bits], deny(errno), allow];
}

/** Allows the call when any of the bits is set in the argument. */
export function anyOf(argument: number, bits: number, errno: number): Instruction[] {
  return [load(argument), [JUMP_ANY_BIT, 1, 0, bits], deny(errno), allow];
}

/** Allows the call unless one of the bits is set; `rest` decides then. */
export function whenAny(argument: number, bits: number, rest: Instruction[]): Instruction[] {
  return [load(argument), [JUMP_ANY_BIT, 1, 0, bits], allow, ...rest];
}

/** Allows the call when the argument is one of the values; otherwise `rest` decides. */
export function either(argument: number, values: readonly number[], rest: Instruction[]): Instruction[] {
  const last = values.length - 1;
  const jumps = values.map((value, i): Instruction => [JUMP_EQUAL, last - i, i === last ? 1 : 0, value]);
  return [load(argument), ...jumps, allow, ...rest];
}

/** `rest` decides when the argument has the value; any other is denied. */
export function when(argument: number, value: number, rest: Instruction[]): Instruction[] {
  return [load(argument), [JUMP_EQUAL, 1, 0, value], deny(EPERM), ...rest];
}

export interface FilterRule {
  numbers: CallNumbers;
  /** Every path ends in a return. */
  body: Instruction[];
}

/** The bytes of an array of `struct sock_filter`. A call from another architecture kills the process; calls without a
 * rule end in `otherwise`; numbers from `unknownFrom` on fail with ENOSYS. */
export function filterProgram(
  arch: Arch,
  rules: FilterRule[],
  otherwise: Instruction,
  unknownFrom = X32_NUMBERS,
): Uint8Array {
  const program: Instruction[] = [
    [LOAD, 0, 0, OFFSET_ARCH],
    [JUMP_EQUAL, 1, 0, AUDIT_ARCH[arch]],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, OFFSET_NUMBER],
    // The x32 variants of every call on x86-64.
    [JUMP_GREATER_EQUAL, 0, 1, X32_NUMBERS],
    deny(EPERM),
    [JUMP_GREATER_EQUAL, 0, 1, unknownFrom],
    deny(ENOSYS),
  ];
  for (const { numbers, body } of rules) {
    const number = numbers[arch === "x64" ? 0 : 1];
    if (number >= 0) program.push([JUMP_EQUAL, 0, body.length, number], ...body);
  }
  return encode([...program, otherwise]);
}

function encode(program: Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  program.forEach(([code, jumpTrue, jumpFalse, k], i) => {
    if (jumpTrue > 255 || jumpFalse > 255)
      throw new Error("a jump of the system call filter is longer than 255 instructions");
    view.setUint16(8 * i, code, true);
    view.setUint8(8 * i + 2, jumpTrue);
    view.setUint8(8 * i + 3, jumpFalse);
    view.setUint32(8 * i + 4, k >>> 0, true);
  });
  return bytes;
}
