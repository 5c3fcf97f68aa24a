import { effectStates } from '../ledger/effect-states.ts';
import type { EffectState, EntryPlace, Ledger, LedgerEntry } from '../ledger/ledger.ts';
import { type Found, leastPrefixLength } from './find-deliveries.ts';

/** What needs a person, or may soon. */
export const troubledStates = ['failed', 'parked', 'unknown'] as const satisfies readonly EffectState[];

export interface EffectSelection {
  readonly states: readonly EffectState[];
  readonly recipe?: string;
  readonly meetingId?: string;
}

const pageSize = 500;
const mostNamed = 5;

/** The effects that the ledger knows, newest change first, page by page. */
export async function* listEffects(
  { states, recipe, meetingId }: EffectSelection,
  ledger: Pick<Ledger, 'list'>,
): AsyncGenerator<LedgerEntry, void, undefined> {
  const seen = new Set<string>();
  let after: EntryPlace | undefined;
  do {
    const page = await ledger.list({ states, limit: pageSize, ...(after === undefined ? {} : { after }) });
    for (const entry of page.entries) {
      // What has changed meanwhile can be in two pages.
      if (seen.has(entry.effectKey)) continue;
      seen.add(entry.effectKey);
      const isWanted =
        (recipe === undefined || entry.recipe === recipe) &&
        (meetingId === undefined || entry.meetingId === meetingId);
      if (isWanted) yield entry;
    }
    after = page.next;
  } while (after !== undefined);
}

/** Finds an effect by its key, or by the first characters of it (at least eight). */
export async function findEffect(
  name: string,
  { ledger, clock }: { readonly ledger: Pick<Ledger, 'list' | 'read'>; readonly clock: () => number },
): Promise<Found<LedgerEntry>> {
  const exact = await ledger.read(name, clock());
  if (exact !== undefined) return { kind: 'found', value: exact };
  if (name.length < leastPrefixLength) return { kind: 'none' };
  const found: LedgerEntry[] = [];
  for await (const entry of listEffects({ states: effectStates }, ledger)) {
    if (!entry.effectKey.startsWith(name)) continue;
    found.push(entry);
    if (found.length === mostNamed) break;
  }
  const [value] = found;
  if (value === undefined) return { kind: 'none' };
  if (found.length === 1) return { kind: 'found', value };
  return { kind: 'several', ids: found.map(({ effectKey }) => effectKey) };
}
