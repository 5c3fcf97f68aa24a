import type { RedisLink } from '../store/redis-link.ts';
import type { EffectState, EntryFilter, EntryPage, EntryPlace, LedgerEntry } from './ledger.ts';
import { readEntry } from './read-entry.ts';
import { readFactColumns } from './redis-facts.ts';

interface Sorted {
  readonly places: readonly EntryPlace[];
  /** Whether more may follow after the last of them. */
  readonly hasMore: boolean;
}

/** An entry from its hash; undefined when there is none. */
export function readRedisEntry(
  effectKey: string,
  row: Readonly<Record<string, string>>,
): LedgerEntry | undefined {
  return readEntry(effectKey, { ...row, ...readFactColumns(row['facts']) });
}

/** A page of the entries of some states, newest change first. */
export async function listRedisEntries(
  link: RedisLink,
  prefix: string,
  { states, limit, after }: EntryFilter,
): Promise<EntryPage> {
  if (limit < 1) return { entries: [] };
  const perState = await Promise.all(
    [...new Set(states)].map((state) => readPlaces(link, `${prefix}state:${state}`, { limit, after })),
  );
  // Beyond the last place of a state that goes on, some of its own may be missing.
  const known = perState
    .flatMap(({ places, hasMore }) => (hasMore ? places.slice(-1) : []))
    .toSorted(comparePlaces)[0];
  const places = perState
    .flatMap((sorted) => sorted.places)
    .filter((place) => known === undefined || comparePlaces(place, known) <= 0)
    .toSorted(comparePlaces);
  const page = places.slice(0, limit);
  const next = known === undefined && places.length <= limit ? undefined : page.at(-1);
  const entries = await readEntries(link, prefix, page, states);
  return next === undefined ? { entries } : { entries, next };
}

/** At least one place when there is one, and at most `limit`. */
async function readPlaces(
  link: RedisLink,
  key: string,
  { limit, after }: Readonly<{ limit: number; after: EntryPlace | undefined }>,
): Promise<Sorted> {
  const newest = after === undefined ? '+inf' : after.changedAtMs;
  for (let offset = 0; ; offset += limit) {
    const flat = await link.ask((client) =>
      client.zrange(key, newest, '-inf', 'BYSCORE', 'REV', 'LIMIT', offset, limit, 'WITHSCORES'),
    );
    const found = readPairs(flat);
    // Many can have changed in the same millisecond, before the place and after it.
    const places = found.filter((place) => after === undefined || comparePlaces(place, after) > 0);
    const hasMore = found.length === limit;
    if (places.length > 0 || !hasMore) return { places, hasMore };
  }
}

/**
 * Between the two steps an effect may have changed its state; one that has expired is sorted until the next sweep, and
 * when it was filed anew meanwhile it is sorted twice.
 */
async function readEntries(
  link: RedisLink,
  prefix: string,
  places: readonly EntryPlace[],
  states: readonly EffectState[],
): Promise<readonly LedgerEntry[]> {
  const keys = [...new Set(places.map(({ effectKey }) => effectKey))];
  const entries = await Promise.all(
    keys.map(async (key) =>
      readRedisEntry(key, await link.ask((client) => client.hgetall(`${prefix}${key}`))),
    ),
  );
  return entries.flatMap((entry) => (entry !== undefined && states.includes(entry.state) ? [entry] : []));
}

function readPairs(flat: readonly string[]): EntryPlace[] {
  const pairs: EntryPlace[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) {
    pairs.push({ effectKey: flat[at] ?? '', changedAtMs: Number(flat[at + 1]) });
  }
  return pairs;
}

/** Newest first; of one millisecond in the order in which Redis gives them. */
function comparePlaces(one: EntryPlace, other: EntryPlace): number {
  if (one.changedAtMs !== other.changedAtMs) return other.changedAtMs - one.changedAtMs;
  if (one.effectKey === other.effectKey) return 0;
  return one.effectKey < other.effectKey ? 1 : -1;
}
