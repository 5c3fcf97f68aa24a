import { describe, expect, it } from 'vitest';

import { explainFileFault } from './file-fault.ts';

const fault = (code: string): Error =>
  Object.assign(new Error(`${code}: open '/home/ann/Board meeting.pdf'`), { code, syscall: 'open' });

describe('explainFileFault', () => {
  it.each(['ENOSPC', 'EACCES', 'EPERM', 'EROFS', 'EDQUOT', 'EIO', 'EMFILE'])(
    'takes %s for a fault of the machine',
    (code) => {
      expect(explainFileFault(fault(code))).toMatchObject({
        code: 'file_system',
        status: undefined,
        detail: `the file cannot be written (${code})`,
        retryable: false,
      });
    },
  );

  it.each(['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'ERR_INVALID_ARG_VALUE'])(
    'takes %s for a path that was chosen wrong',
    (code) => {
      expect(explainFileFault(fault(code))).toMatchObject({
        code: 'bad_request',
        detail: `the path cannot be written (${code})`,
      });
    },
  );

  it('takes a file that is there for a conflict, and leaves every other error alone', () => {
    expect(explainFileFault(fault('EEXIST'))).toMatchObject({ code: 'conflict', status: undefined });
    const other = new TypeError('mine');
    expect(explainFileFault(other)).toBe(other);
  });
});
