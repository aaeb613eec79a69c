// Terminal colours. Enabled per stream: a terminal without NO_COLOR, --no-color or TERM=dumb.

export interface Style {
  readonly enabled: boolean;
  bold(text: string): string;
  dim(text: string): string;
  red(text: string): string;
  green(text: string): string;
  yellow(text: string): string;
  cyan(text: string): string;
}

/** A style that adds colours, or returns every text unchanged. */
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

/** Whether to colour this stream. NO_COLOR applies if it is not empty. */
export function wantsColor(
  stream: { isTTY: boolean },
  env: Readonly<Record<string, string | undefined>>,
  noColorFlag: boolean,
): boolean {
  return stream.isTTY && !noColorFlag && !env["NO_COLOR"] && env["TERM"] !== "dumb";
}

/** Width on the screen: colour codes have none, wide (CJK, emoji) characters two. */
export function displayWidth(text: string): number {
  return Bun.stringWidth(text);
}
