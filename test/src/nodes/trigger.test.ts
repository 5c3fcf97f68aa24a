import { request as requestHttp } from 'node:http';

import { readStandardSigningKey, signStandardWebhook } from '@aftermeet/webhooks';
import { describe, expect, it } from 'vitest';

import { matchTitle } from '../../../nodes/nodes/AftermeetTrigger/filters.ts';
import { isLocalAddress } from '../../../nodes/nodes/AftermeetTrigger/settings.ts';
import { openSandbox } from './support/serve.ts';
import {
  olderSecret,
  openTrigger as open,
  secret,
  sign,
  type SignOptions,
  type TriggerHarnessOptions,
  writeEvent,
} from './support/trigger-harness.ts';

/** A secret that the credential does not hold. */
const strange = 'another-one-of-16-characters';
const refused = '401 {"status":"refused","reason":"unauthorized"}';
const malformed = '400 {"status":"refused","reason":"malformed"}';
const unavailable = '503 {"status":"refused","reason":"unavailable"}';
const accepted = '200 {"status":"accepted"}';
const ignored = '200 {"status":"ignored"}';

const noAddress = { credential: { baseUrl: '', apiKey: '' } };

/** Without the headers that are undefined. */
function present(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** Neither a secret nor what the sender sent. */
function expectNothingSaid(lines: readonly string[]): void {
  for (const line of lines) {
    for (const text of [secret, olderSecret, 'sandbox_key', 'sha256=', 'm_1', 'Weekly sales'])
      expect(line).not.toContain(text);
  }
}

describe('a delivery of the service', () => {
  it('starts the workflow with what it says', async () => {
    const harness = await open();
    const body = writeEvent();
    const more = { 'X-Service-Delivery': 'd_1', 'X-Service-Event': 'meeting.completed' };
    expect(await harness.post(body, { ...sign(body), ...more })).toBe(accepted);
    const data = {
      title: 'Weekly sales',
      is_transcript_empty: false,
      report_url: 'https://service.example.com/api/video/report?meeting_id=m_1',
    };
    expect(harness.executions).toEqual([
      {
        event: 'meeting.completed',
        meeting_id: 'm_1',
        timestamp: '2026-07-07T12:00:00Z',
        ...data,
        reason: null,
        delivery_id: 'd_1',
        delivery_key: 'r57zxUv5PPTN-2w51yYRV1',
        data,
      },
    ]);
  });

  const aged = (ageSeconds: number) => () => sign(writeEvent(), { ageSeconds });
  const other = () => sign(writeEvent(), { prefix: 'X-Other' });
  const forged = `sha256=${'0'.repeat(64)}`;
  const capitals = () => sign(writeEvent())['X-Service-Signature']?.toUpperCase();
  const unsigned = { 'X-Service-Signature': undefined };
  const untimed = { 'X-Service-Timestamp': undefined };

  it.each<[string, () => Record<string, string | undefined>, RegExp]>([
    ['a wrong signature', () => ({ 'X-Service-Signature': forged }), /signature is not one of the secrets/],
    ['an old timestamp', aged(360), /timestamp is 36[01] seconds old, of the 300 that/],
    ['a timestamp ahead', aged(-360), /timestamp is 3(?:59|60) seconds ahead, of the 300/],
    ['a signature in capitals', () => ({ 'X-Service-Signature': capitals() }), /-signature has not the form/],
    ['another timestamp', () => ({ 'X-Service-Timestamp': '01' }), /-timestamp has not the form/],
    ['no signature', () => unsigned, /header x-service-signature is missing/],
    ['no timestamp', () => untimed, /header x-service-timestamp is missing/],
    ['another prefix', () => ({ ...other(), ...unsigned, ...untimed }), /-signature is missing/],
    [
      "the receiver's signature",
      () => ({ ...unsigned, 'webhook-signature': 'v1,AAAA' }),
      /signed by Aftermeet's receiver, and the credential says Signed By: The Service/,
    ],
  ])(
    'is refused for %s: the reason stands in the log, and in the editor while it listens',
    async (_name, headersOf, reason) => {
      for (const mode of ['webhook', 'manual'] as const) {
        const harness = await open({ mode });
        const body = writeEvent();
        expect(await harness.post(body, present({ ...sign(body), ...headersOf() }))).toBe(refused);
        expect([harness.executions, harness.kept()]).toEqual([[], {}]);
        expect(harness.log).toEqual([
          expect.stringMatching(/^warn: Aftermeet Trigger: a delivery was refused \(401\)\. /),
        ]);
        expect(harness.log[0]).toMatch(reason);
        expect(harness.shown).toEqual(mode === 'webhook' ? [] : [expect.stringMatching(reason)]);
        if (mode === 'manual')
          expect(harness.shown[0]).toMatch(/^A delivery was refused \(401\)\. .* Then listen again\.$/);
        expectNothingSaid([...harness.shown, ...harness.log]);
      }
    },
  );

  it('shows no refusal for an event that says it is one', async () => {
    const body = writeEvent({ refused: 'x', advice: 'y', data: { refused: 'x', advice: 'y' } });
    for (const mode of ['webhook', 'manual'] as const) {
      const harness = await open({ mode });
      expect(await harness.post(body)).toBe(accepted);
      expect([harness.shown, harness.executions.length]).toEqual([[], 1]);
    }
  });

  it.each(['X-Service-Signature', 'X-Service-Timestamp'])(
    'is refused when %s is doubled, even alike',
    async (name) => {
      const harness = await open();
      const body = writeEvent();
      const { [name]: value = '', ...others } = sign(body);
      const options = { method: 'POST', headers: { ...others, [name]: [value, value] }, agent: false };
      const status = await new Promise((resolve) => {
        requestHttp(harness.url, options, (response) => resolve(response.resume().statusCode)).end(body);
      });
      expect([status, harness.executions]).toEqual([401, []]);
      expect(harness.log).toEqual([expect.stringMatching(/stands there more than once/)]);
    },
  );

  it.each([
    ['no object', '[]'],
    ['no event', '{"meeting_id":"m_1","timestamp":"x"}'],
  ])('that verifies but names %s is 400, as at the receiver, and stands in the log', async (_name, body) => {
    const harness = await open();
    expect(await harness.post(body)).toBe(malformed);
    expect(harness.executions).toEqual([]);
    expect(harness.log).toEqual([
      'warn: Aftermeet Trigger: a delivery verifies, but is no event (wrong_shape)',
    ]);
  });

  it.each<[string, TriggerHarnessOptions, SignOptions, Record<string, string>]>([
    [
      'with an unsigned event header that says something else',
      {},
      {},
      { 'X-Service-Event': 'meeting.failed' },
    ],
    [
      'of the older secret, with another prefix and another tolerance',
      { parameters: { options: { headerPrefix: 'X-Meet', toleranceSeconds: 20_000 } } },
      { secret: olderSecret, prefix: 'X-Meet', ageSeconds: 19_000 },
      {},
    ],
    ['over bytes that n8n has not read', { isUnread: true }, {}, {}],
    ['without address and API key, as no report is fetched', noAddress, {}, {}],
  ])('is taken %s', async (_name, options, signed, headers) => {
    const harness = await open(options);
    expect(await harness.activate()).toBe(true);
    const body = writeEvent();
    expect(await harness.post(body, { ...sign(body, signed), ...headers })).toBe(accepted);
  });
});

describe('the filters', () => {
  const failed = { event: 'meeting.failed' };
  const renamed = { event: 'meeting.renamed' };
  const empty = { data: { title: 'Retro', is_transcript_empty: true } };
  it.each<[string, Record<string, unknown>, Record<string, unknown>, string]>([
    ['another event', { events: ['meeting.failed'] }, {}, ignored],
    ['an unknown event', {}, renamed, ignored],
    ['an unknown event that is wanted', { events: ['other'] }, renamed, accepted],
    ['a known event as Any Other Event', { events: ['other'] }, {}, ignored],
    ['a title within', { filters: { title: 'SALES' } }, {}, accepted],
    ['a pattern of a part', { filters: { title: 'sales*' } }, {}, ignored],
    ['no title at all', { filters: { title: 'sales' } }, { data: null }, accepted],
    ['an empty transcript to skip', { filters: { emptyTranscript: 'skip' } }, empty, ignored],
    ['only empty ones', { filters: { emptyTranscript: 'only' } }, {}, ignored],
    ['only empty ones, and it is', { filters: { emptyTranscript: 'only' } }, empty, accepted],
    ['a failure, which has no transcript', { filters: { emptyTranscript: 'only' } }, failed, accepted],
  ])('%s', async (_name, parameters, fields, answer) => {
    const harness = await open({ parameters });
    expect(await harness.post(writeEvent(fields))).toBe(answer);
    expect(harness.executions).toHaveLength(answer === accepted ? 1 : 0);
  });

  // The rest is a property, in trigger-property.test.ts.
  it.each([
    ['Weekly Sales sync', 'weekly*sync', true],
    ['😀 party', '? party', true],
    ['', '*', true],
    ['x', '', true],
  ])('match the title %j with %j: %j', (title, pattern, expected) => {
    expect(matchTitle(title, pattern)).toBe(expected);
  });
});

describe('the report at once', () => {
  async function openReported(parameters: Readonly<Record<string, unknown>> = {}) {
    const { sandbox, url } = await openSandbox();
    const { meetingIds } = sandbox.seed({ meetings: 1, languages: ['en'] });
    const harness = await open({ baseUrl: url, parameters: { fetchReport: true, ...parameters } });
    return { sandbox, harness, meetingId: meetingIds[0] ?? '' };
  }

  it('comes with the event', async () => {
    const { harness, meetingId } = await openReported();
    expect(await harness.post(writeEvent({ meeting_id: meetingId }))).toBe(accepted);
    expect(harness.executions).toMatchObject([
      { meeting_id: meetingId, report: { meeting_id: meetingId, ready: true } },
    ]);
  });

  it('leaves the reason when it cannot be fetched', async () => {
    const { harness } = await openReported();
    expect(await harness.post(writeEvent({ meeting_id: 'm_none' }))).toBe(accepted);
    expect(harness.executions).toMatchObject([
      {
        meeting_id: 'm_none',
        report: null,
        report_error: 'reports.get: GET /api/video/report answered 404: No meeting has this meeting_id.',
      },
    ]);
  });

  it('is not asked for when the meeting has failed, nor before the signature is right', async () => {
    const { harness } = await openReported();
    const body = writeEvent();
    const failed = { event: 'meeting.failed', data: { title: 'Retro', reason: 'no audio' } };
    expect(await harness.post(writeEvent(failed))).toBe(accepted);
    expect(harness.executions).toMatchObject([
      { event: 'meeting.failed', title: 'Retro', reason: 'no audio', report_url: null },
    ]);
    expect(await harness.post(body, sign(body, { secret: strange }))).toBe(refused);
    expect(harness.requests).toEqual([]);
  });

  it.each([
    [
      'the title where the event does not',
      { title: 'a title of no meeting' },
      { data: { title: undefined } },
    ],
    ['the platform, which no event does', { sources: 'trueconf-of-nobody' }, {}],
  ])('tells %s, and an event passes whose report is not there', async (_name, filters, fields) => {
    const { harness, meetingId } = await openReported({ filters });
    expect(await harness.post(writeEvent({ ...fields, meeting_id: meetingId }))).toBe(ignored);
    expect(await harness.post(writeEvent({ ...fields, meeting_id: 'm_none' }))).toBe(accepted);
    expect(harness.executions).toMatchObject([{ meeting_id: 'm_none' }]);
  });
});

describe("a delivery of Aftermeet's receiver", () => {
  const forwarding = 'a text of the recipe http-forward';
  const key = readStandardSigningKey(forwarding) ?? Buffer.alloc(0);
  const credential = {
    signedBy: 'receiver',
    webhookSecret: 'a newer text of the recipe',
    previousSecret: forwarding,
  };

  it('starts the workflow with the meeting that the receiver has made of it, once for each webhook-id', async () => {
    const harness = await open({ credential });
    const data = { version: 1, meeting_id: 'm_1', title: 'Retro', source: 'zoom', summary: 'All went well.' };
    const body = JSON.stringify({ type: 'meeting.completed', timestamp: '2026-07-07T12:30:00.000Z', data });
    const keys = [readStandardSigningKey('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw') ?? key, key];
    const post = (id: string) =>
      harness.post(body, signStandardWebhook({ id, sentAtMs: Date.now(), body }, keys));
    expect(await post('e'.repeat(64))).toBe(accepted);
    expect(await post('e'.repeat(64))).toBe('200 {"status":"duplicate"}');
    expect(await post('f'.repeat(64))).toBe(accepted);
    expect(harness.executions[0]).toEqual({
      event: 'meeting.completed',
      meeting_id: 'm_1',
      timestamp: '2026-07-07T12:30:00.000Z',
      title: 'Retro',
      is_transcript_empty: null,
      report_url: null,
      reason: null,
      delivery_id: 'e'.repeat(64),
      delivery_key: '08EMXndm19_NGlxJat_IDY',
      data,
    });
    // What the service signs is not what the receiver signs.
    expect(await harness.post(writeEvent(), sign(writeEvent(), { secret: forwarding }))).toBe(refused);
    expect(harness.log).toEqual([expect.stringContaining('It is signed by the service, and the credential')]);
  });

  it.each<[string, Record<string, string | undefined>, RegExp]>([
    ['no signature', { 'webhook-signature': undefined }, /header webhook-signature is missing/],
    ['no timestamp', { 'webhook-timestamp': undefined }, /header webhook-timestamp is missing/],
    ['a broken timestamp', { 'webhook-timestamp': '1e9' }, /header webhook-timestamp has not the form/],
    ['an old timestamp', { 'webhook-timestamp': '1000000000' }, /timestamp is \d+ seconds old/],
    ['a timestamp ahead', { 'webhook-timestamp': '9000000000' }, /timestamp is \d+ seconds ahead/],
    ['another id', { 'webhook-id': 'other' }, /The signature is not one of the secrets/],
  ])('is refused for %s, with the reason in the log', async (_name, changes, reason) => {
    const harness = await open({ credential });
    const body = writeEvent();
    const headers = signStandardWebhook({ id: 'e1', sentAtMs: Date.now(), body }, [key]);
    expect(await harness.post(body, present({ ...headers, ...changes }))).toBe(refused);
    expect(harness.log).toEqual([expect.stringMatching(reason)]);
    expectNothingSaid(harness.log.map((line) => line.replaceAll(forwarding, secret)));
  });
});

describe('settings that can check nothing', () => {
  // What else is no secret is tested with the credential.
  it.each<[TriggerHarnessOptions, string]>([
    [{ credential: { webhookSecret: '', previousSecret: '' } }, 'The credential holds no Webhook Secret'],
    [{ credential: { previousSecret: 'x' } }, 'Previous Secret must have 16 to 128 characters'],
    [
      { credential: { apiKey: ' ' }, parameters: { fetchReport: true } },
      'Fetch the Report at Once needs Base Address and API Key in the credential',
    ],
    [{ parameters: { events: 'meeting.completed' } }, 'Events must be a list'],
    [{ parameters: { options: { headerPrefix: 'X Service' } } }, 'Header Prefix must be'],
    [{ parameters: { options: { toleranceSeconds: -1 } } }, 'Tolerance (Seconds) must be'],
    [{ parameters: { filters: { sources: 'zoom' } } }, 'The filter Platforms needs'],
  ])('%j: activation is refused, and deliveries are to come again', async (options, message) => {
    const harness = await open(options);
    await expect(harness.activate()).rejects.toThrow(message);
    expect(await harness.post(writeEvent())).toBe(unavailable);
    expect(harness.executions).toEqual([]);
    expect(harness.log).toEqual([expect.stringContaining(message)]);
  });

  it.each([
    ['http://localhost:5678/webhook/x', 1],
    ['https://n8n.example.com/webhook/x', 0],
  ])('tell in the log alone that the service cannot reach %s', async (address, lines) => {
    const harness = await open({ address });
    expect(await harness.activate()).toBe(true);
    expect(harness.log).toHaveLength(lines);
  });

  it.each([
    ['http://127.0.0.1/', true],
    ['http://192.168.1.2:5678/', true],
    ['http://172.16.0.1/', true],
    ['http://172.32.0.1/', false],
    ['http://[::1]/', true],
    ['http://[fd00::1]/', true],
    ['http://[2606:4700::1]/', false],
    ['http://n8n:5678/', true],
    ['http://n8n.local/', true],
    ['https://localhost.example.com/', false],
    ['https://10.example.com/', false],
    ['no address', true],
  ])('know %s as local: %j', (address, expected) => {
    expect(isLocalAddress(address)).toBe(expected);
  });
});
