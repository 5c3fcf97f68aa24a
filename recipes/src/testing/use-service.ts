import { type Client, createClient } from '@aftermeet/client';
import { afterEach, beforeEach } from 'vitest';

import { buildDigest, type Digest } from '../digest.ts';

/** What is asked of a sandbox here; the tests themselves bring it. */
interface PlayedService {
  listen(): Promise<{ readonly url: string }>;
  seed(options: { readonly meetings: number; readonly languages: string[] }): {
    readonly meetingIds: readonly string[];
  };
  close(): Promise<void>;
}

/** A sandbox and a client of it, new for each test. */
export interface ServiceHouse<Sandbox extends PlayedService> {
  readonly sandbox: Sandbox;
  readonly client: Client;
  /** The one meeting that it has, finished. */
  readonly meetingId: string;
  /** Its digest, as it is now. */
  readDigest(): Promise<Digest>;
  /** What its report says it was made with. */
  readTemplates(): Promise<readonly string[]>;
}

/** Gives each test of a file a service of its own. */
export function useService<Sandbox extends PlayedService>(
  createSandbox: (options: { readonly apiKey: string; readonly seed: number }) => Sandbox,
): () => ServiceHouse<Sandbox> {
  let house: ServiceHouse<Sandbox> | undefined;
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
    house = {
      sandbox,
      client,
      meetingId,
      readDigest: async () => buildDigest(await readReport()),
      readTemplates: async () => (await readReport()).templates.map(({ name }) => name),
    };
  });
  afterEach(async () => {
    await house?.sandbox.close();
    house = undefined;
  });
  return () => {
    if (house === undefined) throw new Error('there is no service outside of a test');
    return house;
  };
}
