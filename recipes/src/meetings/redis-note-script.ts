import { describeScript } from '../store/redis-script.ts';
import { meetingRetentionMs } from './read-seen-meeting.ts';

/**
 * Notes a group of events, one after the other. A meeting is the hash `<prefix><meeting id>`; the second key sorts the
 * ids of the completed ones by the time of their newest event. KEYS: prefix, sorted ids. ARGV: for each event meeting
 * id, now, completion as text and in milliseconds (empty and 0: none). Answers with what was known before each.
 */
export const noteScript = describeScript(`
local prefix, completed = KEYS[1], KEYS[2]
local function note(id, nowText, completedAt, completedAtMs)
  local row = prefix .. id
  local seen, lastAt, lastAtMs = unpack(redis.call('HMGET', row, 'seen_at_ms', 'completed_at', 'completed_at_ms'))
  local before = seen and { id, seen, lastAt or '' } or false
  if seen and tonumber(seen) > tonumber(nowText) then nowText = seen end
  redis.call('HSET', row, 'seen_at_ms', nowText)
  if completedAt ~= '' and (not lastAt or tonumber(completedAtMs) > tonumber(lastAtMs)) then
    redis.call('HSET', row, 'completed_at', completedAt, 'completed_at_ms', completedAtMs)
  end
  redis.call('PEXPIRE', row, ${meetingRetentionMs})
  if completedAt ~= '' or lastAt then redis.call('ZADD', completed, nowText, id) end
  return before
end

local answers = {}
for at = 1, #ARGV, 4 do answers[#answers + 1] = note(ARGV[at], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3]) end
return answers
`);
