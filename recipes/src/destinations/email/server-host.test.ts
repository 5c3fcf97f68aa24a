import { describe, expect, it } from 'vitest';

import { checksCertificate, requiresTls } from './server-host.ts';

describe('requiresTls', () => {
  it.each([
    ['smtp://mail.example.com', true],
    ['smtp://bot:secret@mail.example.com:587', true],
    ['smtp://mail', true],
    ['smtp://10.0.0.7:25', true],
    ['smtp://[2001:db8::7]', true],
    ['smtp://127.0.0.1.example.com', true],
    ['smtp://127.1', true],
    ['smtp://localhost.example.com', true],
    ['smtp://', true],
    ['smtp://127.0.0.1:1025', false],
    ['smtp://127.8.8.8', false],
    ['smtp://LocalHost:1025', false],
    ['smtp://[::1]:1025', false],
    ['smtp://[0:0:0:0:0:0:0:1]', false],
    // Encrypted from the start, unless the library takes another port.
    ['smtps://mail.example.com', true],
    ['smtps://u:p@smtp.office365.com?service=Outlook365', true],
    ['smtps://127.0.0.1?service=Outlook365', true],
    ['smtps://127.0.0.1:465', false],
    ['smtps://mail.example.com?requireTLS=false', false],
    // What the address says itself. Only the one word turns it off.
    ['smtp://mail.example.com?requireTLS=false', false],
    ['smtp://mail.example.com?requireTLS=0', true],
    ['smtp://mail.example.com?requireTLS=', true],
    ['smtp://mail.example.com?requireTLS=false&requireTLS=true', true],
    ['smtp://mail.example.com?requiretls=false', true],
    ['smtp://mail.example.com?ignoreTLS=true', true],
    ['smtp://mail.example.com?opportunisticTLS=true', true],
    ['smtp://127.0.0.1?requireTLS=true', true],
    // The library would connect to Gmail, and through the proxy.
    ['smtp://127.0.0.1?service=Gmail', true],
    ['smtp://127.0.0.1?proxy=http://proxy.example.com', true],
  ])('%s: %s', (smtpUrl, expected) => {
    expect(requiresTls(smtpUrl)).toBe(expected);
  });
});

describe('checksCertificate', () => {
  it.each([
    ['smtps://mail.example.com', true],
    ['smtps://mail.example.com?tls.rejectUnauthorized=0', true],
    ['smtps://mail.example.com?tls=false', true],
    ['smtps://mail.example.com?rejectUnauthorized=false', true],
    ['smtps://mail.example.com?tls.rejectUnauthorized=false', false],
  ])('%s: %s', (smtpUrl, expected) => {
    expect(checksCertificate(smtpUrl)).toBe(expected);
  });
});
