import { type Answer, type ControlAction, readText } from '@aftermeet/sandbox/control';

import { type Context, tableView } from '../../context.ts';
import { formatMoment, type Column, formatTable } from '../../terminal/format.ts';

type Row = Readonly<Record<string, unknown>>;

/** How a list is shown: by the field of the answer that it stands in. */
interface List {
  readonly field: string;
  readonly none: string;
  readonly columns: readonly Column<Row>[];
  /** What is said below it. */
  readonly hint?: (rows: readonly Row[]) => string;
}

const lists: Readonly<Partial<Record<ControlAction['route'], List>>> = {
  'GET /meetings': {
    field: 'meetings',
    none: 'There is no meeting: aftermeet sandbox seed makes some.',
    columns: [
      { title: 'START (UTC)', read: (row) => readMoment(row, 'local_date_time'), leftOut: 1 },
      { title: 'TITLE', read: (row) => readText(row, 'title'), shrinks: true },
      { title: 'STATE', read: (row) => readText(row, 'status'), isState: true },
      { title: 'NEXT CHANGE (UTC)', read: (row) => readMoment(row, 'next_change_at'), leftOut: 2 },
      // Whole: the service knows a meeting by its whole id only.
      { title: 'MEETING', read: (row) => readText(row, 'meeting_id') },
    ],
  },
  'GET /deliveries': {
    field: 'deliveries',
    none: 'Nothing was sent yet.',
    columns: [
      { title: 'EVENT', read: (row) => readText(row, 'event') },
      { title: 'STATE', read: (row) => readText(row, 'state'), isState: true },
      { title: 'LAST', read: readLast, shrinks: true },
      { title: 'ATTEMPTS', read: (row) => String(readRows(row, 'attempts').length), leftOut: 3 },
      { title: 'NEXT (UTC)', read: (row) => readMoment(row, 'nextAttemptAt'), leftOut: 1 },
      { title: 'FAULT', read: (row) => readText(row, 'fault'), leftOut: 2 },
      { title: 'MEETING', read: (row) => readText(row, 'meetingId'), leftOut: 4 },
      { title: 'DELIVERY', read: (row) => readText(row, 'id'), isId: true },
    ],
    hint: (rows) =>
      rows.some(isRemote)
        ? '\nDeliveries stay on this machine: start the sandbox with --allow-remote to let them leave it.'
        : '',
  },
  'GET /faults': {
    field: 'faults',
    none: 'No fault is planned.',
    columns: [
      { title: 'KIND', read: (row) => readText(row, 'kind') },
      { title: 'ON', read: (row) => readText(row, 'on') },
      { title: 'TIMES', leftOut: 2, read: (row) => readText(row, 'times') || 'always' },
      { title: 'HAPPENED', leftOut: 1, read: (row) => readText(row, 'happened') },
      { title: 'DETAILS', read: describeDetails, shrinks: true },
      { title: 'FAULT', read: (row) => readText(row, 'id') },
    ],
  },
};

/** The list that an action answers with, as a table; of any other answer its fields. */
export function listAnswers({ route }: ControlAction, answer: Answer, context: Context): string {
  const list = lists[route];
  if (list === undefined) return JSON.stringify(answer);
  const rows = readRows(answer, list.field);
  if (rows.length === 0) return list.none;
  return formatTable(rows, list.columns, tableView(context)) + (list.hint?.(rows) ?? '');
}

/** Text or a number; empty where there is none. */
function readRows(row: Row, name: string): readonly Row[] {
  const value = row[name];
  return Array.isArray(value)
    ? value.filter((each): each is Row => typeof each === 'object' && each !== null)
    : [];
}

function readMoment(row: Row, name: string): string {
  const text = readText(row, name);
  return Number.isNaN(Date.parse(text)) ? text : formatMoment(new Date(text).toISOString());
}

/** The status of the last attempt, or why there is none. */
function readLast(row: Row): string {
  if (isRemote(row)) return 'not sent: another machine';
  const last = readRows(row, 'attempts').at(-1);
  return readText(last, 'status') || readText(last, 'error');
}

/** Whether its receiver is on another machine, so that it was not sent. */
function isRemote(row: Row): boolean {
  return /^not sent:.*loopback/.test(readText(readRows(row, 'attempts').at(-1), 'error'));
}

/** Of a planned fault: shown in columns of their own, or as they are by default. */
const shownFields = new Set(['id', 'kind', 'on', 'times', 'happened']);
const defaults: Row = { after: 0, probability: 1, is_applied: false };

/** All other fields of a planned fault: `status=429 retry_after_seconds=2 after=1`. */
function describeDetails(fault: Row): string {
  return Object.entries(fault)
    .filter(([name, value]) => !shownFields.has(name) && defaults[name] !== value)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}
