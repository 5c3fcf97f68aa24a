// A process of its own that delivers: `prepare` makes requests, `closed`, `open` and `burst` send some of them.
import { prepareDeliveries } from './deliveries.mjs';
import { runClosedLoop } from './load/closed-loop.mjs';
import { runOpenLoop } from './load/open-loop.mjs';

let requests;

const tasks = {
  prepare({ scheme, count }) {
    requests = undefined;
    requests = prepareDeliveries(scheme, count);
    return {};
  },
  closed: (order) => runClosedLoop(order, requests),
  open: (order) => runOpenLoop(order, requests),
  burst: (order) => runClosedLoop(order, requests, { retries: true }),
};

async function reply({ task, ...order }) {
  process.send(await tasks[task](order));
}

process.on('message', (message) => void reply(message));
process.on('disconnect', () => process.exit());
process.send({ ready: true });
