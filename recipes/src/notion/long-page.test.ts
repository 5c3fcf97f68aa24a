import {
  createNotionStandIn,
  type NotionBlockTree,
  type NotionStandIn,
  type NotionStandInOptions,
} from '@aftermeet/sandbox';
import { Client } from '@notionhq/client';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

import { buildDigest } from '../digest.ts';
import type { Carrier } from '../shipment.ts';
import { bringToEnd, startTestTime, takeShipment, type TestTime } from '../testing/bring-to-end.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { contentOf, type NotionBlock, type NotionPage } from './notion-page.ts';
import { planRequests } from './plan-requests.ts';
import { renderNotionPage } from './render-notion-page.ts';
import { openNotion } from './send-notion-page.ts';

/** Three hours in which somebody else speaks every 10 seconds. */
const turns = Array.from({ length: 1080 }, (_, index) => ({
  speaker: `Speaker ${index % 4}`,
  text: `This is turn ${index}.`,
  startSeconds: 10 * index,
}));
const digest = buildDigest({ ...sampleReport, summary: 'We agreed.' });
const page = renderNotionPage({ ...digest, transcript: [{ turns }] });
const short = renderNotionPage({ ...digest, transcript: [{ turns: turns.slice(0, 3) }] });

const childrenSchema = z.object({ children: z.array(z.unknown()) });

interface World extends TestTime {
  readonly client: Client;
  readonly standIn: NotionStandIn;
  readonly carrier: Carrier<NotionPage>;
  /** The next several blocks are answered with a 503 that tells this, and are not put in. */
  readonly tellOnce: (additionalData: object) => void;
}

let close: (() => Promise<void>) | undefined;
afterEach(async () => {
  await close?.();
  close = undefined;
});

async function open(options: NotionStandInOptions = {}): Promise<World> {
  const time = startTestTime();
  const told: object[] = [];
  const standIn = createNotionStandIn({
    clock: time.clock,
    intercept: ({ path, body: asked }) => {
      const { children } = childrenSchema.safeParse(asked).data ?? { children: [] };
      const isMeant = path.endsWith('/children') && children.length > 1;
      const additional_data = isMeant ? told.pop() : undefined;
      if (additional_data === undefined) return 'pass';
      const body = {
        object: 'error',
        status: 503,
        code: 'service_unavailable',
        message: '',
        additional_data,
      };
      return { status: 503, body };
    },
    ...options,
  });
  const { url } = await standIn.listen();
  close = () => standIn.close();
  const settings = { token: 'ntn_test', baseUrl: url, dataSourceId: standIn.dataSourceId };
  const client = new Client({ auth: settings.token, baseUrl: url, retry: false, logger: () => {} });
  return {
    ...time,
    client,
    standIn,
    carrier: openNotion(settings, time.clock, { timeoutMs: 5000 }, time.wait),
    tellOnce: (additionalData) => void told.push(additionalData),
  };
}

async function prepare(made: NotionPage, { carrier, standIn }: World, effectKey = 'k1') {
  return takeShipment(await carrier.prepare(made, { effectKey, target: standIn.dataSourceId }));
}

function countLeaves(blocks: readonly NotionBlockTree[]): number {
  return blocks.reduce((sum, { children }) => sum + (children.length === 0 ? 1 : countLeaves(children)), 0);
}

function countMade(blocks: readonly NotionBlock[]): number {
  return blocks.reduce((sum, block) => {
    const { children = [] } = contentOf(block);
    return sum + (children.length === 0 ? 1 : countMade(children));
  }, 0);
}

function readSpoken(blocks: readonly NotionBlockTree[]): readonly string[] {
  const text = JSON.stringify(blocks);
  return [...text.matchAll(/This is turn (\d+)\./g)].map(([, turn = '']) => turn);
}

/** Each turn is told once as text and once as plain text. */
function expectWhole({ standIn }: World, id: string): void {
  const blocks = standIn.readBlocks(id);
  expect(blocks.map(({ type }) => type)).toEqual(page.blocks.map(({ type }) => type));
  const spoken = readSpoken(blocks);
  expect(spoken).toEqual(turns.flatMap((_, index) => Array(spoken.length / turns.length).fill(`${index}`)));
  expect(countLeaves(blocks)).toBe(countMade(page.blocks));
}

function readKey({ standIn }: World): string {
  const [made] = standIn.received();
  const match = /"plain_text":"([^"]*)"/.exec(JSON.stringify(made?.properties['Delivery key']?.value));
  return match?.[1] ?? '';
}

describe('a page that is longer than a request', () => {
  it('is made in few requests, with a key that says when it is whole', async () => {
    const at = await open();
    const calls: string[] = [];
    const shipment = await prepare(page, at);
    expect(planRequests(page.blocks)).toHaveLength(4);
    expect(shipment.timeoutMs).toBe(20_000);
    at.standIn.faults.add({ kind: 'status', on: 'pages.update', status: 500 });
    expect(await shipment.send()).toEqual({
      result: 'unknown',
      cause: 'the page is begun and not whole: Notion answered 500 internal_server_error',
    });
    calls.push(readKey(at));
    expect(await shipment.probe(0)).toEqual({ result: 'begun', reference: at.standIn.received()[0]?.id });
    expect(await bringToEnd(shipment, { result: 'unknown', cause: '' })).toEqual({
      result: 'sent',
      reference: at.standIn.received()[0]?.id,
    });
    calls.push(readKey(at));
    expect(calls).toEqual([expect.stringMatching(/^k1 unfinished [0-9a-f]{12}$/), 'k1']);
    expectWhole(at, at.standIn.received()[0]?.id ?? '');
    expect(at.standIn.received()).toHaveLength(1);
  });

  it.each([
    ['pages.create', 0],
    ['blocks.children.append', 0],
    ['blocks.children.append', 1],
    ['blocks.children.append', 2],
    ['pages.update', 0],
  ] as const)('ends whole and once when the answer to %s (%i passed) is lost', async (on, after) => {
    const at = await open();
    const shipment = await prepare(page, at);
    at.standIn.faults.add({ kind: 'drop_after', on, after });
    expect(await bringToEnd(shipment)).toMatchObject({ result: 'sent' });
    expect(at.standIn.received()).toHaveLength(1);
    expectWhole(at, at.standIn.received()[0]?.id ?? '');
    expect(readKey(at)).toBe('k1');
  });

  it('ends whole and once when every call but the last one in a row is cut off', async () => {
    const at = await open();
    const shipment = await prepare(page, at);
    for (const after of [1, 2, 4])
      at.standIn.faults.add({ kind: 'drop_after', on: 'blocks.children.append', after });
    expect(await bringToEnd(shipment)).toMatchObject({ result: 'sent' });
    expect(at.standIn.received()).toHaveLength(1);
    expectWhole(at, at.standIn.received()[0]?.id ?? '');
  });

  it('goes on where it was cut off, and makes nothing a second time', async () => {
    const at = await open();
    const shipment = await prepare(page, at);
    at.standIn.faults.add({ kind: 'drop_after', on: 'blocks.children.append', after: 1 });
    expect(await shipment.send()).toMatchObject({ result: 'unknown' });
    const reference = at.standIn.received()[0]?.id ?? '';
    const begun = at.standIn.readBlocks(reference);
    expect(await shipment.finish?.(reference)).toEqual({ result: 'sent', reference });
    expectWhole(at, reference);
    const whole = at.standIn.readBlocks(reference);
    expect(whole.map(({ id }) => id)).toEqual(begun.map(({ id }) => id));
    const [before, after] = [begun, whole].map((blocks) => blocks.at(-1)?.children.map(({ id }) => id) ?? []);
    expect(before?.length).toBeGreaterThan(0);
    expect(after?.slice(0, before?.length)).toEqual(before);
  });

  it.each([
    [
      'a request came twice',
      async ({ client }: World, reference: string) => {
        const children = [{ divider: {} }];
        await client.blocks.children.append({ block_id: reference, children });
      },
    ],
    [
      'somebody took a block away',
      async ({ client, standIn }: World, reference: string) => {
        await client.blocks.delete({ block_id: standIn.readBlocks(reference)[0]?.id ?? '' });
      },
    ],
    [
      'somebody changed a text',
      async ({ client, standIn }: World, reference: string) => {
        const heading = standIn.readBlocks(reference).find(({ type }) => type === 'heading_2');
        const heading_2 = { rich_text: [{ text: { content: 'Mine' } }] };
        await client.blocks.update({ block_id: heading?.id ?? '', heading_2 });
      },
    ],
  ])('is written anew when %s meanwhile', async (_what, meddle) => {
    const at = await open();
    const shipment = await prepare(page, at);
    at.standIn.faults.add({ kind: 'drop_after', on: 'blocks.children.append', after: 1 });
    expect(await shipment.send()).toMatchObject({ result: 'unknown' });
    const reference = at.standIn.received()[0]?.id ?? '';
    await meddle(at, reference);
    expect(await shipment.finish?.(reference)).toEqual({ result: 'sent', reference });
    expectWhole(at, reference);
  });

  it('is written anew when the report has changed since it was begun', async () => {
    const at = await open();
    const older = renderNotionPage({ ...digest, transcript: [{ turns: turns.toReversed() }] });
    const begun = await prepare(older, at);
    at.standIn.faults.add({ kind: 'drop_after', on: 'blocks.children.append', after: 1 });
    expect(await begun.send()).toMatchObject({ result: 'unknown' });
    expect(await bringToEnd(await prepare(page, at), { result: 'unknown', cause: '' })).toMatchObject({
      result: 'sent',
    });
    expect(at.standIn.received()).toHaveLength(1);
    expectWhole(at, at.standIn.received()[0]?.id ?? '');
  });

  it('is looked at once more when Notion can not be asked what is there', async () => {
    const at = await open();
    const shipment = await prepare(page, at);
    at.standIn.faults.add({ kind: 'drop_after', on: 'blocks.children.append' });
    expect(await shipment.send()).toMatchObject({ result: 'unknown' });
    const reference = at.standIn.received()[0]?.id ?? '';
    at.standIn.faults.add({ kind: 'status', on: 'blocks.children.list', status: 500 });
    expect(await shipment.finish?.(reference)).toMatchObject({ result: 'not_sent_retry' });
    expect(await shipment.finish?.(reference)).toEqual({ result: 'sent', reference });
    expectWhole(at, reference);
  });

  it('goes on after a 503 that names what it has made all the same', async () => {
    const at = await open();
    const shipment = await prepare(page, at);
    const fault = { kind: 'error', code: 'service_unavailable', is_applied: true } as const;
    at.standIn.errorFaults.add({ ...fault, on: 'pages.create' });
    at.standIn.errorFaults.add({ ...fault, on: 'blocks.children.append' });
    expect(await shipment.send()).toMatchObject({ result: 'sent' });
    expect(at.standIn.received()).toHaveLength(1);
    expectWhole(at, at.standIn.received()[0]?.id ?? '');
  });

  it('looks what is there after a 503 that names a part of what it was given', async () => {
    const at = await open();
    const shipment = await prepare(page, at);
    at.tellOnce({ committed_child_ids: ['5a2b7c1e-4d3f-4a60-8b1c-9e0d2f3a4b5d'] });
    const sent = await shipment.send();
    expect(sent).toMatchObject({
      result: 'unknown',
      cause: 'the page is begun and not whole: Notion answered 503 service_unavailable',
    });
    expect(await bringToEnd(shipment, sent)).toMatchObject({ result: 'sent' });
    expect(at.standIn.received()).toHaveLength(1);
    expectWhole(at, at.standIn.received()[0]?.id ?? '');
  });

  it('obeys a limit in the middle that fits into its time, and a conflict', async () => {
    const at = await open();
    const shipment = await prepare(page, at);
    const on = 'blocks.children.append';
    at.standIn.errorFaults.add({
      kind: 'error',
      on,
      code: 'rate_limited',
      rate_limit_reason: 'public_api_space_request_rate_limit',
      retry_after_seconds: 7,
    });
    at.standIn.errorFaults.add({ kind: 'error', on, code: 'conflict_error' });
    at.standIn.errorFaults.add({ kind: 'error', on, code: 'service_overload', retry_after_seconds: 3 });
    expect(await shipment.send()).toMatchObject({ result: 'sent' });
    expect(at.waits).toEqual([7000, 2000, 3000]);
    expectWhole(at, at.standIn.received()[0]?.id ?? '');
  });

  it('leaves a longer limit to a later try, which finishes the page', async () => {
    const at = await open();
    const shipment = await prepare(page, at);
    at.standIn.errorFaults.add({
      kind: 'error',
      on: 'blocks.children.append',
      code: 'rate_limited',
      retry_after_seconds: 600,
    });
    const sent = await shipment.send();
    expect(sent).toEqual({
      result: 'unknown',
      cause: 'the page is begun and not whole: Notion answered 429 rate_limited',
      contact: 'answered',
    });
    expect(at.waits).toEqual([]);
    expect(await bringToEnd(shipment, sent)).toMatchObject({ result: 'sent' });
    expect(at.standIn.received()).toHaveLength(1);
    expectWhole(at, at.standIn.received()[0]?.id ?? '');
  });

  it('becomes shorter by a change, and longer by the next one', async () => {
    const at = await open();
    const first = await (await prepare(page, at)).send();
    const reference = first.result === 'sent' ? first.reference : '';
    expect(await (await prepare(short, at, 'k2')).update?.(reference)).toEqual({ result: 'sent', reference });
    expect(readSpoken(at.standIn.readBlocks(reference)).at(-1)).toBe('2');
    expect(readKey(at)).toBe('k2');
    at.standIn.faults.add({ kind: 'drop_after', on: 'blocks.children.append', after: 2 });
    const longer = await prepare(page, at, 'k3');
    expect(await longer.update?.(reference)).toMatchObject({ result: 'unknown' });
    expect(readKey(at)).toMatch(/^k3 unfinished /);
    expect(await longer.update?.(reference)).toEqual({ result: 'sent', reference });
    expectWhole(at, reference);
    expect(at.standIn.received()).toHaveLength(1);
  });
});
