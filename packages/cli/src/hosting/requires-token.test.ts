import { describe, expect, it } from 'vitest';

import { createRecordingLog } from '../testing/recording-log.ts';
import { requiresToken, tellWhatTokenOpens } from './requires-token.ts';

const alone = { host: '127.0.0.1', trustedProxies: [] };

describe('management without a token', () => {
  it.each([alone, { ...alone, host: '::1' }, { ...alone, host: 'localhost' }])(
    'is for this machine while nobody else reaches it: %j',
    (settings) => expect(requiresToken(settings)).toBe(false),
  );

  it.each([
    { ...alone, host: '0.0.0.0' },
    { ...alone, host: '::' },
    { ...alone, host: '127.example' },
    { ...alone, publicUrl: 'https://hooks.example' },
    { ...alone, trustedProxies: ['10.0.0.1'] },
  ])('is for nobody where others may reach it, and the log says so: %j', (settings) => {
    const { log, lines } = createRecordingLog();
    tellWhatTokenOpens(log, settings);
    tellWhatTokenOpens(log, { ...settings, adminToken: 'whsec_0123456789abcdef' });
    expect(requiresToken(settings)).toBe(true);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('ADMIN_TOKEN opens them');
  });
});
