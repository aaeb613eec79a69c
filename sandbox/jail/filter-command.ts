// The system call filter of the profile `command`: a build or test may start processes and threads and use files;
// access to other processes, kernel interfaces and the network is denied. Calls newer than this table fail with ENOSYS,
// so that programs fall back to known ones.
import {
  type Arch,
  allow,
  type CallNumbers,
  deny,
  ENOSYS,
  EPERM,
  either,
  type FilterRule,
  filterProgram,
  noneOf,
  notOneOf,
  oneOf,
  when,
} from "./bpf.ts";

/** Denied with any arguments. */
const DENIED = {
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  process_madvise: [440, 440],
  process_mrelease: [448, 448],
  migrate_pages: [256, 238],
  move_pages: [279, 239],
  perf_event_open: [298, 241],
  // Memory and queues that are shared by name with other processes of the user.
  shmget: [29, 194],
  shmat: [30, 196],
  shmctl: [31, 195],
  semget: [64, 190],
  semop: [65, 193],
  semctl: [66, 191],
  semtimedop: [220, 192],
  msgget: [68, 186],
  msgsnd: [69, 189],
  msgrcv: [70, 188],
  msgctl: [71, 187],
  mq_open: [240, 180],
  mq_unlink: [241, 181],
  // Mounts and namespaces.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  unshare: [272, 97],
  setns: [308, 268],
  open_by_handle_at: [304, 265],
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  acct: [163, 89],
  // Keys, programs in the kernel, ways to bypass the filter.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  // The machine.
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  adjtimex: [159, 171],
  clock_adjtime: [305, 266],
  syslog: [103, 116],
  vhangup: [153, 58],
  iopl: [172, -1],
  ioperm: [173, -1],
  modify_ldt: [154, -1],
  uselib: [134, -1],
  lookup_dcookie: [212, 18],
  nfsservctl: [180, 42],
} as const satisfies Record<string, CallNumbers>;

/** The first number beyond this table (Linux 6.18 ends at 469). */
const UNKNOWN_FROM = 470;
/** New namespaces of mounts, cgroups, host names, IPC, users, processes and networks. */
const CLONE_NAMESPACES = 0x7e020000;
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
/** Input injection into a terminal: TIOCSTI, TIOCLINUX, TIOCCONS. */
const IOCTL_DENIED = [0x5412, 0x541c, 0x541d];
/** PER_LINUX, and the query of the current personality. */
const PERSONALITIES = [0, 0xffffffff];

/** The filter of a command. Without `network` only connected socket pairs are allowed; with it, internet sockets and
 * the netlink routing queries of the C library. Unix sockets stay denied: they reach services that act for the user. */
export function commandFilter(arch: Arch, network: boolean): Uint8Array {
  const rules: FilterRule[] = Object.values(DENIED).map((numbers) => ({ numbers, body: [deny(EPERM)] }));
  const socket = either(0, [AF_INET, AF_INET6], when(0, AF_NETLINK, oneOf(2, [0])));
  rules.push(
    { numbers: [41, 198], body: network ? socket : [deny(EPERM)] },
    { numbers: [53, 199], body: oneOf(0, [AF_UNIX]) },
    { numbers: [56, 220], body: noneOf(0, CLONE_NAMESPACES, EPERM) },
    // BPF cannot read the flags of clone3; the C library falls back to clone.
    { numbers: [435, 435], body: [deny(ENOSYS)] },
    { numbers: [16, 29], body: notOneOf(1, IOCTL_DENIED) },
    { numbers: [135, 92], body: oneOf(0, PERSONALITIES) },
    // Limits and priorities of the process itself only, not of other processes of the same user.
    { numbers: [302, 261], body: oneOf(0, [0]) },
    { numbers: [141, 140], body: when(0, 0, oneOf(1, [0])) },
    { numbers: [251, 30], body: oneOf(1, [0]) },
  );
  return filterProgram(arch, rules, allow, UNKNOWN_FROM);
}
