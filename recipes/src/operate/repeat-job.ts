import type { EffectJob } from '@aftermeet/queue';

import type { OperatorTools } from './operator-tools.ts';

/**
 * Has an effect tried again: its old job where there is one, else a new one. Twice is the same as once, and so is
 * an effect that was sent meanwhile, because the ledger is asked before anything is sent.
 */
export async function repeatJob(
  job: EffectJob,
  { ledger, desk, queue, clock }: Pick<OperatorTools, 'ledger' | 'desk' | 'queue' | 'clock'>,
): Promise<void> {
  await ledger.reopen(job.effectKey, clock());
  const isRepeated = await desk.repeatEffect(job.destination, job.effectKey);
  // A job that goes on by itself keeps its id, so this adds nothing then.
  if (!isRepeated) await queue.addEffects([{ job }]);
}
