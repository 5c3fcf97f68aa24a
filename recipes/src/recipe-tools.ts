import type { EffectJob, JobQueue, Log } from '@aftermeet/queue';

import type { AlertGate } from './alert-gate.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Carriers } from './open-carriers.ts';
import type { Lanes } from './pace/lanes.ts';
import type { DeliveryPolicies } from './pace/policy.ts';
import type { PeriodSource } from './period-source.ts';
import type { ReadingTools } from './read-digest.ts';
import type { BoundRecipe, MeetingEvent } from './recipe.ts';
import type { WorkerStep } from './worker-step.ts';

/** What running the effects of recipes needs. */
export interface RecipeTools extends ReadingTools {
  readonly workspace: string;
  readonly recipes: ReadonlyMap<string, BoundRecipe>;
  readonly carriers: Carriers;
  readonly ledger: Ledger;
  readonly lanes: Lanes;
  readonly queue: Pick<JobQueue, 'addEffects'>;
  readonly policies: DeliveryPolicies;
  readonly periods: PeriodSource;
  readonly alertGate: AlertGate;
  /** Tells whoever wants to hear of it that an effect has failed. */
  readonly alertOfFailure: (failed: EffectJob, cause: string) => Promise<void>;
  /** Tells whoever wants to hear of it that a report has no transcript. */
  readonly alertOfEmptiness: (event: MeetingEvent) => Promise<void>;
  readonly log: Log;
  readonly observe: (step: WorkerStep) => void;
  /** At least 0, less than 1. */
  readonly random: () => number;
}
