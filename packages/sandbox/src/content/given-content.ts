import { z } from 'zod';

import { contentLanguages, type MeetingScript } from './load-content.ts';

const text = (rule = 'text that is not empty') => z.string({ error: rule }).min(1, { error: rule });

const startRule = 'seconds into the meeting, or MM:SS or HH:MM:SS';

const participantRule = 'an object with a name, an email or both';

const participantSchema = z
  .strictObject(
    {
      name: text().optional(),
      // Also one that no mail server takes, to see what becomes of it.
      email: z
        .string()
        .regex(/^\S{1,200}@\S{1,200}$/, { error: 'an e-mail address' })
        .optional(),
    },
    { error: participantRule },
  )
  .refine(({ name, email }) => name !== undefined || email !== undefined, { error: participantRule });

const lineSchema = z.strictObject({
  speaker: text(),
  text: text(),
  start: z
    .union([z.number().min(0, startRule), z.string().regex(/^(?:\d{1,3}:)?\d{1,3}:[0-5]\d$/, startRule)], {
      error: startRule,
    })
    .optional()
    .meta({ description: 'Seconds into the meeting, or MM:SS. Default: right after the line before it' }),
});

const chapterSchema = z.strictObject({
  name: text(),
  note: text().optional().meta({ description: 'What was settled, for templates that list the chapters' }),
  lines: z.array(lineSchema),
});

const blockTextSchema = z.union([z.string(), z.array(z.unknown()), z.record(z.string(), z.unknown())], {
  error: 'text, a list or an object',
});

/** The content of a meeting as its author gave it. The texts are served as they are. */
export const givenContentShape = {
  language: z
    .enum(contentLanguages)
    .default('en')
    .meta({ description: 'Of the headings in an export, and of blocks that the sandbox writes' }),
  participants: z.array(participantSchema).default([]),
  chapters: z.array(chapterSchema).default([]).meta({ description: 'The transcript' }),
  summary: z.string().optional().meta({ description: 'Markdown' }),
  decisions: z.union([z.string(), z.array(z.unknown())], { error: 'text or a list' }).optional(),
  tasks: blockTextSchema.optional().meta({
    description: 'Text, a list, or an object as observed: {"actions": [{"text", "assignee", "deadline"}]}',
  }),
  blocks: z
    .array(z.strictObject({ name: text(), text: blockTextSchema }))
    .default([])
    .meta({ description: 'More blocks of the report' }),
};

const givenContentSchema = z.object(givenContentShape).readonly();

export type GivenContent = z.infer<typeof givenContentSchema>;

export interface GivenBlock {
  readonly name: string;
  readonly text: z.infer<typeof blockTextSchema>;
}

/** The blocks of the report, in the order in which a built-in template has them. */
export function listGivenBlocks({ summary, decisions, tasks, blocks }: GivenContent): readonly GivenBlock[] {
  return [
    ...(summary === undefined ? [] : [{ name: 'summary', text: summary }]),
    ...(decisions === undefined ? [] : [{ name: 'decisions', text: decisions }]),
    ...(tasks === undefined ? [] : [{ name: 'tasks', text: tasks }]),
    ...blocks,
  ];
}

/** Nobody spoke, and there is no text. */
export function isGivenContentEmpty(content: GivenContent): boolean {
  return content.chapters.every(({ lines }) => lines.length === 0) && listGivenBlocks(content).length === 0;
}

const scripts = new WeakMap<GivenContent, MeetingScript>();

/** The content in the form of a sample meeting, for everything that the sandbox makes of it: transcript, exports, templates. */
export function toScript(content: GivenContent): MeetingScript {
  const known = scripts.get(content);
  if (known !== undefined) return known;
  const { language, participants, chapters, summary = '', decisions = [] } = content;
  const script: MeetingScript = {
    name: '',
    language,
    keywords: [],
    participants,
    chapters: chapters.map(({ name, note = '', lines }) => ({
      name,
      note,
      lines: lines.map(({ speaker, text: spoken, start }) => ({
        speaker,
        text: spoken,
        startSeconds: start === undefined ? undefined : toSeconds(start),
      })),
    })),
    summary,
    decisions: (typeof decisions === 'string' ? [decisions] : decisions).filter(
      (decision) => typeof decision === 'string',
    ),
    tasks: [],
    speakerNotes: [],
    questions: [],
  };
  scripts.set(content, script);
  return script;
}

function toSeconds(start: number | string): number {
  if (typeof start === 'number') return start;
  return start.split(':').reduce((seconds, part) => 60 * seconds + Number(part), 0);
}
