import { ServiceError } from '@aftermeet/client';
import { listFields, listOperations } from '@aftermeet/contract';
import { describe, expect, it } from 'vitest';

import { explainServiceError } from './explain-service-error.ts';
import { nameOption } from './operations.ts';

it.each([
  ['processing', 'The report is not ready: the service says processing.'],
  ['unknown', 'The report is not ready.'],
  ['later\u001B[2J', 'The report is not ready: the service says later.'],
  [undefined, 'The report is not ready.'],
])(
  'explainServiceError of an export that is not ready (%j) says what report get says',
  (serviceStatus, message) => {
    const operation = { id: 'exports.download', method: 'GET', path: '/api/storage/download' };
    const error = new ServiceError({ code: 'not_ready', operation, status: 202, serviceStatus });
    expect(explainServiceError(error, { meetingId: 'm_1' })).toEqual({
      exitCode: 3,
      code: 'not_ready',
      message,
      advice: 'Wait for it: aftermeet status m_1 --wait',
      status: 202,
      operation: 'exports.download: GET /api/storage/download',
      retryable: false,
    });
  },
);

describe('advice about a 404', () => {
  const ADDRESS = 'Check SERVICE_BASE_URL: the service may be at another address.';

  const advise = (operation: string, detail?: string, status: number | undefined = 404) =>
    explainServiceError(
      new ServiceError({
        code: 'not_found',
        operation,
        ...(detail === undefined ? {} : { detail }),
        ...(status === 0 ? {} : { status }),
      }),
    ).advice;

  it.each([
    ['recordings.status', 'aftermeet search lists meetings.'],
    ['tags.attach', 'aftermeet search lists meetings. aftermeet tags list lists tags.'],
    ['tags.list', ADDRESS],
    ['constructor', ADDRESS],
  ])('of %s names the command that lists the ids', (operation, advice) => {
    expect(advise(operation, 'No such thing.')).toBe(advice);
  });

  it.each(['No operation of the service has this method and path.', 'Cannot GET /api/meeting/status'])(
    'of "%s" is about the address',
    (detail) => {
      expect(advise('recordings.status', detail)).toBe(ADDRESS);
    },
  );

  it('is about both if the service gives no reason', () => {
    expect(advise('recordings.status')).toBe(
      'aftermeet search lists meetings. If the ids are right, check SERVICE_BASE_URL.',
    );
  });

  it('of the MCP endpoint is about the tool, or about its address', () => {
    expect(advise('mcp.callTool', 'Unknown tool', 0)).toMatch(/^aftermeet mcp tools lists/);
    expect(advise('mcp.listTools', 'No such thing.')).toMatch(/^Check SERVICE_MCP_URL/);
  });
});

describe('nameOption', () => {
  it.each([
    [['localDateTime'], '--at'],
    [['participants', 1], '--participants'],
    [['constructor'], 'constructor'],
    [['other', 2], 'other[2]'],
    [[], ''],
  ])('of %j is %s', (path, name) => {
    expect(nameOption(path)).toBe(name);
  });

  it('knows each field of each operation', () => {
    const fields = listOperations().flatMap((operation) => listFields(operation).map(({ name }) => name));
    const unnamed = fields.filter((field) => !/^(--|<|\[)/.test(nameOption([field])));
    // The client fills these in by itself.
    const ownWork = [
      'chunkNumber',
      'chunkTotal',
      'cursor',
      'expectedFileSize',
      'expectedSha256',
      'id',
      'uploadSessionId',
    ];
    expect(new Set(unnamed)).toEqual(new Set(ownWork));
  });
});
