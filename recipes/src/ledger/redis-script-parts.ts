import { retentionMs } from './retention.ts';

/**
 * What the ledger's scripts share. KEYS[1] is what every key of the ledger begins with; it puts them into one slot of
 * a cluster. An effect is the hash `<prefix><effect key>`; a subject the hash `<prefix>subject:<key>` with what was
 * sent last and a field for each effect that is sending or unknown, named by its bare key: Redis keeps a hash small
 * whose names have at most 64 characters. `<prefix>state:<state>` sorts the keys of the effects by their last change.
 * In a hash an empty text is the same as none.
 */
export const scriptParts = `
local call, prefix = redis.call, KEYS[1]
local keepMs = { ${Object.entries(retentionMs)
  .map(([state, forMs]) => `${state} = '${forMs}'`)
  .join(', ')} }

-- Only a lease that is over is settled by somebody who doesn't hold it.
local function isStranded(state, lease, nowText) return state == 'sending' and tonumber(lease) <= tonumber(nowText) end

local function subjectOf(key) return prefix .. 'subject:' .. key end

-- Files an effect under its state, and lets its row expire or not.
local function enter(key, from, to, nowText)
  if from and from ~= to then call('ZREM', prefix .. 'state:' .. from, key) end
  call('ZADD', prefix .. 'state:' .. to, nowText, key)
  if keepMs[to] then
    call('PEXPIRE', prefix .. key, keepMs[to])
  elseif from and keepMs[from] then
    call('PERSIST', prefix .. key)
  end
end

-- The effect is neither sending nor unknown any more.
local function closeSubject(subject, key)
  if subject and subject ~= '' then call('HDEL', subjectOf(subject), key) end
end

local function rememberSent(subject, key, reference, edition, contentHash, occurredAtMs)
  if not subject or subject == '' then return end
  local name = subjectOf(subject)
  call('HSET', name, 'effect', key, 'reference', reference or '', 'edition', edition or '', 'content_hash',
    contentHash or '', 'occurred_at_ms', occurredAtMs or '0')
  call('PEXPIRE', name, keepMs.sent)
end
`;
