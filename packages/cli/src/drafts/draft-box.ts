import { type Draft, listDrafts, type Found } from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { EXIT_FAILED } from '../exit-codes.ts';
import { Failure } from '../failure.ts';
import { formatIso } from '../operate/delivery-view.ts';
import { explainNotFound } from '../operate/find-named.ts';
import { loadSettings } from '../settings/load-settings.ts';
import type { Settings } from '../settings/settings.ts';
import { WrongUse, wrongSettings } from '../wrong-use.ts';

export interface DraftOptions {
  readonly json?: boolean;
  readonly config?: string;
}

type MailSettings = NonNullable<Settings['destinations']['mail']>;

export interface DraftBox {
  readonly mail: MailSettings;
  readonly drafts: readonly Draft[];
}

/** The drafts of the outbox in the settings, the oldest first. */
export async function openDraftBox(context: Context, { config }: DraftOptions): Promise<DraftBox> {
  const { mail } = (await loadSettings(context.environment, config)).destinations;
  if (mail === undefined) {
    throw wrongSettings([
      { setting: 'SMTP_URL and MAIL_FROM', found: 'nothing', expected: 'the mail server' },
    ]);
  }
  try {
    return { mail, drafts: await listDrafts(mail.outbox) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    throw new Failure({
      exitCode: EXIT_FAILED,
      code: 'outbox',
      message: `The outbox can't be read${code}.`,
      advice: 'It is mail.outbox of aftermeet.yaml, or .aftermeet/outbox where the worker runs.',
    });
  }
}

/** The draft of a key, or of the first characters of one. */
export function findDraft(name: string, drafts: readonly Draft[]): Found<Draft> {
  const found = drafts.filter(({ key }) => key.startsWith(name));
  const [first, ...others] = found.filter(({ key }) => key === name).concat(found);
  if (first === undefined || name === '') return { kind: 'none' };
  const isOne = first.key === name || others.length === 0;
  return isOne ? { kind: 'found', value: first } : { kind: 'several', ids: found.map(({ key }) => key) };
}

/** The drafts that were named, or all; with what is wrong with names. */
export function chooseDrafts(
  names: readonly string[],
  { all = false }: { readonly all?: boolean },
  { drafts }: DraftBox,
): { readonly chosen: readonly Draft[]; readonly problems: readonly string[] } {
  if (names.length > 0 === all) throw new WrongUse('Name the drafts, or take all: --all.\n');
  if (all) return { chosen: drafts, problems: [] };
  const chosen = new Set<Draft>();
  const problems: string[] = [];
  for (const name of names) {
    const found = findDraft(name, drafts);
    if (found.kind === 'found') chosen.add(found.value);
    else problems.push(explainNotFound(name, found, draftKind));
  }
  return { chosen: [...chosen], problems };
}

/** What drafts are called, and what lists them. */
export const draftKind = { noun: 'draft', list: 'aftermeet drafts list' };

/** A draft for `--json`. */
export function viewDraft({ writtenAtMs, ...draft }: Draft) {
  return { ...draft, writtenAt: formatIso(writtenAtMs) };
}
