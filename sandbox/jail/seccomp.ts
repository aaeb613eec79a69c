// The system-call filter of a jailed child, as a BPF program. An allow-list: what Node needs to start, to read
// its three files, to run threads and to use its pipes. Everything else answers EPERM; a foreign architecture
// ends the process. Numbers: Linux `unistd` tables of x86-64 and of the generic table that arm64 uses.

export type Arch = "x64" | "arm64";

const AUDIT_ARCH: Record<Arch, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** [x86-64, arm64]; -1 where the architecture has no such call. */
const CALLS = {
  read: [0, 63],
  write: [1, 64],
  open: [2, -1],
  close: [3, 57],
  stat: [4, -1],
  fstat: [5, 80],
  lstat: [6, -1],
  poll: [7, -1],
  lseek: [8, 62],
  mmap: [9, 222],
  mprotect: [10, 226],
  munmap: [11, 215],
  brk: [12, 214],
  rt_sigaction: [13, 134],
  rt_sigprocmask: [14, 135],
  rt_sigreturn: [15, 139],
  ioctl: [16, 29],
  pread64: [17, 67],
  readv: [19, 65],
  writev: [20, 66],
  access: [21, -1],
  sched_yield: [24, 124],
  mremap: [25, 216],
  madvise: [28, 233],
  dup: [32, 23],
  nanosleep: [35, 101],
  getpid: [39, 172],
  clone: [56, 220],
  execve: [59, 221],
  exit: [60, 93],
  uname: [63, 160],
  fcntl: [72, 25],
  getcwd: [79, 17],
  readlink: [89, -1],
  gettimeofday: [96, 169],
  getrlimit: [97, 163],
  getrusage: [98, 165],
  sysinfo: [99, 179],
  times: [100, 153],
  getuid: [102, 174],
  getgid: [104, 176],
  geteuid: [107, 175],
  getegid: [108, 177],
  getppid: [110, 173],
  sigaltstack: [131, 132],
  statfs: [137, 43],
  fstatfs: [138, 44],
  sched_getparam: [143, 121],
  sched_getscheduler: [145, 120],
  sched_get_priority_max: [146, 125],
  sched_get_priority_min: [147, 126],
  prctl: [157, 167],
  arch_prctl: [158, -1],
  gettid: [186, 178],
  time: [201, -1],
  futex: [202, 98],
  sched_getaffinity: [204, 123],
  set_tid_address: [218, 96],
  restart_syscall: [219, 128],
  clock_gettime: [228, 113],
  clock_getres: [229, 114],
  clock_nanosleep: [230, 115],
  exit_group: [231, 94],
  epoll_wait: [232, -1],
  epoll_ctl: [233, 21],
  tgkill: [234, 131],
  openat: [257, 56],
  newfstatat: [262, 79],
  readlinkat: [267, 78],
  faccessat: [269, 48],
  ppoll: [271, 73],
  set_robust_list: [273, 99],
  epoll_pwait: [281, 22],
  eventfd2: [290, 19],
  epoll_create1: [291, 20],
  pipe2: [293, 59],
  prlimit64: [302, 261],
  getrandom: [318, 278],
  membarrier: [324, 283],
  statx: [332, 291],
  rseq: [334, 293],
  clone3: [435, 435],
  faccessat2: [439, 439],
  epoll_pwait2: [441, 441],
} as const satisfies Record<string, readonly [number, number]>;
type Call = keyof typeof CALLS;

// BPF opcodes and seccomp return values (linux/bpf_common.h, linux/seccomp.h).
const LOAD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_GREATER_EQUAL = 0x35;
const JUMP_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const ERRNO = 0x00050000;
const KILL_PROCESS = 0x80000000;
const EPERM = 1;
const EACCES = 13;
const ENOSYS = 38;
const OFFSET_NUMBER = 0;
const OFFSET_ARCH = 4;
/** Low half of argument i; the machines here are little-endian. */
const argument = (index: number): number => 16 + 8 * index;

const PROT_WRITE = 2;
const PROT_EXEC = 4;
const MAP_ANONYMOUS = 0x20;
const CLONE_THREAD = 0x10000;
/** O_WRONLY, O_RDWR, O_CREAT, O_TRUNC, O_APPEND: the same bits on both architectures. */
const OPEN_TO_WRITE = 0o1 | 0o2 | 0o100 | 0o1000 | 0o2000;
/** PR_SET_NAME, PR_GET_NAME, PR_SET_VMA, PR_GET_DUMPABLE: what the C library and V8 use. */
const PRCTL_ALLOWED = [15, 16, 0x53564d41, 3];
/** TCGETS, FIONREAD, FIONBIO, FIONCLEX, FIOCLEX. */
const IOCTL_ALLOWED = [0x5401, 0x541b, 0x5421, 0x5450, 0x5451];

type Instruction = readonly [code: number, jumpTrue: number, jumpFalse: number, k: number];

/** The filter for a process with this id (it may signal itself, for abort, and nobody else), as the bytes of an
 * array of `struct sock_filter`. */
export function seccompProgram(arch: Arch, pid: number): Uint8Array {
  const program: Instruction[] = [
    [LOAD, 0, 0, OFFSET_ARCH],
    [JUMP_EQUAL, 1, 0, AUDIT_ARCH[arch]],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, OFFSET_NUMBER],
    // The x32 variants of every call on x86-64.
    [JUMP_GREATER_EQUAL, 0, 1, 0x40000000],
    [RETURN, 0, 0, ERRNO | EPERM],
  ];
  const conditions = conditionsFor(pid);
  for (const [name, numbers] of Object.entries(CALLS)) {
    const number = numbers[arch === "x64" ? 0 : 1];
    if (number < 0) continue;
    const body = conditions[name as Call] ?? [[RETURN, 0, 0, ALLOW] as const];
    program.push([JUMP_EQUAL, 0, body.length, number], ...body);
  }
  program.push([RETURN, 0, 0, ERRNO | EPERM]);
  return encode(program);
}

/** Calls that are allowed with some arguments only. */
function conditionsFor(pid: number): Partial<Record<Call, Instruction[]>> {
  const deny = (errno: number): Instruction => [RETURN, 0, 0, ERRNO | errno];
  const allow: Instruction = [RETURN, 0, 0, ALLOW];
  const oneOf = (arg: number, values: number[]): Instruction[] => [
    [LOAD, 0, 0, argument(arg)],
    ...values.map((value, i): Instruction => [JUMP_EQUAL, values.length - i, 0, value]),
    deny(EPERM),
    allow,
  ];
  const noneOf = (arg: number, bits: number, errno: number): Instruction[] => [
    [LOAD, 0, 0, argument(arg)],
    [JUMP_ANY_BIT, 0, 1, bits],
    deny(errno),
    allow,
  ];
  return {
    // Executable memory only from files, and never writable at the same time.
    mmap: [
      [LOAD, 0, 0, argument(2)],
      [JUMP_ANY_BIT, 1, 0, PROT_EXEC],
      allow,
      [JUMP_ANY_BIT, 0, 1, PROT_WRITE],
      deny(EACCES),
      [LOAD, 0, 0, argument(3)],
      [JUMP_ANY_BIT, 0, 1, MAP_ANONYMOUS],
      deny(EACCES),
      allow,
    ],
    mprotect: noneOf(2, PROT_EXEC, EACCES),
    open: noneOf(1, OPEN_TO_WRITE, EACCES),
    openat: noneOf(2, OPEN_TO_WRITE, EACCES),
    // Threads, no processes. clone3 hides its flags in memory; the C library falls back to clone.
    clone: [[LOAD, 0, 0, argument(0)], [JUMP_ANY_BIT, 1, 0, CLONE_THREAD], deny(EPERM), allow],
    clone3: [deny(ENOSYS)],
    tgkill: oneOf(0, [pid]),
    prlimit64: oneOf(0, [0, pid]),
    prctl: oneOf(0, PRCTL_ALLOWED),
    ioctl: oneOf(1, IOCTL_ALLOWED),
    // Locks, leases and signals for others (F_SETOWN, F_SETSIG …) are not needed: F_DUPFD, F_GETFD, F_SETFD,
    // F_GETFL, F_SETFL, F_DUPFD_CLOEXEC.
    fcntl: oneOf(1, [0, 1, 2, 3, 4, 1030]),
  };
}

function encode(program: Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * 8);
  const view = new DataView(bytes.buffer);
  program.forEach(([code, jumpTrue, jumpFalse, k], i) => {
    if (jumpTrue > 255 || jumpFalse > 255) throw new Error("a jump of the filter is too long");
    view.setUint16(8 * i, code, true);
    view.setUint8(8 * i + 2, jumpTrue);
    view.setUint8(8 * i + 3, jumpFalse);
    view.setUint32(8 * i + 4, k >>> 0, true);
  });
  return bytes;
}
