import { readParts, readText, type Parts } from '../../web/read-parts.ts';
import { nameTarget } from '../name-target.ts';
import { readNotionId } from '../notion-ids.ts';
import { isRefusal, refuseUnknown, type NotionRefusal } from '../notion-refusal.ts';
import { readNotionText } from '../notion-text.ts';
import { describeUploadedFile, type NotionUpload } from '../notion-uploads.ts';
import type { NotionWorld } from '../notion-world.ts';

/**
 * Reads the content of a block that a request carried, and whose shape is right, into the shape of answers. `before` is
 * what it held, or what it holds by default.
 */
export function readContent(world: NotionWorld, sent: Parts, before: Parts): Parts | NotionRefusal {
  const content = new Map(Object.entries(before));
  const nameMention = (kind: string, id: string): string => nameTarget(world, kind, id);
  for (const [key, value] of Object.entries(sent)) {
    if (key === 'children') continue;
    if (key === 'rich_text' || key === 'caption') content.set(key, readNotionText(value, nameMention));
    else if (key === 'cells' && Array.isArray(value)) {
      content.set(
        key,
        value.map((cell) => readNotionText(cell, nameMention)),
      );
    } else if (key === 'icon' || key === 'external' || key === 'file_upload') {
      const file = key === 'icon' ? readFile(world, readParts(value)) : readFile(world, { [key]: value });
      if (isRefusal(file)) return file;
      if (key === 'icon') content.set(key, file);
      else {
        for (const old of ['external', 'file', 'type']) content.delete(old);
        for (const [name, part] of Object.entries(file)) content.set(name, part);
      }
    } else if (key !== 'type') content.set(key, value);
    // What a link points to is told by its key, and answers name it.
    if (key.endsWith('_id')) content.set('type', key);
  }
  return Object.fromEntries(content);
}

/** A file, an icon or a cover: what was sent to Notion is answered as a file of Notion's. */
export function readFile(world: NotionWorld, sent: Parts): Parts | NotionRefusal {
  const type = Object.keys(sent).find((key) => key !== 'type' && key !== 'name') ?? '';
  if (type !== 'file_upload') return { type, [type]: sent[type] };
  const upload = findUpload(world, sent);
  return isRefusal(upload) ? upload : { type: 'file', file: describeUploadedFile(upload) };
}

/** A file of a property, which has a name. */
export function readNamedFile(world: NotionWorld, sent: Parts): Parts | NotionRefusal {
  const file = readFile(world, sent);
  if (isRefusal(file)) return file;
  const upload = sent['name'] === undefined ? findUpload(world, sent) : undefined;
  return { name: isRefusal(upload) ? '' : (sent['name'] ?? upload?.filename ?? ''), ...file };
}

function findUpload(world: NotionWorld, sent: Parts): NotionUpload | NotionRefusal {
  const asked = readText(readParts(sent['file_upload'])['id']);
  const upload = world.uploads.get(readNotionId(asked) ?? asked);
  return upload?.status === 'uploaded' ? upload : refuseUnknown('file upload', asked);
}
