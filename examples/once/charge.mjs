// Charges an order once, however often it is run: QUEUE_URL=… BANK_URL=… node examples/once/charge.mjs order-42
import { setTimeout as sleep } from 'node:timers/promises';

import { openOnce } from '@aftermeet/recipes';

const { QUEUE_URL: queueUrl = '', BANK_URL: bank = '' } = process.env;
const order = process.argv[2] ?? 'order-1';

const once = await openOnce(queueUrl);
const effect = {
  timeoutMs: 2000,
  send: async ({ key, signal }) => {
    const answer = await fetch(`${bank}/charges/${key}`, { method: 'POST', signal });
    return await answer.text();
  },
  find: async ({ key, signal }) => {
    const answer = await fetch(`${bank}/charges/${key}`, { signal });
    return answer.status === 404 ? undefined : await answer.text();
  },
};
let result = await once.run(order, effect);
while (result.state === 'wait') {
  await sleep(result.forMs);
  result = await once.run(order, effect);
}
process.stdout.write(`${JSON.stringify(result)}\n`);
await once.close();
