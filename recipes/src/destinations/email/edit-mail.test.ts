import { describe, expect, it } from 'vitest';

import { editMail, readMailEdit } from './edit-mail.ts';
import { escapeHtml } from './mail-html.ts';
import { writeUnsubscribeUrl } from './mail-page.ts';

const settings = { from: 'bot@example.com', unsubscribeUrl: 'https://example.com/u?a=1&r={recipient}' };
const target = 'cleo@partner.example';
const own = writeUnsubscribeUrl(settings, target);
const mail = {
  subject: 'Weekly',
  text: `Hello\nUnsubscribe: ${own}\n`,
  html: `<p>Hello</p><a href="${escapeHtml(own)}">Unsubscribe</a>`,
  calendar: [
    {
      key: 't1',
      summary: 'Call the bank',
      description: '',
      date: '2026-07-07',
      stampedAt: '2026-07-07T12:00:00Z',
    },
  ],
  needsApproval: true,
};

describe('editMail', () => {
  it('changes the subject alone', () => {
    const { to, message } = editMail(mail, target, { subject: 'Weekly, $& corrected' }, settings);
    expect([to, message]).toEqual([target, { ...mail, subject: 'Weekly, $& corrected' }]);
    expect(editMail(mail, target, {}, settings)).toEqual({ to: target, message: mail });
  });

  it('gives another recipient no calendar of the first, and an address that unsubscribes the new one', () => {
    const { to, message } = editMail(mail, target, { to: 'dana@partner.example' }, settings);
    const after = writeUnsubscribeUrl(settings, 'dana@partner.example');
    expect(to).toBe('dana@partner.example');
    expect(message).toEqual({
      subject: 'Weekly',
      text: `Hello\nUnsubscribe: ${after}\n`,
      html: `<p>Hello</p><a href="${escapeHtml(after)}">Unsubscribe</a>`,
      needsApproval: true,
    });
    expect(after).not.toBe(own);
  });
});

describe('readMailEdit', () => {
  const draft = { to: target, subject: 'Weekly' };

  it.each([
    [{ to: target, subject: 'Weekly' }, {}],
    [{ to: ` ${target} `, subject: '' }, {}],
    [{}, {}],
    [{ to: 'dana@partner.example' }, { to: 'dana@partner.example' }],
    [{ subject: 'Büro 週報' }, { subject: 'Büro 週報' }],
  ])('%j changes %j', (fields, edit) => {
    expect(readMailEdit(fields, draft)).toEqual({ ok: true, edit });
  });

  it.each([
    [{ to: 'a@x.io, b@x.io' }, 'to'],
    [{ to: 'a@x.io\r\nBcc: evil@z.io' }, 'to'],
    [{ subject: 'Hi\r\nBcc: evil@z.io' }, 'subject'],
    [{ subject: 'x'.repeat(201) }, 'subject'],
  ])('refuses %j', (fields, wrong) => {
    expect(readMailEdit(fields, draft)).toEqual({ ok: false, wrong });
  });
});
