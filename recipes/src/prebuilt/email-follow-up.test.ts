import { describe, expect, it } from 'vitest';

import type { MailSettings } from '../engine/destinations.ts';
import type { MeetingEvent } from '../engine/recipe.ts';
import { buildDigest, type Digest } from '../report/digest.ts';
import { sampleReport } from '../testing/sample-report.ts';
import { emailFollowUp } from './email-follow-up.ts';

const mail: MailSettings = { smtpUrl: 'smtp://127.0.0.1', from: 'bot@example.com', to: [] };

const event: MeetingEvent = {
  kind: 'meeting.completed',
  meetingId: 'm_1',
  occurrence: '2026-07-07T12:05:00Z',
  endpoint: 'default',
  receivedAt: '2026-07-07T12:05:01Z',
};

const digest: Digest = {
  ...buildDigest(sampleReport),
  attendees: [
    { name: 'Ann Lee', email: 'ann@example.com' },
    { name: 'Tom', email: 'tom@partner.io' },
    { name: 'Bob' },
    { email: 'b@x.io\r\nBcc: evil@z.io' },
  ],
};

function bind(values: Readonly<Record<string, unknown>>, settings = mail) {
  expect(emailFollowUp.check(values)).toEqual([]);
  const { plan, input } = emailFollowUp.bind(values, { mail: settings });
  if (input.from !== 'report') throw new Error(input.from);
  const targets = (target: string): readonly string[] =>
    input.expand?.(digest, { target, part: 0 }).map((effect) => effect.target) ?? [];
  const render = (target: string) => {
    const rendered = input.render(digest, { target, part: 0 });
    if ('skip' in rendered || rendered.destination !== 'email') throw new Error(JSON.stringify(rendered));
    return rendered.message;
  };
  return { planned: plan(event).map(({ target }) => target), targets, render };
}

describe('emailFollowUp', () => {
  it('mails one’s own people alone unless told otherwise', () => {
    const { planned, targets, render } = bind({});
    expect(planned).toEqual(['spread']);
    expect(targets('spread')).toEqual(['ann@example.com']);
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
    expect(targets('spread')).toEqual(['ann@example.com', 'tom@partner.io']);
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
    expect(targets('spread')).toEqual(['tom@partner.io', 'ann@example.com']);
    expect(render('tom@partner.io').needsApproval).toBeUndefined();
    expect(render('ann@example.com').needsApproval).toBe(true);
  });

  it('never mails who is excepted', () => {
    expect(bind({ to: 'all', except: 'partner.io' }).targets('spread')).toEqual(['ann@example.com']);
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
  ])('refuses %j', (values, setting) => {
    expect(emailFollowUp.check(values)).toMatchObject([{ setting }]);
  });
});
