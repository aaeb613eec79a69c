// `bun refuse-calls.ts RULES COMMAND…`: runs COMMAND under a filter that refuses some system calls with EPERM,
// as an old kernel or the filter of a container does. RULES is JSON: [[x64 number, arm64 number, argument, value]…];
// without an argument the whole call is refused.
import { allow, deny, EPERM, type FilterRule, filterProgram, notOneOf } from "../../sandbox/jail/bpf.ts";
import { callTable, PR_SET_NO_NEW_PRIVS } from "../../sandbox/jail/calls.ts";
import { addressOf, openLibc } from "../../sandbox/jail/libc.ts";

const [, , text = "[]", ...command] = process.argv;
const rules = (JSON.parse(text) as [number, number, number?, number?][]).map(
  ([x64, arm64, argument, value]): FilterRule => ({
    numbers: [x64, arm64],
    body: argument === undefined || value === undefined ? [deny(EPERM)] : notOneOf(argument, [value]),
  }),
);
const libc = openLibc();
const { arch, numbers } = callTable();
const program = filterProgram(arch, rules, allow);
const header = new DataView(new ArrayBuffer(16));
header.setUint16(0, program.byteLength / 8, true);
header.setBigUint64(8, BigInt(addressOf(program)), true);
libc.syscall(numbers.prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
const done = libc.syscall(numbers.seccomp, 1, 0, addressOf(header));
if (done < 0) throw new Error(`the filter was refused (error ${-done})`);
const env = Object.fromEntries(Object.entries(process.env).map(([key, value]) => [key, value ?? ""]));
throw new Error(`cannot execute (error ${-libc.execve(command[0] ?? "", command, env)})`);
