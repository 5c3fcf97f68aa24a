import type { ReceivedMail } from '@aftermeet/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { checkMailLimits } from '../messages/check-mail-limits.ts';
import { openRecipeHarness, type RecipeHarness } from './recipe-harness.ts';

const link = 'https://app.example.com/m/{meeting_id}';

function readHeader(mail: ReceivedMail, name: string): string | undefined {
  return mail.headers.find((header) => header.name === name)?.value;
}

describe('recipes that send mail', () => {
  let harness: RecipeHarness;

  beforeAll(async () => {
    // Far from now on both sides: it is due when the test says so, and the meetings belong to its day.
    const at = new Date(Date.now() + 12 * 60 * 60_000).toISOString().slice(11, 16);
    harness = await openRecipeHarness({
      recipes: {
        internal: { use: 'email-follow-up', with: { link } },
        everybody: { use: 'email-follow-up', with: { to: 'all' } },
        few: { use: 'email-follow-up', with: { to: 'all', maxRecipients: 2 } },
        attached: { use: 'email-follow-up', with: { to: 'organiser', attach: ['pdf', 'md'] } },
        digest: { use: 'email-digest', with: { to: ['team@example.com', 'ops@example.com'], at, link } },
        alert: { use: 'email-alert', with: { to: 'ops@example.com' } },
      },
      endpoints: { attached: ['attached', 'digest'] },
      mail: {
        unsubscribeUrl: 'https://app.example.com/unsubscribe/{recipient}',
        replyTo: 'desk@example.com',
      },
    });
  });
  afterAll(async () => {
    await harness.close();
  });

  /** What has arrived since the last time, by recipient. */
  let seen = 0;
  function takeArrived(): readonly ReceivedMail[] {
    const all = harness.vendors.mail.emulator.received();
    const fresh = all.slice(seen).toSorted((one, other) => one.to.localeCompare(other.to));
    seen = all.length;
    return fresh;
  }

  it('email-follow-up mails each internal participant separately', async () => {
    const meetingId = await harness.hold('internal');
    const mails = takeArrived();
    expect(mails.map(({ envelope }) => envelope.to)).toEqual([['maya@example.com'], ['tom@example.com']]);
    expect(mails.flatMap(checkMailLimits)).toEqual([]);
    const [maya, tom] = mails;
    if (maya === undefined || tom === undefined) expect.fail('two mails were expected');
    expect(maya.subject).toContain('Launch review');
    for (const part of [maya.text, maya.html]) {
      expect(part).toContain('Copy old events from Sunday evening instead of at the first visit');
      expect(part).toContain('Write the help page about permissions');
      expect(part).toContain(`https://app.example.com/m/${meetingId}`);
      expect(part).not.toContain('**');
    }
    expect(maya.html).toMatch(/<strong[^>]*>next Tuesday<\/strong>/);
    expect(maya.messageId).not.toBe(tom.messageId);
    expect(readHeader(maya, 'auto-submitted')).toBe('auto-generated');
    expect(readHeader(maya, 'list-unsubscribe')).toMatch(/^<https:\/\/app\.example\.com\/unsubscribe/);
    expect(readHeader(maya, 'list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(readHeader(maya, 'reply-to')).toContain('desk@example.com');
    // The external guest gets no mail, and no address is shown.
    expect(maya.raw).not.toContain('priya@customer.example');
  });

  it('email-follow-up brings the dates of the recipient’s tasks for the calendar', async () => {
    await harness.hold('internal');
    const [maya, tom] = takeArrived();
    const calendars = [maya, tom].map((mail) => readCalendar(mail));
    expect(calendars[0]).toContain('Tell support and sales what changes for customers');
    expect(calendars[0]).not.toContain('Write the help page about permissions');
    expect(calendars[1]).toContain('Write the help page about permissions');
    expect(calendars[1]).not.toContain('Tell support and sales what changes for customers');
    expect(calendars[0]).toMatch(/^METHOD:PUBLISH\r?$/m);
    expect(calendars[0]).toMatch(/^DTSTART;VALUE=DATE:\d{8}\r?$/m);
  });

  it('email-follow-up holds mail to people outside until it is approved', async () => {
    await harness.hold('everybody');
    const arrived = takeArrived();
    expect(arrived.map(({ envelope, subject }) => [envelope.to.join(), subject.split(':')[0]])).toEqual([
      ['maya@example.com', 'Recap'],
      ['ops@example.com', 'Waits for approval'],
      ['tom@example.com', 'Recap'],
    ]);
    expect(arrived[1]?.raw).not.toContain('priya@customer.example');
    await harness.approveAll();
    const [priya, ...others] = takeArrived();
    expect(others).toEqual([]);
    expect(priya?.envelope.to).toEqual(['priya@customer.example']);
    expect(priya?.raw).not.toMatch(/^Bcc:/im);
    expect(priya?.raw).not.toContain('tom@example.com');
    expect(readCalendar(priya)).not.toContain('Write the help page about permissions');
    await harness.approveAll();
    expect(takeArrived()).toEqual([]);
  });

  it('email-follow-up mails none of more recipients than it may have', async () => {
    await harness.hold('few');
    const [alert, ...others] = takeArrived();
    expect(others).toEqual([]);
    expect(alert?.envelope.to).toEqual(['ops@example.com']);
    expect(alert?.text).toContain('Reason: 3 recipients, more than maxRecipients 2: no mail is sent');
  });

  it('email-follow-up attaches the exported files', async () => {
    await harness.hold('attached');
    const [mail] = takeArrived();
    const files = mail?.attachments.filter(({ contentType }) => !/calendar|ics/.test(contentType)) ?? [];
    expect(files.map(({ name }) => name.split('.').at(-1) ?? '').toSorted()).toEqual(['md', 'pdf']);
    expect(files.every(({ sizeBytes }) => sizeBytes > 500)).toBe(true);
    expect(mail?.envelope.to).toEqual(['maya@example.com']);
  });

  it('email-alert tells of a meeting that failed, and why', async () => {
    await harness.fail(await harness.record('alert', 'Broken meeting'), 'The bot was not admitted.');
    const [mail] = takeArrived();
    expect(mail?.subject).toContain('Broken meeting');
    expect(mail?.text).toContain('The bot was not admitted.');
    expect(mail?.html).toContain('The bot was not admitted.');
  });

  it('email-digest mails the meetings of the day when its moment comes, and once', async () => {
    await harness.hold('attached', { title: 'Told in the evening' });
    takeArrived();
    await harness.runByClock('digest');
    const mails = takeArrived();
    expect(mails.map(({ envelope }) => envelope.to)).toEqual([['ops@example.com'], ['team@example.com']]);
    expect(mails.flatMap(checkMailLimits)).toEqual([]);
    for (const part of [mails[0]?.text, mails[0]?.html]) {
      expect(part).toContain('Told in the evening');
      expect(part).toContain('The beta went well: 212 workspaces');
      expect(part).toContain('Write the help page about permissions');
    }
    // The next moment is a day later, of which nothing is known yet.
    await harness.runByClock('digest');
    expect(takeArrived()).toEqual([]);
  });
});

/** The calendar part of a mail, its lines unfolded (RFC 5545 3.1). */
function readCalendar(mail: ReceivedMail | undefined): string {
  const [, part = ''] = /Content-Type: text\/calendar[^]*?\r\n\r\n([^]*?)\r\n--/.exec(mail?.raw ?? '') ?? [];
  const [head = ''] = /Content-Type: text\/calendar[^]*?\r\n\r\n/.exec(mail?.raw ?? '') ?? [];
  const bytes = /base64/i.test(head) ? Buffer.from(part, 'base64') : Buffer.from(part);
  return bytes.toString('utf8').replaceAll(/\r\n[ \t]/g, '');
}
