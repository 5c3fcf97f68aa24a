import { describeUrl } from './notion-ids.ts';
import { botUser } from './notion-users.ts';

/** A file that was sent, without its bytes. */
export interface NotionUpload {
  readonly id: string;
  readonly status: 'pending' | 'uploaded';
  readonly filename: string | null;
  readonly contentType: string | null;
  /** Bytes received so far. */
  readonly size: number;
  readonly parts: { readonly total: number; readonly sent: number } | undefined;
  readonly createdTime: string;
  /** When it is forgotten if nothing uses it: an hour later. */
  readonly expiryTime: string;
}

/** As an answer carries it: https://developers.notion.com/reference/file-upload. `origin` is where the API is. */
export function describeUpload(upload: NotionUpload, origin: string): object {
  const address = `${origin}/v1/file_uploads/${upload.id}`;
  return {
    object: 'file_upload',
    id: upload.id,
    created_time: upload.createdTime,
    created_by: { id: botUser.id, type: 'bot' },
    last_edited_time: upload.createdTime,
    in_trash: false,
    archived: false,
    expiry_time: upload.expiryTime,
    status: upload.status,
    filename: upload.filename,
    content_type: upload.contentType,
    content_length: upload.status === 'uploaded' ? upload.size : null,
    ...(upload.status === 'pending' ? { upload_url: `${address}/send` } : {}),
    ...(upload.parts === undefined
      ? {}
      : { complete_url: `${address}/complete`, number_of_parts: upload.parts }),
  };
}

/** A file that was sent, where a page or block shows it. */
export function describeUploadedFile(upload: NotionUpload): {
  readonly url: string;
  readonly expiry_time: string;
} {
  return { url: describeUrl(upload.id), expiry_time: upload.expiryTime };
}
