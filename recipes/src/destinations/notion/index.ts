import { type Destination, openWhenLoaded } from '../../engine/destination.ts';
import type { NotionNeed } from './check.ts';
import type { NotionPage } from './page.ts';
import { NOTION_GAP_MS, type NotionSettings } from './settings.ts';

/** A row looks up whether it exists, and leaves room for the pages of other meetings. */
const ROW_GAPS = 3;

/** Pages and rows in data sources. */
export const notion: Destination<NotionSettings, NotionPage, NotionNeed> = {
  name: 'notion',
  policy: {
    gapMs: NOTION_GAP_MS,
    graceMs: 30_000,
    // Rows have a limit of their own, so that a meeting with hundreds of tasks does not delay the pages.
    shareRateLimit: ({ item }) =>
      item === undefined ? { name: 'notion' } : { name: 'notion rows', gaps: ROW_GAPS },
  },
  needs: 'NOTION_TOKEN',
  target: {
    option: 'dataSource',
    expected: 'the id of a data source, or NOTION_DATA_SOURCE_ID',
    read: ({ dataSourceId }) => dataSourceId,
  },
  // A long page is written in many calls.
  maxCallMs: ({ timeoutMs }) => 12 * timeoutMs,
  check: (settings, needs, timeoutMs) =>
    needs.map(async ({ recipe, need }) => {
      const { checkNotion } = await import('./check.ts');
      return await checkNotion(`Notion data source of ${recipe}`, need, settings, timeoutMs);
    }),
  draw: async (message) => (await import('./draw.ts')).drawNotionPage(message),
  write: async (message) => (await import('./draw.ts')).writeNotionPage(message),
  locate: async (...asked) => (await import('./sent-page.ts')).locatePage(...asked),
  recall: async (...asked) => (await import('./sent-page.ts')).recallPage(...asked),
  open: (settings, { policy, clock }) =>
    openWhenLoaded(async () => {
      const { openNotion } = await import('./connector.ts');
      return openNotion(settings, clock, policy);
    }),
};
