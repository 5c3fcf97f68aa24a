import type { BlockName } from './block-names.ts';
import { findDeadline } from './find-deadline.ts';
import type { MeetingScript } from './meeting-script.ts';
import { findPhrases, type Phrases } from './phrases.ts';
import { formatClock, type TimedChapter } from './time-script.ts';

/** A task as the observed reports carry it. */
interface BlockAction {
  readonly text: string;
  readonly assignee: string;
  /** `YYYY-MM-DD`, or null where nobody named a date. */
  readonly deadline: string | null;
  /** `MM:SS` into the meeting. */
  readonly timestamp: string;
}

/** Markdown; only tasks come as an object, as observed. */
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
    `${source.script.summary}\n\n**${speak(source).agreed}**\n\n${writeList(source.script.decisions)}`,
  sales_coach: writeShares,
  summary_by_speaker: writeSpeakers,
  questions_and_answers: writeQuestions,
  protocol: (source) => {
    const { present, comma } = speak(source);
    return `**${present}** ${listSpeakers(source.chapters).join(comma)}\n\n${writeChapters(source)}`;
  },
  follow_up_email: (source) => {
    const { mailOpening, mailAgreed } = speak(source);
    const { summary, decisions } = source.script;
    return [...mailOpening, summary, mailAgreed, writeList(decisions)].join('\n\n');
  },
};

/** Writes one block of a report from what was said. */
export function writeBlock(name: BlockName, source: BlockSource): BlockText {
  return writers[name](source);
}

/** The report is in the language of the meeting. */
function speak({ script }: BlockSource): Phrases {
  return findPhrases(script.language);
}

/** Everybody who speaks, in the order of their first words. */
export function listSpeakers(chapters: readonly TimedChapter[]): readonly string[] {
  return [...new Set(chapters.flatMap(({ lines }) => lines.map(({ speaker }) => speaker)))];
}

function listActions({ script, chapters, startMs }: BlockSource): readonly BlockAction[] {
  return script.tasks.map((task) => ({
    text: task.text,
    assignee: task.assignee,
    deadline: findDeadline(task, startMs),
    timestamp: formatClock(chapters[task.chapter]?.startSeconds ?? 0),
  }));
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

function writeShares(source: BlockSource): string {
  const { chapters } = source;
  const { share } = speak(source);
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

function writeQuestions(source: BlockSource): string {
  const { colon } = speak(source);
  return source.chapters
    .flatMap(({ lines }) =>
      lines.flatMap(({ text }, index) => {
        const answer = lines[index + 1];
        return isQuestion(text) && answer !== undefined
          ? [`**${takeQuestion(text)}** ${answer.speaker}${colon}${takeSentence(answer.text)}`]
          : [];
      }),
    )
    .join('\n\n');
}

function writeList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** Full-width marks have no space behind them. */
function takeSentence(text: string): string {
  return /^.*?(?:[.?!](?=\s|$)|[。？！])/.exec(text)?.[0] ?? text;
}

function isQuestion(text: string): boolean {
  return /[?？]$/.test(text);
}

/** The last sentence of a text that ends with a question. */
function takeQuestion(text: string): string {
  return /[^.?!。？！]+[?？]$/.exec(text)?.[0].trim() ?? text;
}
