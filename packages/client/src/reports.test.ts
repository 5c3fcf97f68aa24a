import { afterEach, describe, expect, it } from 'vitest';

import type { Client } from './client.ts';
import { createClient } from './create-client.ts';
import { catchFault } from './testing/catch-fault.ts';
import { makeConnection, TEST_KEY } from './testing/make-connection.ts';
import { type AnswerRequest, createTestServers } from './testing/start-servers.ts';

const servers = createTestServers();
afterEach(() => servers.stopAll());

async function reportsOf(answer: AnswerRequest): Promise<Client['reports']> {
  return createClient(makeConnection(await servers.start(answer))).reports;
}

const reportsAnswering = (text: string, status = 200): Promise<Client['reports']> =>
  reportsOf((_request, response) => void response.writeHead(status).end(text));

describe('reports.get', () => {
  it('asks with the key and the meeting, and reads the report', async () => {
    const seen: string[] = [];
    const reports = await reportsOf((request, response) => {
      seen.push(`${request.method} ${request.url} ${String(request.headers['x-api-key'])}`);
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ followup_v2: { name: 'Sync' } }));
    });
    const answer = await reports.get('m 1&x');
    expect(answer).toMatchObject({ ready: true, report: { title: 'Sync', meetingId: 'm 1&x' } });
    expect(seen).toEqual([`GET /api/video/report?meeting_id=m+1%26x ${TEST_KEY}`]);
  });

  it.each([
    ['{"followup_v2":{"name":"n","status":"new"}}', true],
    ['{"followup_v2":{"name":"n","status":"processed"}}', true],
    ['{"followup_v2":{"name":"n","status":"what is this"}}', true],
    ['{"followup_v2":{"name":"n","status":"queued"}}', false],
    ['{"followup_v2":{"name":"n","status":"recording"}}', false],
    ['{"followup_v2":{"name":"n","status":"scheduled"}}', false],
  ])('takes the status within %s for ready: %s', async (text, ready) => {
    expect(await (await reportsAnswering(text)).get('m')).toMatchObject({ ready });
  });

  it.each([
    ['202', 'Meeting is in progress now, status: processing', 'processing'],
    ['202', '{"status":"queued","message":"not ready"}', 'queued'],
    ['202', 'Please come back later.', 'Please come back later'],
    ['202', '<html>', 'unknown'],
    ['202', '', 'unknown'],
    ['200', '', 'unknown'],
    ['200', 'processing', 'processing'],
    ['200', '{"status":"processing"}', 'processing'],
  ])('tells the service’s word for a %s with %s', async (status, text, word) => {
    const reports = await reportsAnswering(text, Number(status));
    expect(await reports.get('m')).toEqual({ ready: false, status: word });
  });

  it.each([
    ['{}', 'unreadable', 'the answer holds no report'],
    ['{"title":{"a":1},"summary":[1]}', 'unreadable', 'the answer holds no report'],
    ['[]', 'unreadable', 'the answer holds no report'],
    ['<html>', 'unreadable', 'the answer is a web page'],
    ['{"followup_v2":{"na', 'unreadable', 'the answer is not whole JSON'],
    ['{"error":"maintenance","message":"be back soon"}', 'unexpected_status', 'be back soon'],
    ['{"detail":[{"loc":["query","id"],"msg":"unknown"}]}', 'unexpected_status', 'query.id: unknown'],
  ])('says at once, and why, that %s is no report', async (text, code, detail) => {
    let asked = 0;
    const reports = await reportsOf((_request, response) => {
      asked += 1;
      response.end(text);
    });
    const fault = await catchFault(reports.get('m'));
    expect(fault).toMatchObject({ code, status: 200, detail, retryable: true });
    expect(asked).toBe(1);
  });

  it('takes words for no report yet, and repeats no key from them', async () => {
    const answer = await (await reportsAnswering(`see ${TEST_KEY}`)).get('m');
    expect(answer).toMatchObject({ ready: false });
    expect(JSON.stringify(answer)).not.toContain(TEST_KEY);
  });

  it.each([
    [400, 'bad_request', false],
    [401, 'unauthorized', false],
    [402, 'payment_required', false],
    [403, 'forbidden', false],
    [404, 'not_found', false],
    [408, 'unexpected_status', true],
    [409, 'conflict', false],
    [425, 'unexpected_status', true],
    [429, 'rate_limited', true],
    [500, 'server', true],
    [503, 'server', true],
  ] as const)('answers %d with code %s', async (status, code, retryable) => {
    const reports = await reportsOf((_request, response) => {
      response
        .writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' })
        .end(JSON.stringify({ code: 'X', message: 'Something\nhappened' }));
    });
    const error = await catchFault(reports.get('m'));
    expect(error).toMatchObject({ code, status, retryable, retryAfterMs: 7000, unsent: false });
    expect(error.message).toBe(`reports.get: GET /api/video/report answered ${status}: Something happened`);
  });
});

describe('reports.generate', () => {
  it.each([
    ['{"followup":{},"created_template_id":"u1"}', 'u1'],
    ['{"data":{"createdTemplateId":7}}', '7'],
    ['{"created_template_id":9007199254740993}', undefined],
    ['{}', undefined],
    ['started', undefined],
    ['', undefined],
  ])('finds the new template’s id in %s', async (text, createdTemplateId) => {
    const bodies: string[] = [];
    const reports = await reportsOf((request, response) => {
      request.setEncoding('utf8').on('data', (piece: string) => bodies.push(piece));
      request.on('end', () => response.end(text));
    });
    const { raw: _raw, ...rest } = await reports.generate({ meetingId: 'm', templateName: 'team-sync' });
    expect(rest).toEqual(createdTemplateId === undefined ? {} : { createdTemplateId });
    expect(bodies).toEqual(['{"meeting_id":"m","template_name":"team-sync"}']);
  });
});

describe('reports.editBlock', () => {
  it('puts the new text to the meeting', async () => {
    const seen: string[] = [];
    const reports = await reportsOf((request, response) => {
      request.setEncoding('utf8').on('data', (piece: string) => seen.push(`${request.url} ${piece}`));
      request.on('end', () => response.end('{"ok":true}'));
    });
    const edit = { meetingId: 'm/1', templateId: 't', entityName: 'summary', newSummaryText: '' };
    expect(await reports.editBlock(edit)).toEqual({ raw: { ok: true } });
    expect(seen).toEqual([
      '/api/meeting/m%2F1/summary {"templateId":"t","entityName":"summary","newSummaryText":""}',
    ]);
  });
});
