import { describe, expect, it } from 'vitest';

import { readApprovalToken, writeApprovalToken } from './approval-links.ts';

const key = '0b'.repeat(32);
const id = 'a'.repeat(80);

describe('an approval token', () => {
  const token = writeApprovalToken(key, id);

  it('names its request under its key alone', () => {
    expect(token).toHaveLength(144);
    expect(readApprovalToken(key, token)).toBe(id);
    expect(readApprovalToken('0c'.repeat(32), token)).toBeUndefined();
  });

  it.each([
    ['another id', `b${token.slice(1)}`],
    ['another MAC', `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`],
    ['a shorter one', token.slice(0, -2)],
    ['a longer one', `${token}00`],
    ['capitals', token.toUpperCase()],
    ['an id alone', id],
    ['nothing', ''],
  ])('is refused: %s', (_name, altered) => {
    expect(readApprovalToken(key, altered)).toBeUndefined();
  });
});
