import type { WebhookSender } from './create-webhook-sender.ts';
import type { MeetingStore } from './meeting-store.ts';
import type { SandboxStep } from './sandbox-step.ts';
import type { TagStore } from './tags/tag-store.ts';
import type { UploadStore } from './uploads/upload-store.ts';

/** Everything an operation may touch. */
export interface SandboxWorld {
  readonly meetings: MeetingStore;
  readonly tags: TagStore;
  readonly uploads: UploadStore;
  readonly sender: WebhookSender;
  /** Unix milliseconds. */
  readonly clock: () => number;
  readonly makeId: () => string;
  readonly observe: (step: SandboxStep) => void;
  /** The sandbox's own base address, without a slash at its end. */
  readonly baseUrl: () => string;
}
