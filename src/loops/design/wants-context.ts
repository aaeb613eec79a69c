// Whether a directive requests context.
import type { Directive } from "./directive.ts";

export function wantsContext({ context_requests }: Directive): boolean {
  const { why: _, need_specific_files, ...needs } = context_requests;
  return need_specific_files.length > 0 || Object.values(needs).includes(true);
}
