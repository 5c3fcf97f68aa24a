import { describe, expect, it } from 'vitest';

import type { MailSettings } from '../destinations/email/settings.ts';
import { buildDigest, type Digest } from '../report/digest.ts';
import { sampleEvent, sampleReport } from '../testing/sample-report.ts';
import { emailFollowUp } from './email-follow-up.ts';

const mail: MailSettings = { smtpUrl: 'smtp://127.0.0.1', from: 'bot@example.com', to: [] };

const guests = [
  { name: 'Ann Lee', email: 'ann@example.com' },
  { name: 'Tom', email: 'tom@partner.io' },
  { name: 'Bob' },
  { email: 'b@x.io\r\nBcc: evil@z.io' },
];

function bind(
  values: Readonly<Record<string, unknown>>,
  settings = mail,
  attendees: Digest['attendees'] = guests,
) {
  const digest: Digest = { ...buildDigest(sampleReport), attendees };
  expect(emailFollowUp.check(values)).toEqual([]);
  const { plan, input } = emailFollowUp.bind(values, { email: settings });
  if (input.from !== 'report') throw new Error(input.from);
  const targets = (target: string): readonly string[] =>
    input.expand?.(digest, { target, part: 0 }).map((effect) => effect.target) ?? [];
  const render = (target: string) => {
    const rendered = input.render(digest, { target, part: 0 });
    if ('skip' in rendered || rendered.destination !== 'email') throw new Error(JSON.stringify(rendered));
    return rendered.message;
  };
  const planned = plan(sampleEvent).map(({ target }) => target);
  const refusal = input.refuseExpansion?.(digest);
  return { planned, targets, render, refusal, refused: input.findRefused?.(digest) };
}

describe('emailFollowUp', () => {
  it('mails one’s own people alone unless told otherwise', () => {
    const { planned, targets, render } = bind({});
    expect(planned).toEqual(['expand']);
    expect(targets('expand')).toEqual(['ann@example.com']);
    expect(targets('ann@example.com')).toEqual([]);
    expect(render('ann@example.com').needsApproval).toBeUndefined();
    expect(render('ann@example.com').text).toContain('because you took part in this meeting');
  });

  it('plans named recipients at once, without asking for the report', () => {
    expect(bind({}, { ...mail, to: ['tom@partner.io'] }).planned).toEqual(['tom@partner.io']);
    const { planned, render } = bind({ to: ['tom@partner.io', 'ann@example.com', 'tom@partner.io'] });
    expect(planned).toEqual(['tom@partner.io', 'ann@example.com']);
    expect(render('tom@partner.io').needsApproval).toBeUndefined();
    expect(render('tom@partner.io').text).toContain('because your address is on the list for recaps');
  });

  it('keeps mail to people outside that a rule has chosen as a draft', () => {
    const { targets, render } = bind({ to: 'all' });
    expect(targets('expand')).toEqual(['ann@example.com', 'tom@partner.io']);
    expect(render('tom@partner.io').needsApproval).toBe(true);
    expect(render('ann@example.com').needsApproval).toBeUndefined();
    expect(bind({ to: 'all', external: 'send' }).render('tom@partner.io').needsApproval).toBeUndefined();
    expect(
      bind({ to: ['external', 'TOM@partner.io'] }).render('tom@partner.io').needsApproval,
    ).toBeUndefined();
  });

  it('takes the domains of the settings for its own', () => {
    const settings = { ...mail, internalDomains: ['partner.io'] };
    const { targets, render } = bind({ to: ['internal', 'external'] }, settings);
    expect(targets('expand')).toEqual(['tom@partner.io', 'ann@example.com']);
    expect(render('tom@partner.io').needsApproval).toBeUndefined();
    expect(render('ann@example.com').needsApproval).toBe(true);
  });

  describe('of participants whose addresses cannot be mailed', () => {
    const refused = [
      { name: 'Aoki', email: 'try..this..05@docomo.example' },
      { name: 'Quoted', email: '"a.b"@partner.example' },
      { name: 'Plus', email: 'plus+tag@partner.example' },
      { name: 'Ann Lee', email: 'ann.lee@example.com' },
    ];
    const text =
      '2 addresses of the report cannot be mailed: Aoki (two dots in a row before the @), Quoted (quotes before the @)';

    it('tells who and why at the end of the mail to internal recipients alone', () => {
      const { render } = bind({ to: ['all', 'boss@partner.example'] }, mail, refused);
      const internal = render('ann.lee@example.com');
      expect(internal.text).toContain(`\n\n${text}\n\n-- \n`);
      expect(internal.html).toContain(`>${text}</p>`);
      for (const address of ['plus+tag@partner.example', 'boss@partner.example']) {
        expect(render(address).text + render(address).html).not.toContain('cannot be mailed');
      }
      expect(bind({}, mail, refused).refused).toBeUndefined();
    });

    it('tells it in the language of the mail, and in English in logs and previews', () => {
      const german = bind({ to: 'all', language: 'de', attach: 'pdf' }, mail, refused);
      expect(german.render('ann.lee@example.com')).toMatchObject({
        language: 'de',
        text: expect.stringContaining(
          '2 Adressen des Berichts sind nicht per E-Mail erreichbar: Aoki (zwei Punkte hintereinander vor dem @), ',
        ),
      });
      expect(german.refused?.text).toBe(text);
    });

    it('names at most ten', () => {
      const many = Array.from({ length: 12 }, (_each, index) => ({ email: `.a${index}@example.com` }));
      expect(bind({}, mail, many).refused?.text).toMatch(
        /^12 addresses of the report cannot be mailed: (?:Unnamed participant \(a dot at the start\)(?:, )?){10} and 2 more$/,
      );
    });
  });

  describe('of more recipients than maxRecipients', () => {
    const many = Array.from({ length: 62 }, (_each, index) => ({ email: `p${index}@example.com` }));

    it('mails none and says why', () => {
      expect(bind({}, mail, many).refusal).toBe('62 recipients, more than maxRecipients 50: no mail is sent');
      expect(bind({}, mail, many.slice(0, 50)).refusal).toBeUndefined();
      expect(bind({ maxRecipients: 62 }, mail, many).refusal).toBeUndefined();
    });

    it('counts each recipient once, and those who are mailed alone', () => {
      const doubled = [...many.slice(0, 50), ...many.slice(0, 50), { email: 'tom@partner.io' }];
      expect(bind({}, mail, doubled).refusal).toBeUndefined();
      expect(bind({ to: 'all' }, mail, doubled).refusal).toMatch(/^51 recipients/);
      expect(bind({ to: 'all', except: 'partner.io' }, mail, doubled).refusal).toBeUndefined();
    });

    it('holds for addresses of the settings too', () => {
      const to = many.map(({ email }) => email);
      expect(bind({}, { ...mail, to: to.slice(0, 50) }).planned).toHaveLength(50);
      const { planned, refusal } = bind({}, { ...mail, to }, []);
      expect(planned).toEqual(['expand']);
      expect(refusal).toMatch(/^62 recipients/);
    });
  });

  it('never mails who is excepted', () => {
    expect(bind({ to: 'all', except: 'partner.io' }).targets('expand')).toEqual(['ann@example.com']);
    expect(bind({ to: ['ann@example.com'], except: ['ANN@example.com'] }).planned).toEqual([]);
  });

  it('hands over what is attached, and the days of dated tasks unless told otherwise', () => {
    expect(bind({ attach: 'pdf' }).render('ann@example.com').attach).toEqual(['pdf']);
    expect(bind({ attach: ['pdf', 'md'] }).render('ann@example.com').attach).toEqual(['pdf', 'md']);
    expect(bind({}).render('ann@example.com').attach).toBeUndefined();
    expect(bind({ calendar: false }).render('ann@example.com').calendar).toBeUndefined();
  });

  it.each([
    [{ to: 'everybody' }, 'with.to'],
    [{ to: 'a@x.io, b@x.io' }, 'with.to'],
    [{ to: [] }, 'with.to'],
    [{ except: 'nobody' }, 'with.except'],
    [{ external: 'maybe' }, 'with.external'],
    [{ attach: 'odt' }, 'with.attach'],
    [{ calendar: 'yes' }, 'with.calendar'],
    [{ maxRecipients: 0 }, 'with.maxRecipients'],
    [{ to: ['a@x.io', 'b@x.io', 'c@x.io'], maxRecipients: 2 }, 'with.to'],
  ])('refuses %j', (values, setting) => {
    expect(emailFollowUp.check(values)).toMatchObject([{ setting }]);
  });
});
