// The style sheet of the page: light and dark, small and large screens, print. It refers to no image, font or address.

export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --bg: #f6f7f9; --card: #ffffff; --ink: #1a1f27; --dim: #5a6472; --line: #d9dee5; --code: #f2f4f7; --hit: #fff3c9;
  --focus: #1458d6; --good: #14713a; --good-bg: #e3f4e9; --bad: #b3201b; --bad-bg: #fde9e7; --warn: #8a5300;
  --warn-bg: #fdf0d8; --quiet: #4d5765; --quiet-bg: #e9edf2;
  --s0: #2c6fd1; --s1: #b8690a; --s2: #6a55c8; --s3: #bf3a7c; --s4: #1b8454;
}
@media (prefers-color-scheme: dark) {
  :root {
    --bg: #12161c; --card: #1a2028; --ink: #e6eaf0; --dim: #9aa6b5; --line: #303a46; --code: #131920; --hit: #4a3d10;
    --focus: #7fb0ff; --good: #6fd696; --good-bg: #15341f; --bad: #ff938b; --bad-bg: #421b19; --warn: #f2bd62;
    --warn-bg: #3d2b0c; --quiet: #aab4c1; --quiet-bg: #2a333e;
    --s0: #5f9cf0; --s1: #e7a54a; --s2: #9a8cf0; --s3: #e079a8; --s4: #4fb98a;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--bg); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0; }
h2, h3, h4 { margin: 0; font-size: 1rem; }
code, pre, .mono { font-family: ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Consolas, monospace; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
.skip { position: absolute; left: -9999px; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; z-index: 9; }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.wrap { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header { background: var(--card); border-bottom: 1px solid var(--line); padding: 1.25rem 0 1rem; }
.facts { display: flex; flex-wrap: wrap; gap: .25rem 1.75rem; margin: .75rem 0 0; }
.facts div { display: flex; gap: .5rem; min-width: 0; }
.facts dt { color: var(--dim); white-space: nowrap; }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.notice { margin: 1rem 0 0; padding: .6rem .9rem; border-radius: 6px; border-left: 4px solid; overflow-wrap: anywhere; }
.bar { position: sticky; top: 0; z-index: 5; background: var(--bg); border-bottom: 1px solid var(--line); padding: .75rem 0; }
.bar .wrap { display: flex; flex-wrap: wrap; gap: .6rem; align-items: center; }
html:not(.js) .bar { display: none; }
.filters { display: flex; flex-wrap: wrap; gap: .4rem; }
button { font: inherit; color: inherit; background: var(--card); border: 1px solid var(--line); border-radius: 6px;
  padding: .3rem .7rem; cursor: pointer; }
button:hover { border-color: var(--dim); }
button[aria-pressed="true"] { border-color: currentColor; box-shadow: inset 0 0 0 1px currentColor; font-weight: 600; }
button .n { font-variant-numeric: tabular-nums; font-weight: 700; margin-right: .35em; }
.search { flex: 1 1 14rem; display: flex; min-width: 0; }
.search input { font: inherit; width: 100%; min-width: 0; padding: .35rem .7rem; border: 1px solid var(--line);
  border-radius: 6px; background: var(--card); color: inherit; }
.shown { color: var(--dim); font-size: .875rem; }
main { padding: 1rem 0 3rem; }
.item { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin: 0 0 .5rem; }
.item { scroll-margin-top: 4.5rem; }
.item[hidden] { display: none; }
.item > summary { list-style: none; cursor: pointer; display: grid; gap: .15rem .9rem; align-items: baseline;
  grid-template-columns: 5.2rem 11rem 1fr auto; padding: .6rem .9rem; border-radius: 8px; }
.item > summary::-webkit-details-marker { display: none; }
.item > summary:hover { background: var(--code); }
.item[open] > summary { border-bottom: 1px solid var(--line); border-radius: 8px 8px 0 0; }
.item .id { font-weight: 650; overflow-wrap: anywhere; }
.item .why { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
.item[open] .why { white-space: normal; overflow-wrap: anywhere; }
.item .meta { color: var(--dim); font-size: .875rem; white-space: nowrap; display: flex; gap: .6rem; align-items: baseline; }
.badge { display: inline-block; font-size: .75rem; font-weight: 700; letter-spacing: .03em; padding: .1rem .5rem;
  border-radius: 4px; text-align: center; }
.good { color: var(--good); background: var(--good-bg); } .bad { color: var(--bad); background: var(--bad-bg); }
.warn { color: var(--warn); background: var(--warn-bg); } .quiet { color: var(--quiet); background: var(--quiet-bg); }
.notice.good { border-color: var(--good); } .notice.bad { border-color: var(--bad); }
.notice.warn { border-color: var(--warn); } .notice.quiet { border-color: var(--quiet); }
.body { padding: .9rem; display: grid; gap: 1.1rem; min-width: 0; }
.about { margin: 0; color: var(--dim); }
.block { min-width: 0; }
.block > h3 { display: flex; gap: .5rem; align-items: center; margin-bottom: .45rem; }
.messages { list-style: none; margin: 0; padding: 0; display: grid; gap: .4rem; }
.messages li { padding: .45rem .75rem; border-radius: 6px; overflow-wrap: anywhere; }
.messages .label { font-weight: 700; margin-right: .4em; }
.messages .place, .entry .place { color: var(--dim); font-size: .875rem; overflow-wrap: anywhere; }
.messages li .place { color: inherit; display: block; }
.entries { list-style: none; margin: 0; padding: 0; display: grid; gap: .55rem; }
.entry { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .75rem; min-width: 0; }
.entry .head { display: flex; flex-wrap: wrap; gap: .15rem .8rem; align-items: baseline; }
.entry .text { font-weight: 600; overflow-wrap: anywhere; white-space: pre-wrap; }
.entry .note { margin: .15rem 0 0; overflow-wrap: anywhere; }
.entry .note b { font-weight: 500; color: var(--dim); }
.fields { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; margin: .2rem 0 0; font-size: .875rem; }
.fields div { display: flex; gap: .4rem; min-width: 0; }
.fields dt { color: var(--dim); } .fields dd { margin: 0; overflow-wrap: anywhere; }
.context { margin: .45rem 0 0; background: var(--code); border-radius: 5px; overflow-x: auto; font-size: .8125rem; line-height: 1.45; }
.context table { border-collapse: collapse; min-width: 100%; }
.context th { font-weight: 400; color: var(--dim); text-align: right; padding: 0 .7rem; user-select: none; vertical-align: top;
  font-variant-numeric: tabular-nums; width: 1%; }
.context td { white-space: pre; padding: 0 .7rem 0 0; }
.context .hit { background: var(--hit); } .context .hit th { color: inherit; font-weight: 700; }
.code > summary { cursor: pointer; display: flex; flex-wrap: wrap; gap: .1rem .8rem; align-items: baseline; border-radius: 4px; }
.code > summary h3 { overflow-wrap: anywhere; min-width: 0; }
.code > summary::before { content: "▸"; color: var(--dim); }
.code[open] > summary::before { content: "▾"; }
.code > summary::-webkit-details-marker { display: none; }
.code > summary .note { color: var(--dim); font-size: .875rem; overflow-wrap: anywhere; }
.code pre { margin: .45rem 0 0; padding: .6rem .75rem; background: var(--code); border-radius: 5px; overflow: auto;
  max-height: 32rem; font-size: .8125rem; line-height: 1.45; }
.code .added { color: var(--good); background: var(--good-bg); } .code .removed { color: var(--bad); background: var(--bad-bg); }
.rest { color: var(--dim); margin: .4rem 0 0; }
.plain { margin: 0; padding-left: 1.2rem; } .plain li { overflow-wrap: anywhere; }
.tablebox { overflow-x: auto; }
.tablebox table { border-collapse: collapse; width: 100%; }
.tablebox th, .tablebox td { text-align: left; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: anywhere; }
.tablebox th { color: var(--dim); font-weight: 500; white-space: nowrap; }
.overview { padding-top: 1rem; }
.overview .block { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: .75rem .9rem; margin: 0 0 .5rem; }
.plot { margin: 0; } .plot figcaption { color: var(--dim); font-size: .875rem; margin-top: .35rem; }
.plot .area { display: grid; grid-template-columns: auto 1fr; gap: .1rem .6rem; }
.plot svg { width: 100%; height: 13rem; display: block; border-bottom: 1px solid var(--dim); background: var(--code); }
.plot .y { display: flex; flex-direction: column; justify-content: space-between; text-align: right; }
.plot .x { grid-column: 2; display: flex; justify-content: space-between; }
.plot .x, .plot .y { color: var(--dim); font-size: .75rem; font-variant-numeric: tabular-nums; }
.plot .mark { stroke: var(--dim); stroke-width: 1; stroke-dasharray: 3 3; vector-effect: non-scaling-stroke; }
.plot ul { list-style: none; display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; margin: .4rem 0 0; padding: 0; font-size: .875rem; }
.plot li::before { content: ""; display: inline-block; width: .75rem; height: .75rem; border-radius: 2px; margin-right: .4rem;
  background: currentColor; vertical-align: -.05rem; }
.plot li span { color: var(--ink); }
${[0, 1, 2, 3, 4].map((n) => `.plot path.s${n} { fill: var(--s${n}); } .plot li.s${n} { color: var(--s${n}); }`).join("\n")}
.empty { color: var(--dim); padding: 2rem 0; text-align: center; }
footer { color: var(--dim); border-top: 1px solid var(--line); padding: 1rem 0 2rem; font-size: .875rem; }
@media (max-width: 46rem) {
  .wrap { padding: 0 .75rem; }
  .bar { position: static; }
  .item > summary { grid-template-columns: auto 1fr; }
  .item .why { grid-column: 1 / -1; white-space: normal; overflow-wrap: anywhere; }
  .item .meta { grid-column: 1 / -1; flex-wrap: wrap; white-space: normal; }
  .facts { display: grid; gap: .2rem; }
  .body { padding: .75rem .6rem; }
}
@media (prefers-reduced-motion: no-preference) { .item > summary { transition: background .12s; } }
@media print {
  :root { color-scheme: light; --bg: #fff; --card: #fff; --ink: #000; --dim: #444; --line: #bbb; --code: #f4f4f4; --hit: #eee; }
  body { font-size: 10pt; }
  .bar, .skip { display: none !important; }
  .wrap { max-width: none; padding: 0; }
  .item { border-radius: 0; border-width: 1px 0 0; margin: 0; }
  .item > summary, .entry { break-inside: avoid; }
  .item > summary { break-after: avoid; }
  .item .why, .context td { white-space: pre-wrap; overflow-wrap: anywhere; }
  .context, .tablebox { overflow: visible; }
  .badge { border: 1px solid currentColor; }
}
`;
