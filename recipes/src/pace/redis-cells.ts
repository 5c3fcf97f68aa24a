import type { RedisBackend } from '@aftermeet/queue';
import { z } from 'zod';

import { openRedisLink } from '../store/redis-link.ts';
import { describeScript } from '../store/redis-script.ts';
import type { Cells } from './cells.ts';

/** For each key in ARGV: the known text (empty: none), the next one, milliseconds to keep it. */
const swapScript = describeScript(`
local answers = {}
for at, key in ipairs(KEYS) do
  local found = redis.call('GET', key)
  if found and found ~= ARGV[3 * at - 2] then
    answers[at] = found
  else
    redis.call('SET', key, ARGV[3 * at - 1], 'PX', ARGV[3 * at])
    answers[at] = false
  end
end
return answers
`);

const answersSchema = z.array(z.string().nullable());
const timeSchema = z.tuple([z.coerce.number(), z.coerce.number()]);

/** Cells on Redis: a string for each. Redis forgets them by itself. */
export function openRedisCells(backend: RedisBackend): Cells {
  const link = openRedisLink(backend);
  return {
    async swap(swaps) {
      const keys = swaps.map(({ name }) => `{${backend.namespace}}:${name}`);
      const values = swaps.flatMap(({ known = '', next, keepMs }) => [known, next, Math.ceil(keepMs)]);
      const answers = answersSchema.parse(await link.run(swapScript, keys, values));
      return answers.map((found) => found ?? undefined);
    },
    async readClockMs() {
      const [seconds, micros] = timeSchema.parse(await link.ask((client) => client.time()));
      return seconds * 1000 + micros / 1000;
    },
    sweep: async () => {},
    close: (writers) => link.close(writers),
  };
}
