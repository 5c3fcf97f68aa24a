import { recallSent } from '../destinations/index.ts';
import type { Destinations } from '../destinations/settings.ts';
import { type EffectState, type LedgerEntry, RECALLED } from '../engine/ledger/ledger.ts';
import type { ConfiguredRecipe } from '../engine/recipe.ts';
import { listNeeds } from '../preview/check-destinations.ts';
import { listEffects } from './effects.ts';
import type { OperatorTools } from './operator-tools.ts';

export interface RecallTools extends Pick<OperatorTools, 'ledger' | 'clock'> {
  readonly destinations: Destinations;
  readonly recipes: readonly ConfiguredRecipe[];
}

export type RecallOutcome =
  | { readonly kind: 'recalled' }
  | { readonly kind: 'recalled_before' }
  /** There is nothing to take back. */
  | { readonly kind: 'not_sent'; readonly state: EffectState }
  /** Its destination takes nothing back: a mail, a request, or a destination that is not configured. */
  | { readonly kind: 'impossible' }
  | { readonly kind: 'refused'; readonly cause: string };

/**
 * Takes back what an effect sent: deletes its message, page or file. The ledger still counts it as sent, so that neither a
 * newer report nor a delivery that comes again sends it anew. May be repeated.
 */
export async function recallEffect(entry: LedgerEntry, tools: RecallTools): Promise<RecallOutcome> {
  const { effectKey, destination, state, reference = '' } = entry;
  if (state !== 'sent') return { kind: 'not_sent', state };
  if (entry.cause === RECALLED) return { kind: 'recalled_before' };
  if (reference === '') return { kind: 'refused', cause: 'it is not known where it is' };
  const { recipes, destinations } = tools;
  const need = listNeeds(destination, recipes).find(({ recipe }) => recipe === entry.recipe)?.need;
  const recalled = await recallSent(destination, { reference, need }, destinations);
  if (recalled === undefined) return { kind: 'impossible' };
  if (!recalled.ok) return { kind: 'refused', cause: recalled.cause };
  await tools.ledger.markRecalled(effectKey, tools.clock());
  return { kind: 'recalled' };
}

/** An effect and the replies that belong to it, in the order in which they are taken back: the message last. */
export async function listWithReplies(
  entry: LedgerEntry,
  { ledger }: Pick<RecallTools, 'ledger'>,
): Promise<readonly LedgerEntry[]> {
  const replies: LedgerEntry[] = [];
  if (entry.part === 0) {
    const { meetingId } = entry;
    for await (const one of listEffects({ states: ['sent'], meetingId }, ledger)) {
      const isOfSame = sameFacts.every((fact) => one[fact] === entry[fact]);
      if (isOfSame && one.part > 0) replies.push(one);
    }
  }
  return [...replies.toSorted((one, other) => other.part - one.part), entry];
}

const sameFacts = ['recipe', 'meetingId', 'eventKind', 'occurrence', 'targetHash'] as const;

/** Everything that was sent about a meeting and is not taken back, replies before their message. */
export async function listSentOf(
  meetingId: string,
  { ledger }: Pick<RecallTools, 'ledger'>,
): Promise<readonly LedgerEntry[]> {
  const sent: LedgerEntry[] = [];
  for await (const entry of listEffects({ states: ['sent'], meetingId }, ledger)) sent.push(entry);
  return chooseSent(sent);
}

/** Those that were sent and not taken back, replies before their message. Pure. */
export function chooseSent(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  return entries
    .filter(({ state, cause }) => state === 'sent' && cause !== RECALLED)
    .toSorted((one, other) => other.part - one.part);
}
