import type { Tag } from '@aftermeet/client';

import { cleanLine } from '../terminal/clean-text.ts';
import { cutToWidth } from '../terminal/display-width.ts';
import { WrongUse } from '../wrong-use.ts';
import type { Service } from './with-service.ts';

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;
const MOST_SHOWN = 60;

/**
 * The ids of tags that are given by id or by name. The service is asked for its tags only where something is no
 * UUID. An id wins over a name; throws `WrongUse` for what is neither.
 */
export async function resolveTags(
  { client, call }: Pick<Service, 'client' | 'call'>,
  given: readonly string[],
): Promise<string[]> {
  if (given.every((text) => uuid.test(text))) return [...given];
  const tags = await client.tags.list(call);
  return given.map((text) => (uuid.test(text) ? text : findTag(tags, text)));
}

function findTag(tags: readonly Tag[], text: string): string {
  if (tags.some(({ id }) => id === text)) return text;
  const named = tags.filter(({ name }) => foldCase(name) === foldCase(text));
  const [tag] = named.length > 1 ? named.filter(({ name }) => name === text) : named;
  if (tag !== undefined) return tag.id;
  const shown = JSON.stringify(cutToWidth(cleanLine(text), MOST_SHOWN));
  throw new WrongUse(
    named.length > 1
      ? `Several tags are called ${shown}: give the id of one. aftermeet tags list shows them.\n`
      : `No tag has the id or the name ${shown}: aftermeet tags list shows them.\n`,
  );
}

/** Upper case first: then `ß` and `SS` are the same name. */
function foldCase(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase();
}
