// What the page, the config's description and the comments of Atom A say about reading only a part of a log.
// A record that stands once per file cannot be told by behaviour alone from code that stops too early.
import type { NormalizedConfig } from "../contract/config.ts";
import { withoutBlocks } from "../spec/index.ts";
import type { ItemSpec } from "../spec/types.ts";
import type { Literals } from "./static/literals.ts";

export interface Intention {
  /** Only one record, or the first of several, is wanted per file. */
  once: boolean;
  /** Only the head of a file is looked at. */
  header: boolean;
  /** One record sums up a file. */
  summary: boolean;
}

const ONCE =
  /\b(?:only|just|take|takes|keep|keeps|use|uses|want|wants|wanted|counts?) (?:is )?(?:the )?first\b|\bfirst (?:occurrence|match|one|hit|line|record|item|entry|such|version|time|value|wins)\b|\bonce\b|\bonly one\b|\bone (?:\w+ )?per (?:file|log|report|netlist|run)\b|\b(?:a|per|each|every) (?:file|log|report) (?:has|holds|gives) one\b|\bper file\b|\bsingle (?:record|item|line|entry)\b|\bdistinct\b|\bdedup|\bduplicates?\b|\b(?:only|just|take|keep|use) (?:the )?last\b|\blast (?:occurrence|match|one|wins)\b|首次|第一|仅一|einmal|erste/i;
const NAMED_ONCE = /^(?:first|once|unique|distinct|dedup)|(?:First|Once|_first|_once)$/;
const HEADER =
  /\bhead(?:er|ing)?s?\b|\bbanner\b|\bpreamble\b|\bfirst (?:few |\d+ )?lines?\b|\btop of\b|\bbeginning\b|\bstart of\b|文件头|开头/i;
const SUMMARY =
  /\bsummar(?:y|ies|ise|ize)|\btotal|\bcount(?:s|ed)?\b|\bnumber of\b|\bper file\b|\bstatistic|\baggregate|汇总|统计/i;

/** Collects the words of section 1 and 4.1, of the description and of the code's own comments. */
export function intentionOf(
  spec: ItemSpec | undefined,
  config: NormalizedConfig | undefined,
  atomA: Literals | undefined,
): Intention {
  const text = [
    // A log text that an example shows says nothing of what is wanted.
    ...(["1", "4.1", "4.2"] as const).map((key) => withoutBlocks(spec?.sections[key]?.text ?? "")),
    config?.description,
    ...(atomA?.comments ?? []),
  ].join("\n");
  // Code that cannot return several records, or writes out the one it returns, was meant to return one.
  const built = atomA !== undefined && (!atomA.loops || atomA.returnsOne);
  const named = (atomA?.names ?? []).some((name) => NAMED_ONCE.test(name));
  return { once: built || named || ONCE.test(text), header: HEADER.test(text), summary: SUMMARY.test(text) };
}
