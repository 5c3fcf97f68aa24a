import { describe, expect, it } from 'vitest';

import { nameOptions } from './option-names.ts';

describe('nameOptions', () => {
  it('names what the person typed', () => {
    expect(
      nameOptions(
        'link must be a web address; local_date_time is missing; participants[1] must be an e-mail',
      ),
    ).toBe('<link> must be a web address; --at is missing; --participants must be an e-mail');
  });

  it('names the option that holds the webhook secret', () => {
    expect(nameOptions('webhook_secret must be 16 to 128 characters; found text of length 3')).toBe(
      '--webhook-secret-from must be 16 to 128 characters; found text of length 3',
    );
  });

  it('leaves other words alone', () => {
    expect(nameOptions('the path cannot be written (ENOENT); source: constructor name')).toBe(
      'the path cannot be written (ENOENT); source: constructor name',
    );
  });
});
