import { createNotionStandIn, type Interception } from '@aftermeet/sandbox';
import { describeEachStore, openTestStore } from '@aftermeet/test/support';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { bringAbout } from './bring-about.ts';
import { buildDigest } from './digest.ts';
import type { Ending } from './ending.ts';
import type { Ledger } from './ledger/ledger.ts';
import { renderNotionPage } from './notion/render-notion-page.ts';
import { openNotion } from './notion/send-notion-page.ts';
import { usualPolicies } from './pace/policy.ts';
import { aboutSubject, sampleFacts, startMs } from './testing/effect-requests.ts';
import { sampleReport } from './testing/sample-report.ts';
import { useLedger } from './testing/use-ledger.ts';

describeEachStore('changing a page that was sent', (kind) => {
  const store = useLedger(() => openTestStore(kind));
  const closers: (() => Promise<void>)[] = [];
  let nowMs: number;
  let meetings = 0;
  beforeEach(() => {
    nowMs = startMs;
    meetings += 1;
  });
  afterEach(async () => {
    for (const close of closers.splice(0)) await close();
  });

  /** Notion with a page that says `first`. */
  async function openSent() {
    const rule: { onErase: Interception; onAppend: Interception } = { onErase: 'pass', onAppend: 'pass' };
    const standIn = createNotionStandIn({
      intercept: ({ method, path }) => {
        if (path.endsWith('/children')) return rule.onAppend;
        return method === 'PATCH' && path.startsWith('/v1/pages/') ? rule.onErase : 'pass';
      },
    });
    closers.push(() => standIn.close());
    const { url } = await standIn.listen();
    const target = standIn.dataSourceId;
    const carrier = openNotion({ token: 'ntn_test', baseUrl: url, dataSourceId: target }, () => nowMs);
    const send = async (content: string, ledger: Ledger = store.ledger): Promise<Ending> => {
      const effectKey = `effect-${meetings}-${content}`;
      const page = renderNotionPage(buildDigest({ ...sampleReport, summary: content }));
      const preparation = await carrier.prepare(page, { effectKey, target });
      if (preparation.result !== 'ready') throw new Error(preparation.cause);
      const subject = aboutSubject(`meeting-${meetings}`, '2026-07-07T11:00:00Z', content);
      const facts = { ...sampleFacts, destination: 'notion' };
      const request = { facts, isTraceComplete: true, earliestMs: startMs, subject };
      const tools = { ledger, clock: () => nowMs, policy: usualPolicies.notion };
      return await bringAbout(effectKey, preparation.shipment, request, tools);
    };
    expect(await send('first')).toMatchObject({ kind: 'sent', isNew: true });
    const reference = standIn.received()[0]?.id ?? '';
    const readPage = (): string => JSON.stringify(standIn.readBlocks(reference));
    return { rule, standIn, reference, send, readPage };
  }

  it('writes the page again after a worker that died when it had taken everything out', async () => {
    const { rule, standIn, reference, send, readPage } = await openSent();
    const whole = standIn.readBlocks(reference).length;
    rule.onAppend = { status: 500, body: 'the worker is not there to hear it' };
    const deadLedger: Ledger = { ...store.ledger, settle: () => Promise.reject(new Error('killed')) };
    await expect(send('second', deadLedger)).rejects.toThrow('killed');
    expect(readPage()).toBe('[]');
    rule.onAppend = 'pass';
    nowMs += 39_999;
    expect(await send('second')).toMatchObject({ kind: 'wait', why: 'unclear' });
    nowMs += 1;
    expect(await send('second')).toEqual({ kind: 'sent', reference, isNew: true });
    expect(standIn.received()).toHaveLength(1);
    expect(standIn.readBlocks(reference)).toHaveLength(whole);
    expect(readPage()).toContain('second');
  });

  it('makes a change again whose end is not known, when it can not be under way any more', async () => {
    const { rule, standIn, reference, send, readPage } = await openSent();
    const whole = standIn.readBlocks(reference).length;
    rule.onAppend = 'drop_after';
    expect(await send('second')).toMatchObject({ kind: 'retry', why: 'destination', forMs: 40_000 });
    rule.onAppend = 'pass';
    nowMs += 40_000;
    expect(await send('second')).toEqual({ kind: 'sent', reference, isNew: true });
    expect(standIn.readBlocks(reference)).toHaveLength(whole);
    expect(readPage()).toContain('second');
  });

  it('waits for nothing when it is sure that nothing was changed', async () => {
    const { rule, send, readPage } = await openSent();
    rule.onErase = {
      status: 409,
      body: { object: 'error', status: 409, code: 'conflict_error', message: '' },
    };
    const ending = await send('second');
    expect(ending).toMatchObject({ kind: 'retry', cause: 'Notion answered 409 conflict_error' });
    expect(ending).not.toHaveProperty('forMs');
    expect(readPage()).toContain('first');
    rule.onErase = 'pass';
    expect(await send('second')).toMatchObject({ kind: 'sent' });
  });
});
