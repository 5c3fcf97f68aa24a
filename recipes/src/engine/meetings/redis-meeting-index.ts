import { createGroupedWriter, type RedisBackend, defineRedisScript } from '@aftermeet/queue';

import { openRedisLink } from '../store/redis-link.ts';
import { groupSettings } from '../store/store-tools.ts';
import {
  type MeetingIndex,
  type MeetingNote,
  meetingRetentionMs,
  orderRetentionMs,
  notedMeetingsSchema,
  readCompletion,
  type SeenMeeting,
  seenMeetingsSchema,
} from './meeting-index.ts';

/** Opens the index on Redis: a hash for each meeting. */
export function openRedisMeetingIndex(backend: RedisBackend): MeetingIndex {
  const link = openRedisLink(backend);
  const prefix = `{${backend.namespace}}:meeting:`;
  const completedKey = `{${backend.namespace}}:meetings`;
  const orderPrefix = `{${backend.namespace}}:order:`;
  const notes = createGroupedWriter<MeetingNote, SeenMeeting | null>(async (group) => {
    const args = group.flatMap((note) => {
      const { completedAt, completedAtMs } = readCompletion(note);
      const { meetingId, nowMs, endpoint, isUnsigned = false } = note;
      return [meetingId, nowMs, completedAt, completedAtMs, endpoint, isUnsigned ? 1 : 0];
    });
    return notedMeetingsSchema.parse(
      await link.run(
        noteScript,
        [completedKey, ...group.map(({ meetingId }) => `${prefix}${meetingId}`)],
        args,
      ),
    );
  }, groupSettings);

  async function find(meetingIds: readonly string[]): Promise<readonly SeenMeeting[]> {
    // The commands of one turn leave together, and their answers come together.
    const rows = await Promise.all(
      meetingIds.map(async (id) => [
        id,
        ...(await link.ask((client) =>
          client.hmget(`${prefix}${id}`, 'seen_at_ms', 'completed_at', 'endpoint'),
        )),
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
    async noteOrder({ meetingId, endpoint }) {
      await link.ask((client) => client.set(`${orderPrefix}${meetingId}`, endpoint, 'PX', orderRetentionMs));
    },
    async findOrders(meetingIds) {
      const ids = [...new Set(meetingIds)];
      if (ids.length === 0) return new Map();
      const found = await link.ask((client) => client.mget(ids.map((id) => `${orderPrefix}${id}`)));
      return new Map(
        ids.flatMap((id, index) => {
          const endpoint = found[index];
          return typeof endpoint === 'string' ? [[id, endpoint] as const] : [];
        }),
      );
    },
    async sweep(nowMs) {
      // Rows expire by themselves, but not what sorts them.
      await link.ask((client) => client.zremrangebyscore(completedKey, '-inf', nowMs - meetingRetentionMs));
    },
    close: () => link.close([notes]),
  };
}

/**
 * Notes a group of events, one after the other. A meeting is the hash `<prefix><meeting id>`; the first key sorts the
 * ids of the completed ones by the time of their newest event. KEYS: sorted ids, then the meeting of each event. ARGV: for
 * each event meeting id, now, completion as text and in milliseconds (empty and 0: none), endpoint, and 1 if it is not signed.
 * Answers with what was known before each.
 */
const noteScript = defineRedisScript(`
local completed = KEYS[1]
local function note(row, id, nowText, completedAt, completedAtMs, endpoint, isUnsigned)
  local seen, lastAt, lastAtMs, known = unpack(
    redis.call('HMGET', row, 'seen_at_ms', 'completed_at', 'completed_at_ms', 'endpoint'))
  local before = seen and { id, seen, lastAt or '', known or '' } or false
  if seen and tonumber(seen) > tonumber(nowText) then nowText = seen end
  redis.call('HSET', row, 'seen_at_ms', nowText)
  if isUnsigned == '0' or not known then redis.call('HSET', row, 'endpoint', endpoint) end
  if completedAt ~= '' and (not lastAt or tonumber(completedAtMs) > tonumber(lastAtMs)) then
    redis.call('HSET', row, 'completed_at', completedAt, 'completed_at_ms', completedAtMs)
  end
  redis.call('PEXPIRE', row, ${meetingRetentionMs})
  if completedAt ~= '' or lastAt then redis.call('ZADD', completed, nowText, id) end
  return before
end

local answers = {}
for nth = 2, #KEYS do
  local at = 6 * nth - 11
  answers[nth - 1] = note(KEYS[nth], ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3], ARGV[at + 4], ARGV[at + 5])
end
return answers
`);
