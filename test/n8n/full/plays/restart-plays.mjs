// What has to be so once n8n was started again; besides, with its older expression engine.
import assert from 'node:assert/strict';

const name = 'probe-trigger';

export const restartPlays = [
  {
    name: 'a delivery from before: 200, and no second run',
    play: async ({ countRuns, redeliver, remembered, readMemory }) => {
      const { deliveryId, memory } = remembered();
      const kept = JSON.stringify(await readMemory(name));
      const before = await countRuns(name);
      const statuses = await redeliver(deliveryId);
      assert.equal(statuses.at(-1), 200);
      const figures = `${String(statuses)}; n8n kept ${kept}, and ${memory} before it was started again`;
      assert.equal(await countRuns(name), before, figures);
    },
  },
  {
    name: 'a new one: one run',
    play: async ({ announce }) => {
      const { answer, execution } = await announce(name);
      assert.deepEqual(answer.statuses, [200]);
      assert.equal(execution.status, 'success');
    },
  },
];
