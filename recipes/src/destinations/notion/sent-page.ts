import { APIErrorCode, isNotionClientError } from '@notionhq/client';
import { z } from 'zod';

import type { Located, Recalled, SentThing } from '../../engine/destination.ts';
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
    return { ok: false, cause: explain(error) };
  }
}

/** Moves a page or row to Notion's trash, from where Notion deletes it after 30 days. Never throws. */
export async function recallPage(
  { reference }: SentThing,
  settings: NotionSettings,
  timeoutMs: number,
): Promise<Recalled> {
  const client = openNotionClient(settings, timeoutMs, createCallCounter(Date.now));
  try {
    const page = pageSchema.parse(await client.pages.retrieve({ page_id: reference }));
    if (page.in_trash !== true) await client.pages.update({ page_id: reference, in_trash: true });
    return { ok: true };
  } catch (error) {
    return { ok: false, cause: explain(error) };
  }
}

function explain(error: unknown): string {
  if (!isNotionClientError(error)) return 'Notion does not answer';
  const isHidden = error.code === APIErrorCode.ObjectNotFound;
  return `Notion answers ${error.code}${isHidden ? ': it is deleted for good, or not shared any more' : ''}`;
}
