import type { ReportReader } from '@aftermeet/client';
import type { Markup } from '@aftermeet/pages';
import { type Backend, describeError, type Log } from '@aftermeet/queue';
import type { ConsoleData, EffectLine, MessageView, SessionStore } from '@aftermeet/receiver';
import type {
  ConfiguredRecipe,
  Destinations,
  EndpointRecipes,
  LedgerEntry,
  MeetingPlace,
  OperatorTools,
  PausedDestination,
  PlanDelivery,
  SharedStore,
  Wait,
} from '@aftermeet/recipes';

import { formatProblem } from '../errors.ts';
import type { Defer } from '../hosting/resources.ts';
import { showDecisionInSlack } from '../operate/show-decision.ts';
import { findUnknownPeople } from '../recipes/unknown-people.ts';
import { hideSecrets } from '../settings/hide-secrets.ts';
import { formatIso } from '../terminal/format.ts';
import { carryOut, listActions } from './actions.ts';
import { replay } from './replay.ts';
import { countBars, describeWorker, findOldestMs, noticeWorkers } from './workers.ts';

/** What the console needs of an installation. */
export interface ConsoleParts {
  readonly backend: Backend;
  readonly log: Log;
  /** Absent: the recipes of the settings cannot run. */
  readonly plan?: PlanDelivery | undefined;
  readonly recipes: readonly ConfiguredRecipe[];
  readonly destinations: Destinations;
  readonly endpoints: readonly string[];
  readonly endpointRecipes: EndpointRecipes;
  /** Absent: what waits for approval cannot be shown. */
  readonly client?: ReportReader | undefined;
}

/** Opens the stores that the console reads and writes; each is deferred as it opens. */
export async function openConsoleData(parts: ConsoleParts, defer: Defer): Promise<ConsoleData> {
  const recipes = await import('@aftermeet/recipes');
  const { backend, log, plan } = parts;
  const tools = defer(await recipes.openOperatorTools(backend));
  const shared = defer(await recipes.openSharedStore(backend));
  const operator = { ...tools, plan };

  const findEntry = async (effectKey: string): Promise<LedgerEntry | undefined> => {
    if (!/^[0-9a-f]{64}$/.test(effectKey)) return undefined;
    const found = await recipes.findEffect(effectKey, operator);
    return found.kind === 'found' ? found.value : undefined;
  };
  const toLine = (entry: LedgerEntry, wait: Wait | undefined): EffectLine => {
    const verdict = recipes.explainEffect(entry, wait === undefined ? undefined : { state: 'waiting' });
    return {
      ...entry,
      state: recipes.VERDICT_WORDS[verdict],
      tone: recipes.TONES[verdict],
      cause: wait?.cause ?? entry.cause,
      nextTryMs: wait?.nextTryMs,
      hasAddress: canOpen(entry),
      actions: listActions(entry.state, verdict, recipes.canDo('recall', entry.destination)),
    };
  };
  const canOpen = ({ destination, reference }: Pick<EffectLine, 'destination' | 'reference'>): boolean =>
    reference !== undefined && recipes.canDo('locate', destination);
  const readEffect = async (effectKey: string): Promise<EffectLine | undefined> => {
    const entry = await findEntry(effectKey);
    if (entry === undefined) return undefined;
    const { job } = await recipes.traceEffect(entry, tools);
    return toLine(entry, job && recipes.explainWait(job));
  };
  const findUnknownNotice = async (): Promise<readonly string[]> => {
    const unknown = await findUnknownPeople(parts, tools);
    return unknown === undefined ? [] : [`Lately ${unknown.found}. ${unknown.advice}`];
  };
  const listNotices = async (paused: readonly PausedDestination[]): Promise<readonly string[]> => [
    ...((await tools.isKeyRefused())
      ? [
          'The service refuses the API key: set SERVICE_API_KEY, and restart the workers. What waits for it is sent then.',
        ]
      : []),
    ...(await tools.listPauses()).map(
      ({ kind, name, atMs }) =>
        `The ${kind} ${name} is paused by hand since ${formatIso(atMs).slice(0, 16).replace('T', ' ')} UTC: aftermeet resume ${name}.`,
    ),
    ...(await findUnknownNotice()),
    ...paused.map(
      ({ destination, cause }) =>
        `${destination} refuses our token or login (${cause}). aftermeet doctor checks it. What waits is sent once it is repaired.`,
    ),
  ];

  return {
    queueName: backend.name,
    sessions: createSessionStore(shared, backend.clock.now),

    async listMeetings({ words, day, after, limit }) {
      const untilMs = day === undefined ? undefined : Date.parse(day) + DAY_MS - 1;
      const search = { words, untilMs, limit, after: readPlace(after) };
      const { meetings, next, searched } = await recipes.listMeetings(search, tools);
      return {
        searched,
        next: next && writePlace(next),
        meetings: meetings.map(({ meetingId, title, endpoint, atMs, ...became }) => ({
          meetingId,
          title,
          endpoint,
          atMs,
          remarks: recipes
            .describeResults(became, (ms) => formatIso(ms).slice(11, 16))
            .map(({ recipe, ...remark }) => ({ about: recipe, ...remark })),
        })),
      };
    },

    async readMeeting(meetingId) {
      const way = await recipes.readMeeting(meetingId, tools);
      if (way === undefined) return undefined;
      const { title, endpoint, atMs, notTaken } = way;
      const effects = way.effects.map((effect): EffectLine => ({
        ...effect,
        meetingId,
        state: recipes.VERDICT_WORDS[effect.verdict],
        tone: recipes.TONES[effect.verdict],
        nextTryMs: effect.wait?.nextTryMs,
        hasAddress: canOpen(effect),
        actions: listActions(undefined, effect.verdict, recipes.canDo('recall', effect.destination)),
      }));
      return { meetingId, title, endpoint, atMs, notTaken, effects, steps: recipes.describeSteps(way) };
    },

    async readMark() {
      const [[meeting], { entries }] = await Promise.all([
        tools.journal.listMeetings({ limit: 1 }),
        tools.ledger.list({ states: recipes.effectStates, limit: 1 }),
      ]);
      const [effect] = entries;
      return [meeting?.meetingId, meeting?.atMs, effect?.effectKey, effect?.changedAtMs].join(' ');
    },

    async listAttention(limit) {
      const entries = await take(
        recipes.listEffects({ states: recipes.attentionStates }, tools.ledger),
        limit + 1,
      );
      const waiting = await recipes.listWaiting({ limit: 1 }, tools);
      const lines = await Promise.all(
        entries.slice(0, limit).map(async (entry) => {
          const { job } = entry.state === 'unknown' ? await recipes.traceEffect(entry, tools) : {};
          return toLine(entry, job && recipes.explainWait(job));
        }),
      );
      return { effects: lines, isMore: entries.length > limit, notices: await listNotices(waiting.paused) };
    },

    async listWaiting(limit) {
      const { effects, total, paused } = await recipes.listWaiting({ limit }, tools);
      const lines = effects.map(({ entry, wait }) => toLine(entry, wait));
      return { effects: lines, isMore: total > lines.length, notices: await listNotices(paused) };
    },

    async readOverview() {
      const [counts, events, waiting, signs, oldestMs, lastHour, lastDay] = await Promise.all([
        tools.ledger.counts(),
        tools.queue.counts('event'),
        recipes.listWaiting({ limit: 1 }, tools),
        recipes.listWorkers(shared),
        findOldestMs(tools),
        countBars(tools, 12, HOUR_MS / 12),
        countBars(tools, 24, HOUR_MS),
      ]);
      const notices = await listNotices(waiting.paused);
      return {
        oldestMs,
        lastHour,
        lastDay,
        workers: signs.map(describeWorker),
        effects: counts,
        waitingDeliveries: events.waiting + events.delayed,
        waitingEffects: waiting.total,
        notices: [...notices, ...noticeWorkers(signs, oldestMs)],
      };
    },

    listRecipes: async () =>
      recipes
        .explainRecipes(parts)
        .map(({ name, use, description, runs, destination, endpoints, ...found }) => ({
          name,
          use,
          description,
          takes: runs,
          destination,
          endpoints,
          problems: [...found.problems.map(formatProblem), ...found.warnings],
        })),

    readEffect,

    async listHeld(limit) {
      const entries = await take(recipes.listHeld(tools.ledger), limit);
      return entries.map((entry) => toLine(entry, undefined));
    },

    async readMessage(effectKey) {
      const [effect, entry] = await Promise.all([readEffect(effectKey), findEntry(effectKey)]);
      if (effect === undefined || entry === undefined) return undefined;
      return { effect, ...(await showMessage(entry, parts, tools)) };
    },

    async locate(effectKey) {
      const entry = await findEntry(effectKey);
      if (entry === undefined) return undefined;
      const { destination, reference } = entry;
      const place =
        reference === undefined
          ? undefined
          : await recipes.locateSent(destination, reference, parts.destinations);
      if (place === undefined) return { problem: 'It has no address that could be opened' };
      return place.ok ? { url: place.url } : { problem: `It cannot be found: ${place.cause}` };
    },

    replay: (choice, order) => replay(choice, order, operator),

    async previewMeeting(meetingId) {
      const way = await recipes.readMeeting(meetingId, tools);
      return way === undefined ? undefined : await previewMeeting(meetingId, way.endpoint, parts);
    },

    async findApproval(token) {
      const id = await tools.readLink(token);
      const record = id === undefined ? undefined : await tools.readRequest(id);
      // The link of a request in a channel would let each of its readers approve.
      if (record?.destination !== 'email' || tools.clock() > record.expiresAtMs) return undefined;
      const { effectKey, target, expiresAtMs } = record;
      return { effectKey, expiresAtMs, who: `the link in the mail to ${hideAddress(target)}` };
    },

    listSuppressed: () => tools.listSuppressions(),

    async changeSuppressed({ address, meetingId }, { isSuppressed, who }) {
      if (isSuppressed && !recipes.canBeSuppressed(address))
        return 'It is neither an address nor the id of a member of Slack';
      await tools.setSuppression({ address, meetingId, isSuppressed, who, nowMs: tools.clock() });
      return undefined;
    },

    async findSubscription(token) {
      const whom = await tools.readUnsubscribeLink(token);
      if (whom === undefined) return undefined;
      const entries = (await tools.listSuppressions()).filter(({ address }) => address === whom.address);
      const isForAll = entries.some(({ meetingId }) => meetingId === undefined);
      const isForMeeting = entries.some(({ meetingId }) => meetingId === whom.meetingId);
      return {
        address: hideAddress(whom.address),
        hasMeeting: whom.meetingId !== undefined,
        suppressedFor: isForAll ? 'all' : isForMeeting ? 'meeting' : undefined,
      };
    },

    async changeSubscription(token, { isSuppressed, isForMeetingOnly }) {
      const whom = await tools.readUnsubscribeLink(token);
      if (whom === undefined) return false;
      const { address } = whom;
      const meetingId = isForMeetingOnly ? whom.meetingId : undefined;
      const who = 'the link in a mail';
      await tools.setSuppression({ address, meetingId, isSuppressed, who, nowMs: tools.clock() });
      return true;
    },

    async act(action) {
      const entry = await findEntry(action.effectKey);
      if (entry === undefined) return undefined;
      const shown = { ...tools, slack: parts.destinations.slack, log };
      const carrying = { ...operator, destinations: parts.destinations, recipes: parts.recipes };
      const sentence = await carryOut(action, entry, carrying, (decided) =>
        showDecisionInSlack({ ...decided, effectKey: entry.effectKey, who: action.who }, shown),
      );
      const note = {
        kind: 'operated',
        atMs: tools.clock(),
        who: action.who,
        what: `${action.kind}: ${sentence}`,
      } as const;
      tools.journal.note({ meetingId: entry.meetingId, note });
      return sentence;
    },
  };
}

/** Enough to know a colleague by: `a…@example.com`. */
function hideAddress(address: string): string {
  return `${address.slice(0, 1)}…${address.slice(address.lastIndexOf('@'))}`;
}

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

async function showMessage(
  entry: LedgerEntry,
  { client, recipes: configured, destinations }: ConsoleParts,
  { jobAdmin }: OperatorTools,
): Promise<Omit<MessageView, 'effect'>> {
  if (client === undefined) return { problem: NO_CLIENT };
  const { bindRecipes, drawMessage, isBuiltInMessage, renderHeld } = await import('@aftermeet/recipes');
  try {
    const recipes = bindRecipes(configured, destinations);
    const held = await renderHeld(entry, { jobAdmin, client, recipes, people: destinations.people });
    if (held.kind === 'job_gone') return { problem: 'its job is not stored any more' };
    if (held.kind === 'not_rendered') return { problem: held.cause };
    const { rendered, contentHash, job } = held;
    if (isBuiltInMessage(rendered) && rendered.destination === 'email') {
      const { subject, text, html } = rendered.message;
      return { to: job.target, subject, text, html, contentHash };
    }
    return { drawn: await drawMessage(rendered), contentHash };
  } catch (error) {
    return { problem: hideSecrets(describeError(error)) };
  }
}

/** What the recipes of now see in a meeting, and would send. */
async function previewMeeting(
  meetingId: string,
  endpoint: string | undefined,
  parts: ConsoleParts,
): Promise<{ readonly drawn: Markup } | { readonly problem: string }> {
  const { client, log: _log, backend: _backend, plan: _plan, ...settings } = parts;
  if (client === undefined) return { problem: NO_CLIENT };
  const { previewRecipes } = await import('@aftermeet/recipes');
  const { renderPreviews } = await import('../recipes/preview-page.ts');
  try {
    const answer = await client.reports.get(meetingId);
    const isFailed = !answer.ready && answer.status === 'failed';
    if (!answer.ready && !isFailed) return { problem: 'the report is not ready' };
    const report = answer.ready ? { report: answer.report } : {};
    const eventKind = isFailed ? 'meeting.failed' : 'meeting.completed';
    const request = { ...settings, ...report, meetingId, endpoint, eventKind, nowMs: Date.now() };
    return { drawn: await renderPreviews(await previewRecipes(request)) };
  } catch (error) {
    return { problem: hideSecrets(describeError(error)) };
  }
}

const NO_CLIENT = 'SERVICE_BASE_URL and SERVICE_API_KEY are not set for the receiver';

/** Sessions in the shared store: every receiver of an installation knows them. */
function createSessionStore(shared: Pick<SharedStore, 'swap' | 'read'>, nowMs: () => number): SessionStore {
  return {
    read: async (name) => await shared.read(name),
    async write(name, next, keepMs) {
      let known: string | undefined;
      // Of two who write at once the later one counts.
      do {
        const [found] = await shared.swap([{ name, known, next, keepMs }], nowMs());
        known = found;
      } while (known !== undefined && known !== next);
    },
  };
}

async function take<Value>(values: AsyncIterable<Value>, limit: number): Promise<readonly Value[]> {
  const taken: Value[] = [];
  for await (const value of values) {
    taken.push(value);
    if (taken.length >= limit) break;
  }
  return taken;
}

/** The place of a meeting in the list, in an address. */
function writePlace({ atMs, meetingId }: MeetingPlace): string {
  return `${atMs}~${meetingId}`;
}

function readPlace(text: string | undefined): MeetingPlace | undefined {
  const [, atMs, meetingId] = /^(\d{1,16})~([\s\S]{1,500})$/.exec(text ?? '') ?? [];
  return atMs === undefined || meetingId === undefined ? undefined : { atMs: Number(atMs), meetingId };
}
