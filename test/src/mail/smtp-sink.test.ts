import { afterEach, describe, expect, it } from 'vitest';

import { openMail } from '../../../recipes/src/destinations/email/send-mail.ts';
import type { PreparedSend } from '../../../recipes/src/engine/prepared-send.ts';
import { describeWithProgram } from '../support/describe-with-program.ts';
import { type SmtpSink, type SmtpSinkOptions, startSmtpSink } from '../support/smtp-sink.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

async function startSink(options: SmtpSinkOptions): Promise<SmtpSink> {
  const sink = await startSmtpSink(options);
  closers.push(() => sink.stop());
  return sink;
}

async function prepare(smtpUrl: string): Promise<PreparedSend> {
  const connector = openMail({ smtpUrl, from: 'bot@example.com', to: [] });
  closers.push(() => connector.close());
  const message = { subject: 'Recap', text: 'We agreed.', html: '<p>We agreed.</p>', meetingId: 'm_1' };
  const preparation = await connector.prepare(message, { effectKey: 'k1', target: 'ann@example.com' });
  if (preparation.result !== 'ready') throw new Error(preparation.cause);
  return preparation.prepared;
}

function readIds(mails: readonly string[]): readonly (string | undefined)[] {
  return mails.map((mail) => /^Message-ID: (.*)$/im.exec(mail)?.[1]?.trim());
}

describeWithProgram(
  'sh',
  'mail to a Postfix smtp-sink',
  () => {
    it('is sent once more under the same id where the server had it and hung up', async () => {
      const dropping = await startSink({ dropAt: '.' });
      const prepared = await prepare(dropping.url);
      expect(await prepared.send()).toMatchObject({ result: 'unknown' });
      const had = await dropping.readMails();
      closers.splice(closers.length - 2, 1);
      await dropping.stop();
      const working = await startSink({ port: dropping.port });
      expect(await prepared.probe(0)).toEqual({ result: 'untraceable' });
      expect(await prepared.send()).toEqual({ result: 'sent', reference: '<k1@example.com>' });
      expect(readIds([...had, ...(await working.readMails())])).toEqual([
        '<k1@example.com>',
        '<k1@example.com>',
      ]);
    });

    describe('that hangs up before the last dot', () => {
      it.each(['mail', 'rcpt', 'data'])('was surely not sent: %s', async (command) => {
        const sink = await startSink({ dropAt: command });
        const prepared = await prepare(sink.url);
        expect(await prepared.send()).toMatchObject({ result: 'not_sent_retry' });
      });
    });
  },
  { probe: ['-c', 'command -v smtp-sink'], debianPackage: 'postfix', reason: 'no smtp-sink on the PATH' },
);
