import { createSandbox } from '@aftermeet/sandbox';

// A process of its own with a sandbox that keeps its state in a folder: prints `listening` and its address.

const [data = ''] = process.argv.slice(2);
const { url } = await createSandbox({ data }).listen();
process.stdout.write(`listening ${url}\n`);
process.stdin.resume().once('end', () => process.exit());
