import { loadLanguage, type MeetingScript, type Phrases, type ScriptTask } from './load-content.ts';
import type { BlockName } from './report-templates.ts';
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

/** Markdown; only tasks are an object, as observed. */
export type BlockText = string | { readonly actions: readonly BlockAction[] };

export interface BlockSource {
  readonly script: MeetingScript;
  readonly chapters: readonly TimedChapter[];
  /** Unix milliseconds. */
  readonly startMs: number;
}

const writers: Readonly<Record<BlockName, (source: BlockSource) => BlockText>> = {
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
  sales_coach: writeShares,
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
};

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

function writeChapters({ chapters }: BlockSource): string {
  return writeList(
    chapters.map(
      ({ name, startSeconds, lines }) =>
        `**${name}** (${formatClock(startSeconds)}): ${takeSentence(lines.at(-1)?.text ?? '')}`,
    ),
  );
}

function writeSpeakers({ chapters }: BlockSource): string {
  const lines = chapters.flatMap((chapter) => chapter.lines);
  return listSpeakers(chapters)
    .map((name) => {
      const said = lines.filter(({ speaker }) => speaker === name).map(({ text }) => takeSentence(text));
      return `**${name}**\n\n${writeList(said)}`;
    })
    .join('\n\n');
}

/** The share of the speaking time of each speaker. */
function writeShares(source: BlockSource): string {
  const { chapters } = source;
  const { share } = findPhrases(source);
  const lines = chapters.flatMap((chapter) => chapter.lines);
  const countSeconds = (spoken: typeof lines): number =>
    spoken.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
  const total = countSeconds(lines);
  return writeList(
    listSpeakers(chapters).map((name) => {
      const own = countSeconds(lines.filter(({ speaker }) => speaker === name));
      const percent = String(Math.round((100 * own) / total));
      return share.replace('{name}', name).replace('{percent}', percent);
    }),
  );
}

/** Every question that ends a line, with the first sentence of the next line as its answer. */
function writeQuestions(source: BlockSource): string {
  const { colon } = findPhrases(source);
  return source.chapters
    .flatMap(({ lines }) =>
      lines.flatMap(({ text }, index) => {
        const answer = lines[index + 1];
        return /[?？]$/.test(text) && answer !== undefined
          ? [`**${takeQuestion(text)}** ${answer.speaker}${colon}${takeSentence(answer.text)}`]
          : [];
      }),
    )
    .join('\n\n');
}

function writeList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** The first sentence. Full-width marks have no space after them. */
function takeSentence(text: string): string {
  return /^.*?(?:[.?!](?=\s|$)|[。？！])/.exec(text)?.[0] ?? text;
}

/** The last sentence of a text that ends with a question. */
function takeQuestion(text: string): string {
  return /[^.?!。？！]+[?？]$/.exec(text)?.[0].trim() ?? text;
}
