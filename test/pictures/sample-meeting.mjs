// The meetings of the pictures: sample meetings of the sandbox, and when it is now.
import { readFileSync } from 'node:fs';

export const nowMs = Date.parse('2026-07-07T12:52:00Z');

const content = new URL('../../packages/sandbox/content/', import.meta.url);
const load = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, content), 'utf8'));
const {
  name: title,
  language,
  participants,
  chapters,
  summary,
  decisions,
  tasks,
  questions,
} = load('samples')['launch-review'];
const [outcome, ...more] = summary.split('\n\n');

const table = `| | Workspaces |
| --- | --- |
| Tuesday, 14 July | 10% |
| Wednesday, 15 July | 50% |
| Thursday, 16 July | all |`;

/** The sample with what it lacks: a table, a done task, the days that were said, Tom's address, and the length of a meeting. */
const launchReview = {
  title,
  start: '2026-07-07T14:00:00+02:00',
  language,
  participants: participants.map((person) => ({ email: 'tom.okafor@example.com', ...person })),
  chapters: chapters.map(({ lines: [first, ...lines], ...chapter }, index) => ({
    ...chapter,
    lines: [{ ...first, start: ['00:04', '18:30', '46:25'][index] }, ...lines],
  })),
  summary: [outcome, table, ...more].join('\n\n'),
  decisions,
  tasks: {
    actions: [
      { text: 'Show events at the hour of the invited person', assignee: 'Priya Raman', status: 'done' },
      ...tasks.map(({ text, assignee }, index) => ({
        text,
        assignee,
        deadline: ['2026-07-13', '2026-07-10', '2026-07-13'][index],
        timestamp: ['18:30', '46:35', '46:50', '46:54'][index],
      })),
    ],
  },
  blocks: [
    {
      name: 'questions_and_answers',
      text: questions.map(({ question, answer }) => `**${question}** ${answer}`).join('\n\n'),
    },
  ],
  tags: ['Product'],
};

/** Two other meetings of the same day, for what tells of several. */
const renewal = { ...load('example-meeting'), start: '2026-07-07T10:30:00+02:00' };
const retrospective = {
  link: 'https://teams.microsoft.com/meet/412345678901',
  title: 'Retrospective: sprint 42',
  localDateTime: '2026-07-07T08:30:00+02:00',
};

/** Holds the meetings in the sandbox: their reports as the client reads them, the meeting of most pictures first. */
export async function holdMeetings(sandbox, url, client) {
  // An added meeting has no source of its own, and a sample lasts as long as its few lines.
  const read = async (meetingId, facts) => ({ ...(await client.reports.get(meetingId)).report, ...facts });
  async function add(meeting) {
    const body = JSON.stringify(meeting);
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${url}/_sandbox/meetings`, { method: 'POST', headers, body });
    if (!answer.ok) throw new Error(await answer.text());
    return (await answer.json()).meeting_id;
  }
  const launchId = await add(launchReview);
  const renewalId = await add(renewal);
  const { meetingId } = await client.recordings.start(retrospective, { allowPast: true });
  sandbox.completeMeeting(meetingId, { scriptId: 'en/retrospective' });
  return [
    await read(launchId, { source: 'gmeet', durationSeconds: 2820 }),
    await read(renewalId, { source: 'zoom', durationSeconds: 1860 }),
    await read(meetingId, { durationSeconds: 3000 }),
  ];
}
