import type { Digest } from '../digest.ts';
import { cutText } from '../text/cut-text.ts';
import { plainText } from '../text/plain-text.ts';
import type { TaskEvent } from './calendar.ts';
import { readMailAddress } from './mail-address.ts';

/** More entries than this help nobody. */
const mostEvents = 50;

/** The dated tasks of the recipient, where some are theirs, else everybody's, as entries of a calendar. Pure. */
export function chooseTaskEvents(digest: Digest, recipient: string, link?: string): readonly TaskEvent[] {
  const dated = digest.taskGroups.flatMap(({ owner, email, tasks }) =>
    tasks.flatMap((task) =>
      task.dueDate === undefined
        ? []
        : [
            {
              owner,
              task,
              date: task.dueDate,
              isTheirs: readMailAddress(email ?? '')?.toLowerCase() === recipient.toLowerCase(),
            },
          ],
    ),
  );
  const theirs = dated.filter(({ isTheirs }) => isTheirs);
  return (theirs.length > 0 ? theirs : dated)
    .slice(0, mostEvents)
    .map(({ owner, task: { key, text }, date, isTheirs }) => ({
      key: `${owner ?? ''}\n${key}`,
      summary: cutText(
        [
          plainText(text).replaceAll(/\s+/g, ' '),
          ...(isTheirs || owner === undefined ? [] : [`(${owner})`]),
        ].join(' '),
        300,
      ),
      description: [`Agreed in: ${digest.title}`, ...(link === undefined ? [] : [link])].join('\n'),
      date,
      stampedAt: digest.startedAt ?? '',
    }));
}
