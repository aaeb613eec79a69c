// The one error type of the program. Its kind decides the exit code, whether a retry is useful and whether a batch
// continues.

export const ERROR_KINDS = [
  "usage",
  "config",
  "spec",
  "provider",
  "rate_limit",
  "budget",
  "limit",
  "sandbox",
  "gate",
  "store",
  "interrupted",
  "internal",
] as const;
export type ErrorKind = (typeof ERROR_KINDS)[number];

/** Exit codes of every command, the same in text and JSON mode. */
export const EXIT = {
  ok: 0,
  bug: 1,
  usage: 2,
  human: 3,
  infrastructure: 4,
  budget: 5,
  sandbox: 6,
  checkFailed: 7,
  checkError: 8,
  interrupted: 130,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

const KIND_EXIT: Record<ErrorKind, ExitCode> = {
  usage: EXIT.usage,
  config: EXIT.usage,
  spec: EXIT.usage,
  provider: EXIT.infrastructure,
  rate_limit: EXIT.infrastructure,
  budget: EXIT.budget,
  limit: EXIT.infrastructure,
  sandbox: EXIT.sandbox,
  gate: EXIT.human,
  store: EXIT.infrastructure,
  interrupted: EXIT.interrupted,
  internal: EXIT.bug,
};

export interface ErrorDetails {
  /** What the user can do, one sentence. Shown after the message. */
  hint?: string;
  /** File, item, key path or URL that the error refers to. */
  where?: string;
  /** Provider errors: may the same request be retried? Decided where the error is created. */
  retryable?: boolean;
  /** Provider errors: the server asked to wait this long, in milliseconds. */
  retryAfterMs?: number;
  /** Provider errors: credentials rejected or model unknown; no further item can succeed. */
  fatal?: boolean;
  /** HTTP status, when there was one. */
  status?: number;
  /** Another process works on it: nothing is wrong with it, and it can be tried later. */
  busy?: true;
  cause?: unknown;
}

/** An error with its location and a hint. Created where the facts are known, shown once. */
export class AtomsmithError extends Error {
  override readonly name = "AtomsmithError";
  readonly kind: ErrorKind;
  readonly details: ErrorDetails;

  constructor(kind: ErrorKind, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.details = details;
  }

  get exitCode(): ExitCode {
    return KIND_EXIT[this.kind];
  }

  /** The `error` member of JSON output. */
  toJSON(): {
    kind: ErrorKind;
    message: string;
    where?: string;
    hint?: string;
    status?: number;
    busy?: true;
  } {
    const { where, hint, status, busy } = this.details;
    return {
      kind: this.kind,
      message: this.message,
      ...(where === undefined ? {} : { where }),
      ...(hint === undefined ? {} : { hint }),
      ...(status === undefined ? {} : { status }),
      ...(busy === undefined ? {} : { busy }),
    };
  }
}

/** Converts anything thrown. File system errors become kind `store`; any other unknown error is a bug (`internal`). */
export function toAtomsmithError(error: unknown): AtomsmithError {
  if (error instanceof AtomsmithError) return error;
  if (error instanceof Error) {
    const code = (error as NodeJS.ErrnoException).code;
    const path = (error as NodeJS.ErrnoException).path;
    if (code && FS_CODES[code]) {
      return new AtomsmithError("store", `${FS_CODES[code]}${path ? `: ${path}` : ""} (${code})`, {
        ...(path === undefined ? {} : { where: path }),
        cause: error,
      });
    }
    return new AtomsmithError("internal", error.message || error.name, { cause: error });
  }
  return new AtomsmithError("internal", String(error));
}

const FS_CODES: Record<string, string> = {
  ENOSPC: "no space left on the disk",
  EDQUOT: "the disk quota is used up",
  EFBIG: "the limit for file sizes is reached",
  EROFS: "the file system is read-only",
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EMFILE: "too many open files",
  EIO: "input/output error",
};
