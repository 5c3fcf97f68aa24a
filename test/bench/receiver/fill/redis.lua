-- Copies of what two real deliveries left behind, whatever that is: every identifier (64 hexadecimal digits) in the name
-- of a key, in a member or in a short value becomes another one, the same for the same identifier.
-- KEYS: all keys of the namespace. ARGV: the numbers of the first and the last copy.
local identifier = string.rep('%x', 64)
-- What stands before, between and after the identifiers of a text is found once, not for each copy.
local known = {}
local function split(text)
  local parts, at = {}, 1
  for from, id, to in string.gmatch(text, '()(' .. identifier .. ')()') do
    table.insert(parts, { before = string.sub(text, at, from - 1), id = id, rest = string.sub(id, 41) })
    at = to
  end
  return { parts = parts, after = string.sub(text, at) }
end
local function rename(text, copy)
  known[text] = known[text] or split(text)
  local renamed = ''
  for _, part in ipairs(known[text].parts) do
    renamed = renamed .. part.before .. redis.sha1hex(copy .. part.id) .. part.rest
  end
  return renamed .. known[text].after
end
local found = {}
local function named(text)
  if found[text] == nil then found[text] = #text < 512 and string.find(text, identifier) ~= nil end
  return found[text]
end

local sources = {}
for _, key in ipairs(KEYS) do
  local kind = redis.call('TYPE', key).ok
  local source = { key = key, kind = kind, isOwn = named(key), values = {} }
  if kind == 'hash' then source.values = redis.call('HGETALL', key) end
  if kind == 'string' then source.values = { redis.call('GET', key) } end
  if kind == 'list' then source.values = redis.call('LRANGE', key, 0, 1) end
  if kind == 'set' then source.values = redis.call('SRANDMEMBER', key, 2) end
  if kind == 'zset' then source.values = redis.call('ZRANGE', key, 0, 1, 'WITHSCORES') end
  source.ttl = redis.call('PTTL', key)
  table.insert(sources, source)
end

for copy = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  for _, source in ipairs(sources) do
    local key = rename(source.key, copy)
    local values = source.values
    if source.kind == 'string' and source.isOwn then
      local value = named(values[1]) and rename(values[1], copy) or values[1]
      if source.ttl > 0 then redis.call('SET', key, value, 'PX', source.ttl)
      else redis.call('SET', key, value) end
    elseif source.kind == 'hash' and source.isOwn then
      redis.call('HSET', key, unpack(values))
      if source.ttl > 0 then redis.call('PEXPIRE', key, source.ttl) end
    else
      local step = (source.kind == 'zset' or source.kind == 'hash') and 2 or 1
      for at = 1, #values, step do
        if named(values[at]) then
          local member = rename(values[at], copy)
          if source.kind == 'list' then redis.call('RPUSH', key, member) end
          if source.kind == 'set' then redis.call('SADD', key, member) end
          if source.kind == 'zset' then redis.call('ZADD', key, values[at + 1], member) end
          if source.kind == 'hash' then redis.call('HSET', key, member, values[at + 1]) end
        end
      end
    end
  end
end
