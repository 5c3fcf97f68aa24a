import assert from 'node:assert/strict';

import { fromList, seedMeetings } from './locate.mjs';

const resource = 'mcp';

/** How a session begins is each one's own matter; what it is for is not. */
const only = ({ json }) => json?.method?.startsWith('tools/');
const blur = ({ method, path, keys, json }) => {
  const params = Object.entries(json.params ?? {}).filter(([name]) => name !== '_meta');
  return { method, path, keys, call: json.method, params };
};

export const plays = [
  {
    name: 'all of them',
    resource,
    operation: 'listTools',
    only,
    blur,
    call: async (client) => (await client.mcp.listTools()).items,
    check: ({ json, answer }) =>
      assert.deepEqual(
        json,
        answer.map(({ name, description = '', inputSchema }) => ({
          name,
          description,
          input_schema: inputSchema,
        })),
      ),
  },
  {
    name: 'arguments as JSON',
    resource,
    operation: 'callTool',
    only,
    blur,
    prepare: (sandbox) => ({ ids: seedMeetings(sandbox) }),
    parameters: () => ({
      tool: { __rl: true, mode: 'name', value: 'search_meetings' },
      argumentMode: 'json',
      argumentsJson: '{"query":"sync"}',
    }),
    call: (client) => client.mcp.callTool('search_meetings', { query: 'sync' }),
    check: ({ json: [one], answer }) => {
      assert.equal(one.is_error, answer.isError);
      assert.equal(one.text, answer.text);
    },
  },
  {
    name: 'arguments one by one, the tool from the list',
    resource,
    operation: 'callTool',
    only,
    blur,
    prepare: (sandbox) => ({ meetingId: seedMeetings(sandbox)[0] }),
    parameters: ({ meetingId }) => ({
      tool: fromList('get_report'),
      argumentMode: 'fields',
      argumentFields: { argument: [{ name: 'meeting_id', type: 'text', value: meetingId }] },
    }),
    call: (client, { meetingId }) => client.mcp.callTool('get_report', { meeting_id: meetingId }),
    check: ({ json: [one], answer }) => assert.equal(one.text, answer.text),
  },
];
