import { expect, it } from 'vitest';

import type { BuiltInMessage } from '../destinations/messages.ts';
import type { PlannedEffect } from '../engine/recipe.ts';
import { buildDigest } from '../report/digest.ts';
import { sampleEvent, sampleReport } from '../testing/sample-report.ts';
import { archiveExport } from './archive-export.ts';

function bind(values: object) {
  const { plan, input } = archiveExport.bind({ folder: 'archive', ...values }, {});
  if (input.from !== 'report') throw new Error('it is made from the report');
  const report = { ...sampleReport, decisions: [] };
  const render = (effect: PlannedEffect, changes = {}): BuiltInMessage => {
    const rendered = input.render(buildDigest({ ...report, ...changes }), effect);
    if ('skip' in rendered) throw new Error(rendered.skip);
    return rendered;
  };
  return { effects: plan(sampleEvent), render };
}

it('plans one file for each format', () => {
  const targets = (values: object) => bind(values).effects.map(({ target }) => target);
  expect(targets({})).toEqual(['pdf#0eb3e36b']);
  expect(targets({ format: ['md', 'docx', 'md'] })).toEqual(['md#0eb3e36b', 'docx#0eb3e36b']);
  expect(targets({ folder: 'elsewhere' })).not.toEqual(targets({}));
});

it('orders what the options say', () => {
  const { effects, render } = bind({
    format: 'docx',
    name: '{id} {title}',
    timezone: 'Europe/Berlin',
    template: 'sales-meeting',
    includeTasks: false,
    tags: ['filed'],
    createTags: true,
  });
  expect(effects.map((effect) => render(effect))).toEqual([
    {
      destination: 'folder',
      message: {
        input: {
          meetingId: 'm_1',
          format: 'docx',
          includeTasks: false,
          templateName: 'sales-meeting',
          timezone: 'Europe/Berlin',
        },
        folder: 'archive',
        name: 'm_1 Weekly sync.docx',
        edition: expect.stringMatching(/^[0-9a-f]{64}$/),
        tags: ['filed'],
        mayCreateTags: true,
      },
    },
  ]);
});

it('calls files of another content by another name', () => {
  const name = (values: object) => {
    const { effects, render } = bind({ name: undefined, ...values });
    const rendered = render(effects[0] ?? { target: '', part: 0 });
    return rendered.destination === 'folder' ? rendered.message.name : '';
  };
  const told = [
    {},
    { template: 'sales-meeting' },
    { template: 'board', includeTasks: false },
    { includeReport: true, includeTasks: true },
    { name: '{id} {template}', template: 'board' },
    { name: '{id} {template}' },
  ].map((values) => name(values).replace(/^.*m_1/, ''));
  expect(told).toEqual([
    '.pdf',
    '_sales-meeting.pdf',
    '_board_without-tasks.pdf',
    '_with-report_with-tasks.pdf',
    ' board.pdf',
    ' default.pdf',
  ]);
});

it('orders another file when the report says something else, but not when it has another tag', () => {
  const { effects, render } = bind({});
  const [effect = { target: '', part: 0 }] = effects;
  const order = render(effect);
  expect(render(effect, { tags: ['filed'] })).toEqual(order);
  expect(render(effect, { summary: 'Something else.' })).not.toEqual(order);
});

it.each([
  [{}, undefined],
  [{ mode: '0640' }, 416],
  [{ mode: '664' }, 436],
])('gives the file the rights of %o', (values, mode) => {
  const { effects, render } = bind(values);
  const [effect = { target: '', part: 0 }] = effects;
  expect(render(effect)).toMatchObject({ message: mode === undefined ? {} : { mode } });
  expect(JSON.stringify(render(effect)).includes('"mode"')).toBe(mode !== undefined);
});

it.each([
  [{ folder: '' }, 'folder'],
  [{ format: 'html' }, 'format'],
  [{ format: [] }, 'format'],
  [{ name: '{date}' }, 'name'],
  [{ name: '../{id}' }, 'name'],
  [{ name: '{id}_{who}' }, 'name'],
  [{ timezone: 'Mars/Olympus' }, 'timezone'],
  [{ tags: [''] }, 'tags.0'],
  [{ createTags: 'yes' }, 'createTags'],
  [{ mode: 640 }, 'mode'],
  [{ mode: '0o640' }, 'mode'],
  [{ mode: '0400' }, 'mode'],
  [{ mode: '0755' }, 'mode'],
  [{ mode: '06400' }, 'mode'],
  [{ create_tags: true }, 'create_tags'],
])('refuses %o', (values, setting) => {
  const problems = archiveExport.check({ folder: 'archive', ...values });
  expect(problems.map((problem) => problem.setting)).toEqual([`with.${setting}`]);
});
