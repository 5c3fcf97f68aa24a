import type { Report } from '@aftermeet/client';

const base = {
  isTranscriptEmpty: false,
  participants: [],
  speakers: [],
  decisions: [],
  tasks: [],
  transcript: [],
  chapters: [],
  templates: [],
  keywords: [],
  tags: [],
  warnings: [],
  raw: undefined,
} satisfies Partial<Report>;

const rich: Report = {
  ...base,
  meetingId: 'm_rich',
  title: 'Q3 launch review',
  startedAt: '2026-07-07T12:00:00Z',
  startedLocal: '2026-07-07 14:00',
  utcOffset: '+02:00',
  durationSeconds: 2820,
  source: 'gmeet',
  participants: [
    { name: 'Ann Lee', email: 'ann@example.com' },
    { name: 'Bob Stone', email: 'bob@example.com' },
    { name: 'Clara Diaz', email: 'clara@customer.example' },
  ],
  summary: [
    'The launch stays on **21 July**. Two risks remain:',
    '',
    '1. The *payment provider* has not signed',
    '2. Load tests reach 80 % of the target',
    '',
    '> We ship on time, or we say so a week ahead.',
    '',
    'Details are in the [launch plan](https://docs.example.com/launch) under `launch-2026`.',
    '',
    '| risk | owner |',
    '| --- | --- |',
    '| contract | Clara |',
    '| load | Bob |',
  ].join('\n'),
  decisions: [
    'Launch on **21 July**',
    'No price change before October',
    '~~Beta for all~~ Beta for ten customers',
  ],
  tasks: [
    {
      text: 'Send the contract to the provider',
      owner: 'Clara Diaz',
      due: '2026-07-10',
      dueDate: '2026-07-10',
    },
    { text: 'Repeat the load test with `k6`', owner: 'Bob Stone', due: 'Friday', atSeconds: 754 },
    { text: 'Write the release notes', owner: 'Ann Lee', due: '2026-07-18', dueDate: '2026-07-18' },
    { text: 'Book the room for the launch', atSeconds: 2410 },
    { text: 'Tell the support team', owner: 'Ann Lee' },
  ],
  templates: [
    {
      id: 't_1',
      name: 'default-meeting',
      blocks: [
        { name: 'summary', text: 'The launch stays on **21 July**.' },
        { name: 'risks', text: '- Contract\n  - not signed\n- Load\n\n```\nk6 run launch.js\n```' },
        { name: 'open_questions', text: '- [ ] Who writes the blog post?\n- [x] Is the domain ours?' },
      ],
    },
  ],
  chapters: [
    { name: 'Where we are', startSeconds: 0, endSeconds: 900 },
    { name: 'Risks', startSeconds: 900, endSeconds: 2820 },
  ],
  transcript: [
    { speaker: 'Ann Lee', text: 'Shall we start?', startSeconds: 4 },
    { speaker: 'Bob Stone', text: 'The load test reached eighty percent.', startSeconds: 754 },
    { speaker: 'Clara Diaz', text: 'The contract is not signed yet.', startSeconds: 910 },
  ],
  tags: ['Customers'],
};

const minimal: Report = { ...base, meetingId: 'm_minimal', title: 'Untitled', summary: 'A short talk.' };

const otherScripts: Report = {
  ...base,
  meetingId: 'm_scripts',
  title: 'Планёрка · 週次定例',
  startedAt: '2026-07-07T06:30:00Z',
  startedLocal: '2026-07-07 15:30',
  utcOffset: '+09:00',
  durationSeconds: 1800,
  source: 'zoom',
  participants: [{ name: 'Анна Соколова', email: 'anna@example.com' }, { name: '山田 太郎' }],
  summary: 'Склад **переезжает** в августе.\n\n- 在庫は七月末までに数える\n- Инвентаризация — 31 июля',
  decisions: ['Переезд начинается 3 августа', '新しい棚を六台購入する'],
  tasks: [
    { text: 'Заказать машины', owner: 'Анна Соколова', due: '2026-07-20', dueDate: '2026-07-20' },
    { text: '見積もりを送る', owner: '山田 太郎', due: '金曜日' },
  ],
};

const hostile: Report = {
  ...base,
  meetingId: 'm_hostile',
  title: '<!channel> "><script>alert(1)</script>\r\nBcc: evil@z.example',
  startedAt: '2026-07-07T12:00:00Z',
  durationSeconds: 60,
  source: '*zoom*',
  participants: [
    { name: '<@U0ANN>', email: 'ann@example.com\r\nBcc: evil@z.example' },
    { name: 'Bob\u0000 \u202E drawkcab' },
  ],
  summary: [
    '<!here> <@U0ANN> <#C0123456789> @everyone',
    '',
    '[a](javascript:alert(1)) [b](data:text/html,x) [c](https://ok.example/?a=1&b=<x>) ![d](https://track.example/p.png)',
    '',
    '<img src=x onerror=alert(1)> &lt;b&gt; &amp;amp;',
  ].join('\n'),
  decisions: ['=HYPERLINK("https://evil.example")', '<https://evil.example|click me>'],
  tasks: [{ text: '</td></table><h1>big</h1>', owner: '"Ann" <evil@z.example>', due: '<!date^0^{date}|x>' }],
};

/** Fixed reports, by the name of their golden files. */
export const goldenReports: Readonly<Record<string, Report>> = {
  rich,
  minimal,
  'other-scripts': otherScripts,
  hostile,
};
