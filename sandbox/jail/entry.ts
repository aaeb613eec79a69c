// The first import of the program: with JAIL_FLAG the process becomes a launcher, with SUPERVISE_FLAG the supervisor of a
// command; neither returns. Without a flag it does nothing.
export const JAIL_FLAG = "--atomsmith-jail";
export const SUPERVISE_FLAG = "--atomsmith-supervise";

if (process.argv[2] === JAIL_FLAG) {
  // Required synchronously: execve replaces the process while that module is evaluated.
  require("./launcher.ts");
}
if (process.argv[2] === SUPERVISE_FLAG) {
  const { supervise } = await import("./supervisor.ts");
  // Ends the process; until then nothing after this import may run.
  await supervise(process.argv[3] ?? "");
}
