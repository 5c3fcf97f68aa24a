import { loadLanguage, type MeetingScript, type Phrases, type ScriptTask } from './load-content.ts';
import { formatClock, listSpeakers, type TimedChapter } from './time-script.ts';

/** A task as the observed reports show it. */
interface BlockAction {
  readonly text: string;
  readonly assignee: string;
  /** `YYYY-MM-DD`, or null without a date. */
  readonly deadline: string | null;
  /** `MM:SS` into the meeting. */
  readonly timestamp: string;
}

/** Markdown; tasks are an object, as observed. A given block may be anything. */
export type BlockText =
  | string
  | { readonly actions: readonly BlockAction[] }
  | readonly unknown[]
  | Readonly<Record<string, unknown>>;

export interface BlockSource {
  readonly script: MeetingScript;
  readonly chapters: readonly TimedChapter[];
  /** Unix milliseconds. */
  readonly startMs: number;
}

/**
 * The report blocks that the sandbox can write. The names are observed, except `decisions` and `follow_up_email`, which
 * are assumed. The set of the service is open.
 */
const writers = {
  summary: ({ script }) => script.summary,
  decisions: ({ script }) => writeList(script.decisions),
  tasks: (source) => ({ actions: listActions(source) }),
  summary_agenda: writeChapters,
  team_sync_agenda: writeChapters,
  one_to_one: writeChapters,
  hr_summary: writeChapters,
  research_insights: writeChapters,
  'med-anamnesis': writeChapters,
  sales_general: (source) =>
    `${source.script.summary}\n\n**${findPhrases(source).agreed}**\n\n${writeList(source.script.decisions)}`,
  sales_coach: writeSpeakers,
  summary_by_speaker: writeSpeakers,
  questions_and_answers: writeQuestions,
  protocol: (source) => {
    const { present, comma } = findPhrases(source);
    return `**${present}** ${listSpeakers(source.chapters).join(comma)}\n\n${writeChapters(source)}`;
  },
  follow_up_email: (source) => {
    const { mailOpening, mailAgreed } = findPhrases(source);
    const { summary, decisions } = source.script;
    return [...mailOpening, summary, mailAgreed, writeList(decisions)].join('\n\n');
  },
} satisfies Readonly<Record<string, (source: BlockSource) => BlockText>>;

export type BlockName = keyof typeof writers;

/** Writes one block of a report from the content of the meeting, in its language. */
export function writeBlock(name: BlockName, source: BlockSource): BlockText {
  return writers[name](source);
}

function findPhrases({ script }: BlockSource): Phrases {
  return loadLanguage(script.language).phrases;
}

function listActions({ script, chapters, startMs }: BlockSource): readonly BlockAction[] {
  return script.tasks.map((task) => ({
    text: task.text,
    assignee: task.assignee,
    deadline: findDeadline(task, startMs),
    timestamp: formatClock(chapters[task.chapter]?.startSeconds ?? 0),
  }));
}

const DAY_MS = 86_400_000;

/** The due date of a task, `YYYY-MM-DD` in UTC; null without one. */
function findDeadline(task: ScriptTask, startMs: number): string | null {
  const days = countDays(task, startMs);
  return days === undefined ? null : new Date(startMs + days * DAY_MS).toISOString().slice(0, 10);
}

function countDays({ dueInDays, dueOnWeekday }: ScriptTask, startMs: number): number | undefined {
  if (dueInDays === undefined || dueOnWeekday === undefined) return dueInDays;
  if (dueOnWeekday > 7) return dueOnWeekday - findWeekday(startMs);
  return dueInDays + ((dueOnWeekday - findWeekday(startMs + dueInDays * DAY_MS) + 7) % 7);
}

/** 1 is Monday, 7 is Sunday. */
function findWeekday(ms: number): number {
  return new Date(ms).getUTCDay() || 7;
}

/** What came out, then what was settled in each chapter. */
function writeChapters({ script, chapters }: BlockSource): string {
  const [outcome = ''] = script.summary.split('\n\n');
  const notes = chapters.map(
    ({ name, note, startSeconds }) =>
      `**${name}** (${formatClock(startSeconds)})${note === '' ? '' : `: ${note}`}`,
  );
  return [outcome, writeList(notes)].filter((part) => part !== '').join('\n\n');
}

function writeSpeakers({ script, chapters }: BlockSource): string {
  return listSpeakers(chapters)
    .map((name) => `**${name}**\n\n${writeList(listNotes(script, name))}`)
    .join('\n\n');
}

function listNotes({ speakerNotes }: MeetingScript, name: string): readonly string[] {
  return speakerNotes.filter(({ speaker }) => speaker === name).map(({ text }) => text);
}

function writeQuestions({ script }: BlockSource): string {
  return script.questions.map(({ question, answer }) => `**${question}** ${answer}`).join('\n\n');
}

function writeList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
