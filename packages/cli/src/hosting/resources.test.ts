import { expect, it } from 'vitest';

import { serve } from '../testing/serve.ts';
import { listenNear } from './resources.ts';

it('listens on a free port where its own is taken, and tells both', async () => {
  const asked: number[] = [];
  const told: unknown[] = [];
  const listen = async (port: number) => {
    asked.push(port);
    if (port === 4010) throw Object.assign(new Error('taken'), { code: 'EADDRINUSE', port: 4012 });
    return await serve((_request, response) => void response.end());
  };
  const server = await listenNear(listen, 4010, (taken, { url }) => told.push([taken, url]));
  await server.close();
  // The port that is named is the one that was taken, not the first of several.
  expect(told).toEqual([[4012, server.url]]);
  expect(asked).toEqual([4010, 0]);
  const free = await listenNear(listen, 4009, () => told.push('taken'));
  await free.close();
  expect(told).toHaveLength(1);
});
