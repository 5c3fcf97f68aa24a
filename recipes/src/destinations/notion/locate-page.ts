import { isNotionClientError } from '@notionhq/client';
import { z } from 'zod';

import type { Located } from '../../engine/destination.ts';
import { createCallCounter, openNotionClient } from './client.ts';
import type { NotionSettings } from './settings.ts';

const pageSchema = z.object({ url: z.url({ protocol: /^https?$/ }), in_trash: z.boolean().optional() });

/** The address of a page, for a browser. Never throws. */
export async function locatePage(
  reference: string,
  settings: NotionSettings,
  timeoutMs: number,
): Promise<Located> {
  const client = openNotionClient(settings, timeoutMs, createCallCounter(Date.now));
  try {
    const page = pageSchema.parse(await client.pages.retrieve({ page_id: reference }));
    return page.in_trash === true
      ? { ok: false, cause: 'it is in the trash of Notion' }
      : { ok: true, url: page.url };
  } catch (error) {
    const isAnswer = isNotionClientError(error);
    return { ok: false, cause: isAnswer ? `Notion answers ${error.code}` : 'Notion does not answer' };
  }
}
