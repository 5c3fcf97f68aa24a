import type { StoredJob } from '@aftermeet/queue';
import type { ClassifiedEffect, ReplayedDelivery, StoredDelivery } from '@aftermeet/recipes';
import type { Command } from 'commander';

import { type CommandContext, tableView } from '../context.ts';
import { EXIT_FAILED, WrongUse } from '../errors.ts';
import { requireYes } from '../operate/confirm.ts';
import {
  addListOptions,
  explainNotFound,
  formatMinute,
  type NamedKind,
  type Operator,
  requireFound,
  sayNoneFound,
  requirePlan,
  shortenId,
  withOperator,
} from '../operate/operator.ts';
import { VERDICTS } from '../operate/outcome-words.ts';
import { type Moment, omitUndefined, parseMoment } from '../options.ts';
import { type Settings, WORKSPACE } from '../settings/settings.ts';
import {
  type Column,
  formatFacts,
  formatIso,
  formatItems,
  formatJson,
  formatTable,
} from '../terminal/format.ts';
import { cleanLine } from '../terminal/text.ts';

const DEFAULT_LIMIT = 20;

const kind: NamedKind = { noun: 'delivery', list: 'aftermeet deliveries list' };

/** `aftermeet deliveries`: lists, inspects and replays received webhooks. */
export function addDeliveriesCommand(program: Command, context: CommandContext): void {
  const deliveries = program
    .command('deliveries')
    .summary('list, inspect and replay received webhooks')
    .description(
      'Shows the stored deliveries and their effects, and replays them. A delivery is named by its id, by the first ' +
        'characters of its id (at least 8), or by its delivery header.',
    );
  addListCommand(deliveries, context);
  addShowCommand(deliveries, context);
  addReplayCommand(deliveries, context);
}

interface Range {
  readonly since?: Moment;
  readonly until?: Moment;
}

interface ListOptions extends Range {
  readonly endpoint?: string;
  readonly event?: string;
  readonly meeting?: string;
  readonly limit: number;
  readonly json?: boolean;
}

interface ListedDelivery {
  readonly delivery: StoredDelivery;
  /** Absent if the recipes of these settings can't run. */
  readonly effects?: readonly ClassifiedEffect[];
}

const listColumns: readonly Column<ListedDelivery>[] = [
  { title: 'RECEIVED (UTC)', read: ({ delivery }) => formatMinute(delivery.receivedAtMs) },
  { title: 'TITLE', read: ({ delivery }) => delivery.title ?? delivery.cause, shrinks: true },
  { title: 'STATE', read: ({ delivery }) => delivery.state, isState: true },
  {
    title: 'EFFECTS',
    read: ({ delivery, effects = [] }) =>
      delivery.isTest === true ? 'none: a test' : countEffects(effects, nameState),
    shrinks: true,
    leftOut: 1,
  },
  { title: 'EVENT', read: ({ delivery }) => delivery.kind, leftOut: 2 },
  { title: 'ENDPOINT', read: ({ delivery }) => delivery.endpoint, leftOut: 3 },
  { title: 'MEETING', read: ({ delivery }) => delivery.meetingId, leftOut: 4 },
  { title: 'DELIVERY', read: ({ delivery }) => delivery.id, isId: true },
];

function addListCommand(deliveries: Command, context: CommandContext): void {
  const command = deliveries
    .command('list')
    .summary('list received deliveries')
    .description(
      'Lists the stored deliveries, the newest first. The state is that of planning their effects: waiting, active, ' +
        'delayed, completed or failed. The effects are those that the recipes of these settings plan for the event, and ' +
        'those that workers have queued for it since, such as from its report.',
    )
    .option(
      '--since <time>',
      'received since then: a duration such as 2d (two days ago), or a time such as 2026-07-07T12:00Z',
      parseMoment,
    )
    .option('--until <time>', 'received until then', parseMoment)
    .option('--endpoint <name>', 'deliveries of this endpoint')
    .option('--event <kind>', 'deliveries of this kind, such as meeting.failed');
  addListOptions(command, 'deliveries', DEFAULT_LIMIT)
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet deliveries list --since 2h\n' +
        "  aftermeet deliveries list --event meeting.failed --limit all --json | jq -r '.items[].meetingId'",
    )
    .action(async (options: ListOptions) => {
      const { limit, json } = options;
      const { classifyDelivery, readDelivery } = await import('@aftermeet/recipes');
      let isMore = false;
      let queueName = '';
      const found = await withOperator(
        context,
        async (operator) => {
          const { plan } = operator;
          ({ queueName } = operator);
          const listed: ListedDelivery[] = [];
          for await (const job of listJobs(options, operator)) {
            const delivery = readDelivery(job);
            if (!isSelected(delivery, options)) continue;
            isMore = listed.length >= limit;
            if (isMore) break;
            const effects = plan && (await classifyDelivery(job, { ...operator, plan }));
            listed.push({ delivery, ...omitUndefined({ effects }) });
          }
          return listed;
        },
        { result: [] },
      );
      if (json === true) {
        context.write(
          formatItems(found.map(({ delivery, effects }) => ({ ...viewDelivery(delivery), effects }))),
        );
      } else if (found.length === 0) {
        if (queueName !== '') context.write(sayNoneFound('delivery', queueName, context));
      } else context.write(formatTable(found, listColumns, tableView(context)));
      if (isMore) context.writeError(`The newest ${limit} deliveries; --limit all lists all of them.\n`);
    });
}

/** Of one meeting those that workers have taken are known by their ids; what waits for a worker is looked at besides. */
async function* listJobs(
  options: ListOptions,
  { jobAdmin, journal, clock }: Operator,
): AsyncGenerator<StoredJob<'event'>, void, undefined> {
  const range = resolveRange(options, clock());
  if (options.meeting === undefined) {
    yield* jobAdmin.listEvents(range);
    return;
  }
  const { listMeetingDeliveries } = await import('@aftermeet/recipes');
  const taken = await listMeetingDeliveries(options.meeting, { journal });
  for await (const job of jobAdmin.listWaitingEvents()) if (!taken.includes(job.id)) yield job;
  for (const id of taken.toReversed()) {
    const job = await jobAdmin.findEvent(id);
    const { fromMs = 0, toMs = Number.POSITIVE_INFINITY } = range;
    if (job !== undefined && job.addedAtMs >= fromMs && job.addedAtMs <= toMs) yield job;
  }
}

/** The range for the store, both ends included. Throws `WrongUse` if it ends before it begins. */
function resolveRange({ since, until }: Range, nowMs: number) {
  const [fromMs, toMs] = [since?.(nowMs), until?.(nowMs)];
  if (fromMs !== undefined && toMs !== undefined && fromMs > toMs) {
    throw new WrongUse(`--since (${formatIso(fromMs)}) is later than --until (${formatIso(toMs)}).\n`);
  }
  return omitUndefined({ fromMs, toMs });
}

function isSelected(delivery: StoredDelivery, { endpoint, event, meeting }: ListOptions): boolean {
  return (
    (endpoint === undefined || delivery.endpoint === endpoint) &&
    (event === undefined || delivery.kind === event) &&
    (meeting === undefined || delivery.meetingId === meeting)
  );
}

const effectColumns: readonly Column<ClassifiedEffect>[] = [
  { title: 'RECIPE', read: ({ recipe }) => recipe, shrinks: true },
  { title: 'DESTINATION', read: ({ destination }) => destination, leftOut: 1 },
  { title: 'STATE', read: nameState, isState: true },
  { title: 'CAUSE', read: ({ cause }) => cause, shrinks: true },
  { title: 'EFFECT', read: ({ effectKey }) => effectKey, isId: true },
];

function addShowCommand(deliveries: Command, context: CommandContext): void {
  deliveries
    .command('show')
    .summary('show a delivery and its effects')
    .description('Shows one delivery, without its body, and the state of its effects.')
    .argument('<delivery-id>', 'delivery, as aftermeet deliveries list shows it')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  aftermeet deliveries show 3f2a9c01be77')
    .action(async (name: string, { json }: { json?: boolean }) => {
      const { findDeliveries, classifyDelivery, readDelivery } = await import('@aftermeet/recipes');
      const { delivery, effects } = await withOperator(
        context,
        async (operator) => {
          const { plan } = operator;
          const named = await findDeliveries([name], operator.jobAdmin);
          const job = requireFound(name, named.get(name) ?? { kind: 'none' }, kind);
          const classified = plan && (await classifyDelivery(job, { ...operator, plan }));
          return { delivery: readDelivery(job), effects: classified };
        },
        'refuse',
      );
      if (json === true) {
        context.write(formatJson({ ...viewDelivery(delivery), effects }));
        return;
      }
      context.write(
        formatFacts({
          delivery: delivery.id,
          received: formatIso(delivery.receivedAtMs),
          endpoint: delivery.endpoint,
          signed: describeSignature(delivery),
          header: delivery.deliveryId,
          event: delivery.kind,
          meeting: delivery.meetingId,
          occurred: delivery.occurrence,
          title: delivery.title,
          state: delivery.state,
          cause: delivery.cause,
        }),
      );
      if (delivery.isTest === true) context.write('\nA test delivery: no recipe runs on it.\n');
      else if (effects === undefined) {
        context.write('\nThe recipes of these settings cannot run, so their effects are not known.\n');
      } else if (effects.length === 0) context.write('\nNo recipe of these settings matches it.\n');
      else context.write(`\n${formatTable(effects, effectColumns, tableView(context))}`);
    });
}

function describeSignature({ isUnsigned, isReconciled }: StoredDelivery): string {
  if (isReconciled === true) return 'no: queued by reconcile, the delivery never arrived';
  return isUnsigned === true ? 'no: unsigned delivery' : 'yes';
}

interface ReplayOptions extends Range {
  readonly recipe?: string;
  readonly dryRun?: boolean;
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
}

function addReplayCommand(deliveries: Command, context: CommandContext): void {
  deliveries
    .command('replay')
    .summary('run the recipes on deliveries again')
    .description(
      'Runs the recipes of these settings on stored deliveries again. What was sent is not sent again; what failed ' +
        'is tried again; effects of new recipes are queued. Repeating a replay changes nothing. A worker does the ' +
        'sending.\n\n' +
        'Deliveries from more than 60 days ago are refused: the ledger may have forgotten what was sent for them. ' +
        '--force replays them anyway, and may send twice. The exit code is 1 if a named delivery is missing or ' +
        'refused.',
    )
    .argument('[delivery-id...]', 'deliveries, as aftermeet deliveries list shows them')
    .option(
      '--since <time>',
      'replay those received since then, instead of naming them: 2d (two days ago), or 2026-07-07T12:00Z',
      parseMoment,
    )
    .option('--until <time>', 'those received until then', parseMoment)
    .option('--recipe <name>', 'only the effects of this recipe')
    .option('--dry-run', 'print what would happen, and change nothing')
    .option('--yes', 'with --since or --until: do not ask; needed without a terminal')
    .option('--force', 'also deliveries older than the ledger remembers')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet deliveries replay 3f2a9c01be77 --dry-run\n' +
        '  aftermeet deliveries replay --since 7d --recipe sales-recap --yes',
    )
    .action((names: string[], options: ReplayOptions) => replayDeliveries(context, names, options));
}

/** Replays the oldest delivery first, in the order of arrival. */
async function replayDeliveries(
  context: CommandContext,
  names: readonly string[],
  options: ReplayOptions,
): Promise<void> {
  const { recipe, dryRun = false, force = false, yes, json = false } = options;
  if (names.length > 0 === (options.since !== undefined || options.until !== undefined)) {
    throw new WrongUse('Name the deliveries, or give a range with --since and --until: one of the two.\n');
  }
  const { replayAll } = await import('@aftermeet/recipes');
  const replayed: ReplayedDelivery[] = [];
  const effects: Pick<ClassifiedEffect, 'verdict'>[] = [];
  let count = 0;
  const missing = await withOperator(context, async (operator) => {
    await requireRecipe(operator.requireSettings(), recipe);
    const plan = force ? await planAnyAge(operator) : await requirePlan(operator);
    const { ids, problems } = await listIds(names, options, operator);
    const deliveries = ids.length === 1 ? '1 delivery' : `${ids.length} deliveries`;
    if (names.length === 0 && ids.length > 0 && !dryRun)
      await requireYes(`${deliveries} will be replayed.`, context, yes);
    const choice = { isDryRun: dryRun, isForced: force, ...omitUndefined({ recipe }) };
    for await (const result of replayAll(ids, choice, { ...operator, plan })) {
      // It has expired since it was listed.
      if (result === undefined) continue;
      count += 1;
      effects.push(...result.effects.map(({ verdict }) => ({ verdict })));
      if (names.length > 0 && result.refused !== undefined) context.finish(EXIT_FAILED);
      if (json) replayed.push(result);
      else context.write(describeReplayed(result));
    }
    return problems;
  });
  if (missing.length > 0) context.finish(EXIT_FAILED);
  for (const problem of missing) context.writeError(`${problem}\n`);
  if (json) {
    const views = replayed.map(({ delivery, ...rest }) => ({ ...viewDelivery(delivery), ...rest }));
    context.write(formatItems(views, { dryRun }));
  } else if (count === 0 && missing.length === 0) context.write('No delivery found.\n');
  else if (count > 0) context.write(describeTotal(count, effects, dryRun));
}

async function planAnyAge(operator: Operator) {
  await requirePlan(operator);
  const { createPlanner } = await import('@aftermeet/recipes');
  const { recipes, endpointRecipes, destinations } = operator.requireSettings();
  const maxAgeMs = Number.POSITIVE_INFINITY;
  return createPlanner({ workspace: WORKSPACE, recipes, endpointRecipes, destinations, maxAgeMs });
}

async function requireRecipe({ recipes }: Settings, recipe: string | undefined): Promise<void> {
  const names = recipes.map(({ name }) => name);
  if (recipe === undefined || names.includes(recipe)) return;
  const { suggestName } = await import('@aftermeet/contract');
  const known = names.length === 0 ? 'none is configured' : suggestName(recipe, names);
  throw new WrongUse(`There is no recipe ${JSON.stringify(cleanLine(recipe))}: ${known}\n`);
}

/** Only ids are listed, because deliveries may be large. */
async function listIds(
  names: readonly string[],
  options: ReplayOptions,
  { jobAdmin, clock }: Operator,
): Promise<{ readonly ids: readonly string[]; readonly problems: readonly string[] }> {
  const ids: string[] = [];
  if (names.length === 0) {
    for await (const page of jobAdmin.listEventIds(resolveRange(options, clock()))) ids.push(...page);
    return { ids: ids.toReversed(), problems: [] };
  }
  const { findDeliveries } = await import('@aftermeet/recipes');
  const problems: string[] = [];
  for (const [name, found] of await findDeliveries(names, jobAdmin)) {
    if (found.kind === 'found') ids.push(found.value.id);
    else problems.push(explainNotFound(name, found, kind));
  }
  return { ids: [...new Set(ids)], problems };
}

function describeReplayed({ delivery, effects, refused }: ReplayedDelivery): string {
  const { kind: event = 'unreadable', meetingId = '', title = '' } = delivery;
  const head = [shortenId(delivery.id), formatMinute(delivery.receivedAtMs), event, meetingId, title];
  const lines =
    refused === undefined
      ? effects.map((effect) => `${effect.recipe}  ${effect.destination}  ${nameReplay(effect)}`)
      : [cleanLine(`not replayed: ${refused}`)];
  if (lines.length === 0) lines.push('no recipe matches it');
  const cells = head.map(cleanLine).filter((cell) => cell !== '');
  return `${cells.join('  ')}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function describeTotal(
  count: number,
  effects: readonly Pick<ClassifiedEffect, 'verdict'>[],
  isDryRun: boolean,
): string {
  const deliveries = count === 1 ? '1 delivery' : `${count} deliveries`;
  const total = effects.length === 0 ? 'no effects' : countEffects(effects, nameReplay);
  const note = isDryRun ? 'Nothing was changed: run it without --dry-run to replay.\n' : '';
  return `\n${deliveries}: ${total}.\n${note}`;
}

function nameState({ verdict }: Pick<ClassifiedEffect, 'verdict'>): string {
  return VERDICTS[verdict].state;
}

function nameReplay({ verdict }: Pick<ClassifiedEffect, 'verdict'>): string {
  return VERDICTS[verdict].replay ?? VERDICTS[verdict].state;
}

/** `2 sent, 1 failed`, in the order of the effects. */
function countEffects(
  effects: readonly Pick<ClassifiedEffect, 'verdict'>[],
  name: (effect: Pick<ClassifiedEffect, 'verdict'>) => string,
): string {
  const counts = new Map<string, number>();
  for (const effect of effects) counts.set(name(effect), (counts.get(name(effect)) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(', ');
}

/** A delivery for `--json`. */
function viewDelivery({ id, deliveryId, kind: event, receivedAtMs, ...delivery }: StoredDelivery) {
  return { deliveryId: id, header: deliveryId, event, receivedAt: formatIso(receivedAtMs), ...delivery };
}
