import type { Digest } from '../report/digest.ts';
import { listMarks, setMark } from './store/shared-marks.ts';
import type { SharedStore } from './store/shared-store.ts';
import { hashText } from './store/store-tools.ts';

/** As long as the ledger knows what was sent. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

interface MeetingTask {
  readonly meetingId: string;
  /** Of the digest. */
  readonly taskKey: string;
}

/** Notes that a person has done a task of a meeting, or has not. Answers whether that changed anything. */
export async function setTaskDone(
  store: Pick<SharedStore, 'swap' | 'read'>,
  {
    meetingId,
    taskKey,
    isDone,
    ...by
  }: MeetingTask & { readonly isDone: boolean; readonly who: string; readonly nowMs: number },
): Promise<boolean> {
  return await setMark(store, nameRecord(meetingId), { key: taskKey, isSet: isDone, keepMs: KEPT_MS, ...by });
}

/** The keys of the tasks of a meeting that people have done. */
export async function readDoneTasks(
  store: Pick<SharedStore, 'read'>,
  meetingId: string,
): Promise<ReadonlySet<string>> {
  return new Set((await listMarks(store, nameRecord(meetingId))).map(({ key }) => key));
}

export async function forgetDoneTasks(
  store: Pick<SharedStore, 'swap' | 'read'>,
  meetingId: string,
  nowMs: number,
): Promise<void> {
  for (const taskKey of await readDoneTasks(store, meetingId)) {
    await setTaskDone(store, { meetingId, taskKey, isDone: false, who: 'aftermeet forget', nowMs });
  }
}

/** The digest with these tasks done, unless the report says how they ended. Pure. */
export function markDone(digest: Digest, done: ReadonlySet<string>): Digest {
  if (done.size === 0) return digest;
  const taskGroups = digest.taskGroups.map((group) => ({
    ...group,
    tasks: group.tasks.map((task) =>
      task.state === undefined && done.has(task.key) ? { ...task, state: 'done' as const } : task,
    ),
  }));
  return { ...digest, taskGroups };
}

function nameRecord(meetingId: string): string {
  return `done-tasks:${hashText(meetingId).slice(0, 32)}`;
}
