import type { MeetingScript } from './meeting-script.ts';

const maya = 'Maya Lindqvist';
const tom = 'Tom Okafor';
const priya = 'Priya Raman';

/** A product team decides whether a feature is ready to go out. */
export const launchReview: MeetingScript = {
  name: 'Launch review: shared calendars',
  language: 'en',
  keywords: ['launch', 'shared calendars', 'migration', 'help centre', 'rollout'],
  chapters: [
    {
      name: 'Where the beta stands',
      lines: [
        {
          speaker: maya,
          text: 'Thanks for making it. I want to leave this room knowing whether shared calendars go out next Tuesday or not. Tom, how did the beta end?',
        },
        {
          speaker: tom,
          text: 'Better than I feared. Two hundred and twelve workspaces tried it, and nine out of ten kept it on. We had fourteen reports, and eleven of them were the same thing: events that show an hour late.',
        },
        {
          speaker: priya,
          text: 'That was the time zone of the invited person. The fix went in on Friday and nobody has reported it since.',
        },
        { speaker: maya, text: 'And the other three?' },
        {
          speaker: tom,
          text: 'Two are questions about permissions, so really a gap in our texts. One is a slow first load for somebody with forty calendars.',
        },
      ],
    },
    {
      name: 'Migration and the slow first load',
      lines: [
        {
          speaker: priya,
          text: 'The slow load is the migration. We copy old events at the first visit. With forty calendars that takes eight seconds, and you look at an empty page meanwhile.',
        },
        { speaker: tom, text: 'Can we copy them the night before?' },
        {
          speaker: priya,
          text: 'Yes. If we start the copy on Sunday evening it is done by Monday noon. I would rather do that than draw a nicer spinner.',
        },
        {
          speaker: maya,
          text: 'Then let us do that. I would still like to see a number before we switch it on for everybody.',
        },
        {
          speaker: priya,
          text: 'I will post the progress on Monday at noon. If it is under ninety-five percent, we wait a day.',
        },
      ],
    },
    {
      name: 'Rollout and texts',
      lines: [
        {
          speaker: tom,
          text: 'For the rollout I suggest ten percent on Tuesday morning, half on Wednesday, everybody on Thursday, as we did with reminders.',
        },
        { speaker: maya, text: 'Agreed. Who writes the help page about permissions?' },
        {
          speaker: tom,
          text: 'I will. I have the two questions from the beta, so I can answer exactly those. You will have it by Friday.',
        },
        {
          speaker: maya,
          text: 'Good. Then I tell support and the sales team what is coming, and we meet again on Thursday for ten minutes.',
        },
      ],
    },
  ],
  summary: [
    'Shared calendars leave the beta **next Tuesday**, in three steps: 10% on Tuesday, half on Wednesday, everybody on Thursday.',
    '',
    'The beta went well: 212 workspaces, nine out of ten kept it on. The one frequent fault, events an hour late, is fixed since Friday. The slow first load comes from copying old events; they are now copied ahead, from Sunday evening.',
    '',
    'The launch waits a day if less than 95% is copied by Monday noon.',
  ].join('\n'),
  decisions: [
    'Launch on Tuesday: 10%, then half, then everybody by Thursday',
    'Copy old events from Sunday evening instead of at the first visit',
    'Wait one day if less than 95% is copied by Monday noon',
  ],
  tasks: [
    {
      text: 'Start the copy on Sunday evening and post the progress on Monday at noon',
      assignee: priya,
      dueInDays: 4,
      chapter: 1,
    },
    { text: 'Write the help page about permissions', assignee: tom, dueInDays: 2, chapter: 2 },
    { text: 'Tell support and sales what changes for customers', assignee: maya, dueInDays: 4, chapter: 2 },
    { text: 'Set up the ten-minute check on Thursday', assignee: maya, chapter: 2 },
  ],
};
