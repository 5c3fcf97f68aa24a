import type { Digest, TaskGroup } from '../digest.ts';
import { cutText } from '../text/cut-text.ts';
import { taskLine } from './recap-flows.ts';
import { renderContext } from './render-context.ts';
import { renderHeader } from './render-header.ts';
import { textLeaf } from './rich-text-leaves.ts';
import { toBullets } from './rich-text.ts';
import { slackLimits, type SlackMessage } from './slack-message.ts';
import { takeFlow } from './take-flow.ts';
import { linkButton, writeMessage } from './write-message.ts';

const room = { characters: slackLimits.message - 1500, elements: slackLimits.elements };
const maxName = 60;

/** The tasks of one owner as a message to them, or to a channel that is told whose they are. Pure. */
export function renderSlackTasks(
  digest: Digest,
  { owner, tasks }: TaskGroup,
  { link, reader }: { readonly link?: string | undefined; readonly reader: 'owner' | 'channel' },
): SlackMessage {
  const { kept, rest } = takeFlow(toBullets(tasks.map((task) => taskLine(task, true))), room);
  const name = owner === undefined ? 'Tasks without an owner' : `Tasks of ${cutText(owner, maxName)}`;
  const whose = reader === 'owner' ? 'Your tasks' : name;
  const more = [textLeaf('There are more in the report.', { italic: true })];
  return writeMessage([
    renderHeader(`${whose}: ${digest.title}`),
    ...renderContext(digest),
    { flow: kept },
    ...(rest.length === 0
      ? []
      : [{ flow: [{ part: { type: 'rich_text_section', elements: more } } as const] }]),
    ...linkButton(link, 'Open the report', `Open the report of ${digest.title}`),
  ]);
}
