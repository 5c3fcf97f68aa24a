import type { Draft } from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { formatMinute, shortenId } from '../operate/delivery-view.ts';
import { formatJson } from '../terminal/format-json.ts';
import { type Column, formatTable } from '../terminal/format-table.ts';
import { readTableWidth } from '../terminal/read-table-width.ts';
import { type DraftOptions, openDraftBox, viewDraft } from './draft-box.ts';

const columns: readonly Column<Draft>[] = [
  { title: 'DRAFT', read: ({ key }) => shortenId(key) },
  { title: 'WRITTEN (UTC)', read: ({ writtenAtMs }) => formatMinute(writtenAtMs) },
  { title: 'STATE', read: ({ isSending }) => (isSending ? 'may be sent' : 'waiting') },
  { title: 'TO', read: ({ to }) => to },
  { title: 'SUBJECT', read: ({ subject }) => subject, shrinks: true },
];

/** What `aftermeet drafts list` does. */
export async function listMailDrafts(context: Context, options: DraftOptions): Promise<void> {
  const { drafts } = await openDraftBox(context, options);
  if (options.json === true) context.write(formatJson(drafts.map(viewDraft)));
  else if (drafts.length > 0) context.write(formatTable(drafts, columns, readTableWidth(context)));
  else context.write('No draft waits.\n');
}
