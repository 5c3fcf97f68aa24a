import { defaultTasksDataSourceId } from '@aftermeet/sandbox';
import { describe, expect, it } from 'vitest';

import { buildDigest } from '../../report/digest.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { openTestNotion } from '../../testing/test-notion.ts';
import { checkDataSource } from './data-source.ts';
import { renderNotionPage } from './render-page.ts';

describe('checkDataSource', () => {
  it('says where each fact goes and what is missing, and changes nothing', async () => {
    const { settings } = await openTestNotion();
    const expected = {
      ok: true,
      notes: expect.arrayContaining([
        'date goes to "Date" (date)',
        'summary goes nowhere: the data source has no property for it',
        'the property "Delivery key" is missing and is added with the first page',
      ]),
    };
    expect(await checkDataSource(settings, settings.dataSourceId)).toEqual(expected);
    expect(await checkDataSource(settings, settings.dataSourceId)).toEqual(expected);
    expect(await checkDataSource(settings, defaultTasksDataSourceId, {}, 'task')).toMatchObject({ ok: true });
  });

  it('says what is wrong', async () => {
    const { settings } = await openTestNotion();
    expect(await checkDataSource(settings, settings.dataSourceId, { date: 'Name', tags: 'Nope' })).toEqual({
      ok: false,
      problems: [
        'the Notion property "Name" is of type title; expected a property of type date, for date: change it in the data source, or in the option properties',
        'the Notion property "Nope" is not there; expected a property of type multi_select or rich_text, for tags: change it in the data source, or in the option properties',
      ],
    });
    const missing = '00000000-0000-4000-8000-000000000000';
    expect(await checkDataSource(settings, missing)).toMatchObject({ ok: false });
  });
});

it('a key property of another type makes a page fail for good', async () => {
  const { tryPrepare } = await openTestNotion({ properties: { Name: 'title', 'Delivery key': 'number' } });
  expect(await tryPrepare(renderNotionPage(buildDigest(sampleReport)))).toEqual({
    result: 'permanent',
    cause: 'the Notion property "Delivery key" is of type number; make it a text property',
  });
});
