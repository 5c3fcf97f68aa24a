import { describe, expect, it } from 'vitest';

import { readReport, readReportStatus } from './read-report.ts';
import { makeObservedReport } from './testing/observed-report.ts';

function readTasksOf(...texts: readonly unknown[]) {
  const templates = texts.map((text, index) => ({ id: index, entities: [{ name: 'tasks', text }] }));
  return readReport('m', { templates });
}

function readFields(fields: object) {
  return readReport('m', { followup_v2: { name: 'N', templates: [], ...fields } });
}

describe('readReport', () => {
  it('reads the observed shape into the normalised form', () => {
    const body = makeObservedReport();
    const { raw, ...report } = readReport('m_1', body);
    expect(raw).toBe(body);
    expect(report).toEqual({
      meetingId: 'm_1',
      title: 'Sales sync',
      startedAt: '2026-07-07T12:00:00.000Z',
      endedAt: '2026-07-07T12:30:00.000Z',
      startedLocal: '2026-07-07T15:00:00+03:00',
      utcOffset: '+03:00',
      durationSeconds: 1800,
      source: 'gmeet',
      status: 'processed',
      summary: '# Summary\nWe agreed on a pilot.',
      isTranscriptEmpty: false,
      participants: [{ email: 'ann@example.com' }, { name: 'Bob Ray', email: 'bob@example.com' }],
      speakers: [
        { name: 'Ann', id: '1' },
        { name: 'Bob', talkSeconds: 2.75 },
      ],
      decisions: ['Start the pilot', 'Meet on Friday'],
      tasks: [
        {
          text: 'Send the offer',
          owner: 'Ann',
          due: '2026-07-10',
          dueDate: '2026-07-10',
          atSeconds: 607,
          chapter: 'Offer',
        },
        { text: 'Book a room', due: 'Friday' },
      ],
      transcript: [
        { text: 'Hello', speaker: 'Ann', startSeconds: 5 },
        { text: 'Hi', speaker: 'Bob', startSeconds: 7.5, endSeconds: 8 },
        { text: 'The price?', speaker: 'Bob', startSeconds: 601, endSeconds: 603.25 },
        { text: 'A pilot first.', speaker: 'Ann', startSeconds: 605.5 },
      ],
      chapters: [
        { name: 'Opening', startSeconds: 0, endSeconds: 600 },
        { name: 'Offer', startSeconds: 601, endSeconds: 1800 },
      ],
      templates: [
        {
          id: '42',
          name: 'Sales Meeting',
          blocks: [
            { name: 'sales_general', text: '# Sales\nThey want a pilot.' },
            { name: 'summary', text: '# Summary\nWe agreed on a pilot.' },
            { name: 'decisions', text: '- Start the pilot\n- Meet on Friday' },
            {
              name: 'tasks',
              text: '- Send the offer\n- Book a room',
              value: {
                actions: [
                  {
                    text: 'Send the offer',
                    assignee: { name: 'Ann' },
                    deadline: '2026-07-10',
                    timestamp: '10:07',
                  },
                  { text: 'Book a room', assignee: null, deadline: 'Friday' },
                ],
              },
            },
          ],
        },
        { id: '9f1c', name: 'Default Meeting', blocks: [{ name: 'tasks', text: '- Send the offer' }] },
      ],
      keywords: ['price', 'pilot'],
      tags: ['sales', 'q3'],
      warnings: [],
    });
  });

  it('counts what it drops, for each part, without a word of the content', () => {
    const report = readReport('m', {
      participants: [{}, null, 'Ann'],
      speakers: [{}, 'Ann'],
      keywords: [[], 'price'],
      tags: [{ id: 1 }],
      chapters: [null, { name: 'A', transcript: [{ text: '' }, { speaker: 'Ann' }, 7, 'Hi'] }],
      templates: ['x', { entities: [null, { text: 'secret' }, { name: 'tasks', text: [{}, {}, 'One'] }] }],
      decisions: [{ secret: 1 }, 'Go'],
      date: 'secret',
      duration: 'secret',
    });
    expect(report.warnings).toEqual([
      'the start could not be read as a time',
      'the duration could not be read',
      '1 of the speakers could not be read',
      '1 of the chapters could not be read',
      '2 of the transcript segments could not be read',
      '1 of the templates could not be read',
      '2 of the blocks could not be read',
      '2 of the participants could not be read',
      '2 of the tasks could not be read',
      '1 of the decisions could not be read',
      '1 of the keywords could not be read',
      '1 of the tags could not be read',
    ]);
  });

  it('finds the status inside the wrapper', () => {
    expect(readReportStatus({ followup_v2: { status: 'processing' } })).toBe('processing');
    expect(readReportStatus('text')).toBeUndefined();
    // The words of an envelope are about the answer, unless they are known words of a meeting.
    expect(readReportStatus({ status: 'success', data: { templates: [] } })).toBeUndefined();
    expect(readReportStatus({ status: 'processing', data: { templates: [] } })).toBe('processing');
  });
});

describe('when the meeting was', () => {
  it('keeps a local time, and takes one without an offset for UTC with a warning', () => {
    expect(readFields({ date: '2026-07-07 15:00', duration: '30:00' })).toMatchObject({
      startedAt: '2026-07-07T15:00:00.000Z',
      endedAt: '2026-07-07T15:30:00.000Z',
      startedLocal: '2026-07-07 15:00',
      warnings: ['the start has no offset and was taken as UTC'],
    });
  });

  it('does not end a meeting of which only the day is known', () => {
    const report = readFields({ date: '2026-07-07', duration: 1800 });
    expect(report).toMatchObject({
      startedAt: '2026-07-07T00:00:00.000Z',
      warnings: ['the start is a day without a time'],
    });
    expect(report).not.toHaveProperty('endedAt');
    expect(report).not.toHaveProperty('startedLocal');
  });

  it.each([
    ['in a later field', { date: '2026-07-07', started_at: '2026-07-07T09:00:00Z', duration: 60 }, {}],
    [
      'outside of the wrapper',
      { date: '2026-07-07', duration: 60 },
      { local_date_time: '2026-07-07T12:00:00+03:00' },
    ],
    ['beside a time without an offset', { date: '2026-07-07 12:00', duration: 60 }, { date: 1_783_414_800 }],
  ])('prefers an exact start %s to a bare day', (_place, inner, outer) => {
    const report = readReport('m', { ...outer, followup_v2: { name: 'N', ...inner } });
    expect(report).toMatchObject({
      startedAt: '2026-07-07T09:00:00.000Z',
      endedAt: '2026-07-07T09:01:00.000Z',
      warnings: [],
    });
  });

  it('takes a time without an offset before a bare day, and no time of another day', () => {
    const read = (started_at: string) => readFields({ date: '2026-07-07', started_at }).startedAt;
    expect(read('2026-07-07T09:00:00')).toBe('2026-07-07T09:00:00.000Z');
    expect(read('2026-08-01T09:00:00Z')).toBe('2026-07-07T00:00:00.000Z');
  });

  it.each([
    ['is preferred where the service tells it', '2026-07-07T12:02:00Z', '2026-07-07T12:02:00.000Z'],
    ['follows from the duration where only its day is told', '2026-07-07', '2026-07-07T12:01:00.000Z'],
  ])('has an end that %s', (_rule, ended_at, endedAt) => {
    expect(readFields({ date: '2026-07-07T12:00:00Z', duration: 60, ended_at }).endedAt).toBe(endedAt);
  });

  it('does not end a meeting after the year 9999', () => {
    expect(readFields({ date: '9999-12-31T23:59:59Z', duration: 3600 })).not.toHaveProperty('endedAt');
    expect(readFields({ date: '9999-12-31T23:59:60Z' })).not.toHaveProperty('startedAt');
  });

  it('does not take milliseconds for seconds', () => {
    const report = readFields({ duration: 1_800_000 });
    expect(report).not.toHaveProperty('durationSeconds');
    expect(report.warnings).toEqual(['the duration could not be read']);
  });

  it.each(['Room 5', 'Sales 1', 12, '2026-02-31', '20260707120000', 20_260_707_120_000])(
    'does not take %j for a date or a Unix time',
    (date) => {
      const report = readFields({ date });
      expect(report).not.toHaveProperty('startedAt');
      expect(report.warnings).toEqual(['the start could not be read as a time']);
    },
  );
});

describe('tasks', () => {
  const owned = { text: 'Send the offer', owner: 'Ann' };
  const owedFriday = { ...owned, due: 'Friday' };
  const place = { timestamp: '10:07', chapter: 'Offer' };
  const placed = { atSeconds: 607, chapter: 'Offer' };

  it('reads a list and counts a line of it that is no entry', () => {
    const report = readTasksOf('Here are the tasks.\n\n- [ ] Send the deck\n- Call');
    expect(report.tasks).toEqual([{ text: 'Send the deck' }, { text: 'Call' }]);
    expect(report.warnings).toEqual(['1 of the tasks could not be read']);
  });

  it('does not make an owner of whoever said it', () => {
    const report = readTasksOf({ actions: [{ text: 'Send deck', speaker: 'Ann', assignee: null }] });
    expect(report.tasks).toEqual([{ text: 'Send deck' }]);
    expect(report.warnings).toEqual([]);
  });

  it.each([
    ['the id of a speaker', 'speaker_1', 'Ann'],
    ['an object with that id', { id: 'speaker_1' }, 'Ann'],
    ['an object of a user with that id', { user: { id: 'speaker_1' } }, 'Ann'],
    ['a number', 7, 'Bob'],
    ['several of them', ['speaker_1', { id: 7 }, 'Cy', 'Ann'], 'Ann, Bob, Cy'],
    ['a name that looks like an id, of a speaker', 'guest_2', 'guest_2'],
    ['a user with an address', { user: { email: 'ann@example.com' } }, 'ann@example.com'],
    ['a first and a last name', { first_name: 'Ann', last_name: 'Lee' }, 'Ann Lee'],
    ['JSON inside a text', '{"name":"Ann"}', 'Ann'],
  ])('reads an owner from %s', (_shape, assignee, owner) => {
    const speakers = [{ id: 'speaker_1', speaker: 'Ann' }, { id: 7, speaker: 'Bob' }, 'guest_2'];
    const report = readFields({ speakers, tasks: [{ text: 'One', assignee }] });
    expect(report.tasks).toEqual([{ text: 'One', owner }]);
    expect(report.warnings).toEqual([]);
  });

  it.each([
    ['an id of nobody', 'speaker_9'],
    ['a number of nobody', 9],
    ['an object with an id of nobody', { id: 'speaker_9' }],
    ['a UUID', '0f8fad5b-d9cb-469f-a165-70867728950e'],
    ['an object of something else', { colour: 'red' }],
  ])('does not take %s for an owner, and says so', (_shape, assignee) => {
    const report = readFields({ tasks: [{ text: 'One', assignee }] });
    expect(report.tasks).toEqual([{ text: 'One' }]);
    expect(report.warnings).toEqual(['1 of the task owners could not be read']);
  });

  it('reads the day of an instant by the offset of the meeting, and leaves it out without one', () => {
    const tasks = [
      { text: 'A', due: 1_783_375_200 },
      { text: 'B', due: '2026-07-06T22:00:00.000Z' },
    ];
    const read = (date: string) =>
      readFields({ date, tasks }).tasks.map(({ due, dueDate }) => [due, dueDate]);
    expect(read('2026-07-06T15:00:00+02:00')).toEqual([
      ['1783375200', '2026-07-07'],
      ['2026-07-06T22:00:00.000Z', '2026-07-07'],
    ]);
    expect(read('2026-07-06T13:00:00Z')).toEqual([
      ['1783375200', undefined],
      ['2026-07-06T22:00:00.000Z', undefined],
    ]);
  });

  it('reads who, until when and where from objects of other spellings', () => {
    const report = readReport('m', {
      speakers: [{ id: 's1', name: 'Ann' }],
      chapters: [
        { name: 'One', startSeconds: 0 },
        { name: 'Two', startSeconds: '01:00' },
      ],
      tasks: [
        { title: 'A', assigned_to: ['Ann', { name: 'Bob' }], dueDate: 1_783_425_600, start_seconds: 60 },
        { action: 'B', owner: { email: 'ann@example.com' }, due: { date: '2026/7/9' }, chapter: 'Named' },
        { task: 'C', responsible: ' Cy ', deadline: 'by Friday', timestamp: 'later' },
        { text: 'D', due: 'July 9th, 2026', at_seconds: 59 },
      ],
    });
    expect(report.tasks).toEqual([
      {
        text: 'A',
        owner: 'Ann, Bob',
        due: '1783425600',
        atSeconds: 60,
        chapter: 'Two',
      },
      { text: 'B', owner: 'ann@example.com', due: '2026/7/9', dueDate: '2026-07-09', chapter: 'Named' },
      { text: 'C', owner: 'Cy', due: 'by Friday' },
      { text: 'D', due: 'July 9th, 2026', dueDate: '2026-07-09', atSeconds: 59, chapter: 'One' },
    ]);
  });

  it.each([
    [
      [
        '- Send  the offer.',
        { actions: [{ text: 'send the offer', owner: 'Ann' }] },
        { actions: [owedFriday] },
      ],
      owedFriday,
    ],
    [[{ actions: [owned] }, { actions: [{ ...owned, ...place }] }], { ...owned, ...placed }],
    [
      [{ actions: [{ text: 'Send the offer', ...place }] }, { actions: [owedFriday] }],
      { ...owedFriday, ...placed },
    ],
  ])('keeps one of several templates’ equal tasks, with what each of them says more: %j', (texts, task) => {
    expect(readTasksOf(...texts).tasks).toEqual([task]);
  });

  it('does not guess which of several owners’ tasks was stated where', () => {
    const actions = [
      { text: 'Prepare', timestamp: '10:07' },
      { text: 'Prepare', owner: 'Ann' },
      { text: 'Prepare', owner: 'Bob' },
    ];
    expect(readTasksOf({ actions }).tasks).toEqual(actions.slice(1));
  });

  it('finds the actions beside a blank text', () => {
    const templates = [{ entities: [{ name: 'tasks', text: '', actions: [{ text: 'One' }] }] }];
    expect(readReport('m', { templates }).tasks).toEqual([{ text: 'One' }]);
  });

  it('keeps equal words of different owners or days apart', () => {
    const actions = [
      { text: 'Prepare', owner: 'Ann' },
      { text: 'Prepare', owner: 'Bob', due: 'Monday' },
      { text: 'Prepare', owner: 'Bob', due: 'Friday' },
    ];
    expect(readTasksOf({ actions }).tasks).toEqual(actions);
  });

  it('reads what is JSON inside the text', () => {
    expect(readTasksOf('{"actions":[{"text":"One","owner":"Ann"}]}').tasks).toEqual([
      { text: 'One', owner: 'Ann' },
    ]);
  });
});

describe('people', () => {
  it.each([
    ['a text', 'ann@example.com,Bob', [{ email: 'ann@example.com' }, { name: 'Bob' }]],
    [
      'addresses with names',
      '"Lee, Ann" <ann@example.com>; bob@example.com',
      [{ name: 'Lee, Ann', email: 'ann@example.com' }, { email: 'bob@example.com' }],
    ],
    ['a list', ['Lee, Ann', 'bob@example.com'], [{ name: 'Lee, Ann' }, { email: 'bob@example.com' }]],
    [
      'objects',
      [{ display_name: 'Ann', email: 'ann@example.com' }, { user: { name: 'Bob', mail: 'b@example.com' } }],
      [
        { name: 'Ann', email: 'ann@example.com' },
        { name: 'Bob', email: 'b@example.com' },
      ],
    ],
    ['a single object', { name: 'Ann' }, [{ name: 'Ann' }]],
    ['an object of lists', { total: 2, list: [{ name: 'Ann' }, 'Bob'] }, [{ name: 'Ann' }, { name: 'Bob' }]],
    ['an object of texts', { guests: 'Ann,Bob' }, [{ name: 'Ann' }, { name: 'Bob' }]],
    ['one twice', 'a@example.com, A@example.com', [{ email: 'A@example.com' }]],
  ])('reads participants from %s', (_shape, participants, people) => {
    expect(readFields({ participants })).toMatchObject({ participants: people, warnings: [] });
  });

  it('finds a speaker by id, and takes in whom only the transcript names', () => {
    const report = readFields({
      speakers: [
        { id: 1, name: 'Ann' },
        { id: 'b', speaker: { name: 'Bob' } },
      ],
      transcript: [
        { speaker: 1, text: 'One', start: 0, end: 1.5 },
        { speaker_id: 'b', text: 'Two', start: 2, end: 3 },
        { speaker: { id: 1 }, text: 'Three', start: 3, end: 4.25 },
        { speaker: { id: 9 }, text: 'Four' },
        { speaker: '', speakerName: 'Cy', text: 'Five', start: 9, end: 8 },
        { text: 'Six' },
      ],
    });
    expect(report.transcript.map(({ speaker }) => speaker)).toEqual([
      'Ann',
      'Bob',
      'Ann',
      '9',
      'Cy',
      undefined,
    ]);
    expect(report.speakers).toEqual([
      { name: 'Ann', id: '1', talkSeconds: 2.75 },
      { name: 'Bob', id: 'b', talkSeconds: 1 },
      { name: '9' },
      { name: 'Cy' },
    ]);
    expect(report.transcript[4]).toEqual({ text: 'Five', speaker: 'Cy', startSeconds: 9 });
  });

  it('keeps the first id of a name, and the first name of an id', () => {
    const report = readFields({
      speakers: [
        { id: 1, name: 'Ann' },
        { id: 2, name: 'Ann' },
        { id: 1, name: 'Bob' },
      ],
      transcript: [
        { speaker: 1, text: 'One' },
        { speaker: 2, text: 'Two' },
      ],
    });
    expect(report.speakers).toEqual([
      { name: 'Ann', id: '1' },
      { name: 'Bob', id: '1' },
    ]);
    expect(report.transcript.map(({ speaker }) => speaker)).toEqual(['Ann', 'Ann']);
  });
});

describe('templates', () => {
  it('may be an object that holds them by name', () => {
    const templates = {
      Daily: { id: 1, entities: [{ name: 'tasks', text: '- One' }] },
      'Team Sync': { summary: 'We met', decisions: ['Go'] },
      Notes: [{ name: 'notes', text: 'N' }],
      broken: 5,
    };
    const report = readReport('m', { templates });
    expect(report.templates).toEqual([
      { id: '1', name: 'Daily', blocks: [{ name: 'tasks', text: '- One' }] },
      {
        name: 'Team Sync',
        blocks: [
          { name: 'summary', text: 'We met' },
          { name: 'decisions', text: '- Go', value: ['Go'] },
        ],
      },
      { name: 'Notes', blocks: [{ name: 'notes', text: 'N' }] },
    ]);
    expect(report).toMatchObject({ summary: 'We met', tasks: [{ text: 'One' }], decisions: ['Go'] });
    expect(report.warnings).toEqual(['1 of the templates could not be read']);
  });
});

describe('transcript', () => {
  it('prefers what stands in chapters to a second copy outside', () => {
    const transcript = [{ text: 'Hi' }];
    expect(readFields({ chapters: [{ name: 'A', transcript }], transcript }).transcript).toEqual([
      { text: 'Hi' },
    ]);
  });

  it('reads positions that are moments, where the start is known', () => {
    const transcript = [
      { text: 'a', timestamp: '2026-07-07T12:00:05.250Z' },
      { text: 'b', timestamp: 1_783_425_607 },
      { text: 'c', timestamp: '2026-07-06T12:00:00Z' },
    ];
    expect(readFields({ date: '2026-07-07T12:00:00Z', transcript }).transcript).toEqual([
      { text: 'a', startSeconds: 5.25 },
      { text: 'b', startSeconds: 7 },
      { text: 'c' },
    ]);
    expect(readFields({ transcript }).transcript[0]).toEqual({ text: 'a' });
  });

  it.each([
    ['the flag', { is_transcript_empty: true, transcript: [] }, true],
    ['the flag as text', { isTranscriptEmpty: 'true' }, true],
    ['the flag, where it is false of nothing', { is_transcript_empty: false, transcript: [] }, false],
    ['an empty list', { transcript: [] }, true],
    ['a blank text', { transcript: '' }, true],
    ['empty lists in chapters', { chapters: [{ name: 'A', transcript: [] }] }, true],
    ['no list at all', { chapters: [{ name: 'A' }] }, false],
    ['a list of what cannot be read', { transcript: [{}] }, false],
  ])('is empty or not by %s', (_sign, fields, isTranscriptEmpty) => {
    expect(readFields(fields).isTranscriptEmpty).toBe(isTranscriptEmpty);
  });

  it('says so when the flag contradicts the transcript', () => {
    const report = readFields({ is_transcript_empty: true, transcript: ['Hi'] });
    expect(report.isTranscriptEmpty).toBe(true);
    expect(report.warnings).toEqual(['the transcript is said to be empty, but is not']);
  });
});
