import { html, type Markup } from '../../../web/markup.ts';
import { clockLimits } from '../../clock/clock-limits.ts';
import type { SandboxWorld } from '../../sandbox-world.ts';
import { describeTransitions } from './describe-next-change.ts';
import { describeSpan } from './describe-span.ts';
import { renderButtons, type Button } from './render-button.ts';
import { renderTime } from './render-time.ts';

const steps: readonly (readonly [label: string, seconds: number])[] = [
  ['1 minute on', 60],
  ['15 minutes on', 900],
  ['1 hour on', 3600],
  ['1 day on', 86_400],
];

const action = '/_sandbox/clock#clock';

/** The sandbox's time, how it passes, and what moves it on. */
export function renderClock({ clock, life }: Pick<SandboxWorld, 'clock' | 'life'>): Markup {
  const { nowMs, timeScale, isFrozen } = clock.describe();
  const [tone, state] = isFrozen ? ['wait', 'frozen'] : ['good', 'running'];
  const freeze: Button = isFrozen
    ? { label: 'Let it run', field: ['frozen', 'false'] }
    : { label: 'Freeze', field: ['frozen', 'true'] };
  const forward = steps.map(([label, seconds]): Button => ({
    label,
    field: ['advance_seconds', String(seconds)],
  }));
  return html`<h2 id="clock">Clock</h2>
    <div class="card">
      <div class="row head">
        <strong>${renderTime(new Date(nowMs).toISOString())}</strong
        ><span class="pill end ${tone}">${state}</span>
      </div>
      <p class="small soft">
        ${isFrozen ? 'It stands still; else it' : 'It'} ${describeSpeed(timeScale)}
        ${describeLead(nowMs - clock.wall())} ${describeTransitions(life.transitions)}
      </p>
      ${renderButtons(action, [...forward, freeze])}
      <form method="post" action="${action}" class="fields">
        <label class="short"
          >Speed (1: real time)
          <input
            type="number"
            name="time_scale"
            value="${timeScale}"
            min="0.000001"
            max="${clockLimits.longestScale}"
            step="any"
            required
        /></label>
        <button>Set the speed</button>
      </form>
    </div>`;
}

function describeSpeed(timeScale: number): string {
  return timeScale === 1
    ? 'runs as fast as this machine’s.'
    : `runs ${String(timeScale)} times as fast as this machine’s.`;
}

function describeLead(leadMs: number): string | undefined {
  if (Math.abs(leadMs) < 1000) return undefined;
  return `It is ${describeSpan(Math.abs(leadMs))} ${leadMs > 0 ? 'ahead' : 'behind'}.`;
}
