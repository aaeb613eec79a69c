// The few C library functions the jail needs, through bun:ffi. Linux only. Loaded in the launcher, which is
// about to become the runtime, and in the parent for limits.
import { dlopen, FFIType, ptr, read } from "bun:ffi";

const I64 = FFIType.i64;

const SYMBOLS = {
  syscall: { args: [I64, I64, I64, I64, I64, I64, I64], returns: I64 },
  execve: { args: [FFIType.ptr, FFIType.ptr, FFIType.ptr], returns: FFIType.i32 },
  signal: { args: [FFIType.i32, I64], returns: I64 },
  __errno_location: { args: [], returns: FFIType.ptr },
} as const;

export type SystemCall = (number: number, ...args: (number | bigint)[]) => number;

export interface Libc {
  /** Result, or minus errno. */
  syscall: SystemCall;
  /** Gives a signal its default action back. */
  resetSignal(number: number): void;
  /** Returns minus errno if it returns at all. */
  execve(path: string, argv: string[], env: Record<string, string>): number;
}

/** Opens the C library of this process. Throws where there is none to open. */
export function openLibc(): Libc {
  const { symbols } = dlopen("libc.so.6", SYMBOLS);
  const errno = (): number => {
    const place = symbols.__errno_location();
    return place === null ? 1 : read.i32(place, 0);
  };
  return {
    syscall(number, ...args) {
      const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = args;
      const result = Number(
        symbols.syscall(BigInt(number), BigInt(a), BigInt(b), BigInt(c), BigInt(d), BigInt(e), BigInt(f)),
      );
      return result === -1 ? -errno() : result;
    },
    resetSignal(number) {
      symbols.signal(number, 0n);
    },
    execve(path, argv, env) {
      const keep: Uint8Array[] = [];
      const file = text(path, keep);
      const args = list(argv, keep);
      const envp = list(
        Object.entries(env).map(([key, value]) => `${key}=${value}`),
        keep,
      );
      symbols.execve(ptr(file), ptr(args), ptr(envp));
      return -errno();
    },
  };
}

/** Address of bytes as a number for a system call. The caller keeps the bytes referenced. */
export function addressOf(bytes: DataView | Uint8Array | Int32Array | Uint32Array | BigUint64Array): number {
  return ptr(bytes);
}

/** A C string. */
export function text(value: string, keep: Uint8Array[]): Uint8Array {
  const bytes = Buffer.from(`${value}\0`, "utf8");
  keep.push(bytes);
  return bytes;
}

function list(values: string[], keep: Uint8Array[]): BigUint64Array {
  const pointers = new BigUint64Array(values.length + 1);
  values.forEach((value, i) => {
    pointers[i] = BigInt(ptr(text(value, keep)));
  });
  keep.push(new Uint8Array(pointers.buffer));
  return pointers;
}
