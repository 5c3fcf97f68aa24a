import { isPathFault } from '../path-fault.ts';
import { ServiceError } from '../service-error.ts';
import { doingExport } from './open-export.ts';

/** The code of a fault of the file system; undefined for every other error. */
export function readFileFaultCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return 'syscall' in error || error.code.startsWith('ERR_INVALID_ARG') ? error.code : undefined;
}

/**
 * A fault of the file system as a `ServiceError`, without the path: `conflict` and `bad_request` for a path that
 * can't be used, else `file_system` (no space, no permission). Every other error as it is.
 */
export function explainFileFault(error: unknown): unknown {
  const code = readFileFaultCode(error);
  if (code === undefined) return error;
  if (code === 'EEXIST') return refuseExistingFile();
  const rule = `cannot be written (${code})`;
  if (isPathFault(code) || code.startsWith('ERR_')) return refuseTarget(rule);
  return new ServiceError({ code: 'file_system', doing: doingExport, detail: `the file ${rule}` });
}

export function refuseExistingFile(): ServiceError {
  const detail = 'a file with this name is there already: allow overwriting it, or choose another name';
  return new ServiceError({ code: 'conflict', doing: doingExport, detail });
}

/** `rule` goes on from "the path". */
export function refuseTarget(rule: string): ServiceError {
  return new ServiceError({ code: 'bad_request', doing: doingExport, detail: `the path ${rule}` });
}
