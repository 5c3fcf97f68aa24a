import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { tidyHtml } from '../../../testing/tidy-html.ts';
import { createSandboxClock, type SandboxClock } from '../../clock/sandbox-clock.ts';
import { createMeetingLife } from '../../life/meeting-life.ts';
import type { Transitions } from '../../life/transitions.ts';
import { renderClock } from './render-clock.ts';

const wallMs = Date.parse('2026-07-07T12:00:00Z');
let clock: SandboxClock;

beforeEach(() => {
  clock = createSandboxClock(() => wallMs);
});

afterEach(() => {
  clock.stop();
});

function render(transitions: Transitions = 'clock'): string {
  const life = createMeetingLife({ transitions, clock, find: () => undefined, move() {} });
  return tidyHtml(renderClock({ clock, life }).text);
}

it('tells its time, and that it runs', () => {
  expect(render()).toContain(
    '<h2 id="clock">Clock</h2><div class="card"><div class="row head">' +
      '<strong><time datetime="2026-07-07T12:00:00.000Z">2026-07-07 12:00:00 UTC</time></strong>' +
      '<span class="pill end good">running</span></div>' +
      '<p class="small soft">It runs as fast as this machine’s. Meetings move on by this clock.</p>',
  );
});

it('tells how far it is ahead, how fast it runs and that it is frozen', () => {
  clock.advance(86_400_000);
  clock.change({ timeScale: 60, isFrozen: true });
  expect(render()).toContain(
    '<time datetime="2026-07-08T12:00:00.000Z">2026-07-08 12:00:00 UTC</time></strong><span class="pill end wait">frozen</span></div>' +
      '<p class="small soft">It stands still; else it runs 60 times as fast as this machine’s. It is 24 h ahead. Meetings move on by this clock.</p>',
  );
});

it('tells how far it is behind', () => {
  const mark = { wallMs, nowMs: wallMs - 120_000, timeScale: 1, isFrozen: false, isStopped: true };
  clock = createSandboxClock(() => wallMs, 1, { read: () => mark, write() {} });
  expect(render()).toContain('It is 2 min behind.');
});

it('is moved on, frozen and let run by buttons', () => {
  expect(render()).toContain(
    '<form method="post" action="/_sandbox/clock#clock" class="buttons"><button name="advance_seconds" value="60">1 minute on</button>' +
      '<button name="advance_seconds" value="900">15 minutes on</button><button name="advance_seconds" value="3600">1 hour on</button>' +
      '<button name="advance_seconds" value="86400">1 day on</button><button name="frozen" value="true">Freeze</button></form>',
  );
  clock.change({ isFrozen: true });
  expect(render()).toContain('<button name="frozen" value="false">Let it run</button>');
});

it('is set to another speed', () => {
  clock.change({ timeScale: 0.5 });
  expect(render()).toContain(
    '<input type="number" name="time_scale" value="0.5" min="0.000001" max="1000000"',
  );
});

describe('how meetings move on', () => {
  it.each<[Transitions, string]>([
    ['manual', 'Meetings move on by the buttons below only.'],
    ['immediate', 'Meetings move on at once; a planned start is waited for.'],
    [{ polls: 1 }, 'Meetings move on when their status was asked for once.'],
    [{ polls: 3 }, 'Meetings move on when their status was asked for 3 times.'],
  ])('with %j', (transitions, words) => {
    expect(render(transitions)).toContain(words);
  });
});
