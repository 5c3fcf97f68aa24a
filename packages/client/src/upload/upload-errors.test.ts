import { describe, expect, it } from 'vitest';

import { toFileError } from './upload-errors.ts';

describe('toFileError', () => {
  it.each([
    ['ENOENT', 'bad_request'],
    ['EISDIR', 'bad_request'],
    ['ENOSPC', 'file_system'],
    ['EACCES', 'file_system'],
    ['EIO', 'file_system'],
  ])('makes %s a %s, and repeats no path', (code, expected) => {
    const fault = Object.assign(new Error(`${code}: open '/home/ann/Merger talks.mp4'`), { code });
    const error = toFileError('the file cannot be opened', fault);
    expect(error).toMatchObject({ code: expected, status: undefined, retryable: false });
    expect(error.message).toBe(
      `uploads.chunk: POST /api/video ${expected}: the file cannot be opened: ${code}`,
    );
  });
});
