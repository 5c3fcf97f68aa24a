import { templateSlugs } from '@aftermeet/contract';

import type { Order } from '../order.ts';
import { fetchReport, fetchSettings } from '../steps/fetch-report.ts';
import { pickEvents } from '../steps/pick-events.ts';
import { receiveDelivery } from '../steps/receive-delivery.ts';
import { setting } from '../steps/settings.ts';
import { writeMessage } from '../steps/write-message.ts';

const body = String.raw`
const wanted = [settings.template_name, settings.shownAs].map((one) => foldTemplate(String(one))).filter(Boolean);
if (wanted.length < 2 && !builtIn.includes(settings.template_name)) {
  throw new Error('Set shownAs to what reports call this template: else each new report would be made again.');
}
const isThere = report.templates.some((one) => wanted.includes(foldTemplate(one)));
return [{ json: { send: !isThere, meeting_id: report.meetingId, template_name: settings.template_name } }];
`;

/** The report made again with another template, unless it has been. */
export function drawRegenerate(order: Order): void {
  receiveDelivery(order, {
    ...fetchSettings,
    template_name: order.text('template') ?? 'team-sync',
    shownAs: order.text('shownAs') ?? '',
    link: '',
  });
  pickEvents(order);
  fetchReport(order);
  const builtIn = JSON.stringify(templateSlugs.map(({ slug }) => slug));
  writeMessage(order, [`const builtIn = ${builtIn};`], body);
  order.canvas.add({
    name: 'Have it made again',
    kind: 'http',
    credential: 'apiKey',
    parameters: {
      method: 'POST',
      url: `={{ ${setting('base_url')} }}/api/generate-new-template`,
      authentication: 'genericCredentialType',
      genericAuthType: 'httpHeaderAuth',
      sendBody: true,
      contentType: 'json',
      specifyBody: 'json',
      jsonBody: '={{ JSON.stringify({ meeting_id: $json.meeting_id, template_name: $json.template_name }) }}',
      options: { redirect: { redirect: { followRedirects: false } }, timeout: 120_000 },
    },
  });
  order.notes.push(
    'A report that has the template already is left alone. It knows its templates by slug, name or id: a template of your own needs `shownAs`, the name that reports show, and without it nothing is made.',
    'Nothing goes on from here by itself: the workflows of the other recipes run when the service tells of the new report.',
  );
}
