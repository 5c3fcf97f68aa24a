import { describe, expect, it } from 'vitest';

import { loadVendorSchema } from './vendor-schema.ts';

describe('loadVendorSchema', () => {
  it('takes what the types allow and says what they do not', async () => {
    const slack = await loadVendorSchema('slack');
    expect(slack.check('DividerBlock', { type: 'divider' })).toEqual([]);
    expect(slack.check('DividerBlock', { type: 'divider', colour: 'red' })).toEqual([
      {
        pointer: '',
        keyword: 'additionalProperties',
        params: { additionalProperty: 'colour' },
        message: 'must NOT have additional properties',
        schemaPath: '#/additionalProperties',
      },
    ]);
    expect(slack.check('HeaderBlock', { type: 'header', text: { type: 'plain_text' } })).toMatchObject([
      { pointer: '/text', keyword: 'required', params: { missingProperty: 'text' } },
    ]);
  });

  it('is read once', () => {
    expect(loadVendorSchema('notion')).toBe(loadVendorSchema('notion'));
  });

  it('refuses a name that the types do not have', async () => {
    const notion = await loadVendorSchema('notion');
    expect(notion.get('Nothing')).toBeUndefined();
    expect(() => notion.check('Nothing', {})).toThrow("The vendor's types have no Nothing.");
  });
});
