import { describe, expect, it } from 'vitest';

import { buildDigest } from '../../report/digest.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { notionError, openTestNotion } from '../../testing/test-notion.ts';
import { renderNotionPage } from './render-page.ts';

const page = renderNotionPage(buildDigest(sampleReport));
const changed = renderNotionPage(
  buildDigest({ ...sampleReport, title: 'Weekly sync (again)', summary: 'We changed our minds.' }),
);

describe('a page of one request', () => {
  it('is created with its properties, its blocks and the key of its effect', async () => {
    const { send, emulator, readProperty } = await openTestNotion();
    const reference = await send(page);
    const [created] = emulator.received();
    expect(created).toMatchObject({ id: reference, title: 'Weekly sync' });
    expect(readProperty('Delivery key')).toContain('"k1"');
    expect(readProperty('Meeting ID')).toContain('"m_1"');
    expect(readProperty('Date')).toContain('2026-07-07T11:00:00.000Z');
    expect(created?.children).toEqual(page.blocks);
  });

  it("has the values that a recipe of one's own names, or fails with what is wrong", async () => {
    const { send, prepare, readProperty } = await openTestNotion({
      properties: { Name: 'title', Seats: 'number', Renewed: 'checkbox', 'Delivery key': 'rich_text' },
    });
    const own = {
      Seats: { kind: 'number', number: 40 },
      Renewed: { kind: 'checkbox', isChecked: true },
    } as const;
    await send({ ...page, properties: own });
    expect([readProperty('Seats'), readProperty('Renewed')]).toEqual([
      expect.stringContaining('40'),
      expect.stringContaining('true'),
    ]);
    const wrong = { ...page, properties: { Seat: { kind: 'number', number: 1 } } } as const;
    await expect(prepare(wrong)).rejects.toThrow('"Seat" is not there');
  });

  it('has its title in the property of that type, and leaves out what has no property', async () => {
    const { send, emulator } = await openTestNotion({
      properties: { Besprechung: 'title', 'Delivery key': 'rich_text' },
    });
    await send(page);
    expect(emulator.received()[0]?.title).toBe('Weekly sync');
  });

  it('is absent after a timeout before it was created', async () => {
    const { prepare, on } = await openTestNotion({ timeoutMs: 500 });
    const prepared = await prepare(page);
    on('create', 'hang');
    expect(await prepared.send()).toEqual({ result: 'unknown', cause: 'Notion did not answer in time' });
    on('other', 'hang');
    expect(await prepared.probe(0)).toMatchObject({ result: 'not_asked' });
    on('other', 'pass');
    expect(await prepared.probe(0)).toEqual({ result: 'absent' });
  });

  it('is found as the oldest of several pages with its key: a copy has it too', async () => {
    const { send, prepare, emulator, client } = await openTestNotion();
    const reference = await send(page);
    const keyOf = (content: string) => ({ 'Delivery key': { rich_text: [{ text: { content } }] } });
    const parent = { type: 'data_source_id', data_source_id: emulator.dataSourceId } as const;
    await client.pages.create({ parent, properties: keyOf('k1') });
    const prepared = await prepare(page);
    expect(await prepared.probe(0)).toEqual({ result: 'found', reference });
    await client.pages.update({ page_id: reference, properties: keyOf('k1 unfinished 0123456789ab') });
    expect(await prepared.probe(0)).toEqual({ result: 'begun', reference });
    const similar = await prepare(page, { effectKey: 'k' });
    expect(await similar.probe(0)).toEqual({ result: 'absent' });
  });
});

describe('an error of Notion', () => {
  const committed = { retry_after: 'soon', committed_child_ids: null, committed_resource_id: 'page-7' };
  const blocked = { rate_limit_reason: 'public_api_request_blocked' };
  const blockLimit = 'The workspace has reached its block limit.';

  it.each([
    ['a limit', 429, 'rate_limited', {}, { result: 'rate_limited', retryAfterMs: 30_000 }],
    ['an overload', 529, 'service_overload', {}, { result: 'rate_limited', retryAfterMs: 30_000 }],
    [
      'a limit with its time',
      429,
      'rate_limited',
      { headers: { 'retry-after': '12' } },
      { retryAfterMs: 12_000 },
    ],
    [
      'a limit with its time in the body',
      429,
      'rate_limited',
      { additional_data: { retry_after: 90 } },
      { retryAfterMs: 90_000 },
    ],
    [
      'a limit without a wait',
      429,
      'rate_limited',
      { headers: { 'retry-after': '0' } },
      { retryAfterMs: 1000 },
    ],
    ['a blocked connection', 429, 'rate_limited', { additional_data: blocked }, { result: 'permanent' }],
    ['a conflict', 409, 'conflict_error', {}, { result: 'not_sent_retry' }],
    ['a 500', 500, 'internal_server_error', {}, { result: 'unknown' }],
    ['a 408', 408, 'request_timeout', {}, { result: 'unknown' }],
    ['a 503', 503, 'service_unavailable', {}, { result: 'unknown' }],
    [
      'a 503 that names the page',
      503,
      'service_unavailable',
      { additional_data: committed },
      { result: 'sent', reference: 'page-7' },
    ],
    ['a wrong page', 400, 'validation_error', {}, { result: 'permanent' }],
    ['a wrong token', 401, 'unauthorized', {}, { result: 'paused' }],
    [
      'a full workspace',
      403,
      'restricted_resource',
      { message: blockLimit },
      {
        result: 'permanent',
        cause:
          'Notion answered 403 restricted_resource: the workspace has used up the blocks of its free plan; change the plan or the workspace, then send again',
      },
    ],
  ] as const)('%s', async (_name, status, code, more, expected) => {
    const { prepare, on } = await openTestNotion();
    const prepared = await prepare(page);
    on('create', notionError(status, code, more));
    const sent = await prepared.send();
    expect(sent).toMatchObject(expected);
    expect(JSON.stringify(sent)).not.toContain('secret');
  });

  it('to a probe says when to ask again', async () => {
    const { prepare, on } = await openTestNotion();
    const prepared = await prepare(page);
    on('other', notionError(429, 'rate_limited', { headers: { 'retry-after': '12' } }));
    expect(await prepared.probe(0)).toEqual({
      result: 'rate_limited',
      retryAfterMs: 12_000,
      cause: 'whether the page was made could not be looked up: Notion answered 429 rate_limited',
    });
  });

  it('before the page is not sent, and counts once for all effects that wait for the answer', async () => {
    const { tryPrepare, on } = await openTestNotion();
    on('other', { status: 500, body: 'oops' });
    const [first, second] = await Promise.all([tryPrepare(page), tryPrepare(page, { effectKey: 'k2' })]);
    const cause = 'Notion answered 500 notionhq_client_response_error';
    expect(first).toEqual({ result: 'not_sent_retry', cause });
    expect(second).toEqual({ result: 'not_sent_retry', cause, contact: 'none' });
  });

  it('that rejects cached properties makes the next attempt read them again', async () => {
    const { prepare, send, on } = await openTestNotion();
    const reference = await send(page);
    const invalid = notionError(400, 'validation_error');
    const created = await prepare(page, { effectKey: 'k2' });
    on('create', invalid);
    expect(await created.send()).toEqual({
      result: 'not_sent_retry',
      cause:
        'Notion answered 400 validation_error: the data source refuses this page, whose properties may have changed',
      contact: 'answered',
    });
    expect(await (await prepare(page, { effectKey: 'k2' })).send()).toMatchObject({ result: 'permanent' });
    on('create', 'pass');
    await send(page, { effectKey: 'k2' });
    const updated = await prepare(changed, { effectKey: 'k3' });
    on('other', invalid);
    expect(await updated.update?.(reference)).toMatchObject({ result: 'not_sent_retry' });
  });
});

describe('an update of a page', () => {
  it('writes our properties and the text again, and leaves the properties of others', async () => {
    const { send, prepare, emulator, client, readProperty } = await openTestNotion({
      properties: { Name: 'title', Date: 'date', Mood: 'rich_text', 'Delivery key': 'rich_text' },
    });
    const reference = await send(page);
    const properties = { Mood: { rich_text: [{ text: { content: 'good' } }] } };
    await client.pages.update({ page_id: reference, properties });
    const update = await prepare(changed, { effectKey: 'k2' });
    expect(await update.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(await update.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(emulator.received()).toHaveLength(1);
    expect(emulator.received()[0]?.title).toBe('Weekly sync (again)');
    expect(readProperty('Mood')).toContain('"good"');
    expect(readProperty('Delivery key')).toContain('"k2"');
    const blocks = emulator.readBlocks(reference);
    expect(blocks.map(({ type }) => type)).toEqual(changed.blocks.map(({ type }) => type));
    expect(JSON.stringify(blocks[0]?.content)).toContain('We changed our minds.');
  });

  it.each([
    [true, 'sent'],
    [false, 'unknown'],
  ])('after a 503 that has added the blocks (named: %s) is %s', async (is_told, result) => {
    const { send, prepare, emulator } = await openTestNotion();
    const reference = await send(page);
    const fault = { kind: 'error', code: 'service_unavailable', is_applied: true, is_told } as const;
    emulator.faults.add({ ...fault, on: 'blocks.children.append' });
    expect(await (await prepare(page)).update?.(reference)).toMatchObject({ result });
    expect(emulator.readBlocks(reference)).toHaveLength(page.blocks.length);
  });

  it('erases nothing while another person saves the page, and continues afterwards', async () => {
    const { send, prepare, on, emulator } = await openTestNotion();
    const reference = await send(page);
    const update = await prepare(changed, { effectKey: 'k2' });
    const conflict = notionError(409, 'conflict_error');
    const refused = {
      result: 'not_sent_retry',
      cause: 'Notion answered 409 conflict_error',
      contact: 'answered',
    };
    on('other', conflict);
    expect(await update.update?.(reference)).toEqual(refused);
    expect(emulator.readBlocks(reference)).toHaveLength(page.blocks.length);
    on('append', conflict);
    expect(await update.update?.(reference)).toEqual(refused);
    expect(emulator.readBlocks(reference)).toEqual([]);
    on('append', 'pass');
    expect(await update.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(JSON.stringify(emulator.readBlocks(reference))).toContain('We changed our minds.');
  });

  it('that may not add again what it has erased says so', async () => {
    const { send, prepare, on } = await openTestNotion();
    const reference = await send(page);
    const update = await prepare(page);
    on('append', notionError(400, 'validation_error'));
    expect(await update.update?.(reference)).toEqual({
      result: 'permanent',
      cause:
        'Notion answered 400 validation_error: the data source refuses this page; the page is not whole until it is sent again',
    });
    on('append', 'pass');
    expect(await update.update?.(reference)).toEqual({ result: 'sent', reference });
  });

  it('does not restore a page that is in the bin or missing', async () => {
    const { send, prepare, client } = await openTestNotion();
    const reference = await send(page);
    const update = await prepare(page);
    await client.pages.update({ page_id: reference, in_trash: true });
    expect(await update.update?.(reference)).toEqual({ result: 'gone', cause: 'the page is in the bin' });
    expect(await update.update?.('00000000-0000-4000-8000-000000000000')).toEqual({
      result: 'gone',
      cause: 'the page is not there any more, or not shared with the connection',
    });
  });

  it('does not take a page for gone that names something missing', async () => {
    const { send, prepare, emulator } = await openTestNotion();
    const reference = await send(page);
    const update = await prepare(page);
    emulator.faults.add({ kind: 'error', on: 'pages.update', code: 'object_not_found' });
    expect(await update.update?.(reference)).toEqual({
      result: 'not_sent_retry',
      cause: 'Notion answered 404 object_not_found: a person, page or block that the page names is not there',
      contact: 'answered',
    });
    expect(await update.update?.(reference)).toEqual({ result: 'sent', reference });
  });

  it('obeys timeouts and limits', async () => {
    const { send, prepare, on } = await openTestNotion({ timeoutMs: 500 });
    const reference = await send(page);
    const update = await prepare(page);
    on('other', 'hang');
    expect(await update.update?.(reference)).toMatchObject({ result: 'unknown' });
    on('other', notionError(429, 'rate_limited', { headers: { 'retry-after': '12' } }));
    expect(await update.update?.(reference)).toMatchObject({
      result: 'rate_limited',
      retryAfterMs: 12_000,
    });
  });
});
