import { createNotionStandIn, type Interception, type NotionStandInOptions } from '@aftermeet/sandbox';
import { Client } from '@notionhq/client';
import { afterEach, describe, expect, it } from 'vitest';

import { buildDigest } from '../digest.ts';
import type { Preparation, SendResult, Shipment } from '../shipment.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { renderNotionPage } from './render-notion-page.ts';
import { openNotion } from './send-notion-page.ts';

const page = renderNotionPage(buildDigest(sampleReport));
const changed = renderNotionPage(
  buildDigest({ ...sampleReport, title: 'Weekly sync (again)', summary: 'We changed our minds.' }),
);
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

async function open(options: NotionStandInOptions = {}, timeoutMs?: number) {
  const rule: { onCreate: Interception; onAppend: Interception; onAny: Interception } = {
    onCreate: 'pass',
    onAppend: 'pass',
    onAny: 'pass',
  };
  const standIn = createNotionStandIn({
    ...options,
    intercept: ({ method, path }) => {
      if (method === 'POST' && path === '/v1/pages') return rule.onCreate;
      return path.endsWith('/children') ? rule.onAppend : rule.onAny;
    },
  });
  const { url } = await standIn.listen();
  closers.push(() => standIn.close());
  const target = standIn.dataSourceId;
  const settings = { token: 'ntn_test', baseUrl: url, dataSourceId: target };
  const notion = openNotion(
    settings,
    () => 0,
    timeoutMs === undefined ? {} : { timeoutMs },
    async () => {},
  );
  const prepare = (effectKey = 'k1', into = target, made = page): Promise<Preparation> =>
    notion.prepare(made, { effectKey, target: into });
  const client = new Client({ auth: 'ntn_test', baseUrl: url, logger: () => {} });
  return { rule, standIn, prepare, client };
}

function readyShipment(preparation: Preparation): Shipment {
  if (preparation.result !== 'ready') throw new Error(preparation.cause);
  return preparation.shipment;
}

function readSent(sent: SendResult): string {
  if (sent.result !== 'sent') throw new Error(sent.cause);
  return sent.reference;
}

describe('openNotion', () => {
  it('makes one page with its title, date, meeting id and key, and adds the key property', async () => {
    const { standIn, prepare } = await open();
    const sent = await readyShipment(await prepare()).send();
    const made = standIn.received()[0];
    expect(sent).toEqual({ result: 'sent', reference: made?.id });
    expect(made?.title).toBe('Weekly sync');
    expect(JSON.stringify(made?.properties['Delivery key']?.value)).toContain('"k1"');
    expect(JSON.stringify(made?.properties['Meeting ID']?.value)).toContain('"m_1"');
    expect(JSON.stringify(made?.properties['Date']?.value)).toContain('2026-07-07T11:00:00.000Z');
    expect(made?.children).toEqual(page.blocks);
  });

  it('finds the title property by its type and leaves out what the data source does not have', async () => {
    const { standIn, prepare } = await open({
      properties: { Besprechung: 'title', 'Delivery key': 'rich_text' },
    });
    await readyShipment(await prepare()).send();
    expect(standIn.received()[0]?.title).toBe('Weekly sync');
  });

  it('does not repeat a page whose answer was lost, and finds it afterwards', async () => {
    const { rule, standIn, prepare } = await open();
    const shipment = readyShipment(await prepare());
    rule.onCreate = 'drop_after';
    expect(await shipment.send()).toMatchObject({ result: 'unknown' });
    expect(standIn.received()).toHaveLength(1);
    expect(await shipment.probe(0)).toEqual({ result: 'found', reference: standIn.received()[0]?.id });
    expect(await readyShipment(await prepare('k2')).probe(0)).toEqual({ result: 'absent' });
  });

  it('does not wait longer than its time, and finds out afterwards', async () => {
    const { rule, prepare } = await open({}, 1000);
    const shipment = readyShipment(await prepare());
    rule.onCreate = 'hang';
    expect(await shipment.send()).toEqual({ result: 'unknown', cause: 'Notion did not answer in time' });
    rule.onAny = 'hang';
    expect(await shipment.probe(0)).toMatchObject({ result: 'not_asked' });
    rule.onAny = 'pass';
    expect(await shipment.probe(0)).toEqual({ result: 'absent' });
  });

  it('takes the page that a 503 names as made', async () => {
    const { rule, prepare } = await open();
    rule.onCreate = {
      status: 503,
      body: {
        object: 'error',
        status: 503,
        code: 'service_unavailable',
        message: 'try later',
        additional_data: { committed_resource_id: 'page-7' },
      },
    };
    expect(await readyShipment(await prepare()).send()).toEqual({ result: 'sent', reference: 'page-7' });
  });

  it.each([
    ['a 429', 429, 'rate_limited', { 'retry-after': '12' }, 'rate_limited'],
    ['an overload', 529, 'service_overload', {}, 'rate_limited'],
    ['a conflict', 409, 'conflict_error', {}, 'not_sent_retry'],
    ['a 500', 500, 'internal_server_error', {}, 'unknown'],
    ['a 502', 502, 'bad_gateway', {}, 'unknown'],
    ['a 503', 503, 'service_unavailable', {}, 'unknown'],
    ['a wrong page', 400, 'validation_error', {}, 'permanent'],
    ['a wrong token', 401, 'unauthorized', {}, 'permanent'],
    ['a full workspace', 403, 'restricted_resource', {}, 'permanent'],
  ])('%s means what it means', async (_name, status, code, headers, expected) => {
    const { rule, prepare } = await open();
    rule.onCreate = { status, headers, body: { object: 'error', status, code, message: 'secret title' } };
    const sent = await readyShipment(await prepare()).send();
    expect(sent.result).toBe(expected);
    expect(JSON.stringify(sent)).not.toContain('secret');
  });

  it('obeys Retry-After, and waits a while where there is none', async () => {
    const { rule, prepare } = await open();
    const shipment = readyShipment(await prepare());
    const body = { object: 'error', status: 429, code: 'rate_limited', message: '' };
    rule.onCreate = { status: 429, headers: { 'retry-after': '12' }, body };
    expect(await shipment.send()).toMatchObject({ retryAfterMs: 12_000 });
    rule.onCreate = { status: 429, body: { ...body, additional_data: { retry_after: 90 } } };
    expect(await shipment.send()).toMatchObject({ retryAfterMs: 90_000 });
    rule.onCreate = { status: 429, body };
    expect(await shipment.send()).toMatchObject({ retryAfterMs: 30_000 });
    // Once more at once would be what it has just refused.
    rule.onCreate = { status: 429, headers: { 'retry-after': '0' }, body };
    expect(await shipment.send()).toMatchObject({ retryAfterMs: 1000 });
    rule.onCreate = { status: 429, body: { ...body, additional_data: { retry_after: null } } };
    expect(await shipment.send()).toMatchObject({ retryAfterMs: 30_000 });
  });

  it('reads what an error tells of the page, whatever else it tells', async () => {
    const { rule, prepare } = await open();
    const additional_data = {
      retry_after: 'soon',
      committed_child_ids: null,
      committed_resource_id: 'page-7',
    };
    const body = { object: 'error', status: 503, code: 'service_unavailable', message: '', additional_data };
    rule.onCreate = { status: 503, body };
    expect(await readyShipment(await prepare()).send()).toEqual({ result: 'sent', reference: 'page-7' });
  });

  it('says when it may look again for a page whose answer was lost', async () => {
    const { rule, prepare } = await open();
    const shipment = readyShipment(await prepare());
    const body = { object: 'error', status: 429, code: 'rate_limited', message: '' };
    rule.onAny = { status: 429, headers: { 'retry-after': '12' }, body };
    expect(await shipment.probe(0)).toEqual({
      result: 'rate_limited',
      retryAfterMs: 12_000,
      cause: 'whether the page was made could not be looked up: Notion answered 429 rate_limited',
    });
  });

  it('reads the properties again when a page is refused that relied on older ones', async () => {
    const { rule, prepare } = await open();
    await readyShipment(await prepare()).send();
    const body = { object: 'error', status: 400, code: 'validation_error', message: 'secret title' };
    rule.onCreate = { status: 400, body };
    expect(await readyShipment(await prepare('k2')).send()).toEqual({
      result: 'not_sent_retry',
      cause:
        'Notion answered 400 validation_error: the data source refuses this page, whose properties may have changed',
      contact: 'answered',
    });
    expect(await readyShipment(await prepare('k2')).send()).toMatchObject({ result: 'permanent' });
    rule.onCreate = 'pass';
    expect(await readyShipment(await prepare('k2')).send()).toMatchObject({ result: 'sent' });
  });

  it('does not wait for a workspace that blocks connections', async () => {
    const { rule, prepare } = await open();
    const additional_data = { rate_limit_reason: 'public_api_request_blocked' };
    const body = { object: 'error', status: 429, code: 'rate_limited', message: '', additional_data };
    rule.onCreate = { status: 429, body };
    expect(await readyShipment(await prepare()).send()).toMatchObject({ result: 'permanent' });
  });

  it('says what to do about a workspace that has used up its blocks', async () => {
    const { rule, prepare } = await open();
    const message = 'The workspace has reached its block limit.';
    rule.onCreate = {
      status: 403,
      body: { object: 'error', status: 403, code: 'restricted_resource', message },
    };
    expect(await readyShipment(await prepare()).send()).toEqual({
      result: 'permanent',
      cause:
        'Notion answered 403 restricted_resource: the workspace has used up the blocks of its free plan; change the plan or the workspace, then send again',
    });
  });

  it('reads a failure before the page as not sent', async () => {
    const { rule, standIn, prepare } = await open();
    rule.onAny = { status: 500, body: 'oops' };
    expect((await prepare()).result).toBe('not_sent_retry');
    rule.onAny = 'pass';
    expect((await prepare()).result).toBe('ready');
    await standIn.close();
    expect((await prepare('k1', '00000000-0000-4000-8000-000000000000')).result).toBe('not_sent_retry');
  });

  it('names a data source that is not there, and a key property of another type', async () => {
    const { prepare } = await open();
    expect(await prepare('k1', '00000000-0000-4000-8000-000000000000')).toEqual({
      result: 'permanent',
      cause:
        'Notion answered 404 object_not_found: check the data source id (NOTION_DATA_SOURCE_ID) and share it with the connection',
    });
    const other = await open({ properties: { Name: 'title', 'Delivery key': 'number' } });
    expect(await other.prepare()).toEqual({
      result: 'permanent',
      cause: 'the Notion property "Delivery key" is of type number; make it a text property',
    });
  });

  it('writes a page anew, and leaves the properties of other people as they are', async () => {
    const { standIn, prepare, client } = await open({
      properties: { Name: 'title', Date: 'date', Mood: 'rich_text', 'Delivery key': 'rich_text' },
    });
    const reference = readSent(await readyShipment(await prepare()).send());
    await client.pages.update({
      page_id: reference,
      properties: { Mood: { rich_text: [{ type: 'text', text: { content: 'good' } }] } },
    });
    const other = readyShipment(await prepare('k2', standIn.dataSourceId, changed));
    expect(await other.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(await other.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(standIn.received()).toHaveLength(1);
    const [written] = standIn.received();
    expect(written?.title).toBe('Weekly sync (again)');
    expect(JSON.stringify(written?.properties['Mood']?.value)).toContain('"good"');
    expect(JSON.stringify(written?.properties['Delivery key']?.value)).toContain('"k2"');
    const blocks = standIn.readBlocks(reference);
    expect(blocks.map(({ type }) => type)).toEqual(changed.blocks.map(({ type }) => type));
    expect(JSON.stringify(blocks[2]?.content)).toContain('We changed our minds.');
  });

  it('writes everything again after a change that stopped half way', async () => {
    const { rule, standIn, prepare } = await open();
    const shipment = readyShipment(await prepare());
    const reference = readSent(await shipment.send());
    rule.onAppend = { status: 500, body: 'oops' };
    expect(await shipment.update?.(reference)).toMatchObject({ result: 'unknown' });
    expect(standIn.readBlocks(reference)).toEqual([]);
    rule.onAppend = 'drop_after';
    expect(await shipment.update?.(reference)).toMatchObject({ result: 'unknown' });
    rule.onAppend = 'pass';
    expect(await shipment.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(standIn.readBlocks(reference)).toHaveLength(page.blocks.length);
  });

  it('believes a 503 that names the blocks it put in all the same', async () => {
    const { standIn, prepare } = await open();
    const shipment = readyShipment(await prepare());
    const reference = readSent(await shipment.send());
    const failOnce = (is_told: boolean): void => {
      standIn.errorFaults.add({
        kind: 'error',
        on: 'blocks.children.append',
        code: 'service_unavailable',
        is_applied: true,
        is_told,
      });
    };
    failOnce(true);
    expect(await shipment.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(standIn.readBlocks(reference)).toHaveLength(page.blocks.length);
    failOnce(false);
    expect(await shipment.update?.(reference)).toMatchObject({ result: 'unknown' });
  });

  it('takes nothing out while somebody else saves the page, and puts the rest in when they have', async () => {
    const { rule, standIn, prepare } = await open();
    const reference = readSent(await readyShipment(await prepare()).send());
    const conflict = { object: 'error', status: 409, code: 'conflict_error', message: 'secret title' };
    const other = readyShipment(await prepare('k2', standIn.dataSourceId, changed));
    const refused = {
      result: 'not_sent_retry',
      cause: 'Notion answered 409 conflict_error',
      contact: 'answered',
    };
    rule.onAny = { status: 409, body: conflict };
    expect(await other.update?.(reference)).toEqual(refused);
    expect(standIn.readBlocks(reference)).toHaveLength(page.blocks.length);
    rule.onAny = 'pass';
    rule.onAppend = { status: 409, body: conflict };
    expect(await other.update?.(reference)).toEqual(refused);
    expect(standIn.readBlocks(reference)).toEqual([]);
    rule.onAppend = 'pass';
    expect(await other.update?.(reference)).toEqual({ result: 'sent', reference });
    expect(JSON.stringify(standIn.readBlocks(reference))).toContain('We changed our minds.');
  });

  it('says so when it may not put in again what it has taken out', async () => {
    const { rule, prepare } = await open();
    const shipment = readyShipment(await prepare());
    const reference = readSent(await shipment.send());
    const body = { object: 'error', status: 403, code: 'restricted_resource', message: 'secret title' };
    rule.onAppend = { status: 403, body };
    expect(await shipment.update?.(reference)).toEqual({
      result: 'permanent',
      cause:
        'Notion answered 403 restricted_resource: let the connection read, insert and update content, and check that the workspace has room left; the page is not whole until it is sent again',
    });
    rule.onAppend = 'pass';
    expect(await shipment.update?.(reference)).toEqual({ result: 'sent', reference });
  });

  it('tells one failure to read the data source once, however many wait for it', async () => {
    const { rule, prepare } = await open();
    rule.onAny = { status: 500, body: 'oops' };
    const [first, second] = await Promise.all([prepare('k1'), prepare('k2')]);
    expect(first).toEqual({
      result: 'not_sent_retry',
      cause: 'Notion answered 500 notionhq_client_response_error',
    });
    expect(second).toEqual({ ...first, contact: 'none' });
  });

  it('does not put back a page that is in the bin, or not there', async () => {
    const { prepare, client } = await open();
    const shipment = readyShipment(await prepare());
    const reference = readSent(await shipment.send());
    await client.pages.update({ page_id: reference, in_trash: true });
    expect(await shipment.update?.(reference)).toEqual({ result: 'gone', cause: 'the page is in the bin' });
    expect(await shipment.update?.('00000000-0000-4000-8000-000000000000')).toEqual({
      result: 'gone',
      cause: 'the page is not there any more, or not shared with the connection',
    });
  });

  it('does not take for gone what points to something that is gone', async () => {
    const { standIn, prepare } = await open();
    const shipment = readyShipment(await prepare());
    const reference = readSent(await shipment.send());
    standIn.errorFaults.add({ kind: 'error', on: 'pages.update', code: 'object_not_found' });
    expect(await shipment.update?.(reference)).toEqual({
      result: 'not_sent_retry',
      cause: 'Notion answered 404 object_not_found: somebody or something that the page names is not there',
      contact: 'answered',
    });
    expect(await shipment.update?.(reference)).toEqual({ result: 'sent', reference });
  });

  it('has the time of one call for a change', async () => {
    const { rule, prepare } = await open({}, 1000);
    const shipment = readyShipment(await prepare());
    const reference = readSent(await shipment.send());
    rule.onAny = 'hang';
    expect(await shipment.update?.(reference)).toMatchObject({ result: 'unknown' });
    rule.onAny = { status: 429, headers: { 'retry-after': '12' }, body: {} };
    expect(await shipment.update?.(reference)).toMatchObject({
      result: 'rate_limited',
      retryAfterMs: 12_000,
    });
  });

  it('reads the properties again when a change is refused that relied on older ones', async () => {
    const { rule, prepare } = await open();
    const reference = readSent(await readyShipment(await prepare()).send());
    const body = { object: 'error', status: 400, code: 'validation_error', message: 'secret title' };
    const shipment = readyShipment(await prepare('k2'));
    rule.onAny = { status: 400, body };
    expect(await shipment.update?.(reference)).toMatchObject({ result: 'not_sent_retry' });
    rule.onAny = 'pass';
    const again = readyShipment(await prepare('k2'));
    rule.onAny = { status: 400, body };
    expect(await again.update?.(reference)).toMatchObject({ result: 'permanent' });
  });

  it('takes the oldest of several pages with its key: a copy carries it too', async () => {
    const { standIn, prepare, client } = await open();
    const shipment = readyShipment(await prepare());
    const reference = readSent(await shipment.send());
    await client.pages.create({
      parent: { type: 'data_source_id', data_source_id: standIn.dataSourceId },
      properties: { 'Delivery key': { rich_text: [{ type: 'text', text: { content: 'k1' } }] } },
    });
    expect(standIn.received()).toHaveLength(2);
    expect(await shipment.probe(0)).toEqual({ result: 'found', reference });
    await client.pages.update({
      page_id: reference,
      properties: {
        'Delivery key': { rich_text: [{ type: 'text', text: { content: 'k1 unfinished 0123456789ab' } }] },
      },
    });
    expect(await shipment.probe(0)).toEqual({ result: 'begun', reference });
    expect(await readyShipment(await prepare('k')).probe(0)).toEqual({ result: 'absent' });
  });
});
