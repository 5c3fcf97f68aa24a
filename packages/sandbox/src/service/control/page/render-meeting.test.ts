import { describe, expect, it } from 'vitest';

import { tidyHtml } from '../../../testing/tidy-html.ts';
import type { Meeting } from '../../meeting.ts';
import type { Outlook } from './describe-next-change.ts';
import { renderMeeting } from './render-meeting.ts';

const nowMs = Date.parse('2026-07-07T12:00:00Z');

const meeting: Meeting = {
  id: 'm-1',
  title: 'Plans',
  link: 'https://zoom.us/j/1?pwd=invitation',
  source: 'zoom',
  authorId: 'u-1',
  localDateTime: '2026-07-07T15:00:00+03:00',
  isScheduled: false,
  templates: [],
  tagIds: [],
  status: 'recording',
  statusSinceMs: nowMs,
  isTranscriptEmpty: false,
  scriptId: 'launch-review',
};

function render(changes: Partial<Meeting> = {}, outlook: Partial<Outlook> = {}): string {
  const whole: Outlook = { transitions: 'clock', nextChangeMs: undefined, nowMs, ...outlook };
  return tidyHtml(renderMeeting({ ...meeting, ...changes }, whole).text);
}

it('is a card with its status, what comes next, and the buttons that end it', () => {
  expect(render({}, { nextChangeMs: nowMs + 104_000 })).toBe(
    '<article class="card" id="meeting-m-1"><div class="row head"><h3><bdi>Plans</bdi></h3>' +
      '<span class="pill end wait">recording</span></div>' +
      '<p class="small soft"><time datetime="2026-07-07T12:00:00.000Z">2026-07-07 12:00:00 UTC</time> · zoom · no receiver · <code>m-1</code></p>' +
      '<p class="small">Next: <strong>processing</strong>, ' +
      '<time datetime="2026-07-07T12:01:44.000Z">2026-07-07 12:01:44 UTC</time> (in 104 s)</p>' +
      '<form method="post" action="/_sandbox/meetings/m-1/complete#meeting-m-1" class="buttons">' +
      '<button aria-label="Complete: Plans">Complete</button>' +
      '<button name="is_transcript_empty" value="true" aria-label="Complete, nobody spoke: Plans">Complete, nobody spoke</button>' +
      '<button formaction="/_sandbox/meetings/m-1/fail#meeting-m-1" aria-label="Fail: Plans">Fail</button>' +
      '</form></article>',
  );
});

describe('what comes next', () => {
  it.each<[Partial<Meeting>, Partial<Outlook>, string]>([
    [{ status: 'queued' }, { nextChangeMs: nowMs + 172_800_000 }, '<strong>recording</strong>, <time'],
    [{ status: 'queued' }, { nextChangeMs: nowMs + 172_800_000 }, '</time> (in 2 days)'],
    [{ status: 'processing' }, { nextChangeMs: nowMs }, '<strong>new</strong>, <time'],
    [{ status: 'processing' }, { nextChangeMs: nowMs }, '</time> (now)'],
    [
      { status: 'failed', cron: '0 9 * * 1' },
      { nextChangeMs: nowMs + 1 },
      '<strong>recording</strong>, <time',
    ],
    [{}, { transitions: { polls: 1 } }, '<strong>processing</strong>, when its status was asked for once'],
    [{ status: 'queued' }, { transitions: { polls: 3 } }, 'when its status was asked for 3 times'],
  ])('of %j with %j is %s', (changes, outlook, words) => {
    expect(render(changes, outlook)).toContain(words);
  });

  it.each<[Partial<Meeting>, Partial<Outlook>]>([
    [{}, { transitions: 'manual' }],
    [{ status: 'new' }, { transitions: { polls: 3 } }],
    [{ status: 'processed' }, {}],
  ])('of %j with %j is nothing', (changes, outlook) => {
    expect(render(changes, outlook)).not.toContain('Next:');
  });
});

it('tells a series in words', () => {
  expect(render({ cron: '0 9 * * 1' })).toContain(
    '<p class="small soft">Series: at 09:00 UTC on Monday (<code>0 9 * * 1</code>)</p>',
  );
});

it('tells why it failed, and nothing of an earlier failure', () => {
  const failureReason = 'Nothing was heard.';
  expect(render({ status: 'failed', failureReason })).toContain('<p class="bad">Nothing was heard.</p>');
  expect(render({ status: 'new', failureReason })).not.toContain('heard');
});

it('tells that nobody spoke where it is ready', () => {
  expect(render({ status: 'new', isTranscriptEmpty: true })).toContain('· nobody spoke');
  expect(render({ status: 'failed', isTranscriptEmpty: true })).not.toContain('nobody spoke ·');
});

it('folds the buttons away once it has ended', () => {
  for (const status of ['new', 'processed', 'failed'] as const) {
    expect(render({ status })).toContain('<details class="small"><summary>End it once more</summary><form');
  }
});

it('shows where its events go, but neither the path, the secret nor the link', () => {
  const shown = render({
    webhookUrl: 'http://127.0.0.1:8080/hooks/capability?key=1',
    webhookSecret: 'a-secret-of-enough-length',
  });
  expect(shown).toContain('tells http://127.0.0.1:8080 ·');
  expect(shown).not.toMatch(/capability|a-secret|invitation/);
  expect(render({ webhookUrl: 'javascript:alert(1)' })).toContain(
    'tells an address that is none of http or https',
  );
});

it('keeps hostile text text, and long text short', () => {
  const hostile = '"><script>alert(1)</script>';
  const shown = render({
    id: hostile,
    title: hostile,
    source: hostile,
    cron: hostile,
    localDateTime: hostile,
    status: 'failed',
    failureReason: hostile,
  });
  expect(shown).not.toContain('<script');
  expect(shown).toContain('<bdi>&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</bdi>');
  const long = 'x'.repeat(100_000);
  expect(
    render({ title: long, source: long, cron: long, failureReason: long, status: 'failed' }).length,
  ).toBeLessThan(3000);
});
