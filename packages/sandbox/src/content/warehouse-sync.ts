import type { MeetingScript } from './meeting-script.ts';

const anna = 'Анна Соколова';
const dmitri = 'Дмитрий Орлов';
const liam = "Liam O'Brien";

/** A call between two companies, with names in Cyrillic script. */
export const warehouseSync: MeetingScript = {
  name: 'Weekly sync with the Riga warehouse',
  language: 'en',
  keywords: ['warehouse', 'returns', 'barcode scanner', 'delivery times', 'Riga'],
  chapters: [
    {
      name: 'Last week in numbers',
      lines: [
        {
          speaker: anna,
          text: 'Good morning. Last week we sent out four thousand one hundred parcels, and ninety-eight percent left on the same day. Monday was the weak spot again.',
        },
        { speaker: liam, text: 'Is that the returns from the weekend?' },
        {
          speaker: anna,
          text: 'Yes. They all arrive on Monday morning, and two people do nothing else until two in the afternoon.',
        },
        {
          speaker: dmitri,
          text: 'I looked at it. Half of that time goes into typing numbers, because the old scanners cannot read the new return label.',
        },
      ],
    },
    {
      name: 'New scanners',
      lines: [
        { speaker: liam, text: 'What would it cost to replace them?' },
        {
          speaker: dmitri,
          text: 'Six devices, about two hundred and forty euros each. I tried one on Thursday: it reads both labels, and a return takes forty seconds instead of ninety.',
        },
        {
          speaker: liam,
          text: 'Then order them. I will approve it today. Please keep one of the old ones as a spare.',
        },
        { speaker: dmitri, text: 'I will order this afternoon. Delivery takes about a week.' },
      ],
    },
    {
      name: 'The holiday week',
      lines: [
        {
          speaker: anna,
          text: 'One more thing. In the holiday week we are four people instead of nine. I would like to promise two days instead of one in the shop.',
        },
        {
          speaker: liam,
          text: 'That is fair, if customers see it before they pay. I will have the text in the shop changed by the fifteenth.',
        },
        {
          speaker: anna,
          text: 'And I will send you the list of who is here on which day, so that nobody has to guess.',
        },
      ],
    },
  ],
  summary: [
    '98% of 4,100 parcels left on the same day. **Mondays stay the weak spot**: weekend returns keep two people busy until the afternoon.',
    '',
    'Half of that time is typing, because the old scanners cannot read the new return label. Six new scanners (about €240 each) cut a return from 90 to 40 seconds and are ordered now.',
    '',
    'In the holiday week the shop promises two days instead of one.',
  ].join('\n'),
  decisions: [
    'Buy six new barcode scanners; keep one old one as a spare',
    'Promise two days instead of one in the shop during the holiday week',
  ],
  tasks: [
    { text: 'Approve the purchase of six scanners', assignee: liam, dueInDays: 0, chapter: 1 },
    { text: 'Order the scanners', assignee: dmitri, dueInDays: 0, chapter: 1 },
    { text: 'Change the delivery promise in the shop', assignee: liam, dueInDays: 12, chapter: 2 },
    { text: 'Send the list of who works on which day in the holiday week', assignee: anna, chapter: 2 },
  ],
};
