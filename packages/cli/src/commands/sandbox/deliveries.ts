import type { Command } from 'commander';

import type { Context } from '../../context.ts';
import { addSteeringOptions, createShow } from '../../steering/add-steering-command.ts';
import { readNumber, readRows, readText } from '../../steering/steer.ts';
import { cleanLine } from '../../terminal/clean-text.ts';
import { formatMoment } from '../../terminal/format-moment.ts';
import { type Column, formatTable } from '../../terminal/format-table.ts';
import { readTableWidth } from '../../terminal/read-table-width.ts';

const columns: readonly Column<object>[] = [
  { title: 'DELIVERY', read: (row) => readText(row, 'id') },
  { title: 'EVENT', read: (row) => readText(row, 'event') },
  { title: 'MEETING', read: (row) => readText(row, 'meetingId') },
  { title: 'STATE', read: (row) => readText(row, 'state') },
  { title: 'ATTEMPTS', read: (row) => String(readRows(row, 'attempts').length) },
  { title: 'LAST', read: readLast, shrinks: true },
  { title: 'NEXT (UTC)', read: (row) => formatMoment(readText(row, 'nextAttemptAt') ?? '') },
  { title: 'FAULT', read: (row) => readText(row, 'fault') },
];

const localOnly =
  'Webhooks stay on this machine: start the sandbox with --allow-remote to let them leave it.\n';

/** `aftermeet sandbox deliveries` and `redeliver`: the webhook sender's log. */
export function addDeliveryCommands(sandbox: Command, context: Context): void {
  const show = createShow(context);
  addSteeringOptions(sandbox.command('deliveries'), 'sandbox deliveries')
    .summary('list what it sent to webhook addresses')
    .description(
      'Lists the deliveries of a running sandbox, the newest last, how the last attempt of each ended, and the ' +
        'fault that hit it.\n\n' +
        '--json prints {"deliveries":[...]}, each with id, meetingId, event, receiver (its origin), isSigned, state ' +
        '(waiting, delivered, given_up, dropped), attempts ({at, status or error, elapsedMs}), nextAttemptAt while ' +
        'another one is planned, and fault.',
    )
    .action((_options: unknown, command: Command) =>
      show(command, { method: 'GET', path: '/deliveries' }, (answer) => {
        const rows = readRows(answer, 'deliveries');
        if (rows.length === 0) return 'Nothing was sent yet.\n';
        const table = formatTable(rows, columns, readTableWidth(context));
        return rows.some(wasKeptHere) ? `${table}\n${localOnly}` : table;
      }),
    );
  addSteeringOptions(sandbox.command('redeliver'), 'sandbox redeliver <delivery-id>')
    .summary('send a delivery again')
    .description('Sends a delivery again, under the same id; its schedule begins anew.')
    .argument('<delivery-id>', 'the delivery, as aftermeet sandbox deliveries lists it')
    .action((id: string, _options: unknown, command: Command) =>
      show(
        command,
        { method: 'POST', path: `/deliveries/${encodeURIComponent(id)}/redeliver` },
        (answer) => `Delivery ${cleanLine(readText(answer, 'delivery_id') ?? id)} is on its way.\n`,
      ),
    );
}

/** The status, or why there is none. */
function readLast(row: object): string {
  if (wasKeptHere(row)) return 'not sent: another machine';
  const last = readRows(row, 'attempts').at(-1);
  return readNumber(last, 'status') ?? readText(last, 'error') ?? '';
}

/** Whether it was not sent because its receiver is on another machine. */
function wasKeptHere(row: object): boolean {
  const error = readText(readRows(row, 'attempts').at(-1), 'error');
  return error !== undefined && /^not sent:.*loopback/.test(error);
}
