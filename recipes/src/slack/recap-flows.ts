import type { Digest, DigestTask, TaskGroup } from '../digest.ts';
import { cutText } from '../text/cut-text.ts';
import { noSummaryText } from '../text/digest-text.ts';
import { flattenBlocks, textLeaf } from './rich-text-leaves.ts';
import { type FlowPart, headingPart, toBullets, toRichText } from './rich-text.ts';
import type { RichTextLeaf } from './slack-message.ts';

const limits = { name: 100, due: 60, title: 150 } as const;

/** The summary under its heading. */
export function summaryFlow({ summary }: Digest): readonly FlowPart[] {
  const parts = toRichText(summary);
  const empty: FlowPart = { part: { type: 'rich_text_section', elements: [textLeaf(noSummaryText)] } };
  return [headingPart('Summary', 1), ...(parts.length === 0 ? [empty] : parts)];
}

/** The decisions under their heading; nothing where there are none. */
export function decisionsFlow({ decisions }: Digest): readonly FlowPart[] {
  const bullets = toBullets(decisions.map(({ children }) => flattenBlocks(children)));
  return bullets.length === 0 ? [] : [headingPart('Decisions', 1), ...bullets];
}

/** Tasks by owner under their heading; nothing where there are none. */
export function tasksFlow(groups: readonly TaskGroup[]): readonly FlowPart[] {
  const parts = groups.flatMap(ownerFlow);
  return parts.length === 0 ? [] : [headingPart('Tasks', 1), ...parts];
}

/** The other texts of the report, each under its own title. */
export function sectionsFlow({ sections }: Digest): readonly FlowPart[] {
  return sections.flatMap(({ title, text }) => {
    const parts = toRichText(text);
    const name = cutText(title.trim(), limits.title);
    return parts.length === 0 ? [] : [headingPart(name === '' ? 'More' : name, 1), ...parts];
  });
}

/** A task in one line: what, until when, and where in the recording it was said where that is wanted. */
export function taskLine(task: DigestTask, withTime = false): readonly RichTextLeaf[] {
  const due = cutText((task.due ?? task.dueDate ?? '').trim(), limits.due);
  const at = withTime && task.atSeconds !== undefined ? formatTimeCode(task.atSeconds) : undefined;
  return [
    ...flattenBlocks(task.text.children),
    ...(due === '' ? [] : [textLeaf(` (due ${due})`)]),
    ...(at === undefined ? [] : [textLeaf(` · said at ${at}`)]),
  ];
}

/** The first tasks, as many as are wanted, and the others. */
export function splitTasks(
  groups: readonly TaskGroup[],
  count: number,
): readonly [readonly TaskGroup[], readonly TaskGroup[]] {
  let left = count;
  const shown: TaskGroup[] = [];
  const others: TaskGroup[] = [];
  for (const group of groups) {
    const taken = group.tasks.slice(0, left);
    left -= taken.length;
    if (taken.length > 0) shown.push({ ...group, tasks: taken });
    if (taken.length < group.tasks.length) others.push({ ...group, tasks: group.tasks.slice(taken.length) });
  }
  return [shown, others];
}

function ownerFlow({ owner, email, tasks }: TaskGroup): readonly FlowPart[] {
  const bullets = toBullets(tasks.map((task) => taskLine(task)));
  if (bullets.length === 0) return [];
  const name = cutText(owner?.trim() ?? '', limits.name);
  const heading = headingPart(name === '' ? 'No owner' : name, 2);
  return [name === '' || email === undefined ? heading : { ...heading, email }, ...bullets];
}

/** `12:05` or `1:02:05`. */
function formatTimeCode(seconds: number): string | undefined {
  if (!Number.isFinite(seconds) || seconds < 0) return undefined;
  const whole = Math.floor(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours > 0
    ? `${String(hours)}:${two(minutes)}:${two(whole % 60)}`
    : `${String(minutes)}:${two(whole % 60)}`;
}

function two(part: number): string {
  return String(part).padStart(2, '0');
}
