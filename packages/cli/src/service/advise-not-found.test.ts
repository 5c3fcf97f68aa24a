import { ServiceError } from '@aftermeet/client';
import { describe, expect, it } from 'vitest';

import { adviseNotFound } from './advise-not-found.ts';

const ADDRESS = 'Check SERVICE_BASE_URL: the service may be at another address.';

function advise(doing: string, detail = 'No such thing.', status = 404) {
  return adviseNotFound(
    new ServiceError({
      code: 'not_found',
      doing,
      ...(detail === '' ? {} : { detail }),
      ...(status === 0 ? {} : { status }),
    }),
  );
}

describe('adviseNotFound', () => {
  it.each([
    ['recordings.status: GET /api/meeting/status', 'Meetings are listed by aftermeet search.'],
    [
      'reports.generate: POST /api/generate-new-template',
      'Meetings are listed by aftermeet search. Templates are listed by aftermeet templates.',
    ],
    [
      'reports.editBlock: PUT /api/meeting/{meeting_id}/summary',
      'aftermeet report get <meeting-id> --template <template> shows the id and the blocks of a template; ' +
        'without --template it names the templates. Meetings are listed by aftermeet search.',
    ],
    [
      'exports.download: GET /api/storage/download',
      'aftermeet report get <meeting-id> names the templates of a report; aftermeet report generate adds another. ' +
        'Meetings are listed by aftermeet search.',
    ],
    [
      'tags.attach: PUT /api/workspaces/active/meetings/{meeting_id}/tags/{tag_id}',
      'Meetings are listed by aftermeet search. Tags are listed by aftermeet tags list.',
    ],
    [
      'meetings.search: GET /api/workspaces/active/meetings/search',
      'Tags are listed by aftermeet tags list.',
    ],
    ['tags.list: GET /api/workspaces/active/tags', ADDRESS],
    ['constructor: GET /', ADDRESS],
  ])('of %s fits it', (doing, advice) => {
    expect(advise(doing)).toBe(advice);
  });

  it.each(['No operation of the service has this method and path.', 'Cannot GET /api/meeting/status'])(
    'of "%s" is about the address',
    (detail) => {
      expect(advise('recordings.status: GET /api/meeting/status', detail)).toBe(ADDRESS);
    },
  );

  it('is about both where the service says nothing', () => {
    expect(advise('recordings.status: GET /api/meeting/status', '')).toBe(
      'Meetings are listed by aftermeet search. If the ids are right, check SERVICE_BASE_URL.',
    );
  });

  it('of the MCP endpoint is about the tool, or about its address', () => {
    expect(advise('mcp.callTool: MCP tools/call', 'Unknown tool', 0)).toMatch(/^aftermeet mcp tools lists/);
    expect(advise('mcp.listTools: MCP tools/list')).toMatch(/^Check SERVICE_MCP_URL/);
  });
});
