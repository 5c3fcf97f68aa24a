import { planRequests } from '../../../recipes/src/destinations/notion/plan-requests.ts';
import { checkCharacters } from './check-links.ts';
import { checkHtml, checkSubject } from './check-mail-limits.ts';
import { checkNotionLimits } from './check-notion-limits.ts';
import { checkOrder } from './check-order.ts';
import { checkSchema } from './check-schema.ts';
import { checkSlackLimits } from './check-slack-limits.ts';
import type { RecipeMessage } from './read-messages.ts';

/**
 * Everything that is wrong with messages before they are sent, by the vendors' types and by their documented limits:
 * what `checkSent` finds, without what the connectors add on the way, at a fraction of its cost.
 */
export async function checkRendered(messages: readonly RecipeMessage[]): Promise<readonly string[]> {
  const found = await Promise.all(messages.map(checkMessage));
  return found.flat();
}

async function checkMessage({ effect, rendered }: RecipeMessage): Promise<readonly string[]> {
  switch (rendered.destination) {
    case 'slack': {
      const { text, blocks } = rendered.message;
      const call = { channel: effect.target, text, blocks };
      return [...(await checkSchema('slack', 'ChatPostMessageArguments', call)), ...checkSlackLimits(call)];
    }
    case 'notion': {
      const requests = planRequests(rendered.message.blocks).map(async ({ blocks }) => {
        const call = { parent: { data_source_id: effect.target }, properties: {}, children: blocks };
        const problems = await checkSchema('notion', 'CreatePageParameters', call);
        return [...problems, ...checkNotionLimits(call)];
      });
      return (await Promise.all(requests)).flat();
    }
    case 'email': {
      const { subject, text, html } = rendered.message;
      const empty = text.trim() === '' ? ['text: empty'] : [];
      return [...checkSubject(subject), ...empty, ...checkCharacters(text, 'text'), ...checkHtml(html)];
    }
    case 'http':
    case 'folder':
      return checkOrder(rendered);
    default:
      return rendered satisfies never;
  }
}
