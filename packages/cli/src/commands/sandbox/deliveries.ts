import type { Command } from 'commander';

import { type Context, tableView } from '../../context.ts';
import { formatMoment, type Column, formatTable } from '../../terminal/format.ts';
import { cleanLine } from '../../terminal/text.ts';
import { addControlOptions, createShow, getNumber, getRows, getText } from './control.ts';

const columns: readonly Column<object>[] = [
  { title: 'EVENT', read: (row) => getText(row, 'event') },
  { title: 'STATE', read: (row) => getText(row, 'state'), isState: true },
  { title: 'LAST', read: readLast, shrinks: true },
  { title: 'ATTEMPTS', read: (row) => String(getRows(row, 'attempts').length), leftOut: 3 },
  { title: 'NEXT (UTC)', read: (row) => formatMoment(getText(row, 'nextAttemptAt') ?? ''), leftOut: 1 },
  { title: 'FAULT', read: (row) => getText(row, 'fault'), leftOut: 2 },
  { title: 'MEETING', read: (row) => getText(row, 'meetingId'), leftOut: 4 },
  { title: 'DELIVERY', read: (row) => getText(row, 'id'), isId: true },
];

const localOnly =
  'Deliveries stay on this machine: start the sandbox with --allow-remote to let them leave it.\n';

/** `aftermeet sandbox deliveries` and `redeliver`: the log of the webhook sender. */
export function addDeliveryCommands(sandbox: Command, context: Context): void {
  const show = createShow(context);
  addControlOptions(sandbox.command('deliveries'), 'sandbox deliveries')
    .summary('list its webhook deliveries')
    .description(
      'Lists the deliveries of a running sandbox, the newest first, how the last attempt of each ended, and the ' +
        'fault that hit it.\n\n' +
        '--json prints {"items":[...]}, each with id, meetingId, event, receiver (its origin), isSigned, state ' +
        '(waiting, delivered, given_up, dropped), attempts ({at, status or error, elapsedMs}), nextAttemptAt while ' +
        'another one is planned, and fault.',
    )
    .action((_options: unknown, command: Command) =>
      show(command, { method: 'GET', path: '/deliveries' }, (answer) => {
        const rows = getRows(answer, 'items');
        if (rows.length === 0) return 'Nothing was sent yet.\n';
        const table = formatTable(rows, columns, tableView(context));
        return rows.some(isRemote) ? `${table}\n${localOnly}` : table;
      }),
    );
  addControlOptions(sandbox.command('redeliver'), 'sandbox redeliver <delivery-id>')
    .summary('send a delivery again')
    .description('Sends a delivery again, under the same id; its attempts start over.')
    .argument('<delivery-id>', 'the delivery, as aftermeet sandbox deliveries lists it')
    .action((id: string, _options: unknown, command: Command) =>
      show(
        command,
        { method: 'POST', path: `/deliveries/${encodeURIComponent(id)}/redeliver` },
        (answer) => `Delivery ${cleanLine(getText(answer, 'deliveryId') ?? id)} is on its way.\n`,
      ),
    );
}

/** The status of the last attempt, or why there is none. */
function readLast(row: object): string {
  if (isRemote(row)) return 'not sent: another machine';
  const last = getRows(row, 'attempts').at(-1);
  return getNumber(last, 'status') ?? getText(last, 'error') ?? '';
}

/** Whether its receiver is on another machine, so that it was not sent. */
function isRemote(row: object): boolean {
  const error = getText(getRows(row, 'attempts').at(-1), 'error');
  return error !== undefined && /^not sent:.*loopback/.test(error);
}
