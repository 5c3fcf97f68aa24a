import type { NotionBlockTree } from '@aftermeet/sandbox';
import { describe, expect, it } from 'vitest';

import { buildDigest } from '../../report/digest.ts';
import { bringToEnd } from '../../testing/bring-to-end.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { notionError, openTestNotion } from '../../testing/test-notion.ts';
import { contentOf, type NotionBlock } from './page.ts';
import { planRequests } from './plan-requests.ts';
import { renderNotionPage } from './render-page.ts';

/** Three hours in which the speaker changes every 10 seconds. */
const turns = Array.from({ length: 1080 }, (_, index) => ({
  speaker: `Speaker ${index % 4}`,
  text: `This is turn ${index}.`,
  startSeconds: 10 * index,
}));
const digest = buildDigest({ ...sampleReport, summary: 'We agreed.' });
const page = renderNotionPage({ ...digest, transcript: [{ turns }] });
const short = renderNotionPage({ ...digest, transcript: [{ turns: turns.slice(0, 3) }] });
const append = 'blocks.children.append';

/** Notion, where the page is to be written. */
async function open() {
  const at = await openTestNotion();
  const { emulator } = at;
  return {
    ...at,
    /** Breaks off while the page is written; its id. */
    begin: async (made = page, after = 1): Promise<string> => {
      const prepared = await at.prepare(made);
      emulator.faults.add({ kind: 'drop_after', on: append, after });
      expect(await prepared.send()).toMatchObject({ result: 'unknown' });
      return emulator.received()[0]?.id ?? '';
    },
    readKey: (): string => /"plain_text":"([^"]*)"/.exec(at.readProperty('Delivery key') ?? '')?.[1] ?? '',
    /** There is one page, and it is complete: all blocks in order, each turn once. */
    expectComplete: (): void => {
      const [only, ...others] = emulator.received();
      expect(others).toEqual([]);
      const blocks = emulator.readBlocks(only?.id ?? '');
      expect(blocks.map(({ type }) => type)).toEqual(page.blocks.map(({ type }) => type));
      expect(listTurns(blocks)).toEqual(turns.map((_turn, index) => String(index)));
      expect(countFound(blocks)).toBe(countLeaves(page.blocks));
    },
  };
}

/** The numbers of the turns in a page. The emulator has each text twice: as content and as plain text. */
function listTurns(blocks: readonly NotionBlockTree[]): readonly string[] {
  const found = [...JSON.stringify(blocks).matchAll(/"plain_text":"\\nThis is turn (\d+)\./g)];
  return found.map(([, turn = '']) => turn);
}

function countFound(blocks: readonly NotionBlockTree[]): number {
  return blocks.reduce((sum, { children }) => sum + (children.length === 0 ? 1 : countFound(children)), 0);
}

function countLeaves(blocks: readonly NotionBlock[]): number {
  return blocks.reduce((sum, block) => {
    const { children = [] } = contentOf(block);
    return sum + (children.length === 0 ? 1 : countLeaves(children));
  }, 0);
}

describe('a page of several requests', () => {
  it('has a key that says when it is complete, and is found as begun until then', async () => {
    const { prepare, emulator, readKey, expectComplete } = await open();
    const prepared = await prepare(page);
    expect(planRequests(page.blocks)).toHaveLength(4);
    expect(prepared.timeoutMs).toBe(20_000);
    emulator.faults.add({ kind: 'status', on: 'pages.update', status: 500 });
    expect(await prepared.send()).toEqual({
      result: 'unknown',
      cause: 'the page is begun and not whole: Notion answered 500 internal_server_error',
    });
    expect(readKey()).toMatch(/^k1 unfinished [0-9a-f]{12}$/);
    const reference = emulator.received()[0]?.id ?? '';
    expect(await prepared.probe(0)).toEqual({ result: 'begun', reference });
    expect(await prepared.finish?.(reference)).toEqual({ result: 'sent', reference });
    expect(readKey()).toBe('k1');
    expectComplete();
  });

  it.each([
    [['pages.create', 0]],
    [[append, 0]],
    [[append, 2]],
    [['pages.update', 0]],
    [
      [append, 1],
      [append, 2],
      [append, 4],
    ],
  ] as const)('is complete and single when answers are lost: %j', async (...lost) => {
    const { prepare, emulator, readKey, expectComplete } = await open();
    const prepared = await prepare(page);
    for (const [on, after] of lost) emulator.faults.add({ kind: 'drop_after', on, after });
    expect(await bringToEnd(prepared)).toMatchObject({ result: 'sent' });
    expectComplete();
    expect(readKey()).toBe('k1');
  });

  it('is continued where it broke off, and nothing is created twice', async () => {
    const { begin, prepare, emulator, expectComplete } = await open();
    const reference = await begin();
    const before = emulator.readBlocks(reference);
    expect(await (await prepare(page)).finish?.(reference)).toEqual({ result: 'sent', reference });
    expectComplete();
    const after = emulator.readBlocks(reference);
    expect(after.map(({ id }) => id)).toEqual(before.map(({ id }) => id));
    const [kept, all] = [before, after].map((blocks) => blocks.at(-1)?.children.map(({ id }) => id) ?? []);
    expect(kept?.length).toBeGreaterThan(0);
    expect(all?.slice(0, kept?.length)).toEqual(kept);
  });

  it.each(['a block was added', 'a block was deleted', 'a text was changed'])(
    'is written again when %s meanwhile',
    async (change) => {
      const { begin, prepare, client, emulator, expectComplete } = await open();
      const reference = await begin();
      const blocks = emulator.readBlocks(reference);
      if (change === 'a block was added') {
        await client.blocks.children.append({ block_id: reference, children: [{ divider: {} }] });
      } else if (change === 'a block was deleted') {
        await client.blocks.delete({ block_id: blocks[0]?.id ?? '' });
      } else {
        const heading = blocks.find(({ type }) => type === 'heading_2');
        const heading_2 = { rich_text: [{ text: { content: 'Mine' } }] };
        await client.blocks.update({ block_id: heading?.id ?? '', heading_2 });
      }
      expect(await (await prepare(page)).finish?.(reference)).toEqual({ result: 'sent', reference });
      expectComplete();
    },
  );

  it('is written again when the report has changed since it was begun', async () => {
    const { begin, prepare, expectComplete } = await open();
    const reference = await begin(
      renderNotionPage({ ...digest, transcript: [{ turns: turns.toReversed() }] }),
    );
    expect(await (await prepare(page)).finish?.(reference)).toEqual({ result: 'sent', reference });
    expectComplete();
  });

  it('is continued later when its blocks cannot be read', async () => {
    const { begin, prepare, emulator, expectComplete } = await open();
    const reference = await begin();
    const prepared = await prepare(page);
    emulator.faults.add({ kind: 'status', on: 'blocks.children.list', status: 500 });
    expect(await prepared.finish?.(reference)).toMatchObject({ result: 'not_sent_retry' });
    expect(await prepared.finish?.(reference)).toEqual({ result: 'sent', reference });
    expectComplete();
  });

  it('continues at once after a 503 that names everything it has created', async () => {
    const { prepare, emulator, expectComplete } = await open();
    const prepared = await prepare(page);
    const fault = { kind: 'error', code: 'service_unavailable', is_applied: true } as const;
    emulator.faults.add({ ...fault, on: 'pages.create' });
    emulator.faults.add({ ...fault, on: append });
    expect(await prepared.send()).toMatchObject({ result: 'sent' });
    expectComplete();
  });

  it('is read after a 503 that names only a part of what it was given', async () => {
    const { prepare, state, expectComplete } = await open();
    const prepared = await prepare(page);
    const additional_data = { committed_child_ids: ['5a2b7c1e-4d3f-4a60-8b1c-9e0d2f3a4b5d'] };
    let isOver = false;
    state.rule = ({ path, body }) => {
      if (isOver || !path.endsWith('/children') || JSON.stringify(body).length < 10_000) return 'pass';
      isOver = true;
      return notionError(503, 'service_unavailable', { additional_data });
    };
    const sent = await prepared.send();
    expect(sent).toMatchObject({
      result: 'unknown',
      cause: 'the page is begun and not whole: Notion answered 503 service_unavailable',
    });
    expect(await bringToEnd(prepared, sent)).toMatchObject({ result: 'sent' });
    expectComplete();
  });

  it('waits for limits that fit into its time, and for conflicts', async () => {
    const { prepare, emulator, waits, expectComplete } = await open();
    const prepared = await prepare(page);
    emulator.faults.add({ kind: 'error', on: append, code: 'rate_limited', retry_after_seconds: 7 });
    emulator.faults.add({ kind: 'error', on: append, code: 'conflict_error' });
    emulator.faults.add({ kind: 'error', on: append, code: 'service_overload', retry_after_seconds: 3 });
    expect(await prepared.send()).toMatchObject({ result: 'sent' });
    expect(waits).toEqual([7000, 2000, 3000]);
    expectComplete();
  });

  it('leaves a longer limit to a later attempt, which completes the page', async () => {
    const { prepare, emulator, waits, expectComplete } = await open();
    const prepared = await prepare(page);
    emulator.faults.add({ kind: 'error', on: append, code: 'rate_limited', retry_after_seconds: 600 });
    const sent = await prepared.send();
    expect(sent).toEqual({
      result: 'unknown',
      cause: 'the page is begun and not whole: Notion answered 429 rate_limited',
      contact: 'answered',
    });
    expect(waits).toEqual([]);
    expect(await bringToEnd(prepared, sent)).toMatchObject({ result: 'sent' });
    expectComplete();
  });

  it('can be shortened by an update, and made longer by the next one', async () => {
    const { send, prepare, emulator, readKey, expectComplete } = await open();
    const reference = await send(page);
    const shorter = await prepare(short, { effectKey: 'k2' });
    expect(await shorter.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(listTurns(emulator.readBlocks(reference))).toEqual(['0', '1', '2']);
    expect(readKey()).toBe('k2');
    const longer = await prepare(page, { effectKey: 'k3' });
    emulator.faults.add({ kind: 'drop_after', on: append, after: 2 });
    expect(await longer.update?.(reference)).toMatchObject({ result: 'unknown' });
    expect(readKey()).toMatch(/^k3 unfinished /);
    expect(await longer.update?.(reference)).toEqual({ result: 'sent', reference });
    expectComplete();
  });
});
