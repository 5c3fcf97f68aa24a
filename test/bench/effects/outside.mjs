// The process around the measured one: outside.mjs QUEUE-ADDRESS. It fills queues, counts what has become of it,
// delivers, and is Slack. Its tasks are in the files of `outside`.
import { countAll } from './outside/count-all.mjs';
import { deliver } from './outside/deliver.mjs';
import { feed } from './outside/feed.mjs';
import { fillEffects, fillEvents, fillNoops } from './outside/fill.mjs';
import { startSlack } from './outside/slack-emulator.mjs';

const [queueUrl] = process.argv.slice(2);
const slack = await startSlack();

const tasks = {
  fillNoops,
  fillEffects,
  fillEvents,
  countAll,
  feed,
  deliver: (order) => deliver({ ...order, slack }),
  takeSlackCounts: () => slack.takeCounts(),
};

async function reply({ task, ...order }) {
  process.send((await tasks[task]({ ...order, queueUrl })) ?? {});
}

process.on('message', (message) => void reply(message));
process.on('disconnect', () => process.exit());
process.send({ slackUrl: slack.url });
