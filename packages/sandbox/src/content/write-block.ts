import type { BlockName } from './block-names.ts';
import type { MeetingScript } from './meeting-script.ts';
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

const dayMs = 86_400_000;

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
  sales_general: ({ script }) => `${script.summary}\n\n**Agreed**\n\n${writeList(script.decisions)}`,
  sales_coach: writeShares,
  summary_by_speaker: writeSpeakers,
  questions_and_answers: writeQuestions,
  protocol: (source) =>
    `**Present:** ${listSpeakers(source.chapters).join(', ')}\n\n${writeChapters(source)}`,
  follow_up_email: ({ script }) =>
    `Hello everybody,\n\nthank you for your time. In short:\n\n${script.summary}\n\nWhat we agreed:\n\n${writeList(script.decisions)}`,
};

/** Writes one block of a report from what was said. */
export function writeBlock(name: BlockName, source: BlockSource): BlockText {
  return writers[name](source);
}

/** Everybody who speaks, in the order of their first words. */
export function listSpeakers(chapters: readonly TimedChapter[]): readonly string[] {
  return [...new Set(chapters.flatMap(({ lines }) => lines.map(({ speaker }) => speaker)))];
}

function listActions({ script, chapters, startMs }: BlockSource): readonly BlockAction[] {
  return script.tasks.map(({ text, assignee, dueInDays, chapter }) => ({
    text,
    assignee,
    deadline:
      dueInDays === undefined ? null : new Date(startMs + dueInDays * dayMs).toISOString().slice(0, 10),
    timestamp: formatClock(chapters[chapter]?.startSeconds ?? 0),
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

function writeShares({ chapters }: BlockSource): string {
  const lines = chapters.flatMap((chapter) => chapter.lines);
  const countSeconds = (spoken: typeof lines): number =>
    spoken.reduce((sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds, 0);
  const total = countSeconds(lines);
  return writeList(
    listSpeakers(chapters).map((name) => {
      const own = countSeconds(lines.filter(({ speaker }) => speaker === name));
      return `**${name}** spoke ${String(Math.round((100 * own) / total))}% of the time`;
    }),
  );
}

function writeQuestions({ chapters }: BlockSource): string {
  return chapters
    .flatMap(({ lines }) =>
      lines.flatMap(({ text }, index) => {
        const answer = lines[index + 1];
        return text.endsWith('?') && answer !== undefined
          ? [`**${takeQuestion(text)}** ${answer.speaker}: ${takeSentence(answer.text)}`]
          : [];
      }),
    )
    .join('\n\n');
}

function writeList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function takeSentence(text: string): string {
  return /^.*?[.?!](?=\s|$)/.exec(text)?.[0] ?? text;
}

/** The last sentence of a text that ends with a question. */
function takeQuestion(text: string): string {
  return /[^.?!]+\?$/.exec(text)?.[0].trim() ?? text;
}
