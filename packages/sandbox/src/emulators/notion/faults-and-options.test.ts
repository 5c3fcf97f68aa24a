import { APIErrorCode, APIResponseError, isHTTPResponseError, isNotionClientError } from '@notionhq/client';
import { afterEach, describe, expect, it } from 'vitest';

import {
  pageOf,
  paragraph,
  startTestNotion,
  stopTestNotions,
  type TestNotion,
} from '../../testing/notion.ts';
import { notionErrorCodes, notionErrors } from './errors.ts';

afterEach(stopTestNotions);

/** What the vendor's client throws. */
async function fail(call: Promise<unknown>): Promise<APIResponseError> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof APIResponseError)) throw new Error(`no error of the API: ${String(error)}`);
  return error;
}

function create({ client, sourceId }: TestNotion): Promise<unknown> {
  return client.pages.create(pageOf(sourceId));
}

describe('errors of Notion’s own', () => {
  it('have the codes and statuses that the SDK knows', async () => {
    const started = await startTestNotion();
    const known: readonly string[] = Object.values(APIErrorCode);
    // It is about features that are not released, and the SDK has no code for a missing version.
    const emulated = notionErrorCodes.filter((code) => code !== 'missing_version');
    expect([...emulated, 'invalid_beta'].toSorted()).toEqual(known.toSorted());
    for (const code of emulated) {
      started.notion.faults.add({ kind: 'error', code, on: 'users.list' });
      const error = await fail(started.client.users.list({}));
      expect([error.code, error.status]).toEqual([code, notionErrors[code]]);
      expect([isNotionClientError(error), isHTTPResponseError(error)]).toEqual([true, true]);
      expect(error.request_id).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(await started.client.users.list({})).toMatchObject({ type: 'user' });
  });

  it('429 and 529 say how long to wait, and a blocked workspace says so', async () => {
    const started = await startTestNotion();
    const { faults } = started.notion;
    faults.add({
      kind: 'error',
      code: 'rate_limited',
      retry_after_seconds: 90,
      rate_limit_reason: 'public_api_space_request_rate_limit',
    });
    faults.add({ kind: 'error', code: 'service_overload', retry_after_seconds: 7 });
    faults.add({ kind: 'error', code: 'rate_limited', rate_limit_reason: 'public_api_request_blocked' });
    const limited = await fail(create(started));
    expect(limited.additional_data).toEqual({
      retry_after: '90',
      rate_limit_reason: 'public_api_space_request_rate_limit',
    });
    expect(limited.headers instanceof Headers && limited.headers.get('retry-after')).toBe('90');
    expect(await fail(create(started))).toMatchObject({ status: 529, additional_data: { retry_after: '7' } });
    const blocked = await fail(create(started));
    expect(blocked.additional_data).toEqual({ rate_limit_reason: 'public_api_request_blocked' });
    expect(started.notion.received()).toEqual([]);
  });

  it('503, and the page is there all the same: named, or not', async () => {
    const started = await startTestNotion();
    const { faults, received } = started.notion;
    faults.add({ kind: 'error', code: 'service_unavailable', is_applied: true, on: 'pages.create' });
    const told = await fail(create(started));
    expect(told).toMatchObject({ status: 503, code: 'service_unavailable' });
    expect(told.additional_data).toEqual({
      retry_guidance: expect.any(String) as string,
      committed_resource_id: received()[0]?.id,
    });
    faults.add({ kind: 'error', code: 'service_unavailable', is_applied: true, is_told: false });
    expect((await fail(create(started))).additional_data).toBeUndefined();
    expect(received()).toHaveLength(2);
    faults.add({ kind: 'error', code: 'service_unavailable', on: 'pages.create' });
    await fail(create(started));
    expect(received()).toHaveLength(2);
  });

  it('503, and the blocks are there all the same', async () => {
    const started = await startTestNotion();
    const { client, notion, sourceId } = started;
    const { id } = await client.pages.create(pageOf(sourceId));
    notion.faults.add({
      kind: 'error',
      code: 'service_unavailable',
      is_applied: true,
      on: 'blocks.children.append',
    });
    const children = [paragraph('a'), paragraph('b')];
    const told = await fail(client.blocks.children.append({ block_id: id, children }));
    expect(told.additional_data).toMatchObject({
      committed_child_ids: notion.readBlocks(id).map((block) => block.id),
    });
    expect(told.additional_data).not.toHaveProperty('committed_resource_id');
    notion.faults.add({ kind: 'error', code: 'gateway_timeout', is_applied: true, on: 'pages.update' });
    const update = await fail(client.pages.update({ page_id: id, in_trash: true }));
    expect(update.additional_data).toEqual({ retry_guidance: expect.any(String) as string });
    expect(await client.pages.retrieve({ page_id: id })).toMatchObject({ in_trash: true });
  });
});

describe('faults of the network', () => {
  it('a status is answered in the shape of Notion', async () => {
    const started = await startTestNotion();
    started.notion.faults.add({ kind: 'status', status: 429, retry_after_seconds: 3, on: 'pages.create' });
    expect(await fail(create(started))).toMatchObject({
      status: 429,
      code: 'rate_limited',
      additional_data: { retry_after: '3' },
    });
    started.notion.faults.add({ kind: 'status', status: 502 });
    expect(await fail(create(started))).toMatchObject({ status: 502, code: 'internal_server_error' });
    expect(started.notion.received()).toEqual([]);
  });
});

describe('options', () => {
  it('a revoked token, and a connection that may not do everything', async () => {
    const started = await startTestNotion({ options: { capabilities: ['read_content'] } });
    const { client, notion, sourceId } = started;
    expect(await fail(create(started))).toMatchObject({ status: 403, code: 'restricted_resource' });
    expect(await fail(client.users.list({}))).toMatchObject({ status: 403 });
    expect((await client.dataSources.query({ data_source_id: sourceId })).results).toEqual([]);
    notion.options.set({ token: 'revoked' });
    expect(await fail(client.users.list({}))).toMatchObject({ status: 401, code: 'unauthorized' });
  });
});
