import assert from 'node:assert/strict';

import type { ServiceClient } from './open-client.ts';

/** Generates a report, edits a block of it and reads it back. */
export async function editReport(client: ServiceClient, meetingId: string): Promise<void> {
  const templates = await client.GET('/api/v2/workspaces/active/custom-templates');
  assert.equal(templates.response.status, 200);

  const generated = await client.POST('/api/generate-new-template', {
    body: { meeting_id: meetingId, template_name: 'sales-meeting' },
  });
  assert.equal(generated.response.status, 200);
  assert.ok(generated.data);
  const templateId = generated.data.created_template_id;

  const entityName = (await readBlocks(client, meetingId, templateId)).at(0)?.name;
  assert.ok(entityName !== undefined);
  const params = { path: { meeting_id: meetingId } };
  const newSummaryText = 'We agreed on Tuesday.';
  const edited = await client.PUT('/api/meeting/{meeting_id}/summary', {
    params,
    body: { templateId, entityName, newSummaryText },
    parseAs: 'text',
  });
  assert.equal(edited.response.status, 200);
  const blocks = await readBlocks(client, meetingId, templateId);
  assert.equal(blocks.find(({ name }) => name === entityName)?.text, newSummaryText);

  const unknown = await client.PUT('/api/meeting/{meeting_id}/summary', {
    params,
    body: { templateId, entityName: 'no_such_block', newSummaryText },
  });
  assert.equal(unknown.response.status, 404);
}

type Blocks = readonly { readonly name?: string; readonly text?: unknown }[];

async function readBlocks(client: ServiceClient, meetingId: string, templateId: string): Promise<Blocks> {
  const { response, data } = await client.GET('/api/video/report', {
    params: { query: { meeting_id: meetingId } },
  });
  assert.equal(response.status, 200);
  // The other answer, plain text, comes with status 202.
  assert.ok(typeof data === 'object');
  return data.followup_v2?.templates?.find(({ id }) => id === templateId)?.entities ?? [];
}
