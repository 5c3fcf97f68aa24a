import { expect, it } from 'vitest';

import { findRoom } from './redis-room.ts';

const info = (lines: Readonly<Record<string, string | number>>): string =>
  `# Memory\r\n${Object.entries({ maxmemory_policy: 'noeviction', ...lines })
    .map(([name, value]) => `${name}:${value}\r\n`)
    .join('')}`;
const nothing = { events: 0, effects: 0 };

it.each([
  [{ maxmemory: 20_000_000, used_memory: 2_000_000 }, nothing, 9_611_392],
  [{ maxmemory: 20_000_000, used_memory: 2_000_000 }, { events: 100, effects: 10 }, 6_273_152],
  [{ maxmemory: 20_000_000, used_memory: 2_000_000 }, { events: 600, effects: 0 }, -10_049_408],
  // Buffers of replicas do not count towards the limit.
  [{ maxmemory: 20_000_000, used_memory: 2_500_000, mem_not_counted_for_evict: 500_000 }, nothing, 9_611_392],
  [{ maxmemory: 0, used_memory: 2_000_000 }, { events: 600, effects: 0 }, Infinity],
  [{ used_memory: 2_000_000 }, nothing, Infinity],
  [{ maxmemory: 1, used_memory: 2_000_000, maxmemory_policy: 'allkeys-lru' }, nothing, Infinity],
])('finds the room for deliveries: %j, %j', (lines, backlog, room) => {
  expect(findRoom(info(lines), backlog)).toBe(room);
});
