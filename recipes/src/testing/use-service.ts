import { type Client, createClient } from '@aftermeet/client';
import { afterEach, beforeEach } from 'vitest';

import { buildDigest, type Digest } from '../report/digest.ts';

/** The part of a sandbox that is used here; the tests create it. */
interface EmulatedService {
  listen(): Promise<{ readonly url: string }>;
  seed(options: { readonly meetings: number; readonly languages: string[] }): {
    readonly meetingIds: readonly string[];
  };
  close(): Promise<void>;
}

/** A sandbox and a client of it, new for each test. */
export interface ServiceHarness<Sandbox extends EmulatedService> {
  readonly sandbox: Sandbox;
  readonly client: Client;
  /** The one meeting that it has, finished. */
  readonly meetingId: string;
  /** Its digest, as it is now. */
  readDigest(): Promise<Digest>;
  /** What its report says it was made with. */
  readTemplates(): Promise<readonly string[]>;
}

/** Starts a sandbox for each test of a file. */
export function useService<Sandbox extends EmulatedService>(
  createSandbox: (options: { readonly apiKey: string; readonly seed: number }) => Sandbox,
): () => ServiceHarness<Sandbox> {
  let harness: ServiceHarness<Sandbox> | undefined;
  beforeEach(async () => {
    const sandbox = createSandbox({ apiKey: 'key', seed: 1 });
    const { url } = await sandbox.listen();
    const client = createClient({ baseUrl: url, apiKey: 'key', retries: 0, timeoutMs: 30_000 });
    const [meetingId = ''] = sandbox.seed({ meetings: 1, languages: ['en'] }).meetingIds;
    const readReport = async () => {
      const answer = await client.reports.get(meetingId);
      if (!answer.ready) throw new Error('the report is not ready');
      return answer.report;
    };
    harness = {
      sandbox,
      client,
      meetingId,
      readDigest: async () => buildDigest(await readReport()),
      readTemplates: async () => (await readReport()).templates.map(({ name }) => name),
    };
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
