import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { readMail } from '@aftermeet/sandbox';

import type { Context } from '../context.ts';
import { EXIT_FAILED } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { formatIso } from '../operate/delivery-view.ts';
import { requireFound } from '../operate/find-named.ts';
import { cleanText } from '../terminal/clean-text.ts';
import { formatFacts } from '../terminal/format-facts.ts';
import { formatJson } from '../terminal/format-json.ts';
import { draftKind, type DraftOptions, findDraft, openDraftBox, viewDraft } from './draft-box.ts';

/** What `aftermeet drafts show` does. */
export async function showDraft(context: Context, name: string, options: DraftOptions): Promise<void> {
  const { mail, drafts } = await openDraftBox(context, options);
  const draft = requireFound(name, findDraft(name, drafts), draftKind);
  const { key, to, subject, writtenAtMs, isSending } = draft;
  const file = resolve(draft.file);
  const raw = await readFile(file).catch(() => {
    throw new Failure({
      exitCode: EXIT_FAILED,
      code: 'not_found',
      message: 'The draft was sent or discarded meanwhile.',
    });
  });
  const envelope = { from: mail.from, to: [to] };
  const { text, attachments } = await readMail(raw, {
    id: key,
    receivedAt: formatIso(writtenAtMs),
    envelope,
  });
  if (options.json === true) {
    context.write(formatJson({ ...viewDraft(draft), file, text, attachments }));
    return;
  }
  context.write(
    formatFacts({
      draft: key,
      to,
      subject,
      written: formatIso(writtenAtMs),
      state: isSending ? 'an earlier approval was cut off: it may have arrived' : 'waiting',
      attached: attachments.map(({ name: attached }) => attached).join(', '),
      file,
    }),
  );
  context.write(`\n${cleanText(text).trim()}\n`);
}
