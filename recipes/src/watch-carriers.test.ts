import { describe, expect, it } from 'vitest';

import type { Carriers } from './open-carriers.ts';
import type { Rendered } from './recipe.ts';
import type { NotSent, ProbeResult, SendResult, Shipment, UpdateResult } from './shipment.ts';
import { watchCarriers } from './watch-carriers.ts';

const rendered: Rendered = { destination: 'email', message: { subject: 's', text: 't', html: 'h' } };
const label = { effectKey: 'k', target: 'ann@example.com' };

interface Answers {
  readonly prepare?: NotSent;
  readonly send?: SendResult;
  readonly probe?: ProbeResult;
  readonly update?: UpdateResult;
}

function watch(answers: Answers) {
  const heard: string[] = [];
  const carriers: Carriers = {
    prepare: async () =>
      answers.prepare ?? {
        result: 'ready',
        shipment: {
          timeoutMs: 1,
          send: async () => answers.send ?? { result: 'sent', reference: 'r' },
          probe: async () => answers.probe ?? { result: 'absent' },
          ...(answers.update === undefined
            ? {}
            : { update: async () => answers.update ?? { result: 'gone', cause: '' } }),
        },
      },
    close: async () => {},
  };
  const watched = watchCarriers(carriers, () => ({
    answered: () => void heard.push('answered'),
    stayedSilent: () => void heard.push('silent'),
  }));
  return { heard, watched };
}

describe('watchCarriers', () => {
  it.each<[string, SendResult]>([
    ['answered', { result: 'sent', reference: 'r' }],
    ['answered', { result: 'permanent', cause: 'c' }],
    ['answered', { result: 'rate_limited', cause: 'c', retryAfterMs: 1 }],
    ['answered', { result: 'not_sent_retry', cause: 'greylisted', contact: 'answered' }],
    ['answered', { result: 'unknown', cause: 'names no message', contact: 'answered' }],
    ['silent', { result: 'not_sent_retry', cause: 'refused' }],
    ['silent', { result: 'unknown', cause: 'cut off' }],
  ])('hears %s of a call that ends as %o', async (expected, send) => {
    const { heard, watched } = watch({ send });
    const preparation = await watched.prepare(rendered, label);
    if (preparation.result !== 'ready') throw new Error('not ready');
    expect(await preparation.shipment.send()).toEqual(send);
    expect(heard).toEqual([expected]);
  });

  it('hears of looks and changes too', async () => {
    const { heard, watched } = watch({
      probe: { result: 'not_asked', cause: 'c' },
      update: { result: 'gone', cause: 'c' },
    });
    const preparation = await watched.prepare(rendered, label);
    if (preparation.result !== 'ready') throw new Error('not ready');
    await preparation.shipment.probe(0);
    await preparation.shipment.update?.('r');
    expect(heard).toEqual(['silent', 'answered']);
  });

  it.each<[string, ProbeResult]>([
    ['answered', { result: 'absent' }],
    ['answered', { result: 'rate_limited', cause: 'c', retryAfterMs: 1 }],
    ['answered', { result: 'not_asked', cause: 'too many pages', contact: 'answered' }],
    ['silent', { result: 'not_asked', cause: 'c' }],
    ['nothing', { result: 'untraceable' }],
    ['nothing', { result: 'found', reference: 'r', contact: 'none' }],
  ])('hears %s of a look that ends as %o', async (expected, probe) => {
    const { heard, watched } = watch({ probe });
    const preparation = await watched.prepare(rendered, label);
    if (preparation.result !== 'ready') throw new Error('not ready');
    await preparation.shipment.probe(0);
    expect(heard).toEqual(expected === 'nothing' ? [] : [expected]);
  });

  it.each<[string, NotSent]>([
    ['silent', { result: 'not_sent_retry', cause: 'refused' }],
    ['answered', { result: 'permanent', cause: 'no such data source' }],
    ['nothing', { result: 'permanent', cause: 'no address', contact: 'none' }],
  ])('hears %s of a preparation that ends as %o', async (expected, prepare) => {
    const { heard, watched } = watch({ prepare });
    await watched.prepare(rendered, label);
    expect(heard).toEqual(expected === 'nothing' ? [] : [expected]);
  });

  it('keeps what is sent anew in place of a change', async () => {
    const shipment: Shipment = {
      timeoutMs: 1,
      send: async () => ({ result: 'sent', reference: 'r' }),
      probe: async () => ({ result: 'untraceable' }),
      isSentAnew: true,
    };
    const carriers: Carriers = {
      prepare: async () => ({ result: 'ready', shipment }),
      close: async () => {},
    };
    const watched = watchCarriers(carriers, () => ({ answered: () => {}, stayedSilent: () => {} }));
    expect(await watched.prepare(rendered, label)).toMatchObject({ shipment: { isSentAnew: true } });
  });

  it('adds no way to change what can not be changed', async () => {
    const preparation = await watch({}).watched.prepare(rendered, label);
    expect(preparation.result === 'ready' && 'update' in preparation.shipment).toBe(false);
  });
});
