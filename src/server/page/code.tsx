// Simple syntax colours for JavaScript and YAML: strings, comments, numbers and keywords.
import { visible } from "../../report/escape.ts";

type Kind = "comment" | "string" | "number" | "keyword" | "key" | "plain";

const JS =
  /(\/\/[^\n]*|\/\*[\s\S]*?\*\/)|("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`)|(\b\d[\d_.]*(?:e[+-]?\d+)?\b)|(\b(?:break|case|catch|class|const|continue|default|do|else|false|finally|for|function|if|in|instanceof|let|new|null|of|return|switch|this|throw|true|try|typeof|undefined|var|while)\b)/g;
const YAML =
  /((?:^|\s)#[^\n]*)|("(?:\\.|[^"\\\n])*"|'(?:''|[^'\n])*')|(\b\d[\d_.]*\b)|(\b(?:true|false|null)\b)|(^[ \t-]*[\w-]+(?=:))/gm;
const KINDS: readonly Kind[] = ["comment", "string", "number", "keyword", "key"];

interface Piece {
  kind: Kind;
  text: string;
}

/** The pieces of a source; together they are the source. */
export function pieces(source: string, file: string): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (const match of source.matchAll(file.endsWith(".js") ? JS : YAML)) {
    if (match.index > at) found.push({ kind: "plain", text: source.slice(at, match.index) });
    const group = match.slice(1).findIndex((text) => text !== undefined);
    found.push({ kind: KINDS[group] ?? "plain", text: match[0] });
    at = match.index + match[0].length;
  }
  if (at < source.length) found.push({ kind: "plain", text: source.slice(at) });
  return found;
}

export function Code({ source, file }: { source: string; file: string }) {
  return (
    <pre tabIndex={0} class="code">
      <code>
        {pieces(source, file).map(({ kind, text }, i) =>
          kind === "plain" ? (
            visible(text)
          ) : (
            <span key={i} class={`hl-${kind}`}>
              {visible(text)}
            </span>
          ),
        )}
      </code>
    </pre>
  );
}
