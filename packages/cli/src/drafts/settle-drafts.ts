import { discardDraft, type Draft, sendDraft, settleDraft } from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { EXIT_FAILED } from '../exit-codes.ts';
import { shortenId } from '../operate/delivery-view.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { formatJson } from '../terminal/format-json.ts';
import { WrongUse } from '../wrong-use.ts';
import { chooseDrafts, type DraftBox, type DraftOptions, openDraftBox } from './draft-box.ts';

export interface SettleDraftsOptions extends DraftOptions {
  readonly all?: boolean;
  /** Send also what an earlier approval was cut off at. */
  readonly again?: boolean;
}

export interface DraftWordOptions extends DraftOptions {
  readonly sent?: boolean;
  readonly notSent?: boolean;
}

interface Treated {
  readonly key: string;
  readonly to: string;
  readonly subject: string;
  readonly outcome:
    | 'sent'
    | 'not_sent'
    | 'unknown'
    | 'discarded'
    | 'not_discarded'
    | 'waiting'
    | 'not_settled';
  readonly cause?: string;
}

type TreatOne = (draft: Draft, box: DraftBox) => Promise<Pick<Treated, 'outcome' | 'cause'>>;

/** What `aftermeet drafts send` does: one after the other, each under the Message-ID that it has. */
export async function sendDrafts(
  context: Context,
  names: readonly string[],
  options: SettleDraftsOptions,
  finish: (code: number) => void,
): Promise<void> {
  const { again = false, all = false } = options;
  await treatEach(context, names, options, finish, async ({ key, isSending }, { mail }) => {
    if (all && isSending && !again) {
      return {
        outcome: 'unknown',
        cause: 'it may have arrived: look there, then --again sends it once more, or settle it',
      };
    }
    const sent = await sendDraft(mail, key, { again });
    if (sent.result === 'sent') return { outcome: 'sent' };
    return { outcome: sent.result === 'unknown' ? 'unknown' : 'not_sent', cause: sent.cause };
  });
}

/** What `aftermeet drafts discard` does. */
export async function discardDrafts(
  context: Context,
  names: readonly string[],
  options: SettleDraftsOptions,
  finish: (code: number) => void,
): Promise<void> {
  await treatEach(context, names, options, finish, async ({ key, isSending }, { mail }) => {
    if (await discardDraft(mail.outbox, key)) return { outcome: 'discarded' };
    const cause = isSending
      ? 'it was approved already: settle it'
      : 'it was approved or changed meanwhile: look again';
    return { outcome: 'not_discarded', cause };
  });
}

const unsettledCauses = {
  under_way: 'somebody is sending it, or was cut off a moment ago: look again in some minutes',
  not_open: 'it waits: only what may be sent is settled',
  missing: 'it was settled or sent meanwhile',
} as const;

/** What `aftermeet drafts settle` does. */
export async function settleDrafts(
  context: Context,
  names: readonly string[],
  options: DraftWordOptions,
  finish: (code: number) => void,
): Promise<void> {
  const { sent = false, notSent = false } = options;
  if (sent === notSent) throw new WrongUse('Say what became of it: --sent or --not-sent.\n');
  await treatEach(context, names, options, finish, async ({ key }, { mail }) => {
    const settled = await settleDraft(mail.outbox, key, sent ? 'sent' : 'not_sent');
    if (settled === 'settled') return { outcome: sent ? 'sent' : 'waiting' };
    return { outcome: 'not_settled', cause: unsettledCauses[settled] };
  });
}

async function treatEach(
  context: Context,
  names: readonly string[],
  options: SettleDraftsOptions,
  finish: (code: number) => void,
  treatOne: TreatOne,
): Promise<void> {
  const box = await openDraftBox(context, options);
  const { chosen, problems } = chooseDrafts(names, options, box);
  const treated: Treated[] = [];
  for (const draft of chosen) {
    const { key, to, subject } = draft;
    const one = { key, to, subject, ...(await treatOne(draft, box)) };
    treated.push(one);
    const cause = one.cause === undefined ? '' : `: ${one.cause}`;
    if (options.json !== true) {
      context.write(
        cleanLine(`${shortenId(key)}  ${to}  ${one.outcome.replaceAll('_', ' ')}${cause}`) + '\n',
      );
    }
  }
  for (const problem of problems) context.writeError(`${problem}\n`);
  if (problems.length > 0 || treated.some(({ cause }) => cause !== undefined)) finish(EXIT_FAILED);
  if (options.json === true) context.write(formatJson(treated));
  else if (chosen.length === 0 && problems.length === 0) context.write('No draft waits.\n');
}
