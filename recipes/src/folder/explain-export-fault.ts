import { ServiceError } from '@aftermeet/client';

import { readErrorCode } from '../http/read-error-code.ts';
import { explainServiceFault } from '../service/explain-service-fault.ts';
import type { NotSent } from '../shipment.ts';

/** What a file system says once somebody has made room, given rights or mounted it again, is no reason to give up. */
const advice: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota of the disk is used up',
  ENOENT: 'the folder is not there: make it, or mount its disk',
  ENOTDIR: 'the folder is not there: make it, or mount its disk',
  EACCES: 'this process may not use the folder',
  EPERM: 'this process may not use the folder',
  EROFS: 'the disk is mounted for reading alone',
};

/** Why an export is not in its folder, whether the service or this machine is in the way. */
export function explainExportFault(error: unknown): NotSent {
  const code = readFileCode(error);
  if (code !== undefined) return explainFileFault(code);
  return explainServiceFault(error, 'the export cannot be fetched');
}

/** A fault of the file system: the service has nothing to do with it. */
function explainFileFault(code: string): NotSent {
  const cause = `the file cannot be written: ${advice[code] ?? 'the disk is in trouble'} (${code})`;
  return { result: 'not_sent_retry', cause, contact: 'none' };
}

/** The code of a fault of the file system, which the client names in its text; undefined for every other error. */
function readFileCode(error: unknown): string | undefined {
  if (!(error instanceof ServiceError)) {
    return error instanceof Error && 'syscall' in error ? readErrorCode(error) : undefined;
  }
  const isOfFile =
    error.code === 'file_system' || (error.code === 'bad_request' && error.status === undefined);
  return isOfFile ? /\((E[A-Z0-9]{1,30})\)/.exec(error.detail ?? '')?.[1] : undefined;
}
