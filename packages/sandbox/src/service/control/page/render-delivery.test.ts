import { describe, expect, it } from 'vitest';

import { tidyHtml } from '../../../testing/tidy-html.ts';
import type { DeliveryAttempt, DeliveryView } from '../../deliveries/delivery.ts';
import { renderDelivery } from './render-delivery.ts';

const nowMs = Date.parse('2026-07-07T12:00:00Z');
const failed: DeliveryAttempt = { at: '2026-07-07T12:00:00.000Z', error: 'ECONNREFUSED', elapsedMs: 3 };
const refused: DeliveryAttempt = { at: '2026-07-07T12:01:00.000Z', status: 500, elapsedMs: 12 };

const delivery: DeliveryView = {
  id: 'd-1',
  meetingId: 'm-1',
  event: 'meeting.completed',
  receiver: 'http://127.0.0.1:8080',
  isSigned: true,
  state: 'waiting',
  attempts: [failed, refused],
  nextAttemptAt: '2026-07-07T12:05:00.000Z',
  fault: 'stale_timestamp',
};

function render(changes: Partial<DeliveryView> = {}, title = 'Plans'): string {
  return tidyHtml(renderDelivery({ ...delivery, ...changes }, title, nowMs).text);
}

it('is a card with its attempts, the fault that hit it and the next attempt', () => {
  expect(render()).toBe(
    '<article class="card" id="delivery-d-1"><div class="row head"><h3>meeting.completed</h3>' +
      '<span class="pill end wait">waiting</span></div><p><bdi>Plans</bdi></p>' +
      '<p class="small soft">to http://127.0.0.1:8080 · signed · <code>d-1</code></p>' +
      '<p class="small bad">Hit by the fault <code>stale_timestamp</code></p>' +
      '<ol class="small" start="1">' +
      '<li><time datetime="2026-07-07T12:00:00.000Z">2026-07-07 12:00:00 UTC</time>: ECONNREFUSED in 3 ms</li>' +
      '<li><time datetime="2026-07-07T12:01:00.000Z">2026-07-07 12:01:00 UTC</time>: answered 500 in 12 ms</li></ol>' +
      '<p class="small">Next attempt: <time datetime="2026-07-07T12:05:00.000Z">2026-07-07 12:05:00 UTC</time> (in 5 min)</p>' +
      '<div class="row"><form method="post" action="/_sandbox/deliveries/d-1/redeliver#delivery-d-1" class="buttons">' +
      '<button aria-label="Deliver again: meeting.completed, Plans">Deliver again</button></form>' +
      '<a class="small" href="/_sandbox/deliveries/d-1" aria-label="What was sent, as JSON: meeting.completed, Plans">What was sent, as JSON</a>' +
      '</div></article>',
  );
});

describe('its state', () => {
  it.each<[Partial<DeliveryView>, string]>([
    [{}, '<span class="pill end wait">waiting</span>'],
    [{ state: 'delivered' }, '<span class="pill end good">delivered</span>'],
    [{ state: 'given_up' }, '<span class="pill end bad">given up</span>'],
    [{ state: 'dropped' }, '<span class="pill end bad">dropped</span>'],
  ])('with %j is %s', (changes, pill) => {
    expect(render(changes)).toContain(pill);
  });
});

it('is under way while no next attempt is planned', () => {
  const { nextAttemptAt, ...underWay } = delivery;
  expect(nextAttemptAt).toBeDefined();
  expect(tidyHtml(renderDelivery(underWay, 'Plans', nowMs).text)).toContain(
    '<span class="pill end wait">under way</span>',
  );
});

it('folds all but the last three attempts away, and counts on', () => {
  expect(render({ attempts: [failed, failed, refused, refused, refused] })).toMatch(
    /<summary>2 earlier attempts<\/summary><ol>(?:<li>(?:(?!<li>).)*ECONNREFUSED in 3 ms<\/li>){2}<\/ol><\/details><ol class="small" start="3">(?:<li>(?:(?!<li>).)*500 in 12 ms<\/li>){3}<\/ol>/,
  );
  expect(render({ attempts: [failed, refused, refused, refused] })).toContain(
    '<summary>1 earlier attempt</summary>',
  );
  expect(render({ attempts: [] })).not.toContain('<ol');
});

it('keeps hostile text text, and long text short', () => {
  const hostile = '"><script>alert(1)</script>';
  const attempts = [{ ...failed, error: hostile, at: hostile }];
  const shown = render({ id: hostile, event: hostile, receiver: hostile, attempts }, hostile);
  expect(shown).not.toContain('<script');
  expect(shown).toContain(
    'action="/_sandbox/deliveries/%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E/redeliver#',
  );
  const long = 'x'.repeat(100_000);
  expect(render({ event: long.slice(0, 256) }, long).length).toBeLessThan(2500);
});
