import { logTool } from "./log-tool.ts";

export const readFileHeader = logTool("read_file_header");
