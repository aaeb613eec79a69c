// The self-contained HTML page: overview, filters, and the evidence of each item with log lines in context. It loads
// nothing, works from a file and without its script, and may run only its own script (content security policy).
import { newHash } from "../../core/hash.ts";
import { type Html, html, joined, raw } from "../html.ts";
import { renderPlot } from "./plot.ts";
import { PAGE_SCRIPT } from "./script.ts";
import { PAGE_STYLE } from "./style.ts";
import type { EvidenceEntry, PageBlock, PageData, PageEntry, PageStatus, PageTag } from "./types.ts";

/** The whole document. */
export function renderPage(page: PageData): string {
  const policy = `default-src 'none'; style-src ${hashOf(PAGE_STYLE)}; script-src ${hashOf(PAGE_SCRIPT)}; base-uri 'none'; form-action 'none'`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${titleOf(page)}</title>
<style>${raw(PAGE_STYLE)}</style>
</head>
<body>
<a class="skip" href="#results">Skip to the results</a>
<header><div class="wrap">
<h1>${page.title}</h1>
<dl class="facts">${page.facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>
${joined(
  page.notices.map(({ tone, text }) => html`<p class="notice ${tone}">${text}</p>`),
  "\n",
)}
</div></header>
${renderOverview(page.overview ?? [])}
<nav class="bar" aria-label="Filters"><div class="wrap">
<div class="filters" role="group" aria-label="Show by result">${page.statuses.map((status) => filter(status, page))}</div>
<div class="search"><label class="sr" for="search">Search the results</label><input id="search" type="search" placeholder="Search ( / )" autocomplete="off" spellcheck="false"></div>
<button type="button" id="open">Open all</button><button type="button" id="close">Close all</button>
<span class="shown" id="shown" role="status"></span>
</div></nav>
<main id="results" tabindex="-1"><div class="wrap">
<h2 class="sr">Results</h2>
${joined(
  page.entries.map((entry) => renderEntry(entry, page)),
  "\n",
)}
<p class="empty" id="empty"${page.entries.length > 0 ? raw(" hidden") : ""}>No ${page.noun.one} matches.</p>
</div></main>
<footer><div class="wrap">Created by atomsmith. This file is self-contained: it loads and sends nothing.</div></footer>
<script>${raw(PAGE_SCRIPT)}</script>
</body>
</html>
`.toString();
}

function renderOverview(blocks: readonly PageBlock[]): Html {
  if (blocks.length === 0) return raw("");
  return html`<section class="overview" aria-label="Overview"><div class="wrap">${joined(blocks.map(renderBlock), "\n")}</div></section>`;
}

function hashOf(text: string): string {
  return `'sha256-${newHash().update(text).digest("base64")}'`;
}

/** The title with the counts, so that they are visible in the browser tab. */
function titleOf(page: PageData): string {
  const counts = page.statuses.map((status) => `${countOf(status, page)} ${status.label}`);
  return `${page.title}: ${counts.join(", ")}`;
}

function countOf(status: PageStatus, page: PageData): number {
  return page.entries.filter((entry) => entry.status === status.key).length;
}

function filter(status: PageStatus, page: PageData): Html {
  const count = countOf(status, page);
  return html`<button type="button" class="${count > 0 ? status.tone : ""}" data-status="${status.key}" aria-pressed="false"><span class="n">${count}</span>${status.label}</button>`;
}

function renderEntry(entry: PageEntry, page: PageData): Html {
  const status = page.statuses.find(({ key }) => key === entry.status);
  const tone = status?.tone ?? "quiet";
  const open = page.entries.length === 1 ? raw(" open") : "";
  const time = entry.durationMs === null ? "" : html`<span>${durationText(entry.durationMs)}</span>`;
  return html`<details class="item" id="${anchor(entry.id)}" data-status="${entry.status}"${open}>
<summary><span class="badge ${tone}">${status?.badge ?? entry.status}</span><span class="id">${entry.id}</span><span class="why">${entry.headline}</span><span class="meta">${entry.tags.map(tag)}<span>${entry.kind}</span>${time}</span></summary>
<div class="body">
${entry.description === "" ? "" : html`<p class="about">${entry.description}</p>`}
${joined(entry.blocks.map(renderBlock), "\n")}
</div>
</details>`;
}

/** An id that is safe in a link; the item id of an unverified set may have any characters. */
function anchor(id: string): string {
  return `item-${id.replace(/[^A-Za-z0-9._-]/g, "_")}`;
}

function durationText(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

function tag({ text, tone }: PageTag): Html {
  return html`<span class="badge ${tone}">${text}</span>`;
}

function renderBlock(block: PageBlock): Html {
  switch (block.kind) {
    case "messages":
      return section(
        block.title,
        html`<ul class="messages">${block.messages.map(
          (m) =>
            html`<li class="${block.tone}"><span class="label">${m.label}</span>${m.text}${m.place === "" ? "" : html`<span class="place mono">${m.place}</span>`}</li>`,
        )}</ul>`,
      );
    case "evidence":
      return section(
        block.title,
        html`<ol class="entries">${block.entries.map(renderEvidence)}</ol>${
          block.count > block.entries.length
            ? html`<p class="rest">… and ${block.count - block.entries.length} more. ${block.rest}</p>`
            : ""
        }`,
        { text: String(block.count), tone: block.tone },
      );
    case "table":
      return section(
        block.title,
        html`<div class="tablebox"><table><thead><tr>${block.header.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead><tbody>${block.rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`,
      );
    case "list":
      return section(
        block.title,
        html`<ul class="plain">${block.items.map((item) => html`<li${block.code ? raw(' class="mono"') : ""}>${item}</li>`)}</ul>`,
      );
    case "plot":
      return section(block.title, renderPlot(block));
    case "code":
      return renderCode(block);
    case "facts":
      return section(
        block.title,
        html`<dl class="fields">${block.facts.map(([label, value]) => html`<div><dt>${label}</dt><dd class="mono">${value}</dd></div>`)}</dl>`,
      );
  }
}

/** The sign of a line is text, so that a diff can be read without colors and copied. */
function renderCode(block: Extract<PageBlock, { kind: "code" }>): Html {
  const signs = { same: " ", added: "+", removed: "-" } as const;
  const differs = block.lines.some((line) => line.change !== "same");
  const lines = block.lines.map(({ text, change }) => {
    const shown = differs ? html`${signs[change]} ${text}` : html`${text}`;
    return change === "same" ? shown : html`<span class="${change}">${shown}</span>`;
  });
  return html`<details class="block code"><summary><h3>${block.title}</h3><span class="note">${block.note}</span></summary><pre class="mono" tabindex="0">${joined(lines, "\n")}</pre></details>`;
}

function section(title: string, body: Html, count?: PageTag): Html {
  return html`<section class="block"><h3>${title}${count === undefined ? "" : tag(count)}</h3>${body}</section>`;
}

function renderEvidence(entry: EvidenceEntry): Html {
  const place = entry.place === "" ? "" : html`<span class="place mono">${entry.place}</span>`;
  const notes = entry.notes.map(({ label, text }) => html`<p class="note"><b>${label}</b> ${text}</p>`);
  const fields = entry.fields.map(([k, v]) => html`<div><dt>${k}</dt><dd class="mono">${v}</dd></div>`);
  return html`<li class="entry"><div class="head"><span class="text">${entry.text}</span>${entry.tags.map(tag)}${place}</div>${notes}${
    fields.length === 0 ? "" : html`<dl class="fields">${fields}</dl>`
  }${renderContext(entry)}</li>`;
}

function renderContext(entry: EvidenceEntry): Html {
  if (entry.context.length === 0) return raw("");
  const rows = entry.context.map(
    ({ number, text, hit }) =>
      html`<tr${hit ? raw(' class="hit"') : ""}><th scope="row">${number}</th><td>${text || " "}</td></tr>`,
  );
  const label = `Lines of ${entry.place}`;
  return html`<div class="context mono" role="group" aria-label="${label}"><table><tbody>${rows}</tbody></table></div>`;
}
