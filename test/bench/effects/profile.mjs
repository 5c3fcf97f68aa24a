// Where the time of a measured process goes.
import { readFileSync, writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';

/** Starts to sample this process; the function that comes back ends it and writes the profile. */
export async function startProfile(path) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.setSamplingInterval', { interval: 500 });
  await session.post('Profiler.start');
  return async () => {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    writeFileSync(path, JSON.stringify(profile));
  };
}

/** The places that used most time themselves, in parts of the time in which it was busy, in lines for a person. */
export function describeProfile(path, most = 12) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(path, 'utf8'));
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const micros = new Map();
  let total = 0;
  for (const [index, id] of samples.entries()) {
    const { functionName, url, lineNumber } = nodeOf.get(id).callFrame;
    if (functionName === '(idle)') continue;
    const place = url === '' ? '' : ` ${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`;
    const name = `${functionName || '(anonymous)'}${place}`;
    micros.set(name, (micros.get(name) ?? 0) + timeDeltas[index]);
    total += timeDeltas[index];
  }
  const busiest = [...micros].toSorted(([, one], [, other]) => other - one).slice(0, most);
  return [
    `  profile: ${path}`,
    ...busiest.map(([name, spent]) => `    ${((spent / total) * 100).toFixed(1).padStart(5)} % ${name}`),
  ];
}
