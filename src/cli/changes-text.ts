// What a new set changes against the accepted one, as lines with a sign.
import type { SetChanges } from "../contract/changes.ts";
import { type ChangeLine, changeLines, oneLine } from "../report/index.ts";
import type { Style } from "./style.ts";

/** Lines per list of changes; the JSON and the HTML page have more. */
const CHANGE_LINES = 10;

/** The changes of one item, one indented line each. */
export function changesText(changes: SetChanges, style: Style): string[] {
  const paint: Record<ChangeLine["sign"], (text: string) => string> = {
    "+": style.green,
    "-": style.red,
    "~": style.yellow,
    "…": style.dim,
    "!": style.yellow,
  };
  return changeLines(changes, CHANGE_LINES).map(({ sign, what, place, text }) => {
    const words = [what, place, text].filter((word) => word !== "").map(oneLine);
    return `  ${paint[sign](sign)} ${words.join("  ")}`;
  });
}
