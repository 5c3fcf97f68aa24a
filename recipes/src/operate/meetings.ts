import type {
  Attempt,
  Journal,
  MeetingEntry,
  MeetingPlace,
  QueuedEffect,
} from '../engine/journal/journal.ts';
import type { LedgerEntry } from '../engine/ledger/ledger.ts';
import type { Found } from './deliveries.ts';
import { type EffectVerdict, explainEffect, isOver } from './effects.ts';
import type { OperatorTools } from './operator-tools.ts';
import { describeQueued, explainWait, type Wait } from './waiting.ts';

/** What became of one effect. Times are milliseconds since 1970. */
export interface MeetingEffect extends QueuedEffect {
  readonly verdict: EffectVerdict;
  /** Of its last change; absent: no worker has started it. */
  readonly changedAtMs?: number | undefined;
  /** Why it waits, failed or was not sent; no content and no address. */
  readonly cause?: string | undefined;
  readonly wait?: Wait | undefined;
  /** Where what was sent is. */
  readonly reference?: string | undefined;
}

/** A recipe that does not take a meeting, and why. */
interface NotTaken {
  readonly recipe: string;
  readonly cause: string;
}

/** A meeting, and what became of it. */
export interface MeetingOverview {
  readonly meetingId: string;
  /** Of the newest delivery that names one. */
  readonly title?: string | undefined;
  readonly endpoint?: string | undefined;
  /** Of its newest note. */
  readonly atMs: number;
  readonly effects: readonly MeetingEffect[];
  readonly notTaken: readonly NotTaken[];
  /** Why nothing at all is done for its newest delivery. */
  readonly nothing?: string | undefined;
}

/** The whole way of a meeting. */
export interface MeetingWay extends Omit<MeetingOverview, 'effects'> {
  readonly entries: readonly MeetingEntry[];
  readonly effects: readonly (MeetingEffect & { readonly attempts: readonly Attempt[] })[];
}

type MeetingTools = Pick<OperatorTools, 'ledger' | 'jobAdmin' | 'journal' | 'clock'>;

export interface MeetingSearch {
  readonly limit: number;
  readonly after?: MeetingPlace | undefined;
  /** Only meetings whose newest note is not later; milliseconds since 1970. */
  readonly untilMs?: number | undefined;
  /** The start of an id, or words of a title. */
  readonly words?: string | undefined;
  /** In place of `words`: the start of an id, and nothing else. */
  readonly idStart?: string | undefined;
}

export interface FoundMeetings {
  readonly meetings: readonly MeetingOverview[];
  /** Where the next page begins; absent: this was the last one. */
  readonly next?: MeetingPlace | undefined;
  /** A search looked at so many of the newest meetings, and there are more. */
  readonly searched?: number | undefined;
}

/** A search looks at so many of the newest meetings: titles have no index. */
const MAX_SEARCHED = 2000;
const PAGE = 200;

/** The meetings that have sent deliveries, the newest first, each with what became of it. */
export async function listMeetings(search: MeetingSearch, tools: MeetingTools): Promise<FoundMeetings> {
  const { limit, words = '' } = search;
  if (words.trim() === '') {
    const places = await tools.journal.listMeetings({ ...search, limit: limit + 1 });
    const page = places.slice(0, limit);
    const meetings = await overview(page, tools);
    return { meetings, ...(places.length > limit ? { next: page.at(-1) } : {}) };
  }
  const { places, searched, isMore } = await searchPlaces(search, tools.journal);
  return { meetings: await overview(places, tools), ...(isMore ? { searched } : {}) };
}

/** The meeting of this id, of an id that begins so, or whose title has these words. */
export async function findMeeting(
  words: string,
  journal: Pick<Journal, 'readMeetings' | 'listMeetings'>,
): Promise<Found<string>> {
  return await findOne({ words }, words, journal);
}

/** The meeting of this id, or of an id that begins so: what a command deletes is never found by a title. */
export async function findMeetingById(
  start: string,
  journal: Pick<Journal, 'readMeetings' | 'listMeetings'>,
): Promise<Found<string>> {
  return await findOne({ idStart: start }, start, journal);
}

async function findOne(
  wanted: Pick<MeetingSearch, 'words' | 'idStart'>,
  given: string,
  journal: Pick<Journal, 'readMeetings' | 'listMeetings'>,
): Promise<Found<string>> {
  const [entries = []] = await journal.readMeetings([given]);
  if (entries.length > 0) return { kind: 'found', value: given };
  const { places } = await searchPlaces({ limit: 6, ...wanted }, journal);
  const ids = places.map(({ meetingId }) => meetingId);
  const [value] = ids;
  if (value === undefined) return { kind: 'none' };
  return ids.length === 1 ? { kind: 'found', value } : { kind: 'several', ids };
}

/** The whole way of a meeting; undefined: no delivery of it was made into effects in the last 90 days. */
export async function readMeeting(meetingId: string, tools: MeetingTools): Promise<MeetingWay | undefined> {
  const [entries = []] = await tools.journal.readMeetings([meetingId]);
  const last = entries.at(-1);
  if (last === undefined) return undefined;
  const summary = summarize({ meetingId, atMs: last.atMs }, entries);
  const queued = listQueued(entries);
  const [effects, attempts] = await Promise.all([
    Promise.all(queued.map((effect) => readEffect(effect, tools))),
    tools.journal.readEffects(queued.map(({ effectKey }) => effectKey)),
  ]);
  return {
    ...summary,
    entries,
    effects: effects.map((effect, index) => ({ ...effect, attempts: attempts[index] ?? [] })),
  };
}

async function overview(
  places: readonly MeetingPlace[],
  tools: MeetingTools,
): Promise<readonly MeetingOverview[]> {
  const entries = await tools.journal.readMeetings(places.map(({ meetingId }) => meetingId));
  return await Promise.all(
    places.map(async (place, index) => {
      const own = entries[index] ?? [];
      const effects = await Promise.all(listQueued(own).map((effect) => readEffect(effect, tools)));
      return { ...summarize(place, own), effects };
    }),
  );
}

async function searchPlaces(
  { limit, words = '', idStart, untilMs }: MeetingSearch,
  journal: Pick<Journal, 'readMeetings' | 'listMeetings'>,
): Promise<{
  readonly places: readonly MeetingPlace[];
  readonly searched: number;
  readonly isMore: boolean;
}> {
  const wanted = (idStart ?? words).trim().toLowerCase();
  const found: MeetingPlace[] = [];
  let searched = 0;
  let after: MeetingPlace | undefined;
  while (searched < MAX_SEARCHED && found.length < limit) {
    const page = await journal.listMeetings({ limit: PAGE, after, untilMs });
    const entries = await journal.readMeetings(page.map(({ meetingId }) => meetingId));
    for (const [index, place] of page.entries()) {
      const { title = '' } = summarize(place, entries[index] ?? []);
      const isTitled = idStart === undefined && title.toLowerCase().includes(wanted);
      const isFound = isTitled || place.meetingId.toLowerCase().startsWith(wanted);
      if (isFound && found.length < limit) found.push(place);
    }
    searched += page.length;
    after = page.at(-1);
    if (page.length < PAGE) return { places: found, searched, isMore: false };
  }
  return { places: found, searched, isMore: true };
}

function summarize(
  { meetingId, atMs }: MeetingPlace,
  entries: readonly MeetingEntry[],
): Omit<MeetingOverview, 'effects'> {
  const delivered = entries.filter((entry) => entry.kind === 'delivered').toReversed();
  const [newest] = delivered;
  // What a later event does not make a recipe take, an earlier one may have.
  const taken = new Set(listQueued(entries).map(({ recipe }) => recipe));
  const notTaken = (newest?.recipes ?? []).flatMap(({ name, takes, cause = '' }) =>
    takes === false && !taken.has(name) ? [{ recipe: name, cause }] : [],
  );
  return {
    meetingId,
    atMs,
    title: delivered.find(({ title }) => title !== undefined)?.title,
    endpoint: newest?.endpoint,
    notTaken,
    nothing: newest?.nothing,
  };
}

/** An effect of a meeting as the ledger knows it, or as its job describes it. */
export interface KnownEffect {
  readonly entry: LedgerEntry;
  readonly wait?: Wait | undefined;
}

/** The effects of a meeting, the newest change first; those of deliveries that no worker has taken are not there yet. */
export async function listMeetingEffects(
  meetingId: string,
  { journal, ledger, jobAdmin, clock }: MeetingTools,
): Promise<readonly KnownEffect[]> {
  const [entries = []] = await journal.readMeetings([meetingId]);
  const known = await Promise.all(
    listQueued(entries).map(async ({ effectKey, destination }): Promise<readonly KnownEffect[]> => {
      const [recorded, job] = await Promise.all([
        ledger.read(effectKey, clock()),
        jobAdmin.findEffect(destination, effectKey),
      ]);
      const entry = recorded ?? (job && describeQueued(job));
      return entry === undefined ? [] : [{ entry, wait: job && explainWait(job) }];
    }),
  );
  return known.flat().toSorted((one, other) => other.entry.changedAtMs - one.entry.changedAtMs);
}

/** The ids of the deliveries of a meeting that workers have taken, oldest first. */
export async function listMeetingDeliveries(
  meetingId: string,
  { journal }: Pick<OperatorTools, 'journal'>,
): Promise<readonly string[]> {
  const [entries = []] = await journal.readMeetings([meetingId]);
  const ids = entries.flatMap((entry) => (entry.kind === 'delivered' ? [entry.delivery] : []));
  return [...new Set(ids)];
}

/** Every effect of a meeting once, in the order in which they were queued. */
export function listQueued(entries: readonly MeetingEntry[]): readonly QueuedEffect[] {
  const all = entries.flatMap((entry) => (entry.kind === 'operated' ? [] : entry.effects));
  return [...new Map(all.map((effect) => [effect.effectKey, effect])).values()];
}

async function readEffect(
  effect: QueuedEffect,
  { ledger, jobAdmin, clock }: MeetingTools,
): Promise<MeetingEffect> {
  const entry = await ledger.read(effect.effectKey, clock());
  const job = isOver(entry) ? undefined : await jobAdmin.findEffect(effect.destination, effect.effectKey);
  const verdict = explainEffect(entry, job);
  const wait = job === undefined ? undefined : explainWait(job);
  return {
    ...effect,
    verdict,
    changedAtMs: entry?.changedAtMs,
    cause: wait?.cause ?? entry?.cause ?? job?.cause,
    wait,
    reference: entry?.reference,
  };
}
