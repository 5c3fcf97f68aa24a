import type { Scene } from '../../generator/scene.ts';

/** A first look at a product, a price and a pilot. */
export const salesCall: Scene = {
  title: '{product} for {customer}: demo and offer',
  templateName: 'sales-meeting',
  keywords: ['{product}', '{customer.checks}', 'pilot', 'offer', 'data storage'],
  people: { seller: 'woman', engineer: 'man', buyer: 'woman', ops: 'man' },
  slots: {
    product: ['Fieldnote', 'Roundsheet', 'Sitelog'],
    customer: [
      {
        name: 'Harrow Logistics',
        site: 'depot',
        sites: 'depots',
        check: 'vehicle check',
        checks: 'vehicle checks',
        trouble: 'In March a loading ramp was down for six days, because the sheet was lying in a tray.',
        cost: 'six days with one ramp less were not cheap',
      },
      {
        name: 'Brightwell Foods',
        site: 'kitchen',
        sites: 'kitchens',
        check: 'hygiene check',
        checks: 'hygiene checks',
        trouble:
          'In March a cold store ran two degrees too warm for six days, and the sheet was lying in a tray.',
        cost: 'we threw away a whole delivery of fish',
      },
      {
        name: 'Castell Facilities',
        site: 'building',
        sites: 'buildings',
        check: 'fire safety check',
        checks: 'fire safety checks',
        trouble: 'In March a fire door did not close for six days, because the sheet was lying in a tray.',
        cost: 'the insurance company was not amused',
      },
    ],
    size: [
      { sites: '14', hours: '9' },
      { sites: '22', hours: '12' },
      { sites: '37', hours: '16' },
    ],
    price: [
      { people: '60', each: '€18', full: '€12,960', discount: '10%', net: '€11,664' },
      { people: '45', each: '€22', full: '€11,880', discount: '10%', net: '€10,692' },
      { people: '120', each: '€14', full: '€20,160', discount: '15%', net: '€17,136' },
      { people: '80', each: '€16', full: '€15,360', discount: '12.5%', net: '€13,440' },
    ],
    pilot: ['four', 'six', 'eight'],
    place: ['Frankfurt', 'Dublin', 'Amsterdam'],
  },
  weeks: [{ lists: 2 }, { lists: 3 }, { lists: 5 }],
  chapters: [
    {
      name: 'How {customer.checks} work today',
      lines: [
        "seller: Thanks for making the time, {buyer.first}. Before {engineer.first} shares his screen I'd like to hear it from you: how does a {customer.check} work today?",
        'buyer: On paper, honestly. Somebody walks round with a clipboard, and on Friday two people in the office type it all up. We have {size.sites} {customer.sites}, so you can imagine the pile.',
        'ops: And by the time I read that something is broken, it has been broken for a week. {customer.trouble}',
        'seller: Do you know what that costs you?',
        "buyer: {size.hours} hours of typing, every week. The rest I can't put a number on, but {customer.cost}.",
      ],
    },
    {
      name: '{product} on a phone',
      lines: [
        "engineer: So this is {product} on an ordinary phone. I scan the code by the door, the list for this {customer.site} opens, and I go through it. If something's wrong I take a photo, and it's on your desk before I've left.",
        'ops: Does it work without a signal? Half of our {customer.sites} have walls like a bunker.',
        "engineer: It does. Everything stays on the phone and goes out as soon as there's a network again. Until then you see a small clock next to it.",
        'ops: Good. And what happens to our old records?',
        'engineer: If you can get them out as a spreadsheet, we bring them in. That usually takes us two or three days, and you check the result before anybody works with it.',
      ],
    },
    {
      name: 'Price and pilot',
      lines: [
        "buyer: Let's talk money. We'd need it for {price.people} people.",
        "seller: That's {price.each} per person and month, so {price.full} a year. If you sign for the whole year I can take {price.discount} off, which makes it {price.net}.",
        "buyer: I can't sign anything before we've seen it in daily use. Can we try it in two {customer.sites} first?",
        "seller: Of course: {pilot} weeks, two {customer.sites}, no charge. You'll have the offer with the discount tomorrow, and it stays open until the pilot is over.",
        "ops: Then I'll choose the two {customer.sites} and send {engineer.first} the lists we use. Shall we say {lists}?",
        "engineer: Perfect. Once I have those, I'll set everything up within a day.",
        'buyer: One more thing, {seller.first}. Our auditors will ask where the photos are stored. Could you put that into the offer?',
        "seller: I will. It's {place}, and I'll add the certificate.",
      ],
    },
  ],
  summary: [
    '{customer} does its {customer.checks} on paper: {size.sites} {customer.sites}, {size.hours} hours of typing a week, and faults that come to light days late.',
    '**Next comes a free pilot: {pilot} weeks in two {customer.sites}.** The offer for {price.people} people is {price.net} a year, {price.discount} below the list price of {price.full}.',
    'The auditors want to know where photos are stored; the answer ({place}) goes into the offer.',
  ],
  decisions: [
    'Try {product} for {pilot} weeks in two {customer.sites}, free of charge',
    'The price of {price.net} a year stays open until the pilot is over',
  ],
  tasks: [
    {
      text: 'Send the offer with the discount, the place of storage and the certificate',
      owner: 'seller',
      due: 1,
      chapter: 2,
    },
    {
      text: 'Choose two {customer.sites} for the pilot and send the lists',
      owner: 'ops',
      due: 'lists',
      chapter: 2,
    },
    { text: 'Set up {product} for the pilot', owner: 'engineer', chapter: 2 },
  ],
};
