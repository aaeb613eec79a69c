// Counters of the server in the text format of Prometheus.

/** Upper bounds of the histogram of request times, in seconds. */
const BOUNDS = [0.005, 0.025, 0.1, 0.5, 2.5, 10];

interface Series {
  count: number;
  seconds: number;
  buckets: number[];
}

export interface Gauge {
  name: string;
  help: string;
  /** By the text of the labels. */
  values: ReadonlyMap<string, number>;
}

/** Values of a gauge by their labels, whose values may be any text. */
export function series(
  values: readonly { labels?: Readonly<Record<string, string>>; value: number }[],
): Map<string, number> {
  const escaped = (text: string): string =>
    text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  const textOf = (labels: Readonly<Record<string, string>>): string =>
    Object.entries(labels)
      .map(([name, value]) => `${name}="${escaped(value)}"`)
      .join(",");
  return new Map(values.map(({ labels = {}, value }) => [textOf(labels), value]));
}

export class Metrics {
  private readonly requests = new Map<string, Series>();
  private readonly counters = new Map<string, number>();

  /** Counts an answered request. `route` is the path as declared, so that the number of series is bounded. */
  request(method: string, route: string, status: number, seconds: number): void {
    const key = `method="${method}",route="${route}",status="${status}"`;
    const series = this.requests.get(key) ?? { count: 0, seconds: 0, buckets: BOUNDS.map(() => 0) };
    series.count += 1;
    series.seconds += seconds;
    BOUNDS.forEach((bound, i) => {
      if (seconds <= bound) series.buckets[i] = (series.buckets[i] ?? 0) + 1;
    });
    this.requests.set(key, series);
  }

  count(name: string, by = 1): void {
    this.counters.set(name, (this.counters.get(name) ?? 0) + by);
  }

  /** All series, with values that are read now. */
  text(gauges: readonly Gauge[]): string {
    const lines: string[] = [];
    for (const { name, help, values } of gauges) {
      lines.push(`# HELP atomsmith_${name} ${help}`, `# TYPE atomsmith_${name} gauge`);
      for (const [labels, value] of values) {
        lines.push(`atomsmith_${name}${labels === "" ? "" : `{${labels}}`} ${value}`);
      }
    }
    for (const [name, value] of this.counters) {
      lines.push(`# TYPE atomsmith_${name}_total counter`, `atomsmith_${name}_total ${value}`);
    }
    lines.push(
      "# HELP atomsmith_http_request_duration_seconds time from a request to its answer",
      "# TYPE atomsmith_http_request_duration_seconds histogram",
    );
    const name = "atomsmith_http_request_duration_seconds";
    for (const [labels, { count, seconds, buckets }] of this.requests) {
      BOUNDS.forEach((bound, i) => {
        lines.push(`${name}_bucket{${labels},le="${bound}"} ${buckets[i] ?? 0}`);
      });
      lines.push(`${name}_bucket{${labels},le="+Inf"} ${count}`);
      lines.push(`${name}_sum{${labels}} ${seconds.toFixed(6)}`, `${name}_count{${labels}} ${count}`);
    }
    return `${lines.join("\n")}\n`;
  }
}
