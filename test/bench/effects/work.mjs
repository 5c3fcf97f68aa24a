import { readNowMs } from './now.mjs';
import { startProfile } from './profile.mjs';
// The process that is measured: work.mjs WAY OPTIONS. `drain` works off what is waiting in a namespace and tells how
// long it took, by the clock and in CPU; `start`, `times` and `stop` are for measurements that last.
import { createTally } from './tally.mjs';

const [way, options = '{}'] = process.argv.slice(2);
const { start } = await import(`./ways/${way}.mjs`);
const settings = JSON.parse(options);

let running;
let times = [];

const tasks = {
  async drain({ namespace, total, profilePath }) {
    const tally = createTally(total);
    const stopProfile = profilePath === undefined ? undefined : await startProfile(profilePath);
    const worker = await start({ ...settings, namespace, total }, tally);
    const result = await tally.finished;
    await stopProfile?.();
    await worker.close();
    return result;
  },
  async start({ namespace }) {
    times = [];
    const note = (key, meetingId) => times.push([meetingId, readNowMs()]);
    running = await start(
      { ...settings, namespace },
      { onBegin: () => {}, onSent: note, onWait: () => {}, onFailed: fail },
    );
    return {};
  },
  /** When each effect was sent, by its meeting. */
  times: () => ({ times }),
  async stop() {
    await running.close();
    return {};
  },
};

function fail(cause) {
  throw new Error(`an effect has failed: ${cause}`);
}

async function reply({ task, ...order }) {
  process.send(await tasks[task](order));
}

process.on('message', (message) => void reply(message));
process.on('disconnect', () => process.exit());
process.send({ ready: true });
