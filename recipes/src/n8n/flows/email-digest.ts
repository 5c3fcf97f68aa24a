import { mailMessageCode } from '../code/mail-message.ts';
import { listMeetingsCode, readDigestCode } from '../code/read-digest.ts';
import { readReportCode } from '../code/read-report.ts';
import { readTextCode } from '../code/read-text.ts';
import type { Order } from '../order.ts';
import { codeOf } from '../parameters.ts';
import { mailSettings, sendMail } from '../steps/send-mail.ts';
import { addSettings, setting } from '../steps/settings.ts';

/** The meetings of the last day or week, by the clock; answers the time zone that the workflow needs. */
export function drawEmailDigest(order: Order): string {
  const isWeekly = order.text('every') === 'week';
  const [hour = '8', minute = '0'] = (order.text('at') ?? '08:00').split(':');
  const { mail_from, mail_to } = mailSettings(order);
  order.canvas.add({
    name: 'It is time',
    kind: 'schedule',
    parameters: {
      rule: {
        interval: [
          {
            field: 'cronExpression',
            expression: `${Number(minute)} ${Number(hour)} * * ${isWeekly ? '1' : '*'}`,
          },
        ],
      },
    },
  });
  addSettings(order, {
    mail_from,
    mail_to: mail_to || 'team@example.com',
    link: order.text('link') ?? '',
    date_from: {
      expression: `={{ $now.minus({ days: ${isWeekly ? 7 : 1} }).toFormat('yyyy-MM-dd') }}`,
    },
  });
  ask(order, 'Search for meetings', '/api/workspaces/active/meetings/search', [
    { name: 'dateFrom', value: `={{ ${setting('date_from')} }}` },
    { name: 'perPage', value: '50' },
  ]);
  order.canvas.add({ name: 'Which meetings?', kind: 'code', parameters: codeOf(listMeetingsCode) });
  ask(order, 'Fetch the reports', '/api/video/report', [{ name: 'meeting_id', value: '={{ $json.id }}' }]);
  order.canvas.add({
    name: 'Write the message',
    kind: 'code',
    parameters: codeOf(readReportCode, readTextCode, mailMessageCode, readDigestCode),
  });
  sendMail(order);
  order.notes.push(
    'The search knows days, not times: a meeting of the morning before can be in two mails. At most 50 meetings are in one.',
    'A day on which n8n was not running gets no mail later.',
  );
  return order.text('timezone') ?? 'UTC';
}

function ask(
  { canvas }: Order,
  name: string,
  path: string,
  query: readonly Readonly<Record<string, string>>[],
): void {
  const isSearch = path.endsWith('search');
  canvas.add({
    name,
    kind: 'http',
    credential: 'apiKey',
    parameters: {
      method: 'GET',
      url: `={{ ${setting('base_url')} }}${path}`,
      authentication: 'genericCredentialType',
      genericAuthType: 'httpHeaderAuth',
      sendQuery: true,
      queryParameters: { parameters: query },
      options: {
        batching: { batch: { batchSize: 1, batchInterval: 200 } },
        redirect: { redirect: { followRedirects: false } },
        // A search that is refused ends the run; a report that is not there is said in the mail.
        response: { response: { fullResponse: true, neverError: !isSearch, responseFormat: 'text' } },
        timeout: 60_000,
      },
    },
  });
}
