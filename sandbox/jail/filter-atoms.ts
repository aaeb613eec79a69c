// The system call filter of the profile `atoms`. An allow-list: what Node needs to start, to read its three files, to
// run threads and to use its pipes. Every other call fails with EPERM; a call from a foreign architecture kills the
// process. Numbers: Linux `unistd` tables of x86-64 and of the generic table that arm64 uses.
import {
  type Arch,
  allow,
  anyOf,
  type CallNumbers,
  deny,
  EACCES,
  ENOSYS,
  EPERM,
  filterProgram,
  type Instruction,
  noneOf,
  oneOf,
  whenAny,
} from "./bpf.ts";

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
} as const satisfies Record<string, CallNumbers>;
type Call = keyof typeof CALLS;

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

/** The filter for a process with this id: it may signal itself, which abort needs, and no other process. */
export function atomsFilter(arch: Arch, pid: number): Uint8Array {
  const conditions = conditionsFor(pid);
  const rules = Object.entries(CALLS).map(([name, numbers]) => ({
    numbers,
    body: conditions[name as Call] ?? [allow],
  }));
  return filterProgram(arch, rules, deny(EPERM));
}

/** Calls that are allowed only with certain arguments. */
function conditionsFor(pid: number): Partial<Record<Call, Instruction[]>> {
  return {
    // Executable memory must be file-backed and not writable.
    mmap: whenAny(2, PROT_EXEC, [
      ...noneOf(2, PROT_WRITE, EACCES).slice(0, -1),
      ...noneOf(3, MAP_ANONYMOUS, EACCES),
    ]),
    mprotect: noneOf(2, PROT_EXEC, EACCES),
    open: noneOf(1, OPEN_TO_WRITE, EACCES),
    openat: noneOf(2, OPEN_TO_WRITE, EACCES),
    // Threads but no processes. BPF cannot read the flags of clone3; the C library falls back to clone.
    clone: anyOf(0, CLONE_THREAD, EPERM),
    clone3: [deny(ENOSYS)],
    tgkill: oneOf(0, [pid]),
    prlimit64: oneOf(0, [0, pid]),
    prctl: oneOf(0, PRCTL_ALLOWED),
    ioctl: oneOf(1, IOCTL_ALLOWED),
    // F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_DUPFD_CLOEXEC: no locks, leases or signals to other processes.
    fcntl: oneOf(1, [0, 1, 2, 3, 4, 1030]),
  };
}
