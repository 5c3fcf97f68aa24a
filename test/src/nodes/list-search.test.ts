import { readReport } from '@aftermeet/client/pure';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import {
  listSearch,
  readPageToken,
  writePageToken,
} from '../../../nodes/nodes/Aftermeet/methods/list-search.ts';
import { findOperation } from './support/find-operation.ts';
import { createNodeContext, type NodeContextOptions } from './support/n8n-context.ts';
import { startScriptedService } from './support/scripted-service.ts';
import { shareSandbox } from './support/serve.ts';

const shared = shareSandbox({ clock: () => Date.parse('2026-07-07T12:00:00Z'), meetings: 120, days: 60 });

async function search(
  name: keyof typeof listSearch,
  filter?: string,
  token?: string,
  options: NodeContextOptions = {},
) {
  const { loadOptions } = createNodeContext({ baseUrl: shared.url, ...options });
  return await listSearch[name].call(loadOptions, filter, token);
}

async function collect(filter?: string, options: NodeContextOptions = {}) {
  const names: string[] = [];
  const values: unknown[] = [];
  let token: string | undefined;
  let pages = 0;
  do {
    const { results, paginationToken } = await search('searchMeetings', filter, token, options);
    names.push(...results.map(({ name }) => name));
    values.push(...results.map(({ value }) => value));
    token = typeof paginationToken === 'string' ? paginationToken : undefined;
    pages += 1;
  } while (token !== undefined && pages < 20);
  return { names, values, pages };
}

describe('the list of meetings', () => {
  it('has every meeting once, a page at a time, with its day', async () => {
    const { names, values, pages } = await collect();
    expect(pages).toBe(3);
    expect(new Set(values).size).toBe(120);
    for (const name of names) expect(name).toMatch(/^\S.* \(2026-0[5-7]-\d\d\)$/);
  });

  it('has those whose title holds the filter', async () => {
    const { names } = await collect();
    const word = names[0]?.split(' ')[0] ?? '';
    const { names: found } = await collect(` ${word} `);
    expect(found.length).toBeGreaterThan(0);
    expect(found.every((name) => name.toLowerCase().includes(word.toLowerCase()))).toBe(true);
    expect(await search('searchMeetings', 'no meeting has this title')).toEqual({ results: [] });
  });

  it.each<[string, (page: number) => unknown, number, number]>([
    ['an empty page', (page) => ({ followups: page < 2 ? [{ id: page }] : [] }), 2, 3],
    [
      'a short page',
      (page) => ({ followups: page < 2 ? [{ id: `${page}a` }, { id: `${page}b` }] : [{ id: page }] }),
      5,
      3,
    ],
    ['a page that comes again', () => ({ followups: [{ id: 1 }, { id: 2 }] }), 2, 2],
    ['the total of a service with smaller pages', (page) => ({ total: 3, followups: [{ id: page }] }), 3, 3],
  ])('ends at %s', async (_name, answers, count, pages) => {
    const service = await startScriptedService((query) => ({ body: answers(Number(query.get('page'))) }));
    const found = await collect('', { baseUrl: service.url });
    expect(found).toMatchObject({ pages });
    expect(found.values).toHaveLength(count);
  });

  it('goes on only with a token of its own', () => {
    const place = { page: 2, seen: 100, firstId: 'm_1' };
    expect(readPageToken(writePageToken(place))).toEqual(place);
    const wrong = [undefined, '', '2', '{}', '{"page":-1,"seen":0}', '{"page":1.5,"seen":0}', '[', 'null'];
    for (const token of wrong) expect(readPageToken(token)).toEqual({ page: 0, seen: 0, firstId: '' });
    fc.assert(fc.property(fc.string(), (token) => void readPageToken(token)));
  });
});

describe('the list of templates', () => {
  it('has the built-in ones, then those of the workspace', async () => {
    const { results } = await search('searchTemplates');
    expect(results).toHaveLength(18);
    expect(results[0]).toEqual({ name: 'Default Meeting', value: 'default-meeting' });
    expect(results[16]).toEqual({
      name: 'Design sync (custom)',
      value: '3d1f6a52-7c0e-4b8d-a9f3-5e2c81b46d07',
    });
  });

  it('has those whose name or slug holds the filter', async () => {
    const { results } = await search('searchTemplates', 'SYNC');
    expect(results.map(({ name }) => name)).toEqual(['Project Sync', 'Team Sync', 'Design sync (custom)']);
  });
});

describe('the list of tags', () => {
  it('has those of all pages whose name holds the filter', async () => {
    const service = await startScriptedService((query) => {
      const page = Number(query.get('cursor') ?? '0');
      const tags = [{ id: `t${page}`, name: `Tag ${page}` }, { id: `u${page}` }];
      return { body: { tags, ...(page < 3 ? { nextCursor: String(page + 1) } : {}) } };
    });
    const { results } = await search('searchTags', 'tag', undefined, { baseUrl: service.url });
    const { results: all } = await search('searchTags', '', undefined, { baseUrl: service.url });
    expect(results).toEqual([0, 1, 2, 3].map((page) => ({ name: `Tag ${page}`, value: `t${page}` })));
    expect(all).toHaveLength(8);
    expect(all[1]).toEqual({ name: 'u0', value: 'u0' });
  });

  it('ends after 1000', async () => {
    const service = await startScriptedService((_query, index) => ({
      body: {
        tags: Array.from({ length: 100 }, (_, at) => ({ id: index * 100 + at })),
        nextCursor: `c${index}`,
      },
    }));
    const { results } = await search('searchTags', undefined, undefined, { baseUrl: service.url });
    expect(results).toHaveLength(1000);
    expect(service.asked).toHaveLength(10);
  });
});

describe('the lists of a report', () => {
  async function findReport() {
    const { values } = await collect();
    const meetingId = String(values.at(-1));
    const answer = await fetch(`${shared.url}/api/video/report?meeting_id=${meetingId}`, {
      headers: { 'x-api-key': 'sandbox_key' },
    });
    return readReport(meetingId, await answer.json());
  }

  it.each([
    ['a locator', (value: string) => ({ __rl: true, mode: 'id', value })],
    ['the value of an expression', (value: string) => value],
  ])(
    'have the templates of the chosen meeting (%s), and the blocks of the chosen template',
    async (_, choose) => {
      const { meetingId, templates } = await findReport();
      const [template] = templates;
      const templateId = template?.id ?? '';
      const names = template?.blocks.map((block) => block.name) ?? [];
      const parameters = { meetingId: choose(meetingId), templateId: choose(templateId) };
      expect(names.length).toBeGreaterThan(0);
      expect(await search('searchReportTemplates', '', undefined, { parameters })).toEqual({
        results: templates.map((one) => ({
          name: one.name,
          value: one.id,
          description: one.blocks.map((block) => block.name).join(', '),
        })),
      });
      const { results } = await search('searchReportBlocks', '', undefined, { parameters });
      expect(results.map(({ value }) => value)).toEqual(names);
      const none = await search('searchReportTemplates', `not ${templateId}`, undefined, { parameters });
      expect(none).toEqual({ results: [] });
    },
  );

  it.each([
    ['searchReportTemplates', '', undefined, 'Meeting'],
    ['searchReportTemplates', '={{ $json.meeting_id }}', undefined, 'Meeting'],
    ['searchReportTemplates', null, undefined, 'Meeting'],
    ['searchReportBlocks', 'm_1', '', 'Template'],
    ['searchReportBlocks', '', 't_1', 'Meeting'],
  ] as const)('%s says what to choose first: %j %j', async (name, meetingId, templateId, label) => {
    const locate = (value: unknown) => ({ __rl: true, mode: 'id', value });
    const parameters = { meetingId: locate(meetingId), templateId: locate(templateId) };
    await expect(search(name, '', undefined, { parameters })).rejects.toMatchObject({
      name: 'NodeOperationError',
      message: `Choose the ${label} first`,
      description: expect.stringContaining('run the nodes before this one') as unknown,
    });
  });

  it('say that the template is of another meeting', async () => {
    const { meetingId } = await findReport();
    const parameters = { meetingId, templateId: 'of-another' };
    await expect(search('searchReportBlocks', '', undefined, { parameters })).rejects.toThrow(
      'The report of this meeting has no such template',
    );
  });
});

// What a key that the service does not know, or a closed port, looks like: failures.test.ts.
describe('what goes wrong', () => {
  it.each<[string, NodeContextOptions, object]>([
    [
      'no credential',
      { baseUrl: undefined },
      { name: 'NodeOperationError', message: 'Choose a credential first' },
    ],
    [
      'an address that is none',
      { baseUrl: 'service' },
      { message: expect.stringMatching(/^Base Address in the/) },
    ],
    ['another key', { apiKey: 'wrong_key_0123456789' }, { name: 'NodeApiError', httpCode: '401' }],
  ])('is told: %s', async (_name, options, expected) => {
    const error = await search('searchTags', '', undefined, options).catch((reason: unknown) => reason);
    expect(error).toMatchObject(expected);
    expect(JSON.stringify(error)).not.toContain('wrong_key');
  });
});

it('the lists of Edit Block depend on what is chosen before', () => {
  const edited = findOperation('report', 'editBlock').description.properties.filter(
    ({ type, name }) => type === 'resourceLocator' && name !== 'meetingId',
  );
  expect(edited.map(({ typeOptions }) => typeOptions?.loadOptionsDependsOn)).toEqual([
    ['meetingId.value'],
    ['meetingId.value', 'templateId.value'],
  ]);
});
