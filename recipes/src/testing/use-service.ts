import { type Client, createClient } from '@aftermeet/client';
import { createSandbox, type Sandbox } from '@aftermeet/sandbox';
import { afterEach, beforeEach } from 'vitest';

import { buildDigest, type Digest } from '../report/digest.ts';

/** A sandbox and a client of it, new for each test. */
interface ServiceHarness {
  readonly sandbox: Sandbox;
  readonly client: Client;
  /** The one meeting that it has, finished. */
  readonly meetingId: string;
  /** Its digest, as it is now. */
  readDigest(): Promise<Digest>;
}

/** Starts a sandbox for each test of a file. */
export function useService(): () => ServiceHarness {
  let harness: ServiceHarness | undefined;
  beforeEach(async () => {
    const sandbox = createSandbox({ apiKey: 'key', seed: 1 });
    const { url } = await sandbox.listen();
    const client = createClient({ baseUrl: url, apiKey: 'key', retries: 0, timeoutMs: 30_000 });
    const [meetingId = ''] = sandbox.seed({ meetings: 1, languages: ['en'] }).meetingIds;
    const readDigest = async () => {
      const answer = await client.reports.get(meetingId);
      if (!answer.ready) throw new Error('the report is not ready');
      return buildDigest(answer.report);
    };
    harness = { sandbox, client, meetingId, readDigest };
  });
  afterEach(async () => {
    await harness?.sandbox.close();
    harness = undefined;
  });
  return () => {
    if (harness === undefined) throw new Error('there is no service outside of a test');
    return harness;
  };
}
