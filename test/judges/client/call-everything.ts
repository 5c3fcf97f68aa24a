// Calls every operation as somebody would who has nothing but a client generated from docs/openapi.json.
import assert from 'node:assert/strict';

import { editReport } from './edit-report.ts';
import { exportFiles } from './export-files.ts';
import { openClient, type Session } from './open-client.ts';
import { recordMeeting } from './record-meeting.ts';
import { tagAndSearch } from './tag-and-search.ts';
import { uploadFile } from './upload-file.ts';

/** Throws `AssertionError` at the first answer that is not as it should be. */
export async function callEverything(session: Session): Promise<void> {
  await refuseWrongKey(session);
  const client = openClient(session);
  const meetingId = await recordMeeting(client, session.complete);
  await editReport(client, meetingId);
  await exportFiles(client, meetingId);
  const uploadedId = await uploadFile(client);
  assert.notEqual(uploadedId, meetingId);
  await tagAndSearch(client, meetingId);
}

async function refuseWrongKey(session: Session): Promise<void> {
  const stranger = openClient({ ...session, apiKey: 'nobodys_key' });
  const { response, error } = await stranger.GET('/api/workspaces/active/tags');
  assert.equal(response.status, 401);
  assert.equal(typeof error, 'object');
}
