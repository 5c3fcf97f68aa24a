import { describe, expect, it } from 'vitest';

import { emailAlert } from './email-alert.ts';

const mail = { smtpUrl: 'smtp://127.0.0.1', from: 'bot@example.com', to: ['ann@example.com'] };
const alert = {
  headline: 'Meeting failed: Weekly sync',
  explanation: 'There is no report.',
  reason: 'no <b>audio</b>\ntrack',
  advice: 'Mend the cause, then run "aftermeet effects retry".',
  ids: 'meeting m_1',
};

function bind() {
  const { input } = emailAlert.bind({}, { email: mail });
  if (input.from !== 'event') throw new Error(input.from);
  return input;
}

describe('emailAlert', () => {
  it('says what happened, how many alerts were held back, and how to get no more', () => {
    const input = bind();
    const rendered = input.render(alert, 4);
    if (rendered.destination !== 'email') throw new Error(rendered.destination);
    const { subject, text, html } = rendered.message;
    expect(subject).toBe('Meeting failed: Weekly sync');
    for (const said of Object.values(alert)) expect(text).toContain(said);
    expect(text).toContain('4 more alerts of this kind were not sent since the last one.');
    expect(text).toContain('Unsubscribe: mailto:bot@example.com?subject=unsubscribe');
    expect(html).toContain('no &lt;b&gt;audio&lt;/b&gt;<br>track');
    expect(html).toContain('aftermeet effects retry');
    expect(input.cooldownMs).toBe(600_000);
    const { headline, explanation, ids } = alert;
    const plain = JSON.stringify(input.render({ headline, explanation, ids }));
    expect(plain).not.toMatch(/more alert|Reason|What to do/);
  });
});
