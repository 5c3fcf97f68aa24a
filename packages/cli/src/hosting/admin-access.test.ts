import { describe, expect, it } from 'vitest';

import { createRecordingLog } from '../testing/recording-log.ts';
import { logTokenNotice, managementRequiresToken, requiresToken } from './admin-access.ts';

const alone = { host: '127.0.0.1', trustedProxies: [] };

describe('management without a token', () => {
  it.each([alone, { ...alone, host: '::1' }, { ...alone, host: 'localhost' }])(
    'is open to this machine if no other reaches it: %j',
    (settings) => expect(requiresToken(settings)).toBe(false),
  );

  it.each([
    { ...alone, host: '0.0.0.0' },
    { ...alone, host: '::' },
    { ...alone, host: '127.example' },
    { ...alone, publicUrl: 'https://hooks.example' },
    { ...alone, trustedProxies: ['10.0.0.1'] },
  ])('requires a token from every peer if others may reach it, and the log says so: %j', (settings) => {
    const { log, lines } = createRecordingLog();
    logTokenNotice(log, settings);
    logTokenNotice(log, { ...settings, adminToken: 'whsec_0123456789abcdef' });
    expect(requiresToken(settings)).toBe(true);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('so set ADMIN_TOKEN');
  });

  it.each([
    [{ ...alone, host: '0.0.0.0', admin: { host: '127.0.0.1', port: 9090 } }, false],
    [{ ...alone, publicUrl: 'https://hooks.example', admin: { host: '::1', port: 9090 } }, false],
    [{ ...alone, trustedProxies: ['127.0.0.1'], admin: { host: 'localhost', port: 9090 } }, false],
    [{ ...alone, admin: { host: '0.0.0.0', port: 9090 } }, true],
    [{ ...alone, admin: { host: '10.0.0.5', port: 9090 } }, true],
    [{ ...alone, host: '0.0.0.0' }, true],
    [alone, false],
  ])('goes by the address of management where there is one: %j', (settings, isRequired) => {
    const { log, lines } = createRecordingLog();
    logTokenNotice(log, settings);
    expect(managementRequiresToken(settings)).toBe(isRequired);
    expect(lines).toHaveLength(isRequired ? 1 : 0);
  });
});
