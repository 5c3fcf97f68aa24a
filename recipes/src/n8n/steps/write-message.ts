import { judgeReportCode } from '../code/judge-report.ts';
import { readReportCode } from '../code/read-report.ts';
import { readTextCode } from '../code/read-text.ts';
import { reportConditions } from '../conditions.ts';
import type { Order } from '../order.ts';
import { allOf, codeOf, isTrue } from '../parameters.ts';
import { eventNode } from './receive-delivery.ts';

/** The name of the node that writes what is sent. */
export const messageNode = 'Write the message';

const opening = String.raw`
const settings = $('Settings').first().json;
const event = $('${eventNode}').first().json;
`;

/**
 * Reads the report, judges it, and writes what is sent: `body` is JavaScript that returns the items, given `report`,
 * `settings`, `event` and `link`; each item goes on only when it has something to send.
 */
export function writeMessage(order: Order, renderers: readonly string[], body: string): void {
  const conditions = `const conditions = ${JSON.stringify(reportConditions(order))};`;
  order.canvas.add(
    {
      name: messageNode,
      kind: 'code',
      parameters: codeOf(
        readReportCode,
        readTextCode,
        judgeReportCode,
        ...renderers,
        opening,
        conditions,
        "const report = readReport($input.first().json.data, event);\nconst link = linkOf(settings.link, report.meetingId);\nconst why = explainMismatch(report, conditions.filter(({ is }) => is !== 'title' || !event.title));\nif (why !== '') return [{ json: { send: false, why } }];",
        body,
      ),
    },
    { name: 'Is the report there?' },
  );
  addSendGate(order);
}

/** The same from the event alone, for alerts. */
export function writeAlert(order: Order, renderers: readonly string[], body: string): void {
  order.canvas.add({
    name: messageNode,
    kind: 'code',
    parameters: codeOf(readReportCode, readTextCode, ...renderers, opening, body),
  });
}

/** Holds back what is not to be sent: a meeting without a transcript, or one that the conditions leave out. */
function addSendGate({ canvas }: Pick<Order, 'canvas'>): void {
  canvas.add({
    name: 'Is there something to send?',
    kind: 'filter',
    parameters: allOf(isTrue('send', '$json.send')),
  });
}
