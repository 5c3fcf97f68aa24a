// A process of a benchmark: child.mjs FILE ROLE OPTIONS. A role is an exported function of a file of this folder. What it
// resolves with is a greeting, tasks that are asked for over IPC, one at a time, and how to close.
import { readPeakMb } from './processes.mjs';

const [file, role, options] = process.argv.slice(2);
const { [role]: start } = await import(`./${file}`);
const { greeting = {}, close, ...own } = await start(JSON.parse(options));
const tasks = { usage: readUsage, ...own };

function readUsage() {
  const { user, system } = process.cpuUsage();
  return { cpuMicros: user + system, peakMb: readPeakMb(process.pid) };
}

async function reply({ task, order }) {
  process.send((await tasks[task](order)) ?? {});
}

async function end() {
  await close?.();
  process.exit();
}

process.on('message', (message) => void reply(message));
process.on('disconnect', () => void end());
process.send(greeting);
