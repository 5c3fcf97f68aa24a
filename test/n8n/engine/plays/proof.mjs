// What proves something has to be able to fail.
import assert from 'node:assert/strict';

import { listOperations } from '../list-operations.mjs';
import { apiKey } from '../open-twins.mjs';
import { playOperation } from '../play-operation.mjs';
import { findLeaks } from '../read-arrived.mjs';

const createTag = { resource: 'tag', operation: 'create', parameters: () => ({ name: 'one' }) };

export const cases = [
  {
    name: "a request that differs from the client's is noticed",
    play: async ({ engine }) => {
      const play = { ...createTag, call: (client) => client.tags.create({ name: 'other' }) };
      await assert.rejects(playOperation(engine, play), /the client sends something else/);
    },
  },
  {
    name: 'a key in the address, in the body and in another header is noticed',
    play: () => {
      const leaks = findLeaks(
        {
          url: `/api/meeting/status?key=${apiKey}`,
          rawHeaders: ['X-API-KEY', apiKey, 'Cookie', `key=${apiKey}`],
          body: Buffer.from(`{"key":"${apiKey}"}`),
        },
        apiKey,
      );
      assert.deepEqual(leaks, ['the address', 'the body', 'the header Cookie']);
    },
  },
  {
    name: 'every operation is in the list of those that need a play',
    play: ({ engine }) => {
      const all = listOperations(engine.describe('aftermeet'));
      assert.ok(all.length >= 15);
      assert.equal(new Set(all).size, all.length);
      assert.ok(all.includes('tag: create'));
    },
  },
];
