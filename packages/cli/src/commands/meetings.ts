import type { MeetingOverview, MeetingWay } from '@aftermeet/recipes';
import type { Command } from 'commander';

import { type CommandContext, tableView } from '../context.ts';
import { EXIT_FAILED, Failure } from '../errors.ts';
import { DEV_HINT, formatMinute, type Operator, sayNoneFound, withOperator } from '../operate/operator.ts';
import { type Moment, parseLimit, parseMoment } from '../options.ts';
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

/** `aftermeet meetings`: what became of each meeting. */
export function addMeetingsCommand(program: Command, context: CommandContext): void {
  const meetings = program
    .command('meetings')
    .summary('what became of a meeting, and why nothing arrived')
    .description(
      'Shows the meetings of the last 90 days that sent deliveries: which recipes took them, which did not and why, ' +
        'and what became of each message, page and mail.',
    );
  addListCommand(meetings, context);
  addShowCommand(meetings, context);
}

interface ListOptions {
  readonly until?: Moment;
  readonly search?: string;
  readonly limit: number;
  readonly json?: boolean;
}

function addListCommand(meetings: Command, context: CommandContext): void {
  meetings
    .command('list')
    .summary('list meetings, the newest first')
    .description('Lists meetings, the newest first, and says of each in one line what became of it.')
    .option('--search <words>', 'the start of an id, or words of a title, among the newest 2,000 meetings')
    .option('--until <time>', 'those that happened until then: 2d (two days ago), or 2026-07-07', parseMoment)
    .option('--limit <number>', 'maximum number of meetings', parseLimit, DEFAULT_LIMIT)
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet meetings list\n  aftermeet meetings list --search "weekly sync"',
    )
    .action(async ({ until, search, limit, json }: ListOptions) => {
      const { describeResults, listMeetings } = await import('@aftermeet/recipes');
      const { found, queueName } = await withOperator(
        context,
        async (operator) => {
          const untilMs = until?.(operator.clock());
          const listed = await listMeetings(
            { limit: Math.min(limit, MAX_LIMIT), words: search, untilMs },
            operator,
          );
          return { found: listed, queueName: operator.queueName };
        },
        { result: { found: { meetings: [] }, queueName: '' } },
      );
      if (json === true) {
        context.write(formatItems(found.meetings.map(viewOverview)));
        return;
      }
      const columns: readonly Column<MeetingOverview>[] = [
        { title: 'WHEN (UTC)', read: ({ atMs }) => formatMinute(atMs) },
        { title: 'TITLE', read: ({ title }) => title, shrinks: true },
        {
          title: 'WHAT BECAME OF IT',
          read: (meeting) =>
            describeResults(meeting, formatTime)
              .map(({ recipe, words }) => `${recipe} ${words}`.trim())
              .join(' · ') || 'no recipe takes it',
          shrinks: true,
        },
        { title: 'MEETING', read: ({ meetingId }) => meetingId, isMeeting: true },
      ];
      if (found.meetings.length > 0) context.write(formatTable(found.meetings, columns, tableView(context)));
      else if (queueName !== '') context.write(sayNoneFound('meeting', queueName, context));
      if (found.searched !== undefined)
        context.writeError(
          `Searched the newest ${found.searched} meetings; an older one is found by its whole id.\n`,
        );
    });
}

const MAX_LIMIT = 10_000;

function addShowCommand(meetings: Command, context: CommandContext): void {
  meetings
    .command('show')
    .summary('show the whole way of a meeting')
    .description(
      'Shows what happened to a meeting, from its delivery to each message, page and mail, and what did not happen and ' +
        'why. A meeting is named by its id, by the start of its id, or by words of its title.',
    )
    .argument('<meeting>', 'id, the start of an id, or words of the title')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExamples:\n  aftermeet meetings show m_42\n  aftermeet meetings show "acme renewal"',
    )
    .action(async (words: string, { json }: { json?: boolean }) => {
      const { describeSteps } = await import('@aftermeet/recipes');
      const way = await withOperator(
        context,
        (operator) => requireMeeting(words, operator, context),
        'refuse',
      );
      if (json === true) {
        context.write(formatJson(viewWay(way)));
        return;
      }
      const { meetingId, title, endpoint, notTaken } = way;
      context.write(`${formatFacts({ meeting: meetingId, title, endpoint })}\n`);
      const steps = describeSteps(way);
      const lines = steps.map(
        ({ atMs, words: what }) => `${formatIso(atMs).slice(0, 19)}Z  ${cleanLine(what)}\n`,
      );
      context.write(lines.join(''));
      if (notTaken.length > 0) {
        const refused = notTaken.map(({ recipe, cause }) => `  ${cleanLine(`${recipe}: ${cause}`)}\n`);
        context.write(`\nNot taken by:\n${refused.join('')}`);
      }
      if (way.effects.length > 0)
        context.write(`\n${formatTable(way.effects, await effectColumns(), tableView(context))}`);
    });
}

async function effectColumns(): Promise<readonly Column<MeetingWay['effects'][number]>[]> {
  const { VERDICT_WORDS } = await import('@aftermeet/recipes');
  return [
    {
      title: 'RECIPE',
      read: ({ recipe, part }) => (part === 0 ? recipe : `${recipe} (${part})`),
      shrinks: true,
    },
    { title: 'DESTINATION', read: ({ destination }) => destination, leftOut: 1 },
    { title: 'STATE', read: ({ verdict }) => VERDICT_WORDS[verdict], isState: true },
    {
      title: 'CHANGED (UTC)',
      read: ({ changedAtMs }) => (changedAtMs === undefined ? undefined : formatMinute(changedAtMs)),
      leftOut: 2,
    },
    { title: 'CAUSE OR PLACE', read: ({ cause, reference }) => cause ?? reference, shrinks: true },
    { title: 'EFFECT', read: ({ effectKey }) => effectKey, isId: true },
  ];
}

/** The way of the meeting that the words name; throws a `Failure` that says where it was looked for. */
async function requireMeeting(
  words: string,
  operator: Operator,
  { isDev }: CommandContext,
): Promise<MeetingWay> {
  const { findMeeting, readMeeting } = await import('@aftermeet/recipes');
  const found = await findMeeting(words, operator.journal);
  const way = found.kind === 'found' ? await readMeeting(found.value, operator) : undefined;
  if (way !== undefined) return way;
  const shown = JSON.stringify(cleanLine(words));
  if (found.kind === 'several') {
    throw new Failure({
      exitCode: EXIT_FAILED,
      code: 'not_found',
      message: `${shown} names several meetings: ${found.ids.join(', ')}.`,
    });
  }
  const { waiting, delayed } = await operator.queue.counts('event');
  const open = waiting + delayed;
  const deliveries = open === 1 ? 'A delivery waits' : `${open} deliveries wait`;
  const waits = open === 0 ? '' : ` ${deliveries} for a worker: is aftermeet worker running?`;
  throw new Failure({
    exitCode: EXIT_FAILED,
    code: 'not_found',
    message:
      `No delivery of a meeting ${shown} was made into effects in the last 90 days, in the queue ${operator.queueName}, ` +
      `whose newest 2,000 titles were searched.${waits}`,
    advice:
      'If the meeting is over: aftermeet reconcile finds lost deliveries, and the log of the receiver names refused ' +
      `ones with the cause.${isDev() ? '' : DEV_HINT}`,
  });
}

function formatTime(ms: number): string {
  return formatIso(ms).slice(11, 16);
}

function viewOverview({ atMs, effects, ...meeting }: MeetingOverview) {
  return { ...meeting, at: formatIso(atMs), effects: effects.map(viewMeetingEffect) };
}

function viewWay({ atMs, effects, entries, ...meeting }: MeetingWay) {
  return {
    ...meeting,
    at: formatIso(atMs),
    entries: entries.map(({ atMs: ms, ...entry }) => ({ at: formatIso(ms), ...entry })),
    effects: effects.map(({ attempts, ...effect }) => ({
      ...viewMeetingEffect(effect),
      attempts: attempts.map(({ atMs: ms, ...attempt }) => ({ at: formatIso(ms), ...attempt })),
    })),
  };
}

function viewMeetingEffect({ changedAtMs, wait, ...effect }: MeetingOverview['effects'][number]) {
  const next = wait?.nextTryMs;
  return {
    ...effect,
    changedAt: changedAtMs === undefined ? undefined : formatIso(changedAtMs),
    nextTryAt: next === undefined ? undefined : formatIso(next),
  };
}
