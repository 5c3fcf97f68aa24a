import { type Command, InvalidArgumentError } from 'commander';

import { type Context, tableView } from '../../context.ts';
import { omitUndefined, parseCountOrUnlimited, parseWhole } from '../../options.ts';
import { operationCommands } from '../../service/operations.ts';
import { type Column, formatTable } from '../../terminal/format.ts';
import { cleanLine } from '../../terminal/text.ts';
import { addControlOptions, createShow, getField, getNumber, getRows, getText } from './control.ts';
import { toNullable } from './state.ts';

interface FaultOptions {
  readonly url?: string;
  readonly json?: boolean;
  readonly on?: string;
  readonly times?: number;
  readonly after?: number;
  readonly probability?: number;
  readonly ms?: number;
  readonly status?: number;
  readonly retryAfter?: number;
  readonly seconds?: number;
  readonly error?: string;
  readonly code?: string;
  readonly applied?: boolean;
}

const columns: readonly Column<object>[] = [
  { title: 'KIND', read: (row) => getText(row, 'kind') },
  { title: 'ON', read: (row) => getText(row, 'on') },
  { title: 'TIMES', leftOut: 2, read: (row) => getNumber(row, 'times') ?? 'always' },
  { title: 'HAPPENED', leftOut: 1, read: (row) => getNumber(row, 'happened') },
  { title: 'DETAILS', read: describeFaultDetails, shrinks: true },
  { title: 'FAULT', read: (row) => getText(row, 'id') },
];

const parseMany = parseWhole('a number', 0, 999_999_999);

/** `aftermeet sandbox faults`. */
export function addFaultCommands(sandbox: Command, context: Context): void {
  const show = createShow(context);
  const faults = sandbox
    .command('faults')
    .summary('inject faults')
    .description('Plans faults of a running sandbox, or of an emulator beside it (--url).');
  addControlOptions(faults.command('list'), 'sandbox faults list')
    .summary('list the planned faults')
    .action((_options: unknown, command: Command) =>
      show(command, { method: 'GET', path: '/faults' }, (answer) => {
        const rows = getRows(answer, 'items');
        if (rows.length === 0) return 'No fault is planned.\n';
        return formatTable(rows, columns, tableView(context));
      }),
    );
  addControlOptions(
    faults.command('add'),
    'sandbox faults add status --status 429 --retry-after 2 --on reports.get',
    'sandbox faults add drop_after --on recordings.start',
    'sandbox faults add duplicate --times always --probability 0.2',
    'sandbox faults add error --error channel_not_found --on chat.postMessage --url http://127.0.0.1:4011',
  )
    .summary('plan one')
    .description(
      'Plans a fault.\n\n' +
        'Kinds for calls: latency, status, reset, empty, garbage, hang, drop_after, cut, drip. They happen on any ' +
        `call, or --on ${Object.keys(operationCommands).join(', ')}, or mcp.\n\n` +
        'Kinds for webhooks: duplicate, reorder, bad_signature, stale_timestamp, drop. They happen on deliveries ' +
        'alone, so --on is not needed.\n\n' +
        'The emulators have the kinds for calls too, on the names of their methods: chat.postMessage at Slack, ' +
        'pages.create at Notion; on connect, auth, mail, rcpt, rcpt:<address>, data or accepted at the mail ' +
        'server. Slack and Notion also have the kind error: an error of their own.',
    )
    .argument('<kind>', 'the kind of fault')
    .option('--on <target>', 'where, as listed above; default any')
    .option('--times <number>', 'how often; default once; or always', parseCountOrUnlimited('always', 1))
    .option('--after <number>', 'how many calls to let pass first', parseMany)
    .option('--probability <share>', 'for each call, from 0 to 1', parseShare)
    .option('--ms <number>', 'of latency: milliseconds; of drip: before each byte, default 100', parseMany)
    .option('--status <status>', 'of status: the status of the answer, 400 to 599', parseMany)
    .option('--retry-after <seconds>', 'of status: the header Retry-After', parseMany)
    .option('--seconds <number>', 'of stale_timestamp: how old; default 600', parseMany)
    .option('--error <code>', 'of error at Slack, such as channel_not_found')
    .option('--code <code>', 'of error at Notion, such as rate_limited')
    .option('--applied', 'of error: the call is done nevertheless')
    .action(
      (
        kind: string,
        { url: _url, json: _json, retryAfter, applied, ...fields }: FaultOptions,
        command: Command,
      ) => {
        const times = toNullable(fields.times);
        const others = { times, retry_after_seconds: retryAfter, is_applied: applied };
        const body = { kind, ...omitUndefined({ ...fields, ...others }) };
        return show(
          command,
          { method: 'POST', path: '/faults', body },
          (answer) => `Planned as ${cleanLine(getText(getField(answer, 'fault'), 'id') ?? '')}.\n`,
        );
      },
    );
  addControlOptions(faults.command('remove'), 'sandbox faults remove fault-1')
    .summary('remove one')
    .argument('<fault>', 'the fault, as aftermeet sandbox faults list shows it')
    .action((id: string, _options: unknown, command: Command) =>
      show(
        command,
        { method: 'DELETE', path: `/faults/${encodeURIComponent(id)}` },
        () => 'The fault was removed.\n',
      ),
    );
  addControlOptions(faults.command('clear'), 'sandbox faults clear')
    .summary('remove all')
    .action((_options: unknown, command: Command) =>
      show(command, { method: 'DELETE', path: '/faults' }, () => 'No fault is planned any more.\n'),
    );
}

function parseShare(text: string): number {
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(share > 0 && share <= 1)) throw new InvalidArgumentError('Expected a share above 0 and up to 1.');
  return share;
}

/** Shown in columns of their own. */
const shownFields = new Set(['id', 'kind', 'on', 'times', 'happened']);
const defaults: Readonly<Record<string, unknown>> = { after: 0, probability: 1, isApplied: false };

/** All other fields of a planned fault: `status=429 retryAfterSeconds=2 after=1`. */
function describeFaultDetails(fault: object): string {
  return Object.entries(fault)
    .filter(([name, value]) => !shownFields.has(name) && defaults[name] !== value)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(' ');
}
