import { type AskingTools, askService } from './ask-service.ts';
import type { DigestSource } from './digest-source.ts';
import type { Digest } from './digest.ts';
import type { Ending } from './ending.ts';
import type { RetryLimits } from './pace/retry-later.ts';
import type { MeetingEvent } from './recipe.ts';

/** The digest, or what becomes of the effect without it. */
export type DigestReading = { readonly kind: 'digest'; readonly digest: Digest } | Ending;

export interface ReadingTools extends AskingTools {
  readonly digests: DigestSource;
}

/** A report that is not there after a day does not come. */
const notReadyLimits: RetryLimits = {
  firstWaitMs: 5000,
  longestWaitMs: 5 * 60 * 1000,
  patienceMs: 24 * 60 * 60 * 1000,
};

/** Reads the digest of an event's meeting; one that is not ready is waited for. */
export async function readDigest(event: MeetingEvent, tools: ReadingTools): Promise<DigestReading> {
  const asked = await askService(() => tools.digests.read(event), tools);
  if (asked.kind !== 'answer') return asked;
  if (asked.value.ready) return { kind: 'digest', digest: asked.value.digest };
  return { kind: 'retry', why: 'report_not_ready', cause: 'the report is not ready', limits: notReadyLimits };
}
