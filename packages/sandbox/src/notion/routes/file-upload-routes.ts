import { dropOldest } from '../../service/drop-oldest.ts';
import { readParts, readText } from '../../web/read-parts.ts';
import {
  isRefusal,
  refuseNotionBody,
  refuseUnknown,
  refuseUnplayed,
  type NotionRefusal,
} from '../notion-refusal.ts';
import type { NotionRequest, NotionRoute } from '../notion-route.ts';
import { describeUpload, type NotionUpload } from '../notion-uploads.ts';
import { tellTime, type NotionWorld } from '../notion-world.ts';

const path = '/v1/file_uploads/:file_upload_id';
const lifeMs = 3_600_000;
const keptUploads = 1000;
/** https://developers.notion.com/guides/data-apis/working-with-files-and-media: one part, and each of several. */
const maxPartBytes = 20_000_000;

/** https://developers.notion.com/reference/create-a-file-upload and its neighbours. */
export const fileUploadRoutes: readonly NotionRoute[] = [
  {
    target: 'file_uploads.create',
    method: 'POST',
    path: '/v1/file_uploads',
    needs: 'insert_content',
    definition: 'CreateFileUploadParameters',
    play(world, { body, origin }) {
      const { mode = 'single_part', number_of_parts: total } = body;
      if (mode === 'external_url') return refuseUnplayed('uploads from an address');
      if (mode === 'multi_part' && typeof total !== 'number') {
        return refuseNotionBody(
          'body failed validation: body.number_of_parts should be defined, instead was `undefined`.',
        );
      }
      const upload: NotionUpload = {
        id: world.makeId(),
        status: 'pending',
        filename: readText(body['filename']) || null,
        contentType: readText(body['content_type']) || null,
        size: 0,
        parts: typeof total === 'number' ? { total, sent: 0 } : undefined,
        createdTime: tellTime(world),
        expiryTime: new Date(world.clock() + lifeMs).toISOString(),
      };
      world.uploads.set(upload.id, upload);
      dropOldest(world.uploads, keptUploads);
      return describeUpload(upload, origin);
    },
  },
  {
    target: 'file_uploads.send',
    method: 'POST',
    path: `${path}/send`,
    needs: 'insert_content',
    play: (world, request) =>
      change(world, request, (upload) => receivePart(upload, readParts(request.body['file']))),
  },
  {
    target: 'file_uploads.complete',
    method: 'POST',
    path: `${path}/complete`,
    needs: 'insert_content',
    play: (world, request) => change(world, request, complete),
  },
  {
    target: 'file_uploads.retrieve',
    method: 'GET',
    path,
    needs: 'read_content',
    play: (world, request) => change(world, request, (upload) => upload),
  },
];

function change(
  world: NotionWorld,
  { ids, origin }: NotionRequest,
  apply: (upload: NotionUpload) => NotionUpload | NotionRefusal,
): object {
  const id = ids['file_upload_id'] ?? '';
  const upload = world.uploads.get(id);
  if (upload === undefined) return refuseUnknown('file upload', id);
  const changed = apply(upload);
  if (isRefusal(changed)) return changed;
  world.uploads.set(id, changed);
  return describeUpload(changed, origin);
}

/** `file` is what the form carried: its name, type and number of bytes. */
function receivePart(upload: NotionUpload, file: NotionRequest['body']): NotionUpload | NotionRefusal {
  const { size } = file;
  if (typeof size !== 'number') {
    return refuseNotionBody('body failed validation: body.file should be defined, instead was `undefined`.');
  }
  if (upload.status !== 'pending') return refuseNotionBody('This file upload has been sent already.');
  if (size > maxPartBytes) return refuseNotionBody(`A part can hold ${String(maxPartBytes)} bytes at most.`);
  const filename = upload.filename ?? (readText(file['filename']) || null);
  const contentType = upload.contentType ?? (readText(file['content_type']) || null);
  const received = { ...upload, filename, contentType, size: upload.size + size };
  return upload.parts === undefined
    ? { ...received, status: 'uploaded' }
    : { ...received, parts: { ...upload.parts, sent: upload.parts.sent + 1 } };
}

function complete(upload: NotionUpload): NotionUpload | NotionRefusal {
  const { parts } = upload;
  if (parts === undefined) return refuseNotionBody('Only uploads in several parts are completed.');
  return parts.sent < parts.total
    ? refuseNotionBody(`${String(parts.sent)} of ${String(parts.total)} parts were sent.`)
    : { ...upload, status: 'uploaded' };
}
