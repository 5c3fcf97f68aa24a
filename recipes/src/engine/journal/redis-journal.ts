import type { RedisBackend } from '@aftermeet/queue';

import { openRedisLink } from '../store/redis-link.ts';
import {
  groupNotes,
  type Journal,
  JOURNAL_KEPT_MS,
  MAX_ATTEMPTS,
  MAX_MEETING_ENTRIES,
  nameEffect,
  nameMeeting,
  readAttempts,
  readMeetingEntries,
} from './journal.ts';
import { createNoteBuffer } from './note-buffer.ts';

/** Opens the journal on Redis: a list for each subject, and the meetings sorted by their newest note. */
export function openRedisJournal(backend: RedisBackend): Journal {
  const link = openRedisLink(backend);
  const prefix = `{${backend.namespace}}:journal:`;
  const recentKey = `{${backend.namespace}}:journal`;
  const writer = createNoteBuffer(async (group) => {
    await link.ask(async (client) => {
      const pipeline = client.pipeline();
      for (const { subject, meetingId, atMs, notes } of groupNotes(group)) {
        const key = `${prefix}${subject}`;
        pipeline.rpush(key, ...notes.map((note) => JSON.stringify(note)));
        pipeline.ltrim(key, meetingId === undefined ? -MAX_ATTEMPTS : -MAX_MEETING_ENTRIES, -1);
        pipeline.pexpire(key, JOURNAL_KEPT_MS);
        if (meetingId !== undefined) pipeline.zadd(recentKey, 'GT', atMs, meetingId);
      }
      return await pipeline.exec();
    });
  });

  /** The commands of one turn leave together. */
  async function read(subjects: readonly string[]): Promise<readonly (readonly unknown[])[]> {
    return await Promise.all(
      subjects.map(async (subject) =>
        (await link.ask((client) => client.lrange(`${prefix}${subject}`, 0, -1))).map(parseNote),
      ),
    );
  }

  return {
    note: writer.note,
    readMeetings: async (ids) => (await read(ids.map(nameMeeting))).map(readMeetingEntries),
    readEffects: async (keys) => (await read(keys.map(nameEffect))).map(readAttempts),
    async listMeetings({ limit, after, untilMs = Number.POSITIVE_INFINITY }) {
      if (limit < 1) return [];
      const max = Math.min(untilMs, after?.atMs ?? Number.POSITIVE_INFINITY);
      const upTo = max === Number.POSITIVE_INFINITY ? '+inf' : max;
      // Those of the same moment as the place are sorted by name, descending: some of them may be before it.
      const same = after === undefined ? 0 : await link.ask((client) => client.zcount(recentKey, upTo, upTo));
      const found = await link.ask((client) =>
        client.zrange(recentKey, upTo, '-inf', 'BYSCORE', 'REV', 'LIMIT', 0, limit + same, 'WITHSCORES'),
      );
      const places = pair(found);
      const rest = after === undefined ? places : places.filter((place) => comesAfter(place, after));
      return rest.slice(0, limit);
    },
    async forget(meetingId, effectKeys) {
      await writer.flush();
      const subjects = [nameMeeting(meetingId), ...effectKeys.map(nameEffect)];
      await link.ask(async (client) => {
        const pipeline = client.pipeline();
        for (const subject of subjects) pipeline.del(`${prefix}${subject}`);
        pipeline.zrem(recentKey, meetingId);
        return await pipeline.exec();
      });
    },
    async sweep(nowMs) {
      await link.ask((client) => client.zremrangebyscore(recentKey, '-inf', nowMs - JOURNAL_KEPT_MS));
    },
    close: () => link.close([writer]),
  };
}

function parseNote(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function pair(found: readonly string[]) {
  const places: { readonly meetingId: string; readonly atMs: number }[] = [];
  for (let at = 0; at + 1 < found.length; at += 2) {
    places.push({ meetingId: found[at] ?? '', atMs: Number(found[at + 1]) });
  }
  return places;
}

/** Redis sorts members of one score by their bytes. */
function comesAfter(
  place: { readonly meetingId: string; readonly atMs: number },
  after: { readonly meetingId: string; readonly atMs: number },
): boolean {
  if (place.atMs !== after.atMs) return place.atMs < after.atMs;
  return Buffer.compare(Buffer.from(place.meetingId), Buffer.from(after.meetingId)) < 0;
}
