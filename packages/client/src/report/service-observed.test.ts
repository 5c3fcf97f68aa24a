// What was observed about answers that carry a report, beyond the whole one in read-report.test.ts.
import { templateSlugs } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';

import { readPhase } from '../meeting-status.ts';
import { holdsReport, readReport, readReportStatus } from './read-report.ts';
import { makeObservedReport } from './testing/observed-report.ts';

function readEntities(entities: unknown) {
  return readReport('m', { followup_v2: { templates: [{ id: 1, name: 'T', entities }] } });
}

/** What observed and built-in templates are made of, where it is known or follows from the name. */
const entitiesByTemplate: Readonly<Record<string, readonly string[]>> = {
  'Default Meeting': ['tasks', 'summary'],
  Daily: ['tasks', 'summary_by_speaker'],
  'One-to-one': ['tasks', 'one_to_one'],
  'Backlog Grooming': ['tasks', 'summary_agenda'],
  Brainstorm: ['decisions', 'ideas'],
  'Follow-up Email': ['follow_up_email'],
  'Project Sync': ['tasks', 'summary_agenda'],
  'Sales Meeting': ['questions_and_answers', 'sales_general'],
  'Sales Coaching': ['sales_coach'],
  'HR Interview': ['questions_and_answers', 'hr_summary'],
  'Research Interview': ['questions_and_answers', 'research_insights'],
  'Team Sync': ['tasks', 'team_sync_agenda'],
  'Lecture Notes': ['keywords', 'lecture_notes'],
  'Meeting Protocol': ['decisions', 'protocol'],
  'Medical Anamnesis': ['med-anamnesis'],
  'Profanity Filter': ['profanity_filter'],
};

describe('observed: platform identifiers', () => {
  it.each([
    ...'gmeet zoom yandextelemost sberjazz trueconf konturtalk msteams jitsi mtslink lark'.split(' '),
    'telemost',
    'teams',
    'a platform of next year',
  ])('keeps the source %s', (source) => {
    expect(readReport('m', { followup_v2: { source } }).source).toBe(source);
  });
});

describe('observed: status values', () => {
  it.each([
    ['new', 'ready'],
    ['queued', 'processing'],
    ['processing', 'processing'],
    ['processed', 'ready'],
    ['failed', 'failed'],
    ['recording', 'recording'],
    ['a word of next year', 'unknown'],
  ])('keeps %s inside of a report, which is %s', (status, phase) => {
    const body = { followup_v2: { name: 'N', status } };
    expect(readReport('m', body).status).toBe(status);
    expect(readPhase(readReportStatus(body) ?? '')).toBe(phase);
  });
});

describe('observed: report JSON', () => {
  it('reads is_transcript_empty of the report of an empty transcript', () => {
    const body = {
      followup_v2: {
        name: 'Silence',
        is_transcript_empty: true,
        duration: 0,
        keywords: [],
        speakers: [],
        chapters: [],
        templates: [],
      },
    };
    expect(holdsReport(body)).toBe(true);
    expect(readReport('m', body)).toMatchObject({
      isTranscriptEmpty: true,
      durationSeconds: 0,
      transcript: [],
      tasks: [],
      warnings: [],
    });
    expect(readReport('m', body)).not.toHaveProperty('summary');
  });

  it('reads speakers of id, speaker and color', () => {
    const speakers = [{ id: 'speaker_1', speaker: 'Ann', color: '#4f7cff' }];
    expect(readReport('m', { followup_v2: { speakers } })).toMatchObject({
      speakers: [{ name: 'Ann', id: 'speaker_1' }],
    });
    expect(readReport('m', { name: 'N', speakers: 'Ann, Bob' }).speakers).toEqual([
      { name: 'Ann' },
      { name: 'Bob' },
    ]);
  });

  it('has tags that may be left out', () => {
    expect(readReport('m', { followup_v2: { name: 'N' }, feedback: null, media_type: 'video' }).tags).toEqual(
      [],
    );
  });
});

describe('observed: templateId of a block edit', () => {
  it('may be that of a template that was created', () => {
    const templates = [{ created_template_id: 'c1', template_name: 'N', entities: [] }];
    expect(readReport('m', { templates }).templates).toEqual([{ id: 'c1', name: 'N', blocks: [] }]);
  });
});

describe('observed: entity names', () => {
  it('are an open set', () => {
    expect(readEntities([{ name: 'of-next-year', text: 'New' }])).toMatchObject({
      summary: 'New',
      templates: [{ blocks: [{ name: 'of-next-year', text: 'New' }] }],
      warnings: [],
    });
  });

  it.each(templateSlugs.map(({ name }) => name))('hold a summary of the template %s', (name) => {
    const names = entitiesByTemplate[name] ?? [];
    const entities = names.map((entity) => ({ name: entity, text: `the ${entity}` }));
    expect(readEntities(entities).summary).toBe(`the ${names.at(-1)}`);
  });

  it('have an order in which they are the summary', () => {
    const exact =
      'summary summary_agenda sales_general hr_summary one_to_one team_sync_agenda protocol'.split(' ');
    const others = 'med-anamnesis research_insights sales_coach'.split(' ');
    const unknown = [
      'Summary By Speaker',
      'daily_summary_of_next_year',
      'of_next_year',
      'questions_and_answers',
    ];
    const order = [...exact, ...others, ...unknown];
    for (const [index, name] of order.entries()) {
      const entities = order.slice(index).toReversed();
      expect(readEntities(entities.map((entity) => ({ name: entity, text: entity }))).summary).toBe(name);
    }
  });

  it('stand behind the report’s own summary, but for the one of that name', () => {
    const read = (name: string) =>
      readReport('m', { summary: 'own', templates: [{ entities: [{ name, text: 'block' }] }] }).summary;
    expect([read('summary'), read('protocol')]).toEqual(['block', 'own']);
  });

  it('need not be there: the own summary may have any shape too', () => {
    expect(readReport('m', { followup_v2: { summary: { points: ['a', 'b'] } } }).summary).toBe(
      '**points**\n\n- a\n- b',
    );
  });

  it('are never the summary when they list tasks, decisions or words, or are blank', () => {
    const names = ['tasks', 'action_items', 'decisions', 'keywords', 'transcript'];
    const entities = [...names.map((name) => ({ name, text: '- x' })), { name: 'summary', text: ' ' }];
    expect(readEntities(entities)).not.toHaveProperty('summary');
  });

  it.each([
    ['a text', '# A\n\n- b', '# A\n\n- b'],
    ['a list of texts', ['a', 'b\nc'], '- a\n- b\n  c'],
    ['an object with a text', { text: 'a', id: 1 }, 'a'],
    ['parts with headings', [{ title: 'A', text: 'a' }], '- **A**: a'],
    [
      'an object of parts',
      { id: 5, key_points: ['a', 'b'], mood: 'good' },
      '**key points**\n\n- a\n- b\n\n**mood**: good',
    ],
    ['nothing', null, ''],
  ])('have a block text when the value is %s', (_shape, value, text) => {
    const [block] = readEntities([{ name: 'notes', text: value }]).templates[0]?.blocks ?? [];
    expect(block?.text).toBe(text);
    expect(block?.value).toBe(typeof value === 'object' && value !== null ? value : undefined);
  });

  it('may be the keys of an object', () => {
    expect(readEntities({ summary: 'S', tasks: ['One'] })).toMatchObject({
      summary: 'S',
      tasks: [{ text: 'One' }],
    });
  });
});

describe('observed: error body', () => {
  it.each([
    [{ code: 'MEETING_NOT_FOUND', message: 'No such meeting', field: 'meeting_id' }],
    [{ error: 'maintenance', message: 'be back soon' }],
    [{ name: 'BadRequest', message: 'no', code: 400 }],
    [{ status: 'error', message: 'no', data: { name: 'x' } }],
    [{ title: { a: 1 }, summary: [1] }],
    [{ type: 'about:blank', title: 'Service Unavailable', status: 503 }],
    [{ type: 'https://example.com/404', title: 'Not Found', status: 404, traceId: '00-1f' }],
    [{ type: 'maintenance', title: 'Maintenance', date: '2026-07-07' }],
    [{ title: 'Maintenance' }],
    [{ title: 'Maintenance', data: {} }],
    [{ title: 'Maintenance', summary: ' ', tags: [] }],
    [{ name: 'ServiceUnavailable', status: 503 }],
    [{ name: 'ServiceUnavailable', status: '503', date: '2026-07-07' }],
    [{ data: { title: 'Service Unavailable', status: 503 } }],
    [{ code: 404, message: 'no', data: { name: 'NotFound' } }],
    [{ errors: [{ title: 'x' }], data: { title: 'x' } }],
    [{}],
    [[]],
    ['<html>'],
    ['Meeting is in progress now, status: processing'],
    [undefined],
  ])('takes %j for no report', (body) => {
    expect(holdsReport(body)).toBe(false);
  });

  it.each([
    [{ followup_v2: { name: 'Sync' } }],
    [{ code: 0, message: 'ok', data: { templates: [] } }],
    [{ error: null, report: { title: 'Sync' } }],
    [{ error: false, followup_v2: { name: 'x', is_transcript_empty: true } }],
    [{ error: '', errors: [], followup_v2: { name: 'x' } }],
    [{ code: 0, message: 'ok', data: { title: 'Weekly', summary: 'We met', transcript: 'Ann: hi' } }],
    [{ code: 200, message: 'ok', data: { summary: 'We met' } }],
    [{ code: 0, message: 'ok', data: { is_transcript_empty: true } }],
    [{ code: 1000, message: 'ok', data: { name: 'Weekly' } }],
    [{ followup_v2: { name: 'x', summary: 'y', code: 'abc' } }],
    [{ followup_v2: { name: 'x', type: 'video', title: 'y' } }],
    [{ name: 'Weekly', duration: 0 }],
    [{ title: 'Weekly', source: 'zoom' }],
    [{ title: 'Weekly', participants: ['Ann'] }],
    [{ templates: { Daily: { summary: 'We met' } } }],
    [{ status: 404, transcript: [{ text: 'Hi' }] }],
    [{ followup_v2: { is_transcript_empty: true } }],
    ['{"followup_v2":{"chapters":[]}}'],
  ])('takes %j for a report', (body) => {
    expect(holdsReport(body)).toBe(true);
  });
});

describe('what follows: a response is read with a text fallback', () => {
  it.each([
    ['empty', undefined],
    ['nothing', null],
    ['a text', 'processed'],
    ['a number', 7],
    ['a list', []],
    ['broken JSON', '{"followup_v2":{'],
  ])('reads %s as a report that knows nothing', (_shape, body) => {
    const { raw, warnings, ...report } = readReport('m', body);
    expect(raw).toBe(body);
    expect(warnings).toEqual(['the report has none of the known parts']);
    expect(report).toEqual({
      meetingId: 'm',
      title: 'Untitled meeting',
      isTranscriptEmpty: false,
      participants: [],
      speakers: [],
      decisions: [],
      tasks: [],
      transcript: [],
      chapters: [],
      templates: [],
      keywords: [],
      tags: [],
    });
  });
});

describe('what follows: unknown fields and unknown enum values', () => {
  it('never throw, and stay in raw', () => {
    const body = {
      followup_v2: {
        ...makeObservedReport().followup_v2,
        source: 'holodeck',
        mood: { '🙂': [1] },
        status: 'x',
      },
    };
    const report = readReport('m', body);
    expect(report).toMatchObject({ source: 'holodeck', status: 'x', warnings: [] });
    expect(report.raw).toBe(body);
  });

  it('do no harm under names that objects inherit', () => {
    const body: unknown = JSON.parse(
      '{"__proto__":{"name":"evil"},"constructor":"x","toString":1,"followup_v2":{"name":"N","__proto__":{"source":"evil"},' +
        '"templates":[{"id":"constructor","name":"__proto__","entities":{"__proto__":"p","toString":"t","hasOwnProperty":"h"}}],' +
        '"speakers":[{"id":"__proto__","name":"constructor"}],"transcript":[{"speaker":"__proto__","text":"toString"}]}}',
    );
    const report = readReport('m', body);
    expect(report).toMatchObject({
      title: 'N',
      speakers: [{ name: 'constructor', id: '__proto__' }],
      transcript: [{ speaker: 'constructor', text: 'toString' }],
      templates: [{ id: 'constructor', blocks: [{ name: '__proto__' }, { name: 'toString' }, {}] }],
    });
    expect(report).not.toHaveProperty('source');
    expect({}).not.toHaveProperty('name');
  });
});

describe('what follows: ids become strings', () => {
  it('of templates and speakers', () => {
    const report = readReport('m', { templates: [{ id: 0 }], speakers: [{ id: 12, speaker: 'Ann' }] });
    expect(report.templates[0]?.id).toBe('0');
    expect(report.speakers).toEqual([{ name: 'Ann', id: '12' }]);
  });

  it('but not of numbers that JSON has changed on the way', () => {
    const body: unknown = JSON.parse(
      '{"templates":[{"id":9007199254740993}],"speakers":[{"id":9007199254740993,"speaker":"Ann"}],' +
        '"transcript":[{"speaker_id":9007199254740993,"text":"Hi"},{"speaker":{"id":9007199254740993},"text":"Ho"}],' +
        '"tasks":[{"text":"One","owner":9007199254740993}],"keywords":[9007199254740993]}',
    );
    expect(readReport('m', body)).toMatchObject({
      templates: [{ name: 'Untitled', blocks: [] }],
      speakers: [{ name: 'Ann' }],
      transcript: [{ text: 'Hi' }, { text: 'Ho' }],
      tasks: [{ text: 'One' }],
      keywords: ['9007199254740992'],
      warnings: ['4 of the ids could not be read', '1 of the task owners could not be read'],
    });
    expect(JSON.stringify(readReport('m', body).templates)).not.toContain('id');
    expect(JSON.stringify(readReport('m', body).speakers)).not.toContain('id');
  });
});

describe('what follows: the wrapper may be', () => {
  const report = { name: 'Found', chapters: [] };

  it.each(['followup_v2', 'followup', 'report', 'data', 'followupV2'])('%s', (wrapper) => {
    expect(readReport('m', { [wrapper]: report }).title).toBe('Found');
  });

  it.each([
    ['none', report],
    ['two', { data: { followup_v2: report } }],
    ['JSON inside a text', JSON.stringify({ followup_v2: report })],
    ['a wrapper whose value is JSON inside a text', { data: JSON.stringify(report) }],
    ['one beside an empty one', { followup_v2: {}, report }],
    ['one around a part of the fields', { name: 'Found', report: { chapters: [] } }],
  ])('%s', (_wrapper, body) => {
    expect(readReport('m', body)).toMatchObject({ title: 'Found', warnings: [], raw: body });
  });

  it('a field of that name, which is then no wrapper', () => {
    const body = { followup_v2: { ...report, report: { name: 'file.pdf' }, data: {} } };
    expect(readReport('m', body).title).toBe('Found');
  });

  it('two deep and no deeper', () => {
    expect(readReport('m', { data: { data: { data: report } } }).title).toBe('Untitled meeting');
    let deep: unknown = report;
    for (let level = 0; level < 50_000; level += 1) deep = { data: deep };
    expect(readReport('m', deep).title).toBe('Untitled meeting');
  });
});

describe('what follows: a broken item of a list', () => {
  it('is dropped into warnings, and the others are read', () => {
    const body = {
      templates: [{ entities: [{ name: 'tasks', text: { actions: [null, 'One', {}] } }] }],
      transcript: [{ text: 'a' }, null],
    };
    expect(readReport('m', body)).toMatchObject({
      tasks: [{ text: 'One' }],
      transcript: [{ text: 'a' }],
      warnings: ['1 of the transcript segments could not be read', '2 of the tasks could not be read'],
    });
  });

  it('may be the whole list, also as a number or a flag', () => {
    const body = {
      participants: 5,
      speakers: 3,
      chapters: true,
      keywords: 4,
      tags: {},
      transcript: false,
      tasks: 2,
      decisions: true,
      templates: [7, { entities: 1 }],
    };
    expect(readReport('m', body)).toMatchObject({
      participants: [],
      speakers: [],
      keywords: [],
      tags: [],
      transcript: [],
      tasks: [],
      decisions: [],
      warnings: [
        '1 of the speakers could not be read',
        '1 of the chapters could not be read',
        '1 of the transcript segments could not be read',
        '1 of the templates could not be read',
        '1 of the blocks could not be read',
        '1 of the participants could not be read',
        '1 of the tasks could not be read',
        '1 of the decisions could not be read',
        '1 of the keywords could not be read',
        '1 of the tags could not be read',
      ],
    });
  });
});

describe('what follows: after "generate report"', () => {
  it('a template that is there twice counts once, and one that changed does not', () => {
    const template = { id: 1, name: 'T', entities: [{ name: 'decisions', text: '- Go' }] };
    const changed = { ...template, entities: [{ name: 'decisions', text: '- Go\n- Stay' }] };
    const report = readReport('m', { templates: [template, structuredClone(template), changed] });
    expect(report.templates).toHaveLength(2);
    expect(report.decisions).toEqual(['Go', 'Stay']);
  });
});
