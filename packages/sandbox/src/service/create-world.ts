import { deliveryHeaderNames } from '@aftermeet/webhooks';

import { createFaultNumbers } from '../faults/fault-numbers.ts';
import { createCallFaultPlan, createDeliveryFaultPlan } from '../faults/fault-plan.ts';
import { createAccount } from './account/account.ts';
import { callTargets } from './call-targets.ts';
import { keepTime } from './clock/kept-time.ts';
import { createSandboxClock } from './clock/sandbox-clock.ts';
import { createIdMaker } from './create-id-maker.ts';
import { createWebhookSender } from './deliveries/create-webhook-sender.ts';
import { createKnobStore } from './knobs/knob-store.ts';
import { createMeetingLife } from './life/meeting-life.ts';
import { moveMeeting } from './life/move-meeting.ts';
import { readTransitions } from './life/transitions.ts';
import { createMeetingStore } from './meeting-store.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import type { SandboxWorld } from './sandbox-world.ts';
import { noJournal } from './state/journal.ts';
import type { DataFolder } from './state/open-data-folder.ts';
import { createTagStore } from './tags/tag-store.ts';
import { createUploadStore } from './uploads/upload-store.ts';

const minuteMs = 60_000;
const observedRetryDelaysMs = [1, 5, 15, 60, 180].map((minutes) => minutes * minuteMs);
const observedTimeoutMs = 10_000;

/** What one sandbox is made of. */
interface SandboxParts {
  readonly world: SandboxWorld;
  /** Everything is as at the start, but for the time; a later process finds all of it so or nothing. */
  readonly reset: () => void;
}

/** Makes what the operations of one sandbox share. `ownUrl` is the address at which it listens. Throws as `createSandbox` does. */
export function createWorld(
  options: SandboxOptions,
  folder: DataFolder | undefined,
  ownUrl: () => string,
): SandboxParts {
  const { apiKey, observe = () => {}, headerPrefix = 'X-Service', seed } = options;
  if (apiKey === '') throw new RangeError('The API key is empty; leave it out to use sandbox_key.');
  const names = deliveryHeaderNames(headerPrefix);
  const journal = folder?.journal ?? noJournal;
  const keptTime = folder && keepTime(journal);
  const clock = createSandboxClock(options.clock ?? Date.now, options.timeScale, keptTime);
  const makeId = createIdMaker(seed, journal);
  const numbers = createFaultNumbers();
  const sender = createWebhookSender({
    names,
    timeoutMs: options.deliveryTimeoutMs ?? observedTimeoutMs,
    allowRemoteReceivers: options.allowRemoteReceivers ?? false,
    retryDelaysMs: options.retryDelaysMs ?? observedRetryDelaysMs,
    resign: options.resign ?? true,
    clock,
    journal,
    takeFault: () => world.deliveryFaults.take('deliveries'),
    observe,
  });
  const meetings = createMeetingStore(journal);
  const tags = createTagStore(journal);
  const knobs = createKnobStore(options.knobs, journal);
  const uploads = createUploadStore({
    journal,
    files: folder?.files,
    clock,
    lifetimeHours: () => knobs.read().uploadLifetimeHours,
  });
  const world: SandboxWorld = {
    meetings,
    tags,
    uploads,
    sender,
    account: createAccount({ givenKey: apiKey, makeId, now: clock.now, knobs, journal }),
    knobs,
    life: createMeetingLife({
      transitions: readTransitions(options.transitions),
      clock,
      find: meetings.find,
      move: (meeting) => moveMeeting(world, meeting),
    }),
    clock,
    callFaults: createCallFaultPlan({ targets: callTargets, seed, numbers }),
    deliveryFaults: createDeliveryFaultPlan({ seed, numbers }),
    makeId,
    together: journal.together,
    observe,
    baseUrl: () => options.publicUrl ?? ownUrl(),
  };
  const forget = (): void => {
    meetings.clear();
    tags.clear();
    sender.reset();
    world.life.reset();
    clock.reset();
    world.account.reset();
    knobs.reset();
    world.callFaults.reset();
    world.deliveryFaults.reset();
    numbers.restart();
    // The files go in the background; closing waits for them.
    uploads.clear().catch(() => {});
  };
  return { world, reset: () => journal.together(forget) };
}
