import { afterEach, describe, expect, it } from 'vitest';

import { startTestReceiver, type TestReceiver } from './testing/start-test-receiver.ts';

let started: TestReceiver | undefined;
afterEach(() => started?.receiver.close());

const text =
  'this: an Aftermeet receiver: it takes the webhooks that follow a meeting\n' +
  'deliveries: POST /hooks/<endpoint>\n' +
  'health: GET /healthz\n';

describe('GET /', () => {
  it.each([
    ['*/*', text],
    ['text/html,application/xhtml+xml', text],
    [
      'application/json',
      '{"this":"an Aftermeet receiver: it takes the webhooks that follow a meeting","deliveries":"POST /hooks/<endpoint>","health":"GET /healthz"}',
    ],
  ])('says what this is and where to post: %s', async (accept, expected) => {
    started = await startTestReceiver({ adminToken: 'admin-token-0123456789', requireToken: true });
    const answer = await fetch(`${started.url}/?now`, { headers: { accept } });
    expect([answer.status, await answer.text()]).toEqual([200, expected]);
    expect(answer.headers.get('x-powered-by')).toBeNull();
  });

  it('takes no other method', async () => {
    started = await startTestReceiver();
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await fetch(started.url, { method });
      expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'GET, HEAD']);
    }
    expect((await fetch(started.url, { method: 'HEAD' })).status).toBe(200);
  });

  it('says something else at an admin address', async () => {
    started = await startTestReceiver({ isAdminApart: true });
    const { url } = await started.receiver.listenAdmin({ host: '127.0.0.1', port: 0 });
    expect(await (await fetch(url)).text()).toBe(
      'this: the admin address of an Aftermeet receiver\nconsole: /console\nhealth: GET /healthz\n',
    );
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
  });
});
