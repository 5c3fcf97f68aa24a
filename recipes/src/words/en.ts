import { createCounter, createDay, keepByZone } from './tools.ts';

/** The fixed words of messages in English. The other languages have the same ones: `Words` is made of these. */
export const en = {
  /** BCP 47. */
  locale: 'en',

  // Dates, durations, lists
  when: formatWhen,
  /** A due date, written `2026-07-10` by the service. */
  day: createDay('en-GB'),
  underAMinute: 'under a minute',
  minutes: (minutes: number): string => `${minutes} min`,
  hours: (hours: number, minutes: number): string => `${hours} h ${String(minutes).padStart(2, '0')} min`,
  separator: ', ',
  andMore: (count: number): string => ` and ${count} more`,

  // Headings
  summary: 'Summary',
  decisions: 'Decisions',
  tasks: 'Tasks',
  moreTasks: 'More tasks',
  openTasks: 'Open tasks',
  yourTasks: 'Your tasks',
  fullNotes: 'Full notes',
  transcript: 'Transcript',
  /** A section without a title. */
  more: 'More',
  /** Titles that we write for sections of the service, by the English one. */
  sections: {
    Notes: 'Notes',
    Agenda: 'Agenda',
    Risks: 'Risks',
    'Open questions': 'Open questions',
    'Next steps': 'Next steps',
    'Questions and answers': 'Questions and answers',
    'Follow-up email': 'Follow-up email',
    'HR summary': 'HR summary',
    'Medical anamnesis': 'Medical anamnesis',
    'One to one': 'One to one',
    Sales: 'Sales',
  },
  untitledMeeting: 'Untitled meeting',
  part: (number: number): string => `Part ${number}`,
  continued: (chapter: string): string => `${chapter} (continued)`,

  // Tasks
  unnamedParticipant: 'Unnamed participant',
  noOwner: 'No owner',
  task: 'Task',
  owner: 'Owner',
  dueTitle: 'Due',
  meeting: 'Meeting',
  /** Follows the text of a task. */
  due: (date: string): string => ` (due ${date})`,
  saidAt: (time: string): string => ` · said at ${time}`,
  agreedIn: (meeting: string): string => `Agreed in: ${meeting}`,
  /** On the button of a task, and on that of one that is done. */
  done: 'Done',
  reopen: 'Reopen',

  // The report, and what is cut
  openReport: 'Open the report',
  openReportOf: (meeting: string): string => `Open the report of ${meeting}`,
  reportAt: (url: string): string => `Report: ${url}`,
  noSummary: 'The report has no summary.',
  nothingTranscribed: 'Nothing was transcribed.',
  continuesInReport: 'This continues in the report.',
  continuesAt: (url: string): string => `This continues in the report: ${url}`,
  restInReport: 'The rest is in the report.',
  continuesInThread: 'This continues in the thread.',
  inThread: (titles: string): string => `In the thread: ${titles}`,
  inThreadAndMore: (titles: string): string => `In the thread: ${titles} and more`,
  replyOf: (reply: number, count: number): string => `reply ${reply} of ${count}`,

  // Mails
  recapSubject: (meeting: string): string => `Recap: ${meeting}`,
  meetingRecap: 'Meeting recap',
  fileMissing: (format: string): string => `The report as ${format} could not be attached.`,
  fileTooLarge: (format: string): string => `The report as ${format} is too large to be attached.`,
  cannotBeMailed: createCounter(
    'en',
    '# address of the report cannot be mailed',
    '# addresses of the report cannot be mailed',
  ),
  explained: (what: string, why: string): string => `${what}: ${why}`,
  /** What is wrong with an address. */
  addressFaults: {
    quoted: 'quotes before the @',
    leading_dot: 'a dot at the start',
    trailing_dot: 'a dot right before the @',
    double_dot: 'two dots in a row before the @',
    non_ascii: 'a character outside ASCII before the @',
    domain: 'no valid domain',
    too_long: 'too long',
    no_address: 'not one plain address',
  },
  unsubscribe: 'Unsubscribe',
  /** Why a mail is received. */
  why: {
    recaps: 'You receive this mail because your address is on the list for recaps.',
    tookPart: 'You receive this mail because you took part in this meeting.',
    day: 'You receive this mail because your address is on the list for the digest of each day.',
    week: 'You receive this mail because your address is on the list for the digest of each week.',
  },

  // The digest of a period
  meetingDigest: 'Meeting digest',
  meetings: createCounter('en', '# meeting', '# meetings'),
  meetingsSince: (meetings: string, from: string): string => `${meetings} since ${from}`,
  period: (from: string, to: string): string => `${from} to ${to}`,
  openTaskCount: createCounter('en', '# open task', '# open tasks'),
  decisionCount: createCounter('en', '# decision', '# decisions'),
  moreTasksInReports: 'There are more tasks in the reports.',
  /** Meetings that are left out, by reason. */
  leftOut: {
    too_many: createCounter(
      'en',
      'And # meeting more, for which there is no room here.',
      'And # meetings more, for which there is no room here.',
    ),
    not_ready: createCounter(
      'en',
      'Of # meeting the report was not ready yet.',
      'Of # meetings the report was not ready yet.',
    ),
    deleted: createCounter(
      'en',
      'Of # meeting the report was deleted.',
      'Of # meetings the report was deleted.',
    ),
    unreadable: createCounter(
      'en',
      'Of # meeting the report could not be read.',
      'Of # meetings the report could not be read.',
    ),
    not_read: createCounter(
      'en',
      'And # meeting that were not looked at: the period has too many.',
      'And # meetings that were not looked at: the period has too many.',
    ),
  },
};

/** The fixed words of messages. A catalogue without one of them does not compile. */
export type Words = typeof en;

const findFormat = keepByZone(
  (timeZone) =>
    new Intl.DateTimeFormat('en', {
      timeZone,
      hourCycle: 'h23',
      weekday: 'short',
      day: 'numeric',
      month: 'short',
      hour: '2-digit',
      minute: '2-digit',
    }),
);

/** `Tue 7 Jul, 14:00`. */
function formatWhen(at: Date, timeZone: string): string {
  const parts = new Map(
    findFormat(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  );
  const take = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
  return `${take('weekday')} ${take('day')} ${take('month')}, ${take('hour')}:${take('minute')}`;
}
