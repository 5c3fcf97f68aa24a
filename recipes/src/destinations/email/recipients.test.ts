import { describe, expect, it } from 'vitest';

import {
  type Choice,
  chooseRecipients,
  isExternalAddress,
  isInternalUnknown,
  listInternalAddresses,
  listRefused,
} from './recipients.ts';

const attendees = [
  { name: 'Tom', email: 'tom@partner.io' },
  { name: 'Ann', email: 'Ann@Example.com' },
  { name: 'Bob', email: 'bob@example.com' },
  { name: 'Again', email: 'BOB@example.com' },
  { name: 'Sub', email: 'sue@sub.example.com' },
  { name: 'No address' },
  { email: 'b@x.io\r\nBcc: evil@z.io' },
  { email: 'b@x.io, evil@z.io' },
  { email: '"Bob" <evil@z.io>' },
  { email: 'bоb@exаmple.com' },
  { email: 'evil@example.com@z.io' },
];

function choose(to: readonly string[], more: Partial<Choice> = {}): readonly string[] {
  const choice = { to, except: [], own: ['example.com'], ...more };
  return chooseRecipients(attendees, choice).map(({ address }) => address);
}

describe('chooseRecipients', () => {
  it.each([
    ['internal', ['ann@example.com', 'bob@example.com']],
    ['external', ['tom@partner.io', 'sue@sub.example.com']],
    ['all', ['tom@partner.io', 'ann@example.com', 'bob@example.com', 'sue@sub.example.com']],
    ['organiser', ['ann@example.com']],
  ])('%s', (rule, expected) => {
    expect(choose([rule])).toEqual(expected);
  });

  it('has no organiser without internal participants', () => {
    expect(choose(['organiser'], { own: ['other.org'] })).toEqual([]);
  });

  it('mails each address once ignoring case, and keeps the spelling of the settings', () => {
    expect(choose(['all', 'Bob@Example.com', 'boss@example.com', 'organiser'])).toEqual([
      'Bob@Example.com',
      'boss@example.com',
      'tom@partner.io',
      'ann@example.com',
      'sue@sub.example.com',
    ]);
  });

  it('leaves out addresses and domains, also where they are named', () => {
    const except = ['ANN@example.com', '@partner.io', 'sub.example.com'];
    expect(choose(['all', 'ann@example.com'], { except })).toEqual(['bob@example.com']);
  });

  it('tells who was named and who is from outside', () => {
    const choice = { to: ['tom@partner.io', 'all'], except: [], own: ['example.com'] };
    expect(chooseRecipients(attendees.slice(0, 2), choice)).toEqual([
      { address: 'tom@partner.io', isNamed: true, isExternal: true },
      { address: 'ann@example.com', isNamed: false, isExternal: false },
    ]);
  });
});

describe('listRefused', () => {
  const guests = [
    { name: 'Aoki', email: 'try..this..05@docomo.example' },
    { name: 'Bob' },
    { name: 'Ann', email: 'ann@example.com' },
    { name: 'Eve', email: '.eve@example.com' },
    { name: 'Again', email: '.EVE@example.com' },
    { email: 'dan@localhost' },
    { name: '王', email: 'user@例え.jp' },
  ];
  const aoki = { name: 'Aoki', cause: 'double_dot' };
  const eve = { name: 'Eve', cause: 'leading_dot' };
  const dan = { cause: 'domain' };

  function refuse(to: readonly string[], except: readonly string[] = [], from = guests) {
    return listRefused(from, { to, except, own: ['example.com'] });
  }

  it.each([
    ['all', [aoki, eve, dan]],
    ['internal', [eve, dan]],
    ['external', [aoki, dan]],
    ['organiser', []],
    ['ann@example.com', []],
  ])('tells for %s only those whom it would choose', (rule, expected) => {
    expect(refuse([rule])).toEqual(expected);
  });

  it('tells the first internal participant of the rule organiser, though the second one is mailed', () => {
    expect(refuse(['organiser'], [], guests.slice(3))).toEqual([eve]);
  });

  it('tells nobody twice, and nobody who is excepted', () => {
    expect(refuse(['internal', 'external', 'all'])).toEqual([eve, dan, aoki]);
    expect(refuse(['all'], ['.EVE@example.com', 'docomo.example'])).toEqual([dan]);
  });
});

describe('a domain in other letters', () => {
  const guests = [{ email: 'Ann@Müller.de' }, { email: 'bob@exаmple.com' }, { email: 'eve@müller.de/?x=@y' }];

  it('is mailed in its ASCII form and differs from look-alike domains', () => {
    const choice = { to: ['all'], except: [], own: ['example.com'] };
    expect(chooseRecipients(guests, choice)).toEqual([
      { address: 'ann@xn--mller-kva.de', isNamed: false, isExternal: true },
      { address: 'bob@xn--exmple-4nf.com', isNamed: false, isExternal: true },
    ]);
  });

  it('may be one’s own, and may be left out', () => {
    const own = listInternalAddresses({ from: 'bot@example.com', internalDomains: ['müller.de'] });
    const chooseWithout = (except: readonly string[]) =>
      chooseRecipients(guests, { to: ['internal'], except, own });
    expect(chooseWithout([])).toMatchObject([{ address: 'ann@xn--mller-kva.de', isExternal: false }]);
    expect([chooseWithout(['MÜLLER.de']), chooseWithout(['ann@müller.de'])]).toEqual([[], []]);
  });
});

describe('listInternalAddresses', () => {
  it('is the domain of the sender unless others are named', () => {
    expect(listInternalAddresses({ from: 'Bot <bot@Example.com>' })).toEqual(['example.com']);
    expect(listInternalAddresses({ from: 'bot@example.com', internalDomains: ['A.io', 'b.io'] })).toEqual([
      'a.io',
      'b.io',
    ]);
  });

  const publicProviders = [
    'gmail.com googlemail.com GMail.com hotmail.co.uk outlook.de yahoo.com.br live.com gmx.net web.de yandex.ru',
    'proton.me qq.com zoho.com me.com outlook.com icloud.com gmx.de t-online.de yahoo.co.jp naver.com',
    '163.com mail.ru orange.fr libero.it uol.com.br comcast.net posteo.de tuta.com mailbox.org hey.com',
  ];

  it.each(publicProviders.flatMap((domains) => domains.split(' ')))(
    'is the sender alone at %s, where strangers have addresses too',
    (domain) => {
      const from = `Ann <Ann@${domain}>`;
      const own = listInternalAddresses({ from });
      expect(isExternalAddress(`ann@${domain}`, own)).toBe(false);
      expect(isExternalAddress(`stranger@${domain}`, own)).toBe(true);
      const guests = [{ email: `stranger@${domain}` }, { email: `ann@${domain}` }];
      const choice = { to: ['internal'], except: [], own };
      expect(chooseRecipients(guests, choice).map(({ address }) => address)).toEqual([
        `ann@${domain.toLowerCase()}`,
      ]);
      expect(isInternalUnknown({ from })).toBe(true);
      expect(isInternalUnknown({ from, internalDomains: ['example.com'] })).toBe(false);
    },
  );

  it('is never the domain of a public provider, also where the settings name it', () => {
    const internalDomains = ['Gmail.com', 'yahoo.co.jp', 'example.com'];
    expect(listInternalAddresses({ from: 'bot@example.com', internalDomains })).toEqual(['example.com']);
    const ann = { from: 'ann@gmail.com', internalDomains: ['gmail.com'] };
    expect(listInternalAddresses(ann)).toEqual(['ann@gmail.com']);
    expect(isInternalUnknown(ann)).toBe(true);
  });

  it.each(['example.com', 'live.example.com', 'notgmail.com', 'yahoo-partner.com', 'gmail.com.example.org'])(
    'is the domain %s, which is not public',
    (domain) => {
      expect(listInternalAddresses({ from: `bot@${domain}` })).toEqual([domain]);
    },
  );
});
