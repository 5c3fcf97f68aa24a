import { html, type Markup } from '@aftermeet/pages';

/** What changed in one span of time. */
export interface Bar {
  readonly fromMs: number;
  readonly sent: number;
  readonly failed: number;
}

export const chartStyle = `
.chart { display: block; width: 100%; height: 96px; margin: 0 0 4px; }
.chart .sent { fill: var(--good); } .chart .failed { fill: var(--bad); } .chart .floor { fill: var(--line); }
`;

const [WIDTH, HEIGHT, GAP] = [600, 96, 3];

/** Bars of what was sent and, above it, of what failed. The largest one is as high as the picture. */
export function renderChart(title: string, bars: readonly Bar[]): Markup {
  const [sent, failed] = [sum(bars, 'sent'), sum(bars, 'failed')];
  const highest = Math.max(1, ...bars.map((bar) => bar.sent + bar.failed));
  const width = WIDTH / Math.max(1, bars.length);
  const toHeight = (count: number): number => round((count / highest) * (HEIGHT - 1));
  return html`<figure>
    <svg
      class="chart"
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      preserveAspectRatio="none"
      role="img"
      aria-label="${title}: ${sent} sent, ${failed} failed"
    >
      <rect class="floor" x="0" y="${HEIGHT - 1}" width="${WIDTH}" height="1" />
      ${bars.map((bar, index) => {
        const [low, high] = [toHeight(bar.sent), toHeight(bar.failed)];
        const x = round(index * width + GAP / 2);
        const span = round(Math.max(1, width - GAP));
        const hour = new Date(bar.fromMs).toISOString().slice(11, 16);
        return html`<g>
          <title>from ${hour} UTC: ${bar.sent} sent, ${bar.failed} failed</title>
          <rect class="sent" x="${x}" y="${round(HEIGHT - low)}" width="${span}" height="${low}" />
          <rect class="failed" x="${x}" y="${round(HEIGHT - low - high)}" width="${span}" height="${high}" />
        </g>`;
      })}
    </svg>
    <figcaption class="small soft">
      ${title}: <strong class="good">${sent}</strong> sent,
      <strong class="${failed > 0 ? 'bad' : 'soft'}">${failed}</strong> failed
    </figcaption>
  </figure>`;
}

function sum(bars: readonly Bar[], what: 'sent' | 'failed'): number {
  return bars.reduce((total, bar) => total + bar[what], 0);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
