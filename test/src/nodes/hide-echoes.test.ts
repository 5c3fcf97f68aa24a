import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { route } from '../../../nodes/nodes/Aftermeet/actions/router.ts';
import { hideEchoes } from '../../../nodes/nodes/Aftermeet/transport/redact.ts';
import { createNodeContext } from './support/n8n-context.ts';
import { startScriptedService } from './support/scripted-service.ts';

const apiKey = 'key-0123456789';
const webhookSecret = 'secret/of sixteen+more';

describe('what a service echoes', () => {
  async function answerOf(operation: string, body: unknown, given: object): Promise<unknown> {
    const service = await startScriptedService(() => ({ body }));
    const [resource, name] = operation.split(' ');
    const parameters = { resource, operation: name, ...given };
    const { execute } = createNodeContext({
      baseUrl: service.url,
      apiKey: `${apiKey}\n`,
      credential: { webhookSecret },
      parameters,
    });
    const [items] = await route(execute, false);
    return items?.[0]?.json;
  }

  const echo = {
    note: `you sent ${apiKey} and ${webhookSecret}`,
    request: { headers: [{ 'X-API-KEY': apiKey }], body: JSON.stringify({ webhook_secret: webhookSecret }) },
    count: 3,
    nothing: null,
  };
  const meeting = { meetingId: 'm_1' };

  it.each<[string, object]>([
    [
      'recording start',
      {
        link: 'https://meet.example.com/a',
        when: 'now',
        options: { webhookUrl: 'https://a.example' },
      },
    ],
    ['recording stop', meeting],
    ['recording cancel', meeting],
  ])('is not in the item of %s', async (name, parameters) => {
    const json = await answerOf(name, { ...echo, meeting_id: 'm_1' }, parameters);
    const text = JSON.stringify(json);
    expect(text).not.toContain(apiKey);
    expect(text).not.toContain('sixteen');
    expect(json).toMatchObject({ meeting_id: 'm_1', count: 3, nothing: null });
    expect(json).toMatchObject({ request: { headers: [{ 'X-API-KEY': '[hidden]' }] } });
  });

  it('is not in the word for a status, or in a tag', async () => {
    expect(await answerOf('recording status', `status: ${apiKey}`, meeting)).not.toMatchObject({
      status: expect.stringContaining(apiKey),
    });
    const body = { id: 't_1', name: `of ${apiKey}` };
    expect(await answerOf('tag create', body, { name: 'x' })).toEqual({ tag_id: 't_1', name: 'of [hidden]' });
  });

  it('stays in a report, where it was said', async () => {
    const body = { meeting_id: 'm_1', title: `how ${apiKey} leaked`, transcript: [] };
    expect(await answerOf('report get', body, { ...meeting, output: 'raw' })).toEqual(body);
  });
});

describe('hiding', () => {
  it('leaves everything as it is that holds no secret, also the user of an address', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
        const parsed: unknown = JSON.parse(JSON.stringify(value));
        expect(hideEchoes(parsed, [apiKey])).toStrictEqual(parsed);
      }),
    );
    const address = { at: 'https://ann:pass@a.example/of-someone' };
    expect(hideEchoes(address, [apiKey])).toStrictEqual(address);
  });

  it('hides in names too, and keeps a name that every object has', () => {
    const value: unknown = JSON.parse(`{"__proto__":"${apiKey}","${apiKey}":1}`);
    expect(JSON.stringify(hideEchoes(value, [apiKey]))).toBe('{"__proto__":"[hidden]","[hidden]":1}');
  });

  it('goes no deeper than an answer can be', () => {
    const deep: unknown = JSON.parse('['.repeat(50_000) + `"${apiKey}"` + ']'.repeat(50_000));
    expect(JSON.stringify(hideEchoes(deep, [apiKey]))).toBe(`${'['.repeat(32)}"[hidden]"${']'.repeat(32)}`);
  });

  it('takes nothing for a secret that is too short for one', () => {
    expect(hideEchoes({ id: 'm_1', at: 1 }, ['m_1', ''])).toEqual({ id: 'm_1', at: 1 });
  });
});
