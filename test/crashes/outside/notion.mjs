import { createNotionStandIn } from '@aftermeet/sandbox';

import { findMeetingNumber, isLong, TURNS } from '../plan.mjs';
import { notionErrors, notionFaults } from './call-faults.mjs';

/** Starts a Notion with faults. `seen` lists every page that was made, as it is now. */
export async function startNotion({ seed, hangs }) {
  const notion = createNotionStandIn({ seed });
  for (const fault of notionFaults(hangs)) notion.faults.add(fault);
  for (const fault of notionErrors) notion.errorFaults.add(fault);
  // The stand-in remembers 500 pages: the others are known as they were when they were seen last.
  const known = new Map();
  let made = 0;
  const latest = () => {
    for (const page of notion.received()) {
      known.set(page.id, { page, isWhole: isWholePage(page.title, notion.readBlocks(page.id)) });
    }
    return known;
  };
  notion.onReceived(() => {
    made += 1;
    if (made % 200 === 0) latest();
  });
  const { url } = await notion.listen();
  return {
    url,
    dataSourceId: notion.dataSourceId,
    seen: () =>
      [...latest().values()].map(({ page: { id, title, dataSourceId, properties }, isWhole }) => ({
        key: readText(properties['Delivery key']),
        meeting: findMeetingNumber(title),
        target: isWhole ? dataSourceId : 'a page that is not whole',
        reference: id,
      })),
    faults: () => [...notion.faults.list(), ...notion.errorFaults.list()],
  };
}

/** Of a long meeting every turn is there, each once. */
function isWholePage(title, blocks) {
  if (!isLong(title)) return true;
  const turns = JSON.stringify(blocks).match(/"plain_text":"[^"]*\bturn \d+"/g) ?? [];
  return turns.length === new Set(turns).size && turns.length === TURNS;
}

function readText(property) {
  return property?.value?.map(({ plain_text: text }) => text).join('');
}
