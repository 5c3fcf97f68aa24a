import { describe, expect, it } from 'vitest';

import { route } from '../../../nodes/nodes/Aftermeet/actions/router.ts';
import { createNodeContext } from './support/n8n-context.ts';

describe('a parameter that is refused', () => {
  it.each([
    [
      { resource: 'recording', operation: 'start', link: 'https://m.example.com', when: 'at' },
      'Start Time is missing',
    ],
    [
      {
        resource: 'recording',
        operation: 'start',
        link: 'nope',
        when: 'now',
        options: { participants: 'ann' },
      },
      'Meeting Link must be a web address that begins with http:// or https://; found text of length 4; Participants must be an e-mail address in ASCII, an internationalised domain in its xn-- form; found text of length 3',
    ],
    [
      { resource: 'export', operation: 'download', format: 'pdf', binaryPropertyName: 'data' },
      'Meeting is missing: must be a meeting id that is not empty',
    ],
    [
      { resource: 'tag', operation: 'attach', meetingId: 'm_1' },
      'Tag is missing: must be a tag id that is not empty',
    ],
    [
      { resource: 'meeting', operation: 'search', filters: { dateFrom: 'soon' } },
      'From Date must be a date such as 2026-07-07; found "soon"',
    ],
  ])('goes by its label, and the name in the contract stands behind: %j', async (parameters, message) => {
    const { execute, requests } = createNodeContext({ baseUrl: 'http://127.0.0.1:9', parameters });
    const failure: unknown = await route(execute, false).catch((error: unknown) => error);
    expect(failure).toMatchObject({ name: 'NodeOperationError', message });
    expect(failure).toHaveProperty(
      'description',
      expect.stringMatching(
        /^Check the parameters of this node\. \(.*\b[a-zA-Z]+(_[a-z]+)* (is missing|must be)/,
      ),
    );
    expect(requests).toEqual([]);
  });
});
