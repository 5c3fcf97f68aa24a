import { describe, expect, it } from 'vitest';
import { z } from 'zod';

import customerNote from '../../../examples/recipes/customer-note.ts';
import { buildDigest } from '../report/digest.ts';
import { sampleEvent, sampleReport } from '../testing/sample-report.ts';
import { defineRecipe, email, http, notionPage, slack, to } from './define-recipe.ts';
import { readOwnDestination, toDestination } from './own-destination.ts';
import { readOwnRecipe } from './own-recipe.ts';

const event = { ...sampleEvent, endpoint: 'sales' };

const pager = readOwnDestination(
  {
    name: 'pager',
    message: z.strictObject({ text: z.string().min(1, { error: 'text that is not empty' }) }),
    send: async () => ({ result: 'sent' }),
  },
  './pager.ts',
);
if (!pager.ok) throw new Error(pager.found);
const destinations = {
  internalDomains: ['example.com'],
  own: [{ destination: toDestination('pager', pager), settings: {} }],
};

function run(exported: unknown, values: Readonly<Record<string, unknown>> = {}, happened = event) {
  const read = readOwnRecipe(exported, './notes.ts');
  if (!read.ok) throw new Error(`${read.found}; ${read.expected}`);
  expect(read.recipe.check(values)).toEqual([]);
  const { input } = read.recipe.bind(values, destinations);
  if (input.from !== 'run') throw new Error(input.from);
  const digest = happened.kind === 'meeting.failed' ? undefined : buildDigest(sampleReport);
  return input.run(happened, digest);
}

const returns = (returned: unknown) => ({
  name: 'notes',
  description: 'Notes.',
  on: ['meeting.completed'],
  run: () => returned,
});

describe("a recipe of one's own", () => {
  it('makes messages and mails of the report', async () => {
    const made = await run(customerNote, { channel: 'C0123456789' });
    if (!made.ok) throw new Error(made.cause);
    expect(made.effects.map(({ destination, target, item }) => [destination, target, item])).toEqual([
      ['slack', 'C0123456789', 'slack'],
      ['email', 'ann@example.com', 'email'],
    ]);
    expect(JSON.stringify(made.effects[0]?.rendered.message)).toContain(sampleReport.title);
  });

  it('makes a thread: the message, then each reply', async () => {
    const blocks = [{ type: 'divider' }];
    const made = await run(
      returns([slack({ channel: 'C0123456789', markdown: 'Weekly', blocks, thread: ['First', 'Second'] })]),
    );
    if (!made.ok) throw new Error(made.cause);
    const texts = made.effects.map(({ part, rendered }) => [part, rendered.message]);
    expect(texts).toEqual([
      [0, expect.objectContaining({ text: 'Weekly', ownBlocks: blocks })],
      [1, expect.not.objectContaining({ ownBlocks: blocks })],
      [2, expect.objectContaining({ text: 'Second' })],
    ]);
  });

  it('checks its options, and names them with their descriptions', () => {
    const read = readOwnRecipe(customerNote, './notes.ts');
    if (!read.ok) throw new Error(read.found);
    expect(read.recipe.options).toEqual([
      { name: 'channel', description: 'The id of the channel to post to.' },
    ]);
    expect(read.recipe.check({ chanel: 'C1' })).toEqual([
      { setting: 'with.channel', found: 'nothing', expected: expect.any(String) },
      {
        setting: 'with.chanel',
        found: 'a setting that is not known',
        expected: expect.stringContaining('channel'),
      },
    ]);
  });

  it('gets a failed meeting without a report', async () => {
    const failed = { ...event, kind: 'meeting.failed', title: 'Weekly', reason: 'no_speech' };
    const recipe = defineRecipe({
      name: 'failures',
      description: 'Tells of failures.',
      on: ['meeting.failed'],
      run: ({ event: { reason }, report }) => [
        slack({ channel: 'C0123456789', markdown: `${report.title} failed: ${reason}` }),
      ],
    });
    const made = await run(recipe, {}, failed);
    expect(JSON.stringify(made)).toContain('Weekly failed: no');
  });

  it('tells two effects for one target apart by their key, and effects of two destinations by themselves', async () => {
    const url = 'https://hooks.example.com/x';
    const made = await run(
      returns([
        slack({ user: 'ann@example.com', markdown: 'one', key: 'a' }),
        slack({ user: 'ANN@example.com', markdown: 'two', key: 'b' }),
        email({ to: ['ann@example.com', 'cleo@client.example'], subject: 'Hello', markdown: '**Hi**' }),
        notionPage({ dataSource: 'd1', title: 'Page', markdown: '- one' }),
        http({ url, method: 'PUT', body: { a: 1 } }),
      ]),
    );
    if (!made.ok) throw new Error(made.cause);
    expect(made.effects.map(({ target, item }) => `${item}: ${target}`)).toEqual([
      expect.stringMatching(/^slack a: person:[0-9a-f]{16}$/),
      expect.stringMatching(/^slack b: person:[0-9a-f]{16}$/),
      'email: ann@example.com',
      'email: cleo@client.example',
      'notion: d1',
      expect.stringMatching(/^http: hooks\.example\.com#/),
    ]);
    const held = made.effects.map(({ rendered }) =>
      JSON.stringify(rendered).includes('"needsApproval":true'),
    );
    // A mail to someone outside waits for approval.
    expect(held).toEqual([false, false, false, true, false, false]);
  });

  it('makes Block Kit, values of Notion properties, and messages for destinations of its own', async () => {
    const blocks = [{ type: 'divider' }];
    const properties = { Customer: 'Acme', Renewed: true, Topics: ['price'], Next: { date: '2026-07-14' } };
    const made = await run(
      returns([
        slack({ channel: 'C0123456789', markdown: 'Hello', blocks }),
        notionPage({ dataSource: 'd1', title: 'Page', markdown: '', properties }),
        to('pager', { text: 'Hi' }, { target: 'team' }),
      ]),
    );
    if (!made.ok) throw new Error(made.cause);
    expect(made.effects.map(({ rendered }) => rendered)).toMatchObject([
      { destination: 'slack', message: { text: 'Hello', ownBlocks: blocks } },
      {
        destination: 'notion',
        message: {
          properties: {
            Customer: { kind: 'text', text: 'Acme' },
            Renewed: { kind: 'checkbox', isChecked: true },
            Topics: { kind: 'names', names: ['price'] },
            Next: { kind: 'date', start: '2026-07-14', words: '2026-07-14' },
          },
        },
      },
      { destination: 'pager', message: { text: 'Hi' } },
    ]);
    expect(made.effects[2]).toMatchObject({ target: 'team', item: 'pager' });
  });

  it.each([
    ['no list', 'Hello', './notes.ts: what it returned is not right; expected a list of effects'],
    [
      'no message',
      [{ destination: 'slack', channel: 'C0123456789' }],
      './notes.ts: 0.markdown of what it returned is not right; expected text that is not empty',
    ],
    [
      'a message for a destination that is not configured',
      [to('teams', {})],
      './notes.ts: 0.destination of what it returned is not right; expected slack, email, notion, http, or a destination of aftermeet.yaml',
    ],
    [
      'what its destination does not take',
      [to('pager', { text: '' })],
      './notes.ts: 0.message.text of what it returned is not right; expected text that is not empty',
    ],
    [
      'a value that no property holds',
      [{ destination: 'notion', dataSource: 'd1', title: 'T', markdown: '', properties: { A: {} } }],
      "./notes.ts: 0.properties.A of what it returned is not right; expected a text, a number, true or false, a list of texts, { date: '2026-07-07' } or { url }",
    ],
    [
      'a channel by name',
      [slack({ channel: '#general', markdown: 'Hi' })],
      './notes.ts: 0.channel of what it returned is not right; expected the id of a channel, such as C0123456789',
    ],
    [
      'a message for no place',
      [{ destination: 'slack', markdown: 'Hi' }],
      './notes.ts: 0.channel of what it returned is not right; expected a channel or a user, one of the two',
    ],
    [
      'the same target twice',
      [slack({ channel: 'C0123456789', markdown: 'a' }), slack({ channel: 'C0123456789', markdown: 'b' })],
      './notes.ts: 1.key of what it returned is not right; expected a key that tells it from the other effect for this target',
    ],
  ])('fails its effect when it returns %s', async (_what, returned, cause) => {
    expect(await run(returns(returned))).toEqual({ ok: false, cause });
  });

  it('fails its effect when it throws, without what the error says of the report', async () => {
    const throws = (error: unknown) => ({ ...returns([]), run: () => Promise.reject(error) });
    expect(await run(throws(new Error('Salary of Eve')))).toEqual({
      ok: false,
      cause: './notes.ts: the recipe failed (Error)',
    });
    const broken = new TypeError("Cannot read properties of undefined (reading 'name')");
    broken.stack = `TypeError: x\n    at run (file:///srv/notes.ts:12:7)\n    at x (file:///y.js:1:1)`;
    expect(await run(throws(broken))).toEqual({
      ok: false,
      cause:
        "./notes.ts:12: the recipe failed (TypeError: Cannot read properties of undefined (reading 'name'))",
    });
  });

  it.each([
    [undefined, './notes.ts without a default export'],
    [{ ...returns([]), on: ['meeting.ended'] }, './notes.ts whose recipe is not right: on.0'],
    [{ ...returns([]), options: {} }, './notes.ts whose recipe is not right: options'],
    [{ ...returns([]), run: undefined }, './notes.ts whose recipe is not right: run'],
  ])('is refused when it is wrong: %#', (exported, found) => {
    expect(readOwnRecipe(exported, './notes.ts')).toMatchObject({ ok: false, found });
  });

  it('takes a schema of another copy of zod', () => {
    const options = z.object({ channel: z.string() });
    const foreign = {
      safeParse: options.safeParse.bind(options),
      parse: options.parse.bind(options),
      shape: {},
    };
    expect(readOwnRecipe({ ...returns([]), options: foreign }, './notes.ts').ok).toBe(true);
  });
});
