// Makes a tiny static ELF program for x86-64 that tries system calls and prints what each answered. No compiler,
// no library: what an attacker with machine code could do from inside the jail. Linux x64 only.

/** An argument: a number, or bytes whose address is passed. */
export type Argument = number | bigint | Uint8Array;

export interface RawAttempt {
  name: string;
  number: number;
  args: Argument[];
  /** The call may return twice; the second one ends at once. */
  forks?: boolean;
}

const BASE = 0x400000n;
const HEADERS = 64 + 56;
const CODE_ROOM = 0x10000;
// mov r64, imm64 for the registers that carry the arguments of a system call, in order.
const ARGUMENT_REGISTERS = [
  [0x48, 0xbf],
  [0x48, 0xbe],
  [0x48, 0xba],
  [0x49, 0xba],
  [0x49, 0xb8],
  [0x49, 0xb9],
] as const;
const RAX = [0x48, 0xb8] as const;
const SYSCALL = [0x0f, 0x05];

/** The program. It writes one 64-bit result per attempt to standard output and ends. */
export function proberProgram(attempts: RawAttempt[]): Uint8Array {
  const code: number[] = [];
  const data: number[] = [];
  const dataBase = BASE + BigInt(CODE_ROOM);
  const results = attempts.length * 8;
  data.push(...new Array<number>(results).fill(0));
  const address = (argument: Argument): bigint => {
    if (typeof argument === "bigint") return argument;
    if (typeof argument === "number") return BigInt.asUintN(64, BigInt(argument));
    while (data.length % 16 !== 0) data.push(0);
    const at = dataBase + BigInt(data.length);
    data.push(...argument, 0);
    return at;
  };
  const load = (register: readonly number[], value: bigint): void => {
    code.push(...register);
    for (let i = 0n; i < 8n; i++) code.push(Number((value >> (8n * i)) & 0xffn));
  };
  const call = (number: number, args: Argument[]): void => {
    args.forEach((argument, i) => {
      load(ARGUMENT_REGISTERS[i] ?? RAX, address(argument));
    });
    load(RAX, BigInt(number));
    code.push(...SYSCALL);
  };
  attempts.forEach((attempt, i) => {
    call(attempt.number, attempt.args);
    // test rax, rax; jnz +12; mov eax, 60; xor edi, edi; syscall; (padding)
    if (attempt.forks === true) {
      code.push(0x48, 0x85, 0xc0, 0x75, 0x09, 0xb8, 60, 0, 0, 0, 0x31, 0xff, ...SYSCALL);
    }
    // mov [result], rax
    code.push(0x48, 0xa3);
    const place = dataBase + BigInt(8 * i);
    for (let b = 0n; b < 8n; b++) code.push(Number((place >> (8n * b)) & 0xffn));
  });
  call(1, [1, dataBase, results]);
  call(60, [0]);
  if (HEADERS + code.length > CODE_ROOM) throw new Error("the prober has no room for its code");
  return elf(code, data);
}

function elf(code: number[], data: number[]): Uint8Array {
  const bytes = new Uint8Array(CODE_ROOM + data.length);
  const view = new DataView(bytes.buffer);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  view.setUint16(16, 2, true);
  view.setUint16(18, 62, true);
  view.setUint32(20, 1, true);
  view.setBigUint64(24, BASE + BigInt(HEADERS), true);
  view.setBigUint64(32, 64n, true);
  view.setUint16(52, 64, true);
  view.setUint16(54, 56, true);
  view.setUint16(56, 1, true);
  // One segment: read, write, execute.
  view.setUint32(64, 1, true);
  view.setUint32(68, 7, true);
  view.setBigUint64(72, 0n, true);
  view.setBigUint64(80, BASE, true);
  view.setBigUint64(88, BASE, true);
  view.setBigUint64(96, BigInt(bytes.length), true);
  view.setBigUint64(104, BigInt(bytes.length), true);
  view.setBigUint64(112, 0x1000n, true);
  bytes.set(code, HEADERS);
  bytes.set(data, CODE_ROOM);
  return bytes;
}

/** Text as bytes, to be passed by address. */
export function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
