// expect: syntax
// A static import.
import fs from "node:fs";
function run() { return fs.readFileSync("/etc/passwd", "utf8"); }
