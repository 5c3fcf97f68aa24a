import { describe, expect, it } from 'vitest';

import type { FindWebhookTarget } from './client.ts';
import { createClient } from './create-client.ts';
import { catchFault } from './testing/catch-fault.ts';
import { bytesSource, cleanUp, makeFile, makeFolder, startService } from './upload/testing/upload-service.ts';

const link = 'https://meet.example/abc';
const URL = 'https://hooks.example/hooks/sales/k1';
const SECRET = '0123456789abcdef-derived';

const findTarget: FindWebhookTarget = (endpoint, purpose) => {
  if (endpoint !== 'sales') return { ok: false, problem: 'there is no such endpoint.' };
  return purpose.kind === 'upload'
    ? { ok: true, url: `${URL}-${purpose.name}` }
    : { ok: true, url: URL, secret: SECRET };
};

function openClient(answer: () => string, webhookTargets?: FindWebhookTarget) {
  const sent: string[] = [];
  const client = createClient({
    baseUrl: 'https://service.example',
    apiKey: 'key_0123456789',
    retries: 0,
    fetch: async (_url, init) => {
      sent.push(typeof init?.body === 'string' ? init.body : '');
      return new Response(answer(), { headers: { 'content-type': 'application/json' } });
    },
    ...(webhookTargets === undefined ? {} : { webhookTargets }),
  });
  return { client, sent };
}

describe('an endpoint of a recording', () => {
  it('becomes its address and its secret', async () => {
    const { client, sent } = openClient(() => '{"meeting_id":"m1"}', findTarget);
    await client.recordings.start({ link, endpoint: 'sales' });
    await client.recordings.start({ link, endpoint: undefined });
    expect(sent).toEqual([
      `{"link":"${link}","webhook_url":"${URL}","webhook_secret":"${SECRET}"}`,
      `{"link":"${link}"}`,
    ]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['is not known', { endpoint: 'sale' }, 'endpoint cannot be used: there is no such endpoint.'],
    ['stands beside an address', { webhookUrl: URL }, 'endpoint must be left out beside webhookUrl'],
    ['stands beside a secret', { webhookSecret: SECRET }, 'endpoint must be left out'],
    ['is no name', { endpoint: 7 }, "endpoint must be the name of one of the receiver's endpoints"],
    ['has nobody to ask', {}, 'endpoint cannot be used: it needs the option webhookTargets'],
  ])('that %s is refused before anything is sent', async (name, fields, rule) => {
    const find = name === 'has nobody to ask' ? undefined : findTarget;
    const { client, sent } = openClient(() => '{}', find);
    const error = await catchFault(client.recordings.start({ link, endpoint: 'sales', ...fields }));
    expect(error).toMatchObject({ code: 'bad_request', unsent: true, status: undefined });
    expect(error.message).toContain(rule);
    expect(error.message).not.toContain(SECRET);
    expect(sent).toEqual([]);
  });

  it('gives a secret that no error repeats', async () => {
    const { client } = openClient(() => `refused ${SECRET} ${URL}`, findTarget);
    const error = await catchFault(client.recordings.start({ link, endpoint: 'sales' }));
    expect(JSON.stringify([error.message, error.detail])).not.toMatch(/derived|k1/);
  });
});

describe('an endpoint of an upload', () => {
  it('keeps its address when the upload goes on later', async () => {
    let isBroken = true;
    const service = await startService(({ number }, response) => {
      if (!isBroken || number === 0) return false;
      response.writeHead(400).end('not now');
      return true;
    });
    const client = createClient({
      baseUrl: service.baseUrl,
      apiKey: 'key_0123456789',
      webhookTargets: findTarget,
    });
    const [path, stateFolder] = [makeFile(), makeFolder()];
    const upload = () => client.uploads.send({ path }, { endpoint: 'sales' }, { stateFolder, anyType: true });
    await catchFault(upload());
    isBroken = false;
    expect(await upload()).toMatchObject({ chunks: { skipped: 1 } });
    const [first] = service.chunks;
    const addresses = new Set(service.chunks.map(({ fields }) => fields['webhook_url']));
    expect([...addresses]).toEqual([`${URL}-${first?.fields['id']}`]);
    expect(first?.fields).not.toHaveProperty('endpoint');
    cleanUp();
  });

  it('is refused before the file is read, when there is no address', async () => {
    const { client } = openClient(() => '{}', findTarget);
    const error = await catchFault(client.uploads.send(bytesSource, { endpoint: 'sale' }));
    expect(error).toMatchObject({ code: 'bad_request' });
    expect(error.message).toContain('endpoint cannot be used: there is no such endpoint.');
  });
});
