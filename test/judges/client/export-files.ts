import assert from 'node:assert/strict';

import type { ServiceClient } from './open-client.ts';

const beginnings = { pdf: '%PDF-', docx: 'PK', md: '' } as const;

/** Downloads the meeting in each format; the bytes begin as files of the format do. */
export async function exportFiles(client: ServiceClient, meetingId: string): Promise<void> {
  for (const format of ['pdf', 'docx', 'md'] as const) {
    const { response, data } = await client.GET('/api/storage/download', {
      params: {
        query: {
          meeting_id: meetingId,
          format,
          include_report: true,
          include_tasks: false,
          timezone: 'Europe/Berlin',
        },
      },
      parseAs: 'arrayBuffer',
    });
    assert.equal(response.status, 200);
    assert.ok(data);
    const file = Buffer.from(data);
    assert.ok(file.length > 100);
    assert.ok(file.toString('latin1').startsWith(beginnings[format]));
  }
}
