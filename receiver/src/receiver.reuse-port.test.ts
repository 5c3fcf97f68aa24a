import { expect, it, onTestFinished } from 'vitest';

import { startTestReceiver } from './testing/start-test-receiver.ts';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const canReuse = process.platform === 'linux' && (major > 22 || (major === 22 && minor >= 12));

it('two receivers share one port, and one continues when the other stops', async ({ skip }) => {
  skip(!canReuse, 'needs Linux and Node 22.12 or newer');
  const first = await startTestReceiver({}, {}, { port: 0, reusePort: true });
  const port = Number(new URL(first.url).port);
  const second = await startTestReceiver({}, {}, { port, reusePort: true });
  onTestFinished(() => second.receiver.close());
  expect(second.url).toBe(first.url);
  const isHealthy = async (): Promise<boolean> => {
    const answer = await fetch(`${first.url}/healthz`, { headers: { connection: 'close' } });
    return answer.ok;
  };
  const answers = await Promise.all(Array.from({ length: 40 }, isHealthy));
  expect(answers).not.toContain(false);
  await first.receiver.close();
  expect(await isHealthy()).toBe(true);
});
