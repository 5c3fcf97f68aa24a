// The meeting of the pictures: what the client reads, and when it is now.
export const nowMs = Date.parse('2026-07-07T12:52:00Z');

export const report = {
  meetingId: '6f1d2c80-launch',
  title: 'Launch review: shared calendars',
  startedAt: '2026-07-07T12:00:00Z',
  startedLocal: '2026-07-07 14:00',
  utcOffset: '+02:00',
  durationSeconds: 2820,
  source: 'gmeet',
  isTranscriptEmpty: false,
  participants: [
    { name: 'Maya Lindqvist', email: 'maya@example.com' },
    { name: 'Tom Okafor', email: 'tom@example.com' },
    { name: 'Priya Raman', email: 'priya@example.com' },
  ],
  speakers: [],
  summary: [
    'Shared calendars leave the beta **next Tuesday**, in three steps: 10% on Tuesday, half on Wednesday, everybody on Thursday.',
    '',
    'The beta went well: 212 workspaces, nine out of ten kept it on. The one frequent fault, events an hour late, is fixed since Friday. The launch waits a day if less than 95% is copied by Monday noon.',
  ].join('\n'),
  decisions: [
    'Launch on **Tuesday**: 10%, then half, then everybody by Thursday',
    'Copy old events from Sunday evening instead of at the first visit',
    'Wait one day if less than 95% is copied by Monday noon',
  ],
  tasks: [
    {
      text: 'Start the copy on Sunday evening and post the progress on Monday at noon',
      owner: 'Priya Raman',
      due: '2026-07-13',
      dueDate: '2026-07-13',
      atSeconds: 57,
    },
    {
      text: 'Write the help page about permissions',
      owner: 'Tom Okafor',
      due: '2026-07-10',
      dueDate: '2026-07-10',
      atSeconds: 106,
    },
    {
      text: 'Tell support and sales what changes for customers',
      owner: 'Maya Lindqvist',
      due: '2026-07-13',
      dueDate: '2026-07-13',
      atSeconds: 106,
    },
    { text: 'Set up the ten-minute check on Thursday', owner: 'Maya Lindqvist', atSeconds: 131 },
  ],
  transcript: [
    {
      speaker: 'Maya Lindqvist',
      text: 'I want to leave this room knowing whether shared calendars go out next Tuesday or not. Tom, how did the beta end?',
      startSeconds: 4,
    },
    {
      speaker: 'Tom Okafor',
      text: 'Better than I feared. Two hundred and twelve workspaces tried it, and nine out of ten kept it on.',
      startSeconds: 16,
    },
    {
      speaker: 'Priya Raman',
      text: 'That was the time zone of the invited person. The fix went in on Friday.',
      startSeconds: 33,
    },
  ],
  chapters: [
    { name: 'Where the beta stands', startSeconds: 0, endSeconds: 56 },
    { name: 'Migration and the slow first load', startSeconds: 57, endSeconds: 105 },
    { name: 'Rollout and texts', startSeconds: 106, endSeconds: 2820 },
  ],
  templates: [
    {
      id: 't_1',
      name: 'default-meeting',
      blocks: [
        {
          name: 'open_questions',
          text: '- Does the copy slow down other imports?\n- Who answers on Thursday night?',
        },
      ],
    },
  ],
  keywords: ['launch', 'shared calendars'],
  tags: ['Product'],
  warnings: [],
  raw: undefined,
};

/** Two other meetings of the same day, for what tells of several. */
export const otherReports = [
  {
    ...report,
    meetingId: '81aa0c44-customer',
    title: 'Northwind: renewal',
    startedAt: '2026-07-07T08:30:00Z',
    startedLocal: '2026-07-07 10:30',
    durationSeconds: 1860,
    source: 'zoom',
    summary:
      'Northwind renews for two years if single sign-on comes **before October**. Price stays; the extra seats are free until the end of the year.',
    decisions: ['Offer two years with free seats until December'],
    tasks: [{ text: 'Send the offer', owner: 'Tom Okafor', due: '2026-07-09', dueDate: '2026-07-09' }],
    templates: [],
  },
  {
    ...report,
    meetingId: '9b07d1e2-hiring',
    title: 'Interview debrief: support engineer',
    startedAt: '2026-07-07T06:30:00Z',
    startedLocal: '2026-07-07 08:30',
    durationSeconds: 1500,
    source: 'msteams',
    summary: 'Two of three candidates go on to the second round. References are asked for this week.',
    decisions: ['Invite both to the second round'],
    tasks: [{ text: 'Ask for the references', owner: 'Maya Lindqvist', due: 'Friday' }],
    templates: [],
  },
];
