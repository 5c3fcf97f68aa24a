import { ServiceError, type ServiceErrorCode } from '@aftermeet/client';
import { expect, it } from 'vitest';

import { explainExportFault } from './explain-export-fault.ts';

function fault(code: ServiceErrorCode, detail: string, status?: number): ServiceError {
  return new ServiceError({
    code,
    doing: 'exports.download',
    detail,
    ...(status === undefined ? {} : { status }),
  });
}

it.each([
  [
    fault('file_system', 'the file cannot be written (ENOSPC)'),
    'not_sent_retry',
    'the file cannot be written: the disk is full (ENOSPC)',
  ],
  [
    fault('file_system', 'the file cannot be written (EIO)'),
    'not_sent_retry',
    'the file cannot be written: the disk is in trouble (EIO)',
  ],
  [
    fault('bad_request', 'the path cannot be written (ENOTDIR)'),
    'not_sent_retry',
    'the file cannot be written: the folder is not there: make it, or mount its disk (ENOTDIR)',
  ],
  [
    fault('bad_request', 'Weekly sync (ESECRET)', 400),
    'permanent',
    'the export cannot be fetched: bad_request (400)',
  ],
  [fault('not_ready', 'in progress', 202), 'not_sent_retry', 'the export cannot be fetched: not_ready (202)'],
])('%s', (error, result, cause) => {
  expect(explainExportFault(error)).toMatchObject({ result, cause });
});

it('throws what nobody expected, without what it says', () => {
  expect(() => explainExportFault(new TypeError('Weekly sync'))).toThrow(
    'the export cannot be fetched (TypeError)',
  );
});
