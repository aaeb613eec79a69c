// The self-contained HTML page: overview, filters, and per item what decided, with log lines in context. It loads
// nothing, works from a file and without its script, and may run only its own script (content security policy).
import { newHash } from "../../core/hash.ts";
import { html } from "../escape.ts";
import { PAGE_SCRIPT } from "./script.ts";
import { PAGE_STYLE } from "./style.ts";
import type { EvidenceEntry, PageBlock, PageData, PageEntry, PageStatus, PageTag } from "./types.ts";

/** The whole document. */
export function renderPage(page: PageData): string {
  const policy = `default-src 'none'; style-src ${hashOf(PAGE_STYLE)}; script-src ${hashOf(PAGE_SCRIPT)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${html(titleOf(page))}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<a class="skip" href="#results">Skip to the results</a>
<header><div class="wrap">
<h1>${html(page.title)}</h1>
<dl class="facts">${page.facts.map(([label, value]) => `<div><dt>${html(label)}</dt><dd>${html(value)}</dd></div>`).join("")}</dl>
${page.notices.map(({ tone, text }) => `<p class="notice ${tone}">${html(text)}</p>`).join("\n")}
</div></header>
<nav class="bar" aria-label="Filters"><div class="wrap">
<div class="filters" role="group" aria-label="Show by result">${page.statuses.map((status) => filter(status, page)).join("")}</div>
<div class="search"><label class="sr" for="search">Search in everything shown here</label><input id="search" type="search" placeholder="Search ( / )" autocomplete="off" spellcheck="false"></div>
<button type="button" id="open">Open all</button><button type="button" id="close">Close all</button>
<span class="shown" id="shown" role="status"></span>
</div></nav>
<main id="results" tabindex="-1"><div class="wrap">
<h2 class="sr">Results</h2>
${page.entries.map((entry) => renderEntry(entry, page)).join("\n")}
<p class="empty" id="empty"${page.entries.length > 0 ? " hidden" : ""}>Nothing here: no ${html(page.noun.one)} fits.</p>
</div></main>
<footer><div class="wrap">Made by atomsmith. This file is whole: it loads nothing and sends nothing.</div></footer>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

function hashOf(text: string): string {
  return `'sha256-${newHash().update(text).digest("base64")}'`;
}

/** The counts stand in the title, so that a tab already tells. */
function titleOf(page: PageData): string {
  const counts = page.statuses.map((status) => `${countOf(status, page)} ${status.label}`);
  return `${page.title}: ${counts.join(", ")}`;
}

function countOf(status: PageStatus, page: PageData): number {
  return page.entries.filter((entry) => entry.status === status.key).length;
}

function filter(status: PageStatus, page: PageData): string {
  const count = countOf(status, page);
  return `<button type="button" class="${count > 0 ? status.tone : ""}" data-status="${html(status.key)}" aria-pressed="false"><span class="n">${count}</span>${html(status.label)}</button>`;
}

function renderEntry(entry: PageEntry, page: PageData): string {
  const status = page.statuses.find((one) => one.key === entry.status);
  const tone = status?.tone ?? "quiet";
  const open = page.entries.length === 1 ? " open" : "";
  const time = entry.durationMs === null ? "" : `<span>${durationText(entry.durationMs)}</span>`;
  return `<details class="item" id="${html(anchor(entry.id))}" data-status="${html(entry.status)}"${open}>
<summary><span class="badge ${tone}">${html(status?.badge ?? entry.status)}</span><span class="id">${html(entry.id)}</span><span class="why">${html(entry.headline)}</span><span class="meta">${entry.tags.map(tag).join("")}<span>${html(entry.kind)}</span>${time}</span></summary>
<div class="body">
${entry.description === "" ? "" : `<p class="about">${html(entry.description)}</p>`}
${entry.blocks.map(renderBlock).join("\n")}
</div>
</details>`;
}

/** An id that is safe in a link; ids of items may hold anything when a set was not verified. */
function anchor(id: string): string {
  return `item-${id.replace(/[^A-Za-z0-9._-]/g, "_")}`;
}

function durationText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function tag({ text, tone }: PageTag): string {
  return `<span class="badge ${tone}">${html(text)}</span>`;
}

function renderBlock(block: PageBlock): string {
  switch (block.kind) {
    case "messages":
      return section(
        block.title,
        `<ul class="messages">${block.messages
          .map(
            (m) =>
              `<li class="${block.tone}"><span class="label">${html(m.label)}</span>${html(m.text)}${m.place === "" ? "" : `<span class="place mono">${html(m.place)}</span>`}</li>`,
          )
          .join("")}</ul>`,
      );
    case "evidence":
      return section(
        block.title,
        `<ol class="entries">${block.entries.map(renderEvidence).join("")}</ol>${
          block.count > block.entries.length
            ? `<p class="rest">… and ${block.count - block.entries.length} more. ${html(block.rest)}</p>`
            : ""
        }`,
        { text: String(block.count), tone: block.tone },
      );
    case "table":
      return section(
        block.title,
        `<div class="tablebox"><table><thead><tr>${block.header.map((cell) => `<th scope="col">${html(cell)}</th>`).join("")}</tr></thead><tbody>${block.rows.map((row) => `<tr>${row.map((cell) => `<td>${html(cell)}</td>`).join("")}</tr>`).join("")}</tbody></table></div>`,
      );
    case "list":
      return section(
        block.title,
        `<ul class="plain">${block.items.map((item) => `<li${block.code ? ' class="mono"' : ""}>${html(item)}</li>`).join("")}</ul>`,
      );
    case "code":
      return renderCode(block);
    case "facts":
      return section(
        block.title,
        `<dl class="fields">${block.facts.map(([label, value]) => `<div><dt>${html(label)}</dt><dd class="mono">${html(value)}</dd></div>`).join("")}</dl>`,
      );
  }
}

/** The sign in front is text, so that a difference can be read without colours and copied. */
function renderCode(block: Extract<PageBlock, { kind: "code" }>): string {
  const signs = { same: " ", added: "+", removed: "-" } as const;
  const differs = block.lines.some((line) => line.change !== "same");
  const lines = block.lines.map(({ text, change }) => {
    const shown = differs ? `${signs[change]} ${html(text)}` : html(text);
    return change === "same" ? shown : `<span class="${change}">${shown}</span>`;
  });
  return `<details class="block code"><summary><h3>${html(block.title)}</h3><span class="note">${html(block.note)}</span></summary><pre class="mono" tabindex="0">${lines.join("\n")}</pre></details>`;
}

function section(title: string, body: string, count?: PageTag): string {
  return `<section class="block"><h3>${html(title)}${count === undefined ? "" : tag(count)}</h3>${body}</section>`;
}

function renderEvidence(entry: EvidenceEntry): string {
  const place = entry.place === "" ? "" : `<span class="place mono">${html(entry.place)}</span>`;
  const notes = entry.notes.map(
    ({ label, text }) => `<p class="note"><b>${html(label)}</b> ${html(text)}</p>`,
  );
  const fields = entry.fields.map(
    ([k, v]) => `<div><dt>${html(k)}</dt><dd class="mono">${html(v)}</dd></div>`,
  );
  return `<li class="entry"><div class="head"><span class="text">${html(entry.text)}</span>${entry.tags.map(tag).join("")}${place}</div>${notes.join("")}${
    fields.length === 0 ? "" : `<dl class="fields">${fields.join("")}</dl>`
  }${renderContext(entry)}</li>`;
}

function renderContext(entry: EvidenceEntry): string {
  if (entry.context.length === 0) return "";
  const rows = entry.context.map(
    ({ number, text, hit }) =>
      `<tr${hit ? ' class="hit"' : ""}><th scope="row">${number}</th><td>${html(text) || " "}</td></tr>`,
  );
  const label = `Lines of ${entry.place}`;
  return `<div class="context mono" role="group" aria-label="${html(label)}"><table><tbody>${rows.join("")}</tbody></table></div>`;
}
