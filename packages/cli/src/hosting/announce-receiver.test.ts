import { expect, it } from 'vitest';

import { readSettings } from '../settings/read-settings.ts';
import { announceReceiver } from './announce-receiver.ts';

it('a receiver of several processes says in JSON where it is, and their number as one', () => {
  const read = readSettings({ WEBHOOK_SECRET: 'whsec_0123456789abcdef' });
  if (!read.ok) throw new Error('the settings are wrong');
  let written = '';
  const write = (text: string): void => {
    written += text;
  };
  const context = { environment: {}, write, writeError: write, isTerminal: false };
  const facts = { settings: read.settings, url: 'http://127.0.0.1:8080', queue: 'embedded:q', processes: 2 };
  announceReceiver(context, true, facts);
  expect(written).toBe(
    '{"url":"http://127.0.0.1:8080","hooks":"http://127.0.0.1:8080/hooks/default","queue":"embedded:q","processes":2}\n',
  );
});
