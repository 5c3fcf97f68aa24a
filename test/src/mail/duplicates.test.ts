import { afterAll, beforeAll, expect, it } from 'vitest';

import type { MailMessage } from '../../../recipes/src/destinations/email/compose-mail.ts';
import { openMail } from '../../../recipes/src/destinations/email/send-mail.ts';
import type { Connector } from '../../../recipes/src/engine/prepared-send.ts';
import { describeWithProgram } from '../support/describe-with-program.ts';
import { type DovecotServer, startDovecotServer } from '../support/dovecot-server.ts';
import { startForgetfulRelay } from '../support/forgetful-relay.ts';

/** RFC 7352: what bears the id of a mail that came before is thrown away. */
const sieve = `require ["duplicate"];
if duplicate {
  discard;
}
`;

const message: MailMessage = {
  subject: 'Recap',
  text: 'We agreed.',
  html: '<p>We agreed.</p>',
  meetingId: 'm_1',
};

describeWithProgram(
  'sh',
  'a mailbox behind Dovecot with the Sieve test `duplicate`',
  () => {
    let server: DovecotServer;
    let connector: Connector<MailMessage>;
    beforeAll(async () => {
      server = await startDovecotServer({ sieve });
      connector = openMail({
        smtpUrl: `smtp://${server.lmtpHost}?lmtp=true`,
        from: 'bot@example.com',
        to: [],
      });
    });
    afterAll(async () => {
      await connector.close();
      await server.stop();
    });

    async function send(effectKey: string, target: string): Promise<string> {
      const preparation = await connector.prepare(message, { effectKey, target });
      if (preparation.result !== 'ready') throw new Error(preparation.cause);
      return (await preparation.prepared.send()).result;
    }

    it('keeps one mail where the first answer to the last dot is lost', async () => {
      const relay = await startForgetfulRelay(server.lmtpHost);
      const relayed = openMail({
        smtpUrl: `smtp://${relay.host}?lmtp=true`,
        from: 'bot@example.com',
        to: [],
      });
      try {
        const preparation = await relayed.prepare(message, { effectKey: 'k3', target: 'carl@example.com' });
        if (preparation.result !== 'ready') throw new Error(preparation.cause);
        const { prepared } = preparation;
        expect(await prepared.send()).toMatchObject({ result: 'unknown' });
        expect(await server.countMails('carl@example.com')).toBe(1);
        expect(await prepared.probe(0)).toEqual({ result: 'untraceable' });
        expect(await prepared.send()).toMatchObject({ result: 'sent' });
        expect(await server.countMails('carl@example.com')).toBe(1);
      } finally {
        await relayed.close();
        await relay.stop();
      }
    });

    it('keeps one mail of an effect that was sent twice, and each mail of others', async () => {
      expect(await send('k1', 'ann@example.com')).toBe('sent');
      expect(await send('k1', 'ann@example.com')).toBe('sent');
      expect(await server.countMails('ann@example.com')).toBe(1);
      expect(await send('k2', 'ann@example.com')).toBe('sent');
      expect(await server.countMails('ann@example.com')).toBe(2);
      expect(await send('k1', 'bob@example.com')).toBe('sent');
      expect(await server.countMails('bob@example.com')).toBe(1);
    });
  },
  {
    probe: ['-c', 'command -v dovecot && command -v sievec && test -e /usr/lib/dovecot/lmtp'],
    debianPackage: 'dovecot-imapd dovecot-lmtpd dovecot-sieve',
    reason: 'no Dovecot with LMTP and Sieve on this machine',
  },
);
