import { createGroupedWriter, type RedisBackend } from '@aftermeet/queue';

import { groupSettings } from '../store/group-settings.ts';
import { openRedisLink } from '../store/redis-link.ts';
import { readCompletion } from './completion.ts';
import type { MeetingIndex, MeetingNote, SeenMeeting } from './meeting-index.ts';
import { meetingRetentionMs, notedMeetingsSchema, seenMeetingsSchema } from './read-seen-meeting.ts';
import { noteScript } from './redis-note-script.ts';

/** Opens the index on Redis: a hash for each meeting. */
export function openRedisMeetingIndex(backend: RedisBackend): MeetingIndex {
  const link = openRedisLink(backend);
  const prefix = `{${backend.namespace}}:meeting:`;
  const completedKey = `{${backend.namespace}}:meetings`;
  const notes = createGroupedWriter<MeetingNote, SeenMeeting | null>(async (group) => {
    const args = group.flatMap((note) => {
      const { completedAt, completedAtMs } = readCompletion(note);
      return [note.meetingId, note.nowMs, completedAt, completedAtMs];
    });
    return notedMeetingsSchema.parse(await link.run(noteScript, [prefix, completedKey], args));
  }, groupSettings);

  async function find(meetingIds: readonly string[]): Promise<readonly SeenMeeting[]> {
    // The commands of one turn leave together, and their answers come together.
    const rows = await Promise.all(
      meetingIds.map(async (id) => [
        id,
        ...(await link.ask((client) => client.hmget(`${prefix}${id}`, 'seen_at_ms', 'completed_at'))),
      ]),
    );
    return seenMeetingsSchema.parse(rows.filter(([, seenAt]) => seenAt !== null));
  }

  return {
    note: async (note) => (await notes.write(note)) ?? undefined,
    find: (meetingIds) => find([...new Set(meetingIds)]),
    async list({ fromMs, toMs, limit }) {
      if (limit < 1) return [];
      const range = [fromMs, `(${toMs}`, 'BYSCORE', 'LIMIT', 0, limit] as const;
      return await find(await link.ask((client) => client.zrange(completedKey, ...range)));
    },
    async sweep(nowMs) {
      // Rows expire by themselves, but not what sorts them.
      await link.ask((client) => client.zremrangebyscore(completedKey, '-inf', nowMs - meetingRetentionMs));
    },
    close: () => link.close([notes]),
  };
}
