import type { BuiltInMessage } from '@aftermeet/recipes';

import { checkCharacters } from './check-links.ts';
import { isObject, readText, walkJson } from './walk-json.ts';

/** What a file system takes: 255 bytes, of which a temporary name needs some. */
const mostNameBytes = 220;

type Order = Exclude<BuiltInMessage, { readonly destination: 'slack' | 'notion' | 'email' }>;

/** What would go wrong with what is posted, filed or ordered. */
export function checkOrder(order: Order): readonly string[] {
  switch (order.destination) {
    case 'http':
      return checkBody(order.message.body);
    case 'folder':
      return checkFileName(order.message.name);
    default:
      return order satisfies never;
  }
}

/** JSON of the shape that Standard Webhooks recommends, whose texts hold nothing that breaks a reader. */
function checkBody(text: string): readonly string[] {
  const body: unknown = JSON.parse(text);
  const isShaped = isObject(body) && readText(body['type']) !== '' && isObject(body['data']);
  const texts = [...walkJson(body)].flatMap(({ pointer, value }) =>
    typeof value === 'string' ? checkCharacters(value, pointer) : [],
  );
  return isShaped ? texts : ['the body has not its shape', ...texts];
}

/** A bare name: nothing of it leads out of its folder, and every system takes it. */
function checkFileName(name: string): readonly string[] {
  const bytes = Buffer.byteLength(name);
  return [
    ...checkCharacters(name, 'file name'),
    ...(/[/\\:*?"<>|\n\t]/.test(name) ? ['file name: a character that not every system takes'] : []),
    ...(/^\.|[. ]$/.test(name) ? ['file name: begins or ends with a dot or a space'] : []),
    ...(bytes > mostNameBytes ? [`file name: ${bytes} bytes, at most ${mostNameBytes}`] : []),
  ];
}
