import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';

import type { ServiceClient } from './open-client.ts';

const chunks = [Buffer.alloc(1000, 'a'), Buffer.alloc(500, 'b')];

/** Uploads a file in two chunks, after trying to complete it without them; resolves with the new meeting's id. */
export async function uploadFile(client: ServiceClient): Promise<string> {
  const form = {
    id: randomUUID(),
    upload_session_id: randomUUID(),
    chunk_total: chunks.length + 1,
    filename: 'planning.mp3',
    expected_file_size: 1500,
    title: 'Uploaded planning',
  };
  const complete = { ...form, chunk_number: chunks.length, file: new Blob([]) };
  const early = await client.POST('/api/video', { body: complete, bodySerializer: writeForm });
  assert.equal(early.response.status, 409);
  for (const [index, bytes] of chunks.entries()) {
    const sent = await client.POST('/api/video', {
      body: { ...form, chunk_number: index, file: new Blob([bytes]) },
      bodySerializer: writeForm,
      parseAs: 'text',
    });
    assert.equal(sent.response.status, 200);
  }
  const completed = await client.POST('/api/video', { body: complete, bodySerializer: writeForm });
  assert.equal(completed.response.status, 200);
  const { meeting_id: meetingId, user_id: userId } = completed.data ?? {};
  assert.ok(meetingId !== undefined && userId !== undefined);
  return meetingId;
}

/** A form has text in every part but the file. */
function writeForm(body: { readonly filename: string }): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries<unknown>(body)) {
    if (value instanceof Blob) form.append(name, value, body.filename);
    else form.append(name, String(value));
  }
  return form;
}
