import { expect, it } from 'vitest';

import { buildDigest } from '../../digest.ts';
import { spreadTarget } from '../../recipe.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { regenerate } from './regenerate.ts';

const event = {
  kind: 'meeting.completed',
  meetingId: 'm_1',
  occurrence: '2026-07-07T12:05:00Z',
  endpoint: 'sales',
  receivedAt: '2026-07-07T12:05:01Z',
};

function bind(values: object) {
  const { plan, subject } = regenerate.bind({ template: 'sales-meeting', ...values }, {});
  if (subject.from !== 'report') throw new Error('it is made from the report');
  return { plan, subject };
}

function makeDigest(...names: readonly string[]) {
  const templates = names.map((name) => ({ name }));
  return { ...buildDigest({ ...sampleReport, decisions: [] }), templates };
}

const order = { target: 'sales-meeting', part: 0, item: 'sales' };

it('orders the template where the report does not have it', () => {
  const { plan, subject } = bind({});
  const [first] = plan(event);
  expect(subject.whyNobody).toBe('the report has the template already');
  expect(first).toEqual({ target: spreadTarget, part: 0, item: 'sales' });
  if (first === undefined) return;
  expect(subject.spread?.(makeDigest('default-meeting'), first)).toEqual([order]);
  for (const name of ['sales-meeting', 'Sales Meeting', 'sales_meeting']) {
    expect(subject.spread?.(makeDigest('default-meeting', name), first)).toEqual([]);
  }
});

it('knows a custom template by what reports call it', () => {
  const { subject } = bind({ template: 'b84e20c9-16f5-4a73-9d0b-c2f7e5a1384d', shownAs: 'Customer call' });
  const effect = { target: spreadTarget, part: 0, item: 'sales' };
  expect(subject.spread?.(makeDigest('customer call'), effect)).toEqual([]);
});

it('orders the same whatever the report says, so that an order is never given twice', () => {
  const { subject } = bind({});
  const orders = [[], ['default-meeting'], ['sales-meeting']].map((templates) =>
    subject.render({ ...makeDigest(...templates), title: `${templates.length}` }, order),
  );
  expect(new Set(orders.map((one) => JSON.stringify(one))).size).toBe(1);
  expect(orders[0]).toEqual({
    destination: 'service',
    message: { meetingId: 'm_1', template: 'sales-meeting', endpoint: 'sales' },
  });
  expect(subject.spread?.(makeDigest('default-meeting'), order)).toEqual([]);
});

it('leaves an order alone whose template is not wanted any more', () => {
  expect(bind({ template: 'daily' }).subject.render(makeDigest(), order)).toEqual({
    skip: 'another template is wanted now',
  });
});

it.each([[{ template: '' }], [{ template: 'a b' }], [{ template: 7 }], [{ shownAs: ' ' }], [{ wait: true }]])(
  'refuses %o',
  (values) => {
    expect(regenerate.check({ template: 'sales-meeting', ...values })).toHaveLength(1);
  },
);
