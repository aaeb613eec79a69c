// The C library functions that the jail needs, through bun:ffi. Linux only. Used by launcher and supervisor, and by
// the parent to set limits.
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
  /** Returns the result, or minus errno. */
  syscall: SystemCall;
  /** Restores the default action of a signal. */
  resetSignal(number: number): void;
  /** Returns only on failure, with minus errno. */
  execve(path: string, argv: string[], env: Record<string, string>): number;
}

/** Opens the C library of this process. Throws if it is not available. */
export function openLibc(): Libc {
  const { symbols } = dlopen("libc.so.6", SYMBOLS);
  const errno = (): number => {
    const address = symbols.__errno_location();
    return address === null ? 1 : read.i32(address, 0);
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
      const retained: Uint8Array[] = [];
      const file = text(path, retained);
      const args = list(argv, retained);
      const envp = list(
        Object.entries(env).map(([key, value]) => `${key}=${value}`),
        retained,
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

/** A C string; added to `retained`, which keeps it alive. */
export function text(value: string, retained: Uint8Array[]): Uint8Array {
  const bytes = Buffer.from(`${value}\0`, "utf8");
  retained.push(bytes);
  return bytes;
}

function list(values: string[], retained: Uint8Array[]): BigUint64Array {
  const pointers = new BigUint64Array(values.length + 1);
  values.forEach((value, i) => {
    pointers[i] = BigInt(ptr(text(value, retained)));
  });
  retained.push(new Uint8Array(pointers.buffer));
  return pointers;
}
