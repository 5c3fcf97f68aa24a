import { describe, expect, it } from 'vitest';

import { judgeHead } from './file-type.ts';

describe('judgeHead', () => {
  it.each([
    ['pdf', '%PDF-1.7', 'right'],
    ['pdf', '%P', 'more'],
    ['pdf', '', 'more'],
    ['pdf', 'PK', 'wrong'],
    ['pdf', '<', 'wrong'],
    ['docx', 'PK\u0003\u0004', 'right'],
    ['docx', 'P', 'more'],
    ['docx', '%PDF', 'wrong'],
    ['md', '# Weekly sync', 'right'],
    ['md', '<b>Weekly</b>', 'right'],
    ['md', '<ht', 'more'],
    ['md', '\n \t', 'more'],
    ['md', '\n'.repeat(1025), 'right'],
    ['md', '\u00EF\u00BB\u00BF \n<HTML lang="en">', 'wrong'],
    ['md', '<!DocType html>', 'wrong'],
    ['md', '<?xml version="1.0"?>', 'wrong'],
  ] as const)('of %s: %j is %s', (format, head, verdict) => {
    expect(judgeHead(format, Buffer.from(head, 'latin1'))).toBe(verdict);
  });
});
