import {
  createGroupedWriter,
  isPostgresDataError,
  type Log,
  type PostgresBackend,
  writeGroup,
} from '@aftermeet/queue';
import { z } from 'zod';

import { groupSettings } from '../store/group-settings.ts';
import { openPostgresLink } from '../store/postgres-link.ts';
import { writeRows } from '../store/write-rows.ts';
import { readCompletion } from './completion.ts';
import type { MeetingIndex, MeetingNote, SeenMeeting } from './meeting-index.ts';
import { describeMeetingsSchema, noteFunctionName } from './meetings-schema.ts';
import { meetingRetentionMs, notedMeetingsSchema, seenMeetingsSchema } from './read-seen-meeting.ts';

/** Two groups of notes, and one for everything else. */
const mostConnections = 3;
const rowsSchema = z.array(z.object({ seen: z.unknown() }));

/** Opens the index on PostgreSQL: a row for each meeting. Makes its table and function where they are missing. */
export async function openPostgresMeetingIndex(backend: PostgresBackend, log: Log): Promise<MeetingIndex> {
  const { namespace } = backend;
  const objects = describeMeetingsSchema(namespace);
  const link = await openPostgresLink(backend, { name: 'meetings', mostConnections, objects, log });
  const table = `"${namespace}".meetings`;
  const columns = `json_build_array(meeting_id, seen_at_ms, completed_at) as seen`;

  async function note(group: readonly MeetingNote[]): Promise<readonly (SeenMeeting | null)[]> {
    const { rows } = await link.outlast({
      name: noteFunctionName,
      text: `select "${namespace}".${noteFunctionName}($1) as answers`,
      values: [writeRows(group.map(toRow))],
    });
    return notedMeetingsSchema.parse(rows[0]?.answers);
  }
  const notes = createGroupedWriter<MeetingNote, SeenMeeting | null>(
    (group) => writeGroup(group, note, isPostgresDataError),
    groupSettings,
  );

  async function select(conditions: string, values: readonly unknown[]): Promise<readonly SeenMeeting[]> {
    const { rows } = await link.ask(`select ${columns} from ${table} ${conditions}`, values);
    return seenMeetingsSchema.parse(rowsSchema.parse(rows).map(({ seen }) => seen));
  }

  return {
    note: async (noted) => (await notes.write(noted)) ?? undefined,
    find: (meetingIds) => select('where meeting_id = any ($1)', [meetingIds]),
    list: ({ fromMs, toMs, limit }) =>
      select(
        `where seen_at_ms >= $1 and seen_at_ms < $2 and completed_at <> ''
         order by seen_at_ms, meeting_id limit $3`,
        [fromMs, toMs, Math.max(limit, 0)],
      ),
    // Rows that a note holds are left to the next time.
    sweep: (nowMs) =>
      link.sweep(
        `delete from ${table} where meeting_id = any (array(
           select meeting_id from ${table} where seen_at_ms <= $2 limit $1 for update skip locked))`,
        [nowMs - meetingRetentionMs],
      ),
    close: () => link.close([notes]),
  };
}

/** What the function takes; `at` is its place in the group, from 1. */
function toRow(note: MeetingNote, index: number) {
  const { completedAt, completedAtMs } = readCompletion(note);
  return {
    at: index + 1,
    meeting_id: note.meetingId,
    now_ms: note.nowMs,
    completed_at: completedAt,
    completed_at_ms: completedAtMs,
  };
}
