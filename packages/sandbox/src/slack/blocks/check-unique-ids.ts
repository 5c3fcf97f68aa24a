import { readList, readParts } from '../../web/read-parts.ts';
import type { SlackObject } from '../slack-message.ts';

interface PlacedId {
  readonly name: 'block_id' | 'action_id';
  readonly id: string;
  readonly pointer: string;
}

/** Within a message, a `block_id` and an `action_id` can stand once. */
export function checkUniqueIds(blocks: readonly SlackObject[], place: string): readonly string[] {
  const seen = new Set<string>();
  return blocks
    .flatMap((block, index) => listIds(block, `${place}/${String(index)}`))
    .flatMap(({ name, id, pointer }) => {
      const key = `${name} ${id}`;
      if (seen.has(key)) return [`\`${name}\` "${id}" already exists [json-pointer:${pointer}/${name}]`];
      seen.add(key);
      return [];
    });
}

function listIds(block: SlackObject, pointer: string): readonly PlacedId[] {
  return [
    ...readId('block_id', block, pointer),
    ...readId('action_id', readParts(block['accessory']), `${pointer}/accessory`),
    ...readList(block['elements']).flatMap((element, index) =>
      readId('action_id', element, `${pointer}/elements/${String(index)}`),
    ),
    ...readList(block['child_blocks']).flatMap((child, index) =>
      listIds(child, `${pointer}/child_blocks/${String(index)}`),
    ),
  ];
}

function readId(name: PlacedId['name'], part: SlackObject, pointer: string): readonly PlacedId[] {
  const id = part[name];
  return typeof id === 'string' && id !== '' ? [{ name, id, pointer }] : [];
}
