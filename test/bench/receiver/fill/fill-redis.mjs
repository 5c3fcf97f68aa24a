import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const atOnce = 5000;

/** Adds `count` jobs, copies of the two that are there, with everything that belongs to them. */
export async function fillRedis({ client, settle }, namespace, count) {
  const script = readFileSync(join(import.meta.dirname, 'redis.lua'), 'utf8');
  const keys = await client.keys(`{${namespace}}:*`);
  // Each of the million commands would go to the file as well: it is written anew afterwards instead.
  await client.config('SET', 'appendonly', 'no');
  const first = new Set(keys);
  for (let from = 1; from <= count / 2; from += atOnce) {
    const to = Math.min(from + atOnce - 1, count / 2);
    await client.eval(script, first.size, ...first, from, to);
  }
  await client.config('SET', 'appendonly', 'yes');
  await settle();
}
