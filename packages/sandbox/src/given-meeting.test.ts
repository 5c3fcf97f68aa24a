import { readFileSync } from 'node:fs';

import { describe, expect, it, onTestFinished } from 'vitest';

import { loadExampleMeeting } from './content/load-content.ts';
import { describeGivenMeeting, readGivenMeeting } from './given-meeting.ts';
import { startPickyReceiver } from './testing/receiver.ts';
import { deliverySecret, startTestSandbox, useTestSandbox } from './testing/sandbox.ts';

describe('a given meeting', () => {
  it('needs a title only', () => {
    expect(readGivenMeeting({ title: 'Plans' })).toMatchObject({
      ok: true,
      meeting: { title: 'Plans', template_name: 'default-meeting', chapters: [], tags: [] },
    });
  });

  it.each([
    [null, ['The meeting must be an object; found null']],
    [{}, ['title is missing: must be text']],
    [{ title: 'x', sumary: 'y' }, [expect.stringContaining('sumary is not known; expected summary?')]],
    [
      {
        title: '',
        start: 'tomorrow',
        language: 'fr',
        participants: [{ email: 'no' }, {}],
        chapters: [{ name: 'One', lines: [{ speaker: 'Ann', start: '5' }] }],
        tasks: 5,
        webhook_secret: 'short',
      },
      [
        'title must be text that is not empty; found empty text',
        expect.stringContaining('start must be an ISO 8601 date and time'),
        'language must be one of en, de, ja; found text of length 2',
        'participants[0].email must be an e-mail address; found text of length 2',
        'participants[1] must be an object with a name, an email or both; found an object',
        'chapters[0].lines[0].text is missing: must be text that is not empty',
        'chapters[0].lines[0].start must be seconds into the meeting, or MM:SS or HH:MM:SS; found text of length 1',
        'tasks must be text, a list or an object; found the number 5',
        'webhook_secret must be 16 to 128 characters; found text of length 5',
      ],
    ],
  ])('that is %j is refused with everything that is wrong', (value, problems) => {
    const read = readGivenMeeting(value);
    const found = read.ok ? [] : read.problems;
    expect(found).toEqual(expect.arrayContaining(problems));
    expect(found).toHaveLength(problems.length);
  });

  it('has an example, which docs/sandbox.md shows', () => {
    const page = readFileSync(new URL('../../../docs/sandbox.md', import.meta.url), 'utf8');
    const [, shown = ''] = /```json\n(.*?)```/s.exec(page) ?? [];
    expect(JSON.parse(shown)).toEqual(loadExampleMeeting());
    expect(readGivenMeeting(loadExampleMeeting())).toMatchObject({ ok: true });
  });

  it('has a JSON Schema', () => {
    expect(describeGivenMeeting()).toMatchObject({ type: 'object', required: ['title'] });
  });
});

describe('POST /_sandbox/meetings', () => {
  const service = useTestSandbox();

  const add = async (meeting: object): Promise<string> => {
    const { status, body } = await service.call('POST', '/_sandbox/meetings', meeting);
    expect(status).toBe(200);
    return (body as { meeting_id: string }).meeting_id;
  };

  const readReport = async (id: string) => {
    const { body } = await service.readReport(id);
    return body as { followup_v2: { templates: { id: string; entities: unknown }[] }; tags: unknown };
  };

  it('adds a finished meeting whose report has the given texts as they are', async () => {
    const example = loadExampleMeeting() as Record<string, unknown>;
    const meetingId = await add(example);
    const { followup_v2: report, tags } = await readReport(meetingId);
    expect(report).toMatchObject({
      name: example['title'],
      date: example['start'],
      is_transcript_empty: false,
      participants: example['participants'],
      chapters: [{ name: 'Price and start', startSeconds: 5 }],
    });
    expect(report.templates[0]).toMatchObject({
      name: 'default-meeting',
      entities: [
        { name: 'summary', text: example['summary'] },
        { name: 'decisions', text: example['decisions'] },
        { name: 'tasks', text: example['tasks'] },
        { name: 'risks', text: '- The discount ends on 31 July 2026' },
      ],
    });
    expect(tags).toMatchObject([{ name: 'Customers' }]);
    const file = (await service.call('GET', `/api/storage/download?meeting_id=${meetingId}&format=md`)).body;
    expect(file).toContain('- Import the old records (Owen Marsh, due 2026-07-06)');
  });

  it('uses the given blocks in other templates, and lets each be edited', async () => {
    const meetingId = await add({ title: 'Plans', summary: 'We go.', tasks: '- [x] Pack' });
    await service.call('POST', '/api/generate-new-template', {
      meeting_id: meetingId,
      template_name: 'lecture-notes',
    });
    const { templates } = (await readReport(meetingId)).followup_v2;
    expect(templates.map(({ entities }) => entities)).toEqual([
      [
        { name: 'summary', text: 'We go.' },
        { name: 'tasks', text: '- [x] Pack' },
      ],
      [
        { name: 'summary', text: 'We go.' },
        { name: 'summary_agenda', text: 'We go.' },
      ],
    ]);
    await service.call('PUT', `/api/meeting/${meetingId}/summary`, {
      templateId: templates[0]?.id,
      entityName: 'tasks',
      newSummaryText: '- Pack',
    });
    expect((await readReport(meetingId)).followup_v2.templates[0]?.entities).toContainEqual({
      name: 'tasks',
      text: '- Pack',
    });
  });

  it('has an empty transcript with a title alone', async () => {
    const meetingId = await add({ title: 'Plans' });
    expect((await readReport(meetingId)).followup_v2).toMatchObject({ is_transcript_empty: true });
  });

  it('lists every problem of a wrong one, and adds nothing', async () => {
    expect(await service.call('POST', '/_sandbox/meetings', { title: 7, more: 1 })).toMatchObject({
      status: 400,
      body: {
        code: 'INVALID_REQUEST',
        problems: [expect.stringMatching(/^title /), expect.stringMatching(/^more /)],
      },
    });
    expect((await service.call('GET', '/_sandbox/meetings')).body).toEqual({ meetings: [] });
  });
});

describe('the default webhook', () => {
  it('gets the events of meetings without an address of the page, and none of the API', async () => {
    const receiver = await startPickyReceiver();
    const defaultWebhook = { url: receiver.url, secret: deliverySecret };
    const service = await startTestSandbox({ defaultWebhook });
    onTestFinished(service.sandbox.close);
    const { body } = await service.call('POST', '/_sandbox/recordings', { title: 'Recorded' });
    service.sandbox.completeMeeting((body as { meeting_id: string }).meeting_id);
    await service.call('POST', '/_sandbox/meetings', { title: 'Added', summary: 'We go.' });
    await service.holdMeeting({ title: 'By the API' });
    const arrived = await receiver.waitFor(2);
    const titles = arrived.map((request) => (JSON.parse(request.body.toString()) as { data: object }).data);
    expect(titles).toMatchObject([{ title: 'Recorded' }, { title: 'Added' }]);
    expect(service.sandbox.deliveries()).toMatchObject([{ isSigned: true }, { isSigned: true }]);
    const about = await service.call('GET', '/_sandbox/about');
    expect(about.body).toMatchObject({ default_receiver: new URL(receiver.url).origin });
    expect(JSON.stringify(about.body)).not.toContain(deliverySecret);
    expect(JSON.stringify(about.body)).not.toContain(new URL(receiver.url).pathname);
  });

  it('lends its secret to no other address', async () => {
    const defaultWebhook = { url: 'http://127.0.0.1:9/default', secret: deliverySecret };
    const service = await startTestSandbox({ defaultWebhook });
    onTestFinished(service.sandbox.close);
    const other = { title: 'x', summary: 'y', webhook_url: 'http://127.0.0.1:9/other' };
    await service.call('POST', '/_sandbox/meetings', other);
    expect(service.sandbox.deliveries()).toMatchObject([{ isSigned: false }]);
  });
});
