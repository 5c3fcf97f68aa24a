import { type Command, InvalidArgumentError } from 'commander';

import type { Context } from '../../context.ts';
import { dropAbsent } from '../../drop-absent.ts';
import { operationCommands } from '../../operation-commands.ts';
import { parseWhole } from '../../parse-whole.ts';
import { addSteeringOptions, createShow } from '../../steering/add-steering-command.ts';
import { readEntry, readNumber, readRows, readText } from '../../steering/steer.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { type Column, formatTable } from '../../terminal/format-table.ts';
import { readTableWidth } from '../../terminal/read-table-width.ts';
import { describeFaultDetails } from './describe-fault-details.ts';
import { parseEndless, toNullable } from './parse-endless.ts';

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
  { title: 'FAULT', read: (row) => readText(row, 'id') },
  { title: 'KIND', read: (row) => readText(row, 'kind') },
  { title: 'ON', read: (row) => readText(row, 'on') },
  { title: 'TIMES', read: (row) => readNumber(row, 'times') ?? 'always' },
  { title: 'HAPPENED', read: (row) => readNumber(row, 'happened') },
  { title: 'DETAILS', read: describeFaultDetails, shrinks: true },
];

const parseMany = parseWhole('a number', 0, 999_999_999);

/** `aftermeet sandbox faults`: what goes wrong on purpose. */
export function addFaultCommands(sandbox: Command, context: Context): void {
  const show = createShow(context);
  const faults = sandbox
    .command('faults')
    .summary('let things go wrong on purpose')
    .description(
      'Plans faults of a running sandbox, or of a stand-in beside it (--url): each happens as often as told.',
    );
  addSteeringOptions(faults.command('list'), 'sandbox faults list')
    .summary('list what is planned')
    .action((_options: unknown, command: Command) =>
      show(command, { method: 'GET', path: '/faults' }, (answer) => {
        const rows = readRows(answer, 'faults');
        if (rows.length === 0) return 'No fault is planned.\n';
        return formatTable(rows, columns, readTableWidth(context));
      }),
    );
  addSteeringOptions(
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
        'alone, so that --on is not needed.\n\n' +
        'The stand-ins have the kinds for calls too, on the names of their methods: chat.postMessage at Slack, ' +
        'pages.create at Notion; on connect, auth, mail, rcpt, rcpt:<address>, data or accepted at the mail ' +
        'server. Slack and Notion have the kind error besides: an error of their own.',
    )
    .argument('<kind>', 'what happens')
    .option('--on <target>', 'where, as listed above; default any')
    .option('--times <number>', 'how often; default once, always for ever', parseEndless('always', 1))
    .option('--after <number>', 'how many pass unharmed first', parseMany)
    .option('--probability <share>', 'of each call, from 0 to 1', parseShare)
    .option('--ms <number>', 'of latency: milliseconds; of drip: before each byte, default 100', parseMany)
    .option('--status <status>', 'of status: what is answered, 400 to 599', parseMany)
    .option('--retry-after <seconds>', 'of status: the header Retry-After', parseMany)
    .option('--seconds <number>', 'of stale_timestamp: how old; default 600', parseMany)
    .option('--error <code>', 'of error at Slack, such as channel_not_found')
    .option('--code <code>', 'of error at Notion, such as rate_limited')
    .option('--applied', 'of error: what was asked for is done all the same')
    .action(
      (
        kind: string,
        { url: _url, json: _json, retryAfter, applied, ...fields }: FaultOptions,
        command: Command,
      ) => {
        const times = toNullable(fields.times);
        const others = { times, retry_after_seconds: retryAfter, is_applied: applied };
        const body = { kind, ...dropAbsent({ ...fields, ...others }) };
        return show(
          command,
          { method: 'POST', path: '/faults', body },
          (answer) => `Planned as ${cleanLine(readText(readEntry(answer, 'fault'), 'id') ?? '')}.\n`,
        );
      },
    );
  addSteeringOptions(faults.command('remove'), 'sandbox faults remove fault-1')
    .summary('take one back')
    .argument('<fault>', 'the fault, as aftermeet sandbox faults list shows it')
    .action((id: string, _options: unknown, command: Command) =>
      show(
        command,
        { method: 'DELETE', path: `/faults/${encodeURIComponent(id)}` },
        () => 'The fault was taken back.\n',
      ),
    );
  addSteeringOptions(faults.command('clear'), 'sandbox faults clear')
    .summary('take all back')
    .action((_options: unknown, command: Command) =>
      show(command, { method: 'DELETE', path: '/faults' }, () => 'No fault is planned any more.\n'),
    );
}

function parseShare(text: string): number {
  const share = /^\d*\.?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(share > 0 && share <= 1)) throw new InvalidArgumentError('Expected a share above 0 and up to 1.');
  return share;
}
