import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { placeInTime } from '../../../nodes/nodes/Aftermeet/actions/fields.ts';
import { planStart } from '../../../nodes/nodes/Aftermeet/actions/recording.ts';
import { findOperation } from './support/find-operation.ts';
import { createNodeContext } from './support/n8n-context.ts';
import { shareSandbox } from './support/serve.ts';

const cancel = findOperation('recording', 'cancel');
const start = findOperation('recording', 'start');
const status = findOperation('recording', 'status');
const stop = findOperation('recording', 'stop');

const shared = shareSandbox();

const webhookSecret = '3f9a0c71be52d846';

let started = 0;

/** Starts a recording with these parameters, of a link of its own; answers the item and what was sent. */
async function startWith(parameters: Readonly<Record<string, unknown>>, timeZone = 'UTC') {
  const { description } = start;
  const link = `https://meet.example.com/${(started += 1)}`;
  const given = { baseUrl: shared.url, timeZone, credential: { webhookSecret } };
  const context = createNodeContext({ ...given, description, parameters: { link, ...parameters } });
  const [item] = await start.execute(context.execute, 0);
  return {
    link,
    json: item?.json,
    sent: context.requests.map(({ body }) => JSON.parse(String(body)) as unknown),
  };
}

/** Starts one with what is refused before anything is sent. */
async function expectRefusal(words: RegExp, more: object, credential = {}): Promise<void> {
  const { description } = start;
  const parameters = { link: 'https://m.example.com', when: 'now', ...more };
  const context = createNodeContext({ baseUrl: shared.url, description, credential, parameters });
  const refusal = { code: 'bad_request', unsent: true, message: expect.stringMatching(words) };
  await expect(start.execute(context.execute, 0)).rejects.toMatchObject(refusal);
  expect(context.requests).toEqual([]);
}

describe('Start or Schedule', () => {
  it('sends every field under its name on the wire, and answers with the id', async () => {
    const { link, json, sent } = await startWith({
      when: 'now',
      title: 'Weekly sync',
      templateName: { mode: 'id', value: 'team-sync' },
      options: {
        participants: 'ann@example.com, bob@example.com',
        source: 'gmeet',
        webhookUrl: 'https://n8n.example.com/webhook/a',
      },
    });
    expect(sent).toEqual([
      {
        link,
        source: 'gmeet',
        title: 'Weekly sync',
        template_name: 'team-sync',
        participants: 'ann@example.com,bob@example.com',
        webhook_url: 'https://n8n.example.com/webhook/a',
        webhook_secret: webhookSecret,
      },
    ]);
    expect(json).toMatchObject({ meeting_id: expect.stringMatching(/^[\w-]{8,}$/), title: 'Weekly sync' });
  });

  const localDateTime = '2026-01-01T00:00:00+01:00';

  it.each([
    [
      'leaves out what is empty, and the times that are not asked for',
      { when: 'now', localDateTime, cron: '0 9 * * 1' },
      {},
    ],
    ['sends a cron expression as it is', { when: 'recurring', cron: '0 9 * * 1' }, { cron: '0 9 * * 1' }],
    [
      'sends a start that has passed where that is allowed',
      { when: 'at', localDateTime, options: { allowPast: true } },
      { local_date_time: localDateTime },
    ],
  ])('%s', async (_name, parameters, expected) => {
    const { link, sent } = await startWith(parameters);
    expect(sent).toEqual([{ link, ...expected }]);
  });

  it('sends nothing with a credential that is for the trigger alone, and says why', async () => {
    const words = /the credential has no API Key: only the Aftermeet Trigger can use it/;
    await expectRefusal(words, {}, { apiKey: '' });
  });

  it.each([
    [{ link: 'meet.example.com' }, /link must be a web address/],
    [{ when: 'at' }, /localDateTime is missing/],
    [{ when: 'at', localDateTime: 'soon' }, /localDateTime must be an ISO/],
    // Left out, these would send the bot at once.
    [{ when: 'at', localDateTime: { dateTime: '2030-01-01' } }, /localDateTime must be an ISO/],
    [{ when: 'at', localDateTime: true }, /localDateTime must be an ISO/],
    [{ when: 'at', localDateTime: { toISO: () => null } }, /localDateTime must be an ISO/],
    [{ when: 'recurring' }, /cron is missing/],
    [{ when: 'recurring', cron: '0 0 30 2 *' }, /cron must be a cron/],
    [{ when: 'later' }, /When must be now, at or recurring/],
    [
      { when: 'at', localDateTime },
      /localDateTime must be a time to come: .* \(Allow Past Start overrides this\)/,
    ],
    [{ options: { participants: 'ann' } }, /participants\[0\] must be an e-mail/],
  ])('refuses %j before anything is sent', async (parameters, words) => {
    await expectRefusal(words, parameters);
  });

  it.each([
    [{}, /Webhook URL needs a Webhook Secret in the credential/],
    [{ webhookSecret: 'short' }, /Webhook Secret is shorter than 16 characters/],
    [{ webhookSecret, signedBy: 'receiver' }, /needs a credential whose Signed By is The Service/],
  ])('refuses a webhook URL with the credential %j, and says why', async (credential, words) => {
    const options = { webhookUrl: 'https://n8n.example.com/webhook/a' };
    await expectRefusal(words, { options }, credential);
  });
});

describe('placeInTime', () => {
  it.each([
    // As n8n's picker writes it.
    ['2026-07-07T12:00:00', 'Europe/Berlin', '2026-07-07T12:00:00+02:00'],
    ['2026-12-07 12:00', 'America/New_York', '2026-12-07T12:00:00-05:00'],
    ['2026-12-07T12:00', 'UTC', '2026-12-07T12:00:00+00:00'],
    // Skipped: half an hour after two is half an hour after three.
    ['2026-03-29T02:30:00', 'Europe/Berlin', '2026-03-29T03:30:00+02:00'],
    ['2026-03-08T02:30:00', 'America/New_York', '2026-03-08T03:30:00-04:00'],
    // Twice: the first.
    ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T02:30:00+02:00'],
    ['2026-11-01T01:30:00', 'America/New_York', '2026-11-01T01:30:00-04:00'],
    // Half an hour of summer time.
    ['2026-04-05T01:45:00', 'Australia/Lord_Howe', '2026-04-05T01:45:00+11:00'],
  ])('reads %s in %s as %s', (text, zone, expected) => {
    expect(placeInTime(text, zone)).toBe(expected);
  });

  it.each([
    ['2026-07-07T12:00:00+03:00', '2026-07-07T12:00:00+03:00'],
    ['2026-07-07T12:00:00+0300', '2026-07-07T12:00:00+03:00'],
    ['2026-07-07T12:00:00-05', '2026-07-07T12:00:00-05:00'],
    ['2026-07-07T12:00:00.123z', '2026-07-07T12:00:00.123Z'],
    [new Date('2026-07-07T12:00:00Z'), '2026-07-07T12:00:00.000Z'],
    [{ toISO: () => '2026-07-07T12:00:00.000-04:00' }, '2026-07-07T12:00:00.000-04:00'],
  ])('keeps the offset of %s', (value, expected) => {
    expect(placeInTime(value, 'Asia/Tokyo')).toBe(expected);
  });

  it.each(['', 'tomorrow', '2026-02-30T10:00:00', '2026-07-07', '2026-07-07T25:00:00', 7, null, undefined])(
    'leaves %j for the rule to refuse',
    (value) => {
      expect(placeInTime(value, 'Europe/Berlin')).toBe(value);
    },
  );

  it('names the same moment as the clocks of the zone show', () => {
    const names = ['Europe/Berlin', 'America/Sao_Paulo', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC'];
    const zones = fc.constantFrom(...names);
    const moments = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2030, 0, 1) });
    fc.assert(
      fc.property(moments, zones, (ms, zone) => {
        const second = Math.floor(ms / 1000) * 1000;
        const wall = new Date(second).toLocaleString('sv-SE', { timeZone: zone });
        const placed = Date.parse(String(placeInTime(wall, zone)));
        // The second hour of two with the same name is read as the first.
        expect([0, -3_600_000]).toContain(placed - second);
      }),
    );
  });
});

// The rest of the rule is tested with the contract.
it('a start may be three months ahead, and a second more is refused', () => {
  const link = 'https://meet.example.com/plan';
  const frame = { when: 'at', timeZone: 'UTC', nowMs: Date.parse('2026-11-30T08:00:00Z') };
  const atLast = '2027-02-28T10:00:00+02:00';
  expect(planStart({ link, localDateTime: atLast }, frame)).toHaveProperty('localDateTime', atLast);
  expect(() => planStart({ link, localDateTime: '2027-02-28T08:00:01' }, frame)).toThrow(
    'localDateTime must be at most 3 months ahead: 2027-02-28T08:00:00.000Z at the latest',
  );
});

describe('Stop, Cancel and Get Status', () => {
  it('say of which meeting they speak', async () => {
    const { json } = await startWith({});
    const parameters = { meetingId: { mode: 'list', value: json?.['meeting_id'] } };
    const { execute } = createNodeContext({ baseUrl: shared.url, parameters });
    const id = json?.['meeting_id'];
    expect(await status.execute(execute, 0)).toEqual([
      { json: { meeting_id: id, phase: 'recording', status: 'recording' } },
    ]);
    expect(await stop.execute(execute, 0)).toEqual([
      { json: expect.objectContaining({ meeting_id: id, stopped: true }) },
    ]);
  });

  it('cancel what has not begun', async () => {
    const { json } = await startWith({ when: 'recurring', cron: '0 9 * * 1' });
    const id = json?.['meeting_id'];
    const context = createNodeContext({ baseUrl: shared.url, parameters: { meetingId: id } });
    expect(await cancel.execute(context.execute, 0)).toEqual([
      { json: expect.objectContaining({ meeting_id: id, cancelled: true }) },
    ]);
    expect(context.requests).toMatchObject([
      { method: 'DELETE', url: expect.stringMatching(/\/api\/record-meeting\?meeting_id=[\w-]+$/) },
    ]);
  });
});
