import { type Command, InvalidArgumentError } from 'commander';

import type { Context } from '../../context.ts';
import { dropAbsent } from '../../drop-absent.ts';
import { parseWhole } from '../../parse-whole.ts';
import { addSteeringOptions, createShow } from '../../steering/add-steering-command.ts';
import { readEntry, readNumber, readRows, readText } from '../../steering/steer.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { type Column, formatTable } from '../../terminal/format-table.ts';
import { readTableWidth } from '../../terminal/read-table-width.ts';
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
}

const columns: readonly Column<object>[] = [
  { title: 'FAULT', read: (row) => readText(row, 'id') },
  { title: 'KIND', read: (row) => readText(row, 'kind') },
  { title: 'ON', read: (row) => readText(row, 'on') },
  { title: 'TIMES', read: (row) => readNumber(row, 'times') ?? 'always' },
  { title: 'HAPPENED', read: (row) => readNumber(row, 'happened') },
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
  )
    .summary('plan one')
    .description(
      'Plans a fault. Kinds for calls: latency, status, reset, empty, garbage, hang, drop_after, cut, drip. ' +
        'Kinds for deliveries: duplicate, reorder, bad_signature, stale_timestamp, drop.',
    )
    .argument('<kind>', 'what happens')
    .option('--on <target>', 'an operation such as reports.get, or mcp; default any')
    .option('--times <number>', 'how often; default once, always for ever', parseEndless('always', 1))
    .option('--after <number>', 'how many pass unharmed first', parseMany)
    .option('--probability <share>', 'of each call, from 0 to 1', parseShare)
    .option('--ms <number>', 'of latency and drip: milliseconds', parseMany)
    .option('--status <status>', 'of status: what is answered', parseMany)
    .option('--retry-after <seconds>', 'of status: the header Retry-After', parseMany)
    .option('--seconds <number>', 'of stale_timestamp: how old', parseMany)
    .action(
      (kind: string, { url: _url, json: _json, retryAfter, ...fields }: FaultOptions, command: Command) => {
        const body = {
          kind,
          ...dropAbsent({ ...fields, times: toNullable(fields.times), retry_after_seconds: retryAfter }),
        };
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
