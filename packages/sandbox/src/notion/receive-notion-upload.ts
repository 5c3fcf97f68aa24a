import express, { type Express, type NextFunction, type Request } from 'express';

/** More than a part may hold, so that the refusal says so. */
const maxBytes = 25 * 1024 * 1024;

/** Reads the form of `file_uploads.send` into what the method looks at: the file's name, type and length. Its bytes are not kept. */
export function mountNotionUploads(app: Express): void {
  app.post(
    '/v1/file_uploads/:file_upload_id/send',
    express.raw({ type: 'multipart/form-data', limit: maxBytes }),
    (request, _response, next: NextFunction) => {
      readForm(request).then((body) => {
        request.body = body;
        next();
      }, next);
    },
  );
}

async function readForm(request: Request): Promise<object> {
  const bytes: unknown = request.body;
  if (!Buffer.isBuffer(bytes)) return {};
  try {
    const headers = { 'Content-Type': request.get('content-type') ?? '' };
    const form = await new Response(bytes, { headers }).formData();
    const file = form.get('file');
    if (file === null || typeof file === 'string') return {};
    return { file: { filename: file.name, content_type: file.type, size: file.size } };
  } catch {
    // No form, or one that breaks off: then it has no file.
    return {};
  }
}
