import { createNotionStandIn } from '@aftermeet/sandbox';

import { findMeetingNumber } from '../plan.mjs';
import { notionErrors, notionFaults } from './call-faults.mjs';

/** Starts a Notion with faults. `seen` lists every page that was made. */
export async function startNotion({ seed, hangs }) {
  const made = [];
  const notion = createNotionStandIn({ seed });
  for (const fault of notionFaults(hangs)) notion.faults.add(fault);
  for (const fault of notionErrors) notion.errorFaults.add(fault);
  notion.onReceived((page) => made.push(page));
  const { url } = await notion.listen();
  return {
    url,
    dataSourceId: notion.dataSourceId,
    seen: () =>
      made.map(({ id, title, dataSourceId, properties }) => ({
        key: readText(properties['Delivery key']),
        meeting: findMeetingNumber(title),
        target: dataSourceId,
        reference: id,
      })),
    faults: () => [...notion.faults.list(), ...notion.errorFaults.list()],
  };
}

function readText(property) {
  return property?.value?.map(({ plain_text: text }) => text).join('');
}
