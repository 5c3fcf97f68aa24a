import { describe, expect, it } from 'vitest';

import { stripServerUrl } from './mail-lane.ts';

const oauth2 = { user: 'bot@example.com', clientId: 'c1', clientSecret: 's1', refreshToken: 'r1' };

describe('stripServerUrl', () => {
  it('leaves what nothing of ours stands against', () => {
    const smtpUrl =
      'smtps://bot:a%40b%3A@mail.example.com:465/?tls.servername=other.example.com&requireTLS=true';
    expect(stripServerUrl({ smtpUrl }, ['logger', 'pool'])).toBe(smtpUrl);
  });

  it('takes away what would be taken in place of ours', () => {
    const smtpUrl = 'smtp://mail.example.com?logger=true&name=me.example.com&pool=false&logger=true';
    expect(stripServerUrl({ smtpUrl }, ['logger', 'pool'])).toBe(
      'smtp://mail.example.com?name=me.example.com',
    );
  });

  it('takes away the login where another one is given', () => {
    const smtpUrl = 'smtps://somebody:password@mail.example.com';
    expect(stripServerUrl({ smtpUrl, oauth2 }, [])).toBe('smtps://mail.example.com');
  });
});
