import type { Account } from './account.ts';
import type { SandboxClock } from './clock.ts';
import type { CallFault, DeliveryFault, FaultPlan } from './faults.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { MeetingStore } from './meetings.ts';
import type { DefaultWebhook, SandboxStep } from './sandbox-options.ts';
import type { ServiceOptionStore } from './service-options.ts';
import type { TagStore } from './tags.ts';
import type { UploadStore } from './uploads/upload-store.ts';
import type { WebhookSender } from './webhooks/webhook-sender.ts';

/** Everything that a handler uses. */
export interface AppState {
  readonly meetings: MeetingStore;
  readonly tags: TagStore;
  readonly uploads: UploadStore;
  readonly sender: WebhookSender;
  readonly account: Account;
  readonly options: ServiceOptionStore;
  readonly lifecycle: Lifecycle;
  readonly clock: SandboxClock;
  readonly faults: FaultPlan<CallFault | DeliveryFault>;
  readonly makeId: () => string;
  readonly observe: (step: SandboxStep) => void;
  /** The base address of the sandbox, without a slash at its end. */
  readonly baseUrl: () => string;
  /** Where the events of meetings go that are made without an address on the page or by a control route. */
  readonly defaultWebhook: DefaultWebhook | undefined;
}
