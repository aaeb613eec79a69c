// Stacked bars as one SVG, stretched to the available width, with one path per part. Numbers are text outside the SVG, so
// that they keep their size on a small screen.
import { type Html, html, raw } from "../html.ts";
import type { PlotBlock } from "./types.ts";

/** Maximum number of bars; more are grouped, and the largest of each group is shown. */
const MAX_BARS = 400;
const HEIGHT = 100;
/** Width of a bar as a fraction of its slot. */
const FILL = 0.86;

type Bar = PlotBlock["bars"][number];

export function renderPlot(plot: PlotBlock): Html {
  const bars = grouped(plot.bars);
  const most = Math.max(1, ...bars.map(sizeOf));
  const top = roundUp(most);
  const [first, last] = [bars[0]?.label ?? "", bars.at(-1)?.label ?? ""];
  const label = `${plot.title}: ${plot.bars.length} bars, each a ${plot.bar}; the largest has ${count(most)} ${plot.unit}.`;
  const paths = plot.series.map(
    (_, part) => html`<path class="s${part}" d="${raw(pathOf(bars, part, top))}"/>`,
  );
  const marks = bars.flatMap(({ mark }, at) =>
    mark && at > 0 ? [html`<line class="mark" x1="${at}" x2="${at}" y1="0" y2="${HEIGHT}"/>`] : [],
  );
  return html`<figure class="plot"><div class="area"><div class="y" aria-hidden="true"><span>${count(top)}</span><span>${count(top / 2)}</span><span>0</span></div><svg role="img" aria-label="${label}" viewBox="0 0 ${Math.max(1, bars.length)} ${HEIGHT}" preserveAspectRatio="none">${paths}${marks}</svg><div class="x" aria-hidden="true"><span>${plot.bar} ${first}</span><span>${last}</span></div></div><ul>${plot.series.map((name, part) => html`<li class="s${part}"><span>${name}</span></li>`)}</ul><figcaption>${plot.note}</figcaption></figure>`;
}

function sizeOf({ parts }: Bar): number {
  return parts.reduce((sum, part) => sum + part, 0);
}

function grouped(bars: readonly Bar[]): Bar[] {
  const each = Math.ceil(bars.length / MAX_BARS);
  if (each <= 1) return [...bars];
  return Array.from({ length: Math.ceil(bars.length / each) }, (_, at) => {
    const group = bars.slice(at * each, (at + 1) * each);
    const largest = group.reduce((most, bar) => (sizeOf(bar) > sizeOf(most) ? bar : most));
    const label = at === 0 ? group[0]?.label : (group.at(-1)?.label ?? "");
    return { label: label ?? "", parts: largest.parts, mark: group.some(({ mark }) => mark) };
  });
}

/** The rectangles of one part, on top of the parts before it. */
function pathOf(bars: readonly Bar[], part: number, top: number): string {
  const y = (value: number): number => Math.round((HEIGHT - (HEIGHT * value) / top) * 100) / 100;
  return bars
    .map(({ parts }, at) => {
      const below = parts.slice(0, part).reduce((sum, size) => sum + size, 0);
      const size = parts[part] ?? 0;
      return size <= 0 ? "" : `M${at} ${y(below)}H${at + FILL}V${y(below + size)}H${at}Z`;
    })
    .join("");
}

/** Rounds up to two significant digits. */
function roundUp(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / unit) * unit;
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}
