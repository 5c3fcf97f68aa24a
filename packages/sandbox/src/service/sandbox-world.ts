import type { FaultPlan } from '../faults/fault-plan.ts';
import type { CallFault, DeliveryFault } from '../faults/fault.ts';
import type { Account } from './account/account.ts';
import type { SandboxClock } from './clock/sandbox-clock.ts';
import type { WebhookSender } from './deliveries/create-webhook-sender.ts';
import type { KnobStore } from './knobs/knob-store.ts';
import type { MeetingLife } from './life/meeting-life.ts';
import type { MeetingStore } from './meeting-store.ts';
import type { SandboxStep } from './sandbox-step.ts';
import type { Journal } from './state/journal.ts';
import type { TagStore } from './tags/tag-store.ts';
import type { UploadStore } from './uploads/upload-store.ts';

/** Everything an operation may touch. */
export interface SandboxWorld {
  readonly meetings: MeetingStore;
  readonly tags: TagStore;
  readonly uploads: UploadStore;
  readonly sender: WebhookSender;
  readonly account: Account;
  readonly knobs: KnobStore;
  readonly life: MeetingLife;
  readonly clock: SandboxClock;
  readonly callFaults: FaultPlan<CallFault>;
  readonly deliveryFaults: FaultPlan<DeliveryFault>;
  readonly makeId: () => string;
  readonly together: Journal['together'];
  readonly observe: (step: SandboxStep) => void;
  /** The sandbox's own base address, without a slash at its end. */
  readonly baseUrl: () => string;
}
