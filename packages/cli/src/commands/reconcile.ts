import type { ReconcileOutcome, UndeliveredMeeting } from '@aftermeet/recipes';
import type { Command } from 'commander';

import { type CommandContext, tableView } from '../context.ts';
import { formatProblem, type SettingProblem, WrongUse } from '../errors.ts';
import { withOperator } from '../operate/operator.ts';
import { parseDuration } from '../options.ts';
import { type Service, withService } from '../service/with-service.ts';
import type { Settings } from '../settings/settings.ts';
import { type Column, formatItems, formatMoment, formatTable, type TableView } from '../terminal/format.ts';
import { cleanLine } from '../terminal/text.ts';

interface ReconcileOptions {
  /** Seconds. */
  readonly since?: number;
  readonly endpoint?: string;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const columns: readonly Column<UndeliveredMeeting>[] = [
  { title: 'START (UTC)', read: ({ startedAt }) => startedAt && formatMoment(startedAt) },
  { title: 'TITLE', read: ({ title }) => title, shrinks: true },
  { title: 'EVENT', read: ({ kind }) => kind, leftOut: 1 },
  { title: 'ENDPOINT', read: ({ endpoint }) => endpoint, leftOut: 2 },
  { title: 'MEETING', read: ({ meetingId }) => meetingId },
];

/** `aftermeet reconcile`: queues finished meetings whose delivery never arrived. */
export function addReconcileCommand(program: Command, context: CommandContext): void {
  program
    .command('reconcile')
    .summary('find finished meetings whose delivery never arrived, and queue them')
    .description(
      'Searches the service for meetings, asks for the status of those without a delivery, and queues an event for ' +
        'each that is finished or has failed, as if the service had sent it. If its delivery arrives later, nothing ' +
        'is sent twice. Repeating it, also on several machines, changes nothing.\n\n' +
        'The event goes to the endpoint that the meeting was recorded for (aftermeet record --endpoint), or that an ' +
        'earlier event of it came to. Where neither is known it goes to reconcile.endpoint of aftermeet.yaml, which ' +
        'must be named when there are several endpoints. --dry-run prints which recipes would take each meeting, ' +
        'and where they send.\n\n' +
        'It cannot tell a lost delivery from one that was never requested: a meeting recorded without a webhook ' +
        'address is queued too, so run it with --dry-run first. All meetings of a series share one id: once one of ' +
        'them was delivered, the lost deliveries of the others are not found.\n\n' +
        'The worker does the same on a schedule with reconcile: { every: 1h, since: 2d } in aftermeet.yaml.',
    )
    .option(
      '--since <duration>',
      'meetings of this last period, in whole days (default: reconcile.since, or 2d)',
      parseDuration,
    )
    .option(
      '--endpoint <name>',
      'endpoint of meetings whose own one is not known (default: reconcile.endpoint, or the only one)',
    )
    .option('--dry-run', 'print what is missing, and queue nothing')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet reconcile --dry-run\n  aftermeet reconcile --since 7d --endpoint sales',
    )
    .action(async ({ json, dryRun = false, since, endpoint }: ReconcileOptions) => {
      const { clock = Date.now } = context;
      const nowMs = clock();
      await requireOwnService(context);
      const { findFirstDay, reconcile } = await import('@aftermeet/recipes');
      const { chooseEndpoint, DEFAULT_SINCE_MS } = await import('../settings/reconcile.ts');
      const { outcome, plans, search } = await withService(context, { json }, ({ client, call, progress }) =>
        withOperator(context, async (operator) => {
          const settings = operator.requireSettings();
          const { endpoints, reconcile: configured } = settings;
          const names = [...endpoints.byName.keys()];
          const wanted = endpoint ?? configured?.endpoint;
          const choice = chooseEndpoint(endpoints, wanted);
          if (!choice.ok) throw wanted === undefined ? needsEndpoint(names) : wrongEndpoint(choice.problem);
          const defaultMs = configured?.sinceMs ?? DEFAULT_SINCE_MS;
          const sinceMs = since === undefined ? defaultMs : since * 1000;
          progress.show({ kind: 'wait', label: 'Searching' });
          const found = await reconcile(
            { ...operator, client, clock: () => nowMs },
            {
              ...call,
              sinceMs,
              endpoint: choice.endpoint,
              endpoints: names,
              isDryRun: dryRun,
              onProgress: ({ searched }) => progress.note(`${countMeetings(searched)} searched`),
            },
          );
          const planned = dryRun
            ? await planMeetings(found.undelivered, settings, { client, call, clock })
            : [];
          const searched: Search = {
            from: findFirstDay(sinceMs, nowMs),
            endpoint: choice.endpoint,
            endpoints: names,
          };
          return { outcome: found, plans: planned, search: searched };
        }),
      );
      if (json === true) {
        const { undelivered, ...counts } = outcome;
        const items = undelivered.map(({ kind: event, ...meeting }) => ({ event, ...meeting }));
        context.write(
          formatItems(items, { dryRun, ...search, ...counts, plans: dryRun ? plans : undefined }),
        );
      } else {
        context.write(describeOutcome(outcome, dryRun, tableView(context)));
        context.write(describeSearch(search));
        context.write(plans.map(describePlan).join(''));
      }
    });
}

/** Where a command has looked. */
interface Search {
  /** The first day, in UTC. */
  readonly from: string;
  /** All that are configured: a meeting counts for its own one. None: any endpoint counts. */
  readonly endpoints: readonly string[];
  /** Of meetings whose own one is not known. */
  readonly endpoint: string;
}

function describeSearch({ from, endpoints, endpoint }: Search): string {
  const period = `Searched: meetings from ${from} (UTC) until now`;
  if (endpoints.length === 1) return `${period}, for the endpoint ${endpoint}.\n`;
  const all = endpoints.length === 0 ? 'all endpoints' : `the endpoints ${endpoints.join(', ')}`;
  return `${period}, for ${all}. Those of no known endpoint count for ${endpoint}.\n`;
}

function needsEndpoint(names: readonly string[]): WrongUse {
  return new WrongUse(
    `There are several endpoints: ${names.join(', ')}. All are searched; name the one for meetings whose own endpoint is ` +
      'not known, with --endpoint or as reconcile.endpoint in aftermeet.yaml.\n',
  );
}

function wrongEndpoint(problem: Omit<SettingProblem, 'setting'>): WrongUse {
  return new WrongUse(`${formatProblem({ setting: '--endpoint', ...problem })}\n`);
}

/** What would become of a lost delivery. */
interface MeetingPlan {
  readonly meetingId: string;
  readonly title: string | undefined;
  readonly endpoint: string;
  readonly recipes: readonly { readonly recipe: string; readonly targets: readonly string[] }[];
  /** Why there is no plan. */
  readonly problem?: string;
}

/** Which recipes would take each meeting, judged by its report, and where they send. */
async function planMeetings(
  meetings: readonly UndeliveredMeeting[],
  settings: Settings,
  { client, call, clock }: Pick<Service, 'client' | 'call'> & { readonly clock: () => number },
): Promise<readonly MeetingPlan[]> {
  const { previewRecipes } = await import('@aftermeet/recipes');
  const { describeTarget } = await import('../recipes/preview-text.ts');
  const { recipeProblems } = await import('../settings/load.ts');
  const [problem] = recipeProblems(settings);
  const plans: MeetingPlan[] = [];
  for (const { meetingId, title, endpoint, kind } of meetings) {
    const plan = { meetingId, title, endpoint, recipes: [] };
    if (problem !== undefined) {
      plans.push({ ...plan, problem: `the recipes cannot run: ${formatProblem(problem)}` });
      continue;
    }
    const answer = kind === 'meeting.completed' ? await client.reports.get(meetingId, call) : undefined;
    if (answer?.ready === false) {
      plans.push({ ...plan, problem: 'its report is not ready' });
      continue;
    }
    const previews = await previewRecipes({
      ...settings,
      endpoints: [...settings.endpoints.byName.keys()],
      endpoint,
      meetingId,
      report: answer?.report,
      eventKind: kind,
      nowMs: clock(),
    });
    const taking = previews.filter(({ isWanted, isScheduled }) => isWanted && !isScheduled);
    plans.push({
      ...plan,
      recipes: taking.map((preview) => ({
        recipe: preview.name,
        targets: [...new Set(preview.effects.map((effect) => describeTarget(effect, preview)))],
      })),
    });
  }
  return plans;
}

/** What it queues is sent: the account of a login that is meant for other commands must not do. */
async function requireOwnService(context: CommandContext): Promise<void> {
  const { requireService } = await import('../settings/service.ts');
  const { profile } = requireService(context);
  if (profile === undefined || context.profile() !== undefined) return;
  throw new WrongUse(
    `SERVICE_BASE_URL and SERVICE_API_KEY are not set. To search the meetings of the profile ${profile}: --profile ${profile}\n`,
  );
}

function describePlan({ meetingId, title, endpoint, recipes, problem }: MeetingPlan): string {
  const name = title === undefined ? meetingId : `${title} (${meetingId})`;
  const rows = recipes.map(
    ({ recipe, targets }) => `  ${cleanLine(recipe)}: ${targets.map(cleanLine).join('; ')}`,
  );
  if (recipes.length === 0) rows.push(`  ${problem ?? 'no recipe takes it'}`);
  return `\n${cleanLine(name)} at the endpoint ${cleanLine(endpoint)}:\n${rows.join('\n')}\n`;
}

function describeOutcome(
  { searched, delivered, unfinished, unclear, undelivered, misplaced }: ReconcileOutcome,
  isDryRun: boolean,
  view: TableView,
): string {
  const table = undelivered.length === 0 ? '' : `${formatTable(undelivered, columns, view)}\n`;
  const rest = unclear.length === 0 ? '' : `, ${unclear.length} of unknown status`;
  const queued = isDryRun ? 'would be queued: run it without --dry-run' : 'queued';
  return (
    `${table}${countMeetings(searched)}: ${delivered} delivered, ${unfinished} not finished${rest}, ` +
    `${undelivered.length} ${queued}.\n` +
    misplaced
      .map(
        ({ meetingId, endpoint }) =>
          `${cleanLine(meetingId)} is not queued: its endpoint ${cleanLine(endpoint)} is not configured any more.\n`,
      )
      .join('')
  );
}

function countMeetings(count: number): string {
  return count === 1 ? '1 meeting' : `${count} meetings`;
}
