import type { Tag } from './client.ts';
import { asFields, firstText, readFirst } from './report/loose.ts';
import { asId } from './report/read-id.ts';

/** Undefined for what has no id. */
export function readTag(raw: unknown): Tag | undefined {
  const fields = asFields(raw) ?? {};
  const id = readFirst(fields, ['id', 'tag_id', 'tagId'], asId);
  if (id === undefined) return undefined;
  const color = firstText(fields, 'color', 'colour');
  return {
    id,
    name: firstText(fields, 'name', 'title') ?? '',
    ...(color === undefined ? {} : { color }),
    raw,
  };
}

/** The tag that a creation answers, with or without a wrapper; undefined where the answer names none. */
export function readCreatedTag(body: unknown): Tag | undefined {
  const { tag, data } = asFields(body) ?? {};
  return [tag, data, body].map(readTag).find((found) => found !== undefined);
}
