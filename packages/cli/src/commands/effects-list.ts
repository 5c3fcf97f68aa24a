import type { HandPause, LedgerEntry, PausedDestination, Wait } from '@aftermeet/recipes';
import { type Command, Option } from 'commander';

import { type CommandContext, tableView } from '../context.ts';
import { addListOptions, formatMinute, type Operator, withOperator } from '../operate/operator.ts';
import { type Column, formatItems, formatTable, type TableView } from '../terminal/format.ts';
import { cleanLine } from '../terminal/text.ts';
import { formatNextTry, nameState, viewEffect, viewWait } from './effect-view.ts';

const DEFAULT_LIMIT = 50;

/** The ledger's states, repeated here so that help does not load the ledger; a test compares them. */
export const stateChoices = [
  'pending',
  'sending',
  'unknown',
  'sent',
  'skipped',
  'failed',
  'parked',
  'held',
  'waiting',
  'all',
] as const;

const KEY_REFUSED =
  'The service refuses the API key: set SERVICE_API_KEY, and restart the workers. What waits for it is sent then.\n';

interface ListOptions {
  readonly state?: (typeof stateChoices)[number];
  readonly recipe?: string;
  readonly meeting?: string;
  readonly limit: number;
  readonly json?: boolean;
}

/** `aftermeet effects list`: what needs attention, then what waits; or the effects in one state. */
export function addListCommand(effects: Command, context: CommandContext): void {
  const command = effects
    .command('list')
    .summary('list effects (default: those that need attention, then those that wait)')
    .description(
      'Lists effects. Without --state first those that need attention, the newest change first: failed (retry them ' +
        'once the cause is fixed), parked (whether they were sent is not known: settle them), unknown (the ' +
        'destination is being asked), held (approve or discard them: aftermeet approvals) and those that wait ' +
        'because the service refuses the API key. Then those that wait and are tried again without you: for the ' +
        'report, a rate limit, a destination or a service that does not answer, or a free worker. A large backlog ' +
        'is counted, and its first effects are listed.',
    )
    .addOption(
      new Option('--state <state>', 'effects in this state of the ledger, or waiting in a queue').choices(
        stateChoices,
      ),
    )
    .option('--recipe <name>', 'effects of this recipe');
  addListOptions(command, 'effects', DEFAULT_LIMIT)
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  aftermeet effects list\n' +
        '  aftermeet effects list --state sent --meeting m_42 --json',
    )
    .action(async (options: ListOptions) => {
      const { found, pauses } = await withOperator(
        context,
        async (operator) => ({
          found: await listRows(options, operator),
          pauses: await operator.listPauses(),
        }),
        { result: { found: NOTHING, pauses: [] } },
      );
      const { limit, state, json = false } = options;
      const rows = [...found.attention, ...found.others];
      for (const pause of pauses) context.writeError(describeHandPause(pause));
      if (json) {
        context.write(formatItems(rows.map(viewRow)));
        if (found.isKeyRefused) context.writeError(KEY_REFUSED);
        for (const paused of found.paused) context.writeError(describePause(paused));
      } else if (state === undefined) context.write(describeAll(found, tableView(context)));
      else if (rows.length === 0) context.write('No effect found.\n');
      else
        context.write(formatTable(rows, state === 'waiting' ? waitingColumns : columns, tableView(context)));
      if (found.isMore) context.writeError(`The newest ${limit} effects; --limit all lists all of them.\n`);
      const shown = rows.filter(({ isQueued }) => isQueued).length;
      if (found.waiting > shown) {
        context.writeError(
          `${shown} of ${found.waiting} effects that wait; --limit all lists all of them.\n`,
        );
      }
    });
}

interface Row {
  readonly entry: LedgerEntry;
  readonly wait?: Wait | undefined;
  readonly needsAttention: boolean;
  /** It is listed because it waits in its queue. */
  readonly isQueued: boolean;
}

interface Listed {
  readonly attention: readonly Row[];
  readonly others: readonly Row[];
  /** Of the entries of the ledger more were found than listed. */
  readonly isMore: boolean;
  /** How many wait in the queues. */
  readonly waiting: number;
  readonly isKeyRefused: boolean;
  readonly paused: readonly PausedDestination[];
}

const NOTHING: Listed = {
  attention: [],
  others: [],
  isMore: false,
  waiting: 0,
  isKeyRefused: false,
  paused: [],
};

/** What is paused by hand is said with every list. */
function describeHandPause({ kind, name }: HandPause): string {
  return `The ${kind} ${cleanLine(name)} is paused by hand, and what it sends waits: aftermeet resume ${cleanLine(name)}.\n`;
}

async function listRows(options: ListOptions, operator: Operator): Promise<Listed> {
  return options.meeting === undefined
    ? await listRowsOfAll(options, operator)
    : await listRowsOfMeeting(options.meeting, options, operator);
}

/** The effects of one meeting are few, and known by their keys. */
async function listRowsOfMeeting(
  meetingId: string,
  { limit, state, recipe }: ListOptions,
  operator: Operator,
): Promise<Listed> {
  const { attentionStates, listMeetingEffects, listPausedDestinations, needsPerson } =
    await import('@aftermeet/recipes');
  const known = await listMeetingEffects(meetingId, operator);
  const rows = known.flatMap(({ entry, wait }): readonly Row[] => {
    const isOpen = entry.state === 'pending' || entry.state === 'sending';
    const isQueued = wait !== undefined && isOpen;
    const needsAttention =
      attentionStates.some((each) => each === entry.state) || (isQueued && needsPerson(wait));
    const isWanted =
      state === undefined
        ? needsAttention || isQueued
        : state === 'all' || state === entry.state || (state === 'waiting' && isQueued);
    if (!isWanted || (recipe !== undefined && recipe !== entry.recipe)) return [];
    return [
      { entry, wait: isQueued || entry.state === 'unknown' ? wait : undefined, needsAttention, isQueued },
    ];
  });
  const ordered = rows.toSorted(compareRows);
  const shown = ordered.slice(0, limit);
  return {
    attention: shown.filter(({ needsAttention }) => needsAttention),
    others: shown.filter(({ needsAttention }) => !needsAttention),
    isMore: ordered.slice(limit).some(({ isQueued }) => !isQueued),
    waiting: rows.filter(({ isQueued }) => isQueued).length,
    isKeyRefused: rows.some(({ wait }) => wait?.why === 'key_refused'),
    paused: listPausedDestinations(rows),
  };
}

/** What needs a person first, then what waits, by its next try. The others stay in their order. */
function compareRows(one: Row, other: Row): number {
  const byRank = rankRow(one) - rankRow(other);
  return byRank === 0 ? (one.wait?.nextTryMs ?? 0) - (other.wait?.nextTryMs ?? 0) : byRank;
}

function rankRow({ needsAttention, isQueued }: Row): number {
  if (needsAttention) return 0;
  return isQueued ? 1 : 2;
}

async function listRowsOfAll(options: ListOptions, operator: Operator): Promise<Listed> {
  const { attentionStates, effectStates, listWaiting, needsPerson } = await import('@aftermeet/recipes');
  const { limit, state, recipe } = options;
  const selection = { recipe, meetingId: undefined };
  const queued =
    state === undefined || state === 'waiting' || state === 'all'
      ? await listWaiting({ ...selection, limit }, operator)
      : { effects: [], total: 0, isKeyRefused: false, paused: [] };
  const waiting = queued.effects.map(({ entry, wait }) => {
    return { entry, wait, needsAttention: needsPerson(wait), isQueued: true };
  });
  const states = effectStates.filter((each) => state === 'all' || each === state);
  const isListed = new Set(waiting.map(({ entry }) => entry.effectKey));
  const recorded = await readLedger(
    { states: state === undefined ? attentionStates : states, ...selection },
    { limit: state === 'all' ? limit - waiting.length : limit, isListed },
    operator,
  );
  const known = recorded.rows.map((row) => {
    return {
      ...row,
      needsAttention: attentionStates.some((each) => each === row.entry.state),
      isQueued: false,
    };
  });
  const all = [...known, ...waiting];
  const { total, isKeyRefused, paused } = queued;
  return {
    attention: all.filter(({ needsAttention }) => needsAttention),
    others: all.filter(({ needsAttention }) => !needsAttention),
    isMore: recorded.isMore,
    waiting: total,
    isKeyRefused,
    paused,
  };
}

interface LedgerSelection {
  readonly states: readonly LedgerEntry['state'][];
  readonly recipe: string | undefined;
  readonly meetingId: string | undefined;
}

async function readLedger(
  selection: LedgerSelection,
  { limit, isListed }: { readonly limit: number; readonly isListed: ReadonlySet<string> },
  operator: Operator,
): Promise<{ readonly rows: readonly Pick<Row, 'entry' | 'wait'>[]; readonly isMore: boolean }> {
  const { explainWait, listEffects, traceEffect } = await import('@aftermeet/recipes');
  const rows: Pick<Row, 'entry' | 'wait'>[] = [];
  if (selection.states.length === 0) return { rows, isMore: false };
  for await (const entry of listEffects(selection, operator.ledger)) {
    if (isListed.has(entry.effectKey)) continue;
    if (rows.length >= limit) return { rows, isMore: true };
    // The worker asks the destination again; the others wait for a person, or are over.
    const { job } = entry.state === 'unknown' ? await traceEffect(entry, operator) : {};
    rows.push({ entry, wait: job && explainWait(job) });
  }
  return { rows, isMore: false };
}

const effectColumn: Column<Row> = { title: 'EFFECT', read: ({ entry }) => entry.effectKey, isId: true };
const recipeColumn: Column<Row> = { title: 'RECIPE', read: ({ entry }) => entry.recipe, shrinks: true };
const nextColumn: Column<Row> = { title: 'NEXT TRY (UTC)', read: ({ wait }) => wait && formatNextTry(wait) };
const causeColumn: Column<Row> = {
  title: 'CAUSE',
  read: ({ entry, wait }) => (entry.state === 'unknown' ? entry.cause : (wait?.cause ?? entry.cause)),
  shrinks: true,
};
const placeColumns: readonly Column<Row>[] = [
  { title: 'DESTINATION', read: ({ entry }) => entry.destination, leftOut: 1 },
  { title: 'MEETING', read: ({ entry }) => entry.meetingId, isMeeting: true, leftOut: 3 },
];

const columns: readonly Column<Row>[] = [
  { title: 'CHANGED (UTC)', read: ({ entry }) => formatMinute(entry.changedAtMs), leftOut: 2 },
  recipeColumn,
  { title: 'STATE', read: ({ entry, wait }) => nameState(entry, wait), isState: true },
  causeColumn,
  { ...nextColumn, leftOut: 4 },
  ...placeColumns,
  { title: 'ATTEMPTS', read: ({ entry }) => String(entry.attempts), leftOut: 5 },
  effectColumn,
];

const waitingColumns: readonly Column<Row>[] = [
  nextColumn,
  recipeColumn,
  causeColumn,
  ...placeColumns,
  effectColumn,
];

function describePause({ destination, cause }: PausedDestination): string {
  return (
    `Nothing is sent by ${destination}: it refuses our token or login (${cleanLine(cause)}). aftermeet doctor checks it. ` +
    'What waits is sent once it is repaired; if a variable changed, restart the workers.\n'
  );
}

function describeAll({ attention, others, waiting, isKeyRefused, paused }: Listed, view: TableView): string {
  const parts: string[] = [];
  if (attention.length > 0) parts.push(`Needs attention:\n${formatTable(attention, columns, view)}`);
  if (isKeyRefused) parts.push(KEY_REFUSED);
  parts.push(...paused.map(describePause));
  if (parts.length === 0) {
    parts.push(waiting > 0 ? 'Nothing needs attention.\n' : 'Nothing needs attention, and nothing waits.\n');
  } else if (waiting === 0) parts.push('Nothing waits.\n');
  if (others.length > 0) {
    parts.push(`Waits, and is tried again without you:\n${formatTable(others, waitingColumns, view)}`);
  }
  return parts.join('\n');
}

function viewRow({ entry, wait, needsAttention }: Row) {
  const state = nameState(entry, wait);
  return { ...viewEffect(entry), state, needsAttention, waiting: wait && viewWait(wait) };
}
