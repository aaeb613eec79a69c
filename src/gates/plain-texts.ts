// Texts that no tool of an item writes: prose without digits or `key: value`, so that no log format matches it, and error
// messages in the formats of common tools.

export const PROSE = [
  "The harbour lay quiet in the early light and no boat had left yet",
  "",
  "An old man walked slowly along the wall with his dog behind him",
  "He thought of nothing in particular and listened to the gulls",
  "Somewhere a door was opened and closed again",
  "",
  "Later the baker would bring bread and the children would run down the hill",
  "For now there was only the water and the smell of tar and salt",
  "Nobody had seen the stranger who slept under the upturned boat",
  "   He dreamed of mountains and of snow that never melts",
  "",
  "When the bell rang he woke and did not know where he was",
];

export const ERROR_LOG = [
  "ERROR: the connection was lost",
  "Error: cannot continue",
  "error: aborted by peer",
  "[ERROR] worker: unexpected end of input",
  "**ERROR: (SYS-1): operation failed",
  "FATAL: no such device",
  "E0101 00:00:00.000000 1 loop.cc:1] giving up",
  "2001-01-01 00:00:00,000 ERROR main failed",
  "Traceback (most recent call last):",
  '  File "x.py", line 1, in <module>',
  "RuntimeError: bad state",
  "Segmentation fault (core dumped)",
  "make: *** [all] Error 1",
  "CRITICAL - giving up",
];

/** The content of a log if the tool could not be started. */
export const SHELL_ERRORS = [
  "sh: 1: run_tool: not found",
  "bash: run_tool: command not found",
  "/usr/bin/env: 'run_tool': No such file or directory",
  "bash: ./run_tool: Permission denied",
];
