import { expect, it } from 'vitest';

import { buildDigest } from '../../report/digest.ts';
import { sampleReport } from '../../testing/sample-report.ts';
import { openTestNotion } from '../../testing/test-notion.ts';
import { renderNotionPage } from './render-page.ts';
import { locatePage, recallPage } from './sent-page.ts';

it('finds the address of a page, and says why there is none', async () => {
  const { settings, send, client } = await openTestNotion();
  const reference = await send(renderNotionPage(buildDigest(sampleReport)));
  const url = `https://www.notion.so/${reference.replaceAll('-', '')}`;
  expect(await locatePage(reference, settings, 5000)).toEqual({ ok: true, url });
  await client.pages.update({ page_id: reference, in_trash: true });
  expect(await locatePage(reference, settings, 5000)).toEqual({
    ok: false,
    cause: 'it is in the trash of Notion',
  });
  expect(await locatePage('00000000-0000-4000-8000-000000000000', settings, 5000)).toEqual({
    ok: false,
    cause: 'Notion answers object_not_found: it is deleted for good, or not shared any more',
  });
  const away = { ...settings, baseUrl: 'http://127.0.0.1:1' };
  expect(await locatePage(reference, away, 5000)).toEqual({ ok: false, cause: 'Notion does not answer' });
});

it('moves a page to the trash, also twice, and says why it cannot', async () => {
  const { settings, send, client } = await openTestNotion();
  const reference = await send(renderNotionPage(buildDigest(sampleReport)));
  expect(await recallPage({ reference }, settings, 5000)).toEqual({ ok: true });
  expect(await client.pages.retrieve({ page_id: reference })).toMatchObject({ in_trash: true });
  expect(await recallPage({ reference }, settings, 5000)).toEqual({ ok: true });
  expect(await recallPage({ reference: '00000000-0000-4000-8000-000000000000' }, settings, 5000)).toEqual({
    ok: false,
    cause: 'Notion answers object_not_found: it is deleted for good, or not shared any more',
  });
  const away = { ...settings, baseUrl: 'http://127.0.0.1:1' };
  expect(await recallPage({ reference }, away, 5000)).toEqual({ ok: false, cause: 'Notion does not answer' });
});
