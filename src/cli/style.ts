// Colours, or none. Decided once per stream: a terminal, no NO_COLOR, no --no-color, no TERM=dumb.

export interface Style {
  readonly enabled: boolean;
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** A style that colours, or leaves every text as it is. */
export function createStyle(enabled: boolean): Style {
  const paint = (open: number, close: number) => (text: string) =>
    enabled && text !== "" ? `\x1b[${open}m${text}\x1b[${close}m` : text;
  return {
    enabled,
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  };
}

/** May this stream be coloured? NO_COLOR counts when it is set to anything but the empty string. */
export function wantsColor(
  stream: { isTTY: boolean },
  env: Readonly<Record<string, string | undefined>>,
  noColorFlag: boolean,
): boolean {
  return stream.isTTY && !noColorFlag && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

/** Characters on the screen: colour codes are none, wide (CJK, emoji) characters are two. */
export function displayWidth(text: string): number {
  return Bun.stringWidth(text);
}
