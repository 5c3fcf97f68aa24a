import { createInterface } from 'node:readline';

import { claimNamespace, createInbox, openBackend, silentLog } from '@aftermeet/queue';

// A process of its own that uses a queue, told by lines on its input what to do:
//   accept ID      answers `accepted ID`, `duplicate ID` or `unavailable ID`
//   flood          accepts without end and prints each id right after the store confirmed it
//   claim HOLDER   claims the namespace: `claimed true` or `claimed false`
//   close          closes everything and ends

const [queueUrl = ''] = process.argv.slice(2);
const beganMs = performance.now();
const backend = await openBackend(queueUrl, { log: silentLog });
const openedMs = performance.now() - beganMs;
const inbox = await createInbox(backend, { log: silentLog });
say(`open ${Math.round(openedMs)}`);

for await (const line of createInterface({ input: process.stdin })) {
  const [command, id = ''] = line.split(' ');
  if (command === 'accept') say(`${await accept(id).catch(() => 'unavailable')} ${id}`);
  if (command === 'claim') {
    say(`claimed ${(await claimNamespace(backend, { holder: id, log: silentLog })).ok}`);
  }
  if (command === 'flood') for (let stream = 0; stream < 16; stream++) void flood(stream);
  if (command === 'close') break;
}
await inbox.close();
await backend.close();
say('closed');
process.stdin.destroy(); // An open input would keep the process.

async function accept(id: string): Promise<'accepted' | 'duplicate'> {
  const { kind } = await inbox.accept({
    jobId: id,
    job: { endpoint: 'default', receivedAt: '2026-11-21T09:30:00.000Z', body: '{}' },
    keepSeconds: 600,
  });
  return kind;
}

async function flood(stream: number): Promise<void> {
  for (let index = 0; ; index++) {
    const id = `f${process.pid}-${stream}-${index}`;
    await accept(id);
    say(id);
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
