import {
  createGroupedWriter,
  groupReads,
  type RedisBackend,
  type RedisScript,
  runRedisScript,
} from '@aftermeet/queue';
import { z } from 'zod';

import { openRedisLink, type RedisClient, type RedisLink } from '../store/redis-link.ts';
import { groupSettings } from '../store/store-tools.ts';
import {
  checkClaim,
  checkSettlement,
  type ClaimItem,
  readClaims,
  readEntry,
  readSettled,
  type SettleItem,
} from './ledger-rows.ts';
import {
  ANY_CONTENT,
  DECIDED,
  describeDismissal,
  type Claim,
  type ClaimRequest,
  type DedupeKey,
  type EffectState,
  effectStates,
  effectStateSchema,
  type EntryFilter,
  type EntryPage,
  type EntryPlace,
  type Ledger,
  type LedgerEntry,
  noCounts,
  RECALLED,
  retentionMs,
} from './ledger.ts';
import {
  claimScript,
  decideScript,
  findOfMeetingScript,
  listClaim,
  listSettle,
  readFactColumns,
  renewScript,
  reopenScript,
  recallScript,
  resendScript,
  resolveHeldScript,
  settleScript,
} from './redis-ledger-scripts.ts';

/**
 * Deliveries are timed by the machine of the receiver, runs of the server by the server. A machine that is further off than
 * five minutes refuses every delivery.
 */
const clocksApartMs = 6 * 60_000;

const stateSchema = z
  .union([effectStateSchema, z.null()])
  .transform((state): EffectState | undefined => state ?? undefined);

/** Opens the ledger on Redis: a hash for each effect and each dedupe key, changed by scripts only. */
export function openRedisLedger(backend: RedisBackend, clock: () => number): Ledger {
  const link = openRedisLink(backend);
  const prefix = `{${backend.namespace}}:ledger:`;
  const { sinceMs } = watchRun(link.client, `${prefix}runs`, clock);
  // Where nothing was forgotten since the delivery, a missing trace means that nothing was tried.
  const complete = (request: ClaimRequest): ClaimRequest =>
    request.isTraceComplete || request.earliestMs <= sinceMs() + clocksApartMs
      ? request
      : { ...request, isTraceComplete: true };
  const write: RedisLink['run'] = (script, keys, args) => link.run(script, keys, args);
  const ask: RedisLink['run'] = (script, keys, args) =>
    link.ask((client) => runRedisScript(client, script, keys, args));
  const claims = createGroupedWriter<ClaimItem, Claim>(
    async (group) => readClaims(await runSteps(write, prefix, claimScript, group.map(toClaimStep))),
    groupSettings,
  );
  const settlements = createGroupedWriter<SettleItem, boolean>(
    async (group) => readSettled(await runSteps(write, prefix, settleScript, group.map(toSettleStep))),
    groupSettings,
  );
  async function repair(script: RedisScript, effectKey: string, args: Step['args']) {
    const step = { names: [effectKey], args: [effectKey, ...args] };
    const [state] = await runSteps(ask, prefix, script, [step]);
    return stateSchema.parse(state);
  }
  return {
    claim: async (effectKey, request) =>
      await claims.write(checkClaim({ effectKey, request: complete(request) })),
    settle: async (effectKey, fence, settlement, request) =>
      await settlements.write(checkSettlement({ effectKey, fence, settlement, request })),
    renew: async (effectKey, fence, untilMs) =>
      (await ask(renewScript, [`${prefix}${effectKey}`], [fence, untilMs])) === 1,
    read: groupReads(
      (effectKeys: readonly string[]) => readTogether(link, prefix, effectKeys),
      READ_TOGETHER,
    ),
    list: (filter) => listRedisEntries(link, prefix, filter),
    async counts() {
      const sizes = await Promise.all(
        effectStates.map((state) => link.ask((client) => client.zcard(`${prefix}state:${state}`))),
      );
      const counts = { ...noCounts };
      for (const [nth, state] of effectStates.entries()) counts[state] = sizes[nth] ?? 0;
      return counts;
    },
    countChanges: (states, edgesMs) =>
      Promise.all(
        states.map((state) =>
          Promise.all(
            edgesMs
              .slice(1)
              .map((endMs, index) =>
                link.ask((client) =>
                  client.zcount(`${prefix}state:${state}`, edgesMs[index] ?? 0, `(${endMs}`),
                ),
              ),
          ),
        ),
      ),
    reopen: (effectKey, nowMs) => repair(reopenScript, effectKey, [nowMs]),
    resend: (effectKey, nowMs) => repair(resendScript, effectKey, [nowMs]),
    markRecalled: (effectKey, nowMs) => repair(recallScript, effectKey, [nowMs, RECALLED]),
    decide: (effectKey, verdict, nowMs, reason) =>
      repair(decideScript, effectKey, [
        DECIDED[verdict],
        nowMs,
        verdict === 'dismissed' ? describeDismissal(reason) : '',
      ]),
    resolveHeld: (effectKey, decision, nowMs, contentHash = ANY_CONTENT) =>
      repair(resolveHeldScript, effectKey, [
        decision === 'approved' ? 'pending' : 'skipped',
        nowMs,
        contentHash,
      ]),
    readApproval: async (effectKey) =>
      (await link.ask((client) => client.hget(`${prefix}${effectKey}`, 'approved'))) ?? undefined,
    async sweep(nowMs) {
      // Rows expire by themselves, but not what sorts them.
      for (const [state, keptMs] of Object.entries(retentionMs)) {
        const key = `${prefix}state:${state}`;
        await link.ask((client) => client.zremrangebyscore(key, '-inf', nowMs - keptMs));
      }
    },
    close: () => link.close([claims, settlements]),
  };
}

/** What a script does for one effect: the names of the keys that it is known to need, and its values. */
interface Step {
  readonly names: readonly string[];
  readonly args: readonly (string | number)[];
}

function toClaimStep(item: ClaimItem): Step {
  return { names: namesOf(item.effectKey, item.request.dedupe), args: listClaim(item) };
}

function toSettleStep(item: SettleItem): Step {
  return { names: namesOf(item.effectKey, item.request.dedupe), args: listSettle(item) };
}

function namesOf(effectKey: string, dedupe: DedupeKey | undefined): readonly string[] {
  return dedupe === undefined ? [effectKey] : [effectKey, `dedupe:${dedupe.key}`];
}

const stateNames = effectStates.map((state) => `state:${state}`);

/** A step needs a second round when it meets stored names; more only while others change them. */
const MAX_ROUNDS = 20;

const answersSchema = z.array(z.unknown());

/**
 * Runs a script with every key declared, and answers for each step. Steps that turn out to need further keys have
 * written nothing; they run again with these. Rejects when their keys change twenty times meanwhile.
 */
async function runSteps(
  run: RedisLink['run'],
  prefix: string,
  script: RedisScript,
  steps: readonly Step[],
): Promise<readonly unknown[]> {
  const answers = Array.from<unknown>({ length: steps.length });
  const names = new Set([...stateNames, ...steps.flatMap((step) => step.names)]);
  let open = steps.map((step, place) => ({ step, place }));
  for (let round = 0; open.length > 0; round += 1) {
    if (round === MAX_ROUNDS) throw new Error('the keys of an effect changed too often to be declared');
    const keys = [...names].map((name) => `${prefix}${name}`);
    const args = [prefix, ...open.flatMap(({ step }) => step.args)];
    const found = answersSchema.parse(await run(script, keys, args));
    open = open.filter(({ place }, nth) => {
      const undeclared = readUndeclared(found[nth]);
      for (const name of undeclared) names.add(name);
      answers[place] = found[nth];
      return undeclared.length > 0;
    });
  }
  return answers;
}

const namesSchema = z.array(z.string());

function readUndeclared(answer: unknown): readonly string[] {
  return Array.isArray(answer) && answer[0] === 'undeclared' ? namesSchema.parse(answer.slice(1)) : [];
}

interface Sorted {
  readonly places: readonly EntryPlace[];
  /** Whether more may follow after the last of them. */
  readonly hasMore: boolean;
}

/** An entry from its hash; undefined when there is none. */
function readRedisEntry(effectKey: string, row: Readonly<Record<string, string>>): LedgerEntry | undefined {
  return readEntry(effectKey, { ...row, ...readFactColumns(row['facts']) });
}

const READ_TOGETHER = 100;

const rowsSchema = z.array(z.tuple([z.null(), z.record(z.string(), z.string())]));

/** The commands are written at once: each alone would cost a call of the system. */
async function readTogether(
  link: RedisLink,
  prefix: string,
  effectKeys: readonly string[],
): Promise<readonly (LedgerEntry | undefined)[]> {
  const commands = effectKeys.map((key) => ['hgetall', `${prefix}${key}`]);
  const rows = rowsSchema.parse(await link.ask((client) => client.pipeline(commands).exec()));
  return effectKeys.map((key, index) => readRedisEntry(key, rows[index]?.[1] ?? {}));
}

/** A page of the entries of some states, newest change first. */
async function listRedisEntries(
  link: RedisLink,
  prefix: string,
  { states, limit, after, meetingId, keyPrefix = '' }: EntryFilter,
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
  const named = page.filter(({ effectKey }) => effectKey.startsWith(keyPrefix));
  const wanted = meetingId === undefined ? named : await choosePlaces(link, prefix, named, meetingId);
  const found = await readEntries(link, prefix, wanted, states);
  const entries = found.filter((entry) => meetingId === undefined || entry.meetingId === meetingId);
  return next === undefined ? { entries } : { entries, next };
}

const indexesSchema = z.array(z.number());

/** Those that may be of a meeting: the server looks, so that only these are read. */
async function choosePlaces(
  link: RedisLink,
  prefix: string,
  places: readonly EntryPlace[],
  meetingId: string,
): Promise<readonly EntryPlace[]> {
  if (places.length === 0) return [];
  const keys = places.map(({ effectKey }) => `${prefix}${effectKey}`);
  const answer = await link.ask((client) =>
    runRedisScript(client, findOfMeetingScript, keys, [JSON.stringify(meetingId)]),
  );
  const indexes = new Set(indexesSchema.parse(answer));
  return places.filter((_place, index) => indexes.has(index + 1));
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
  const entries = await readTogether(link, prefix, keys);
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

/** Since when a server has forgotten nothing. */
interface RunWatch {
  /** Milliseconds since 1970; `Infinity` while it is not known. */
  readonly sinceMs: () => number;
}

/**
 * Watches which run of the server a connection talks to. A Redis with `appendfsync everysec` loses its last moments
 * only when it ends, and a replica that takes over may lack some: both show another run id from then on. Each run is
 * noted under `key` by the first worker that meets it.
 */
function watchRun(redis: RedisClient, key: string, clock: () => number): RunWatch {
  let sinceMs = Number.POSITIVE_INFINITY;
  let connection = 0;
  const forget = (): void => {
    connection += 1;
    sinceMs = Number.POSITIVE_INFINITY;
  };
  const look = async (): Promise<void> => {
    forget();
    const asked = connection;
    const run = /^run_id:([0-9a-f]+)/m.exec(await redis.info('server'))?.[1];
    if (run === undefined) return;
    await redis.hsetnx(key, run, clock());
    const notedMs = Number(await redis.hget(key, run));
    if (asked === connection && notedMs > 0) sinceMs = notedMs;
  };
  // A server may forbid INFO: then it stays unknown, which only costs looks at the destinations.
  const lookIfAllowed = (): void => void look().catch(() => undefined);
  redis.on('ready', lookIfAllowed);
  redis.on('close', forget);
  if (redis.status === 'ready') lookIfAllowed();
  return { sinceMs: () => sinceMs };
}
