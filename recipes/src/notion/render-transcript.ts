import type { SpokenTurn, TranscriptChapter } from '../digest.ts';
import { makeBlock, type NotionBlock, notionLimits } from './notion-page.ts';
import { renderText } from './render-blocks.ts';
import { makeRuns } from './rich-text.ts';

/**
 * What was said as one toggle, its chapters as toggles within: so one request takes a thousand blocks of it. A chapter
 * of more than a hundred turns goes on in the next toggle. Without chapters a stretch of time stands in their place. Pure.
 */
export function renderTranscript(chapters: readonly TranscriptChapter[]): NotionBlock[] {
  const stretches = chapters.flatMap(splitChapter);
  const [only] = stretches;
  if (only === undefined) return [];
  const isPlain = stretches.length === 1 && chapters.length === 1 && chapters[0]?.name === undefined;
  const children = isPlain ? only.blocks : stretches.map(({ title, blocks }) => toggle(title, blocks));
  return [toggle('Transcript', children)];
}

export function toggle(title: string, children: readonly NotionBlock[]): NotionBlock {
  const rich_text = makeRuns(title.slice(0, notionLimits.text));
  return makeBlock('toggle', { rich_text, ...(children.length === 0 ? {} : { children }) });
}

interface Stretch {
  readonly title: string;
  readonly blocks: readonly NotionBlock[];
}

function splitChapter({ name, startSeconds, turns }: TranscriptChapter): readonly Stretch[] {
  const lots: { first: SpokenTurn | undefined; blocks: NotionBlock[] }[] = [];
  for (const turn of turns) {
    const blocks = renderTurn(turn);
    const lot = lots.at(-1);
    if (lot !== undefined && lot.blocks.length + blocks.length <= notionLimits.items)
      lot.blocks.push(...blocks);
    else lots.push({ first: turn, blocks });
  }
  return lots.map(({ first, blocks }, index) => {
    const at = index === 0 ? (startSeconds ?? first?.startSeconds) : first?.startSeconds;
    const label = name === undefined ? `Part ${index + 1}` : index === 0 ? name : `${name} (continued)`;
    return {
      title: at === undefined ? label : `${formatClock(at)} ${name === undefined ? '' : label}`.trim(),
      blocks,
    };
  });
}

const bold = { bold: true } as const;
const gray = { color: 'gray' } as const;

function renderTurn({ speaker = '', text, startSeconds }: SpokenTurn): NotionBlock[] {
  const gap = speaker === '' ? '' : ' ';
  const when = startSeconds === undefined ? '' : gap + formatClock(startSeconds);
  const said = speaker === '' && when === '' ? text : `\n${text}`;
  // Of a thousand turns each list that grows takes several times its room.
  const runs = makeRuns(speaker, bold).concat(makeRuns(when, gray), makeRuns(said));
  return renderText('paragraph', runs);
}

/** `1:02:03`, `2:03`. */
function formatClock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours === 0 ? `${minutes}:${two(whole % 60)}` : `${hours}:${two(minutes)}:${two(whole % 60)}`;
}

function two(part: number): string {
  return String(part).padStart(2, '0');
}
