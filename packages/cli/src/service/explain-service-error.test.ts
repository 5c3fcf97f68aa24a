import { ServiceError } from '@aftermeet/client';
import { describe, expect, it } from 'vitest';

import { explainServiceError } from './explain-service-error.ts';

const doing = 'exports.download: GET /api/storage/download';

describe('explainServiceError', () => {
  it.each([
    ['processing', 'The report is not ready: the service says processing.'],
    [
      'Meeting is in progress now, status: processing',
      'The report is not ready: the service says processing.',
    ],
    ['later\u001B[2J', 'The report is not ready: the service says later.'],
    [undefined, 'The report is not ready.'],
  ])('of an export that is not ready (%j) says what report get says', (detail, message) => {
    const error = new ServiceError({
      code: 'not_ready',
      doing,
      status: 202,
      ...(detail === undefined ? {} : { detail }),
    });
    expect(explainServiceError(error, { meetingId: 'm_1' })).toEqual({
      exitCode: 1,
      code: 'not_ready',
      message,
      advice: 'Wait for it: aftermeet status m_1 --wait',
      status: 202,
      doing,
      retryable: false,
    });
  });
});
