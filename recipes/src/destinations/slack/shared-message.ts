import { composeMessage } from './blocks.ts';
import { type SharedMessage, slackLimits, type SlackMessage } from './message.ts';
import { textLeaf } from './rich-text.ts';
import { splitFlow } from './split-flow.ts';

/** The rest is for title, context and closing. */
const room = { characters: slackLimits.message - 1500, elements: slackLimits.elements };

/** A message of its shares, as far as they fit. Pure. */
export function composeShared({ head, shares, tail, taken = 0 }: SharedMessage): SlackMessage {
  const { fitting, rest } = splitFlow(
    shares.flatMap(({ flow }) => flow),
    { ...room, characters: room.characters - taken },
  );
  const more = [textLeaf('There are more in the report.', { italic: true })];
  return composeMessage([
    ...head,
    { flow: fitting },
    { flow: rest.length === 0 ? [] : [{ part: { type: 'rich_text_section', elements: more } }] },
    ...tail,
  ]);
}
