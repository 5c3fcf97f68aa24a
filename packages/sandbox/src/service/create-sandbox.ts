import { createServer } from 'node:http';

import express from 'express';

import { playFaults } from '../faults/fault-middleware.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { CallFault, DeliveryFault } from '../faults/fault.ts';
import { guardOrigin } from '../web/guard-local.ts';
import { startListening, stopListening, type ListenOptions } from '../web/start-listening.ts';
import type { SandboxClock } from './clock/sandbox-clock.ts';
import { createControlRouter } from './control/create-control-router.ts';
import { createServiceRouter } from './create-service-router.ts';
import { createWorld } from './create-world.ts';
import type { DeliveryView } from './deliveries/delivery.ts';
import type { KnobStore } from './knobs/knob-store.ts';
import { advanceClock } from './life/advance-clock.ts';
import {
  completeMeeting,
  failMeeting,
  type Completion,
  type Failure,
  type Finish,
} from './life/finish-meeting.ts';
import { createMcpRouter } from './mcp/create-mcp-router.ts';
import type { SandboxOptions } from './sandbox-options.ts';
import { seedMeetings, type Seeding } from './seed/seed-meetings.ts';
import { seedSchema, type SeedOptions } from './seed/seed-options.ts';
import { openDataFolder, type DataFolder } from './state/open-data-folder.ts';
import type { UploadView } from './uploads/upload.ts';

/** A stand-in of the service. Its state is in memory, chunks of an upload in a temporary folder, or all of it in the folder of `data`. */
export interface Sandbox {
  /** Starts it; `url` is the base address, without a slash at its end. */
  readonly listen: (options?: ListenOptions) => Promise<{ readonly url: string }>;
  /** As `POST /_sandbox/meetings/:id/complete`; undefined when no meeting has the id. */
  readonly completeMeeting: (meetingId: string, completion?: Completion) => Finish | undefined;
  /** As `POST /_sandbox/meetings/:id/fail`. */
  readonly failMeeting: (meetingId: string, failure?: Failure) => Finish | undefined;
  /** As `POST /_sandbox/seed`: adds finished meetings of the last days. Throws `ZodError` where the route answers 400. */
  readonly seed: (options?: SeedOptions) => Seeding;
  /** Oldest first. */
  readonly deliveries: () => readonly DeliveryView[];
  /** As `POST /_sandbox/deliveries/:id/redeliver`; false when there is no such delivery. */
  readonly redeliver: (deliveryId: string) => boolean;
  /** As `GET /_sandbox/uploads`, oldest first. */
  readonly uploads: () => readonly UploadView[];
  /** The sandbox's time; see `/_sandbox/clock`. */
  readonly clock: Pick<SandboxClock, 'now' | 'advance' | 'change' | 'describe'>;
  readonly knobs: KnobStore;
  readonly callFaults: FaultPlan<CallFault>;
  readonly deliveryFaults: FaultPlan<DeliveryFault>;
  /** The key that it accepts; undefined when that was made by an earlier process, which kept its hash only. */
  readonly key: () => string | undefined;
  /** As `POST /_sandbox/key`: the new key; the old one is invalid at once. */
  readonly changeKey: (key?: string) => string;
  /** Everything is as at the start, but for the time, which goes on; what is under way ends. */
  readonly reset: () => void;
  /** Stops the server, every attempt and every timer. */
  readonly close: () => Promise<void>;
}

/** Makes a sandbox that is not listening yet. Throws `RangeError` on an empty key, a header prefix that no header can have, a time scale or transitions that are none, and `DataFolderError` when the folder of `data` cannot be used. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const folder =
    options.data === undefined ? undefined : openDataFolder(options.data, options.clock ?? Date.now);
  try {
    return buildSandbox(options, folder);
  } catch (error) {
    folder?.journal.close();
    throw error;
  }
}

function buildSandbox(options: SandboxOptions, folder: DataFolder | undefined): Sandbox {
  let ownUrl = '';
  const { world, reset } = createWorld(options, folder, () => ownUrl);
  const { sender, uploads, clock } = world;
  const { allowedHosts = [], links = [] } = options;
  const app = express().disable('x-powered-by').disable('etag');
  app.use(guardOrigin(allowedHosts));
  app.use('/_sandbox', createControlRouter(world, { allowedHosts, links, reset }));
  app.get('/', (_request, response) => {
    response.redirect('/_sandbox');
  });
  const mcp = createMcpRouter(allowedHosts, async () => (await import('./mcp/serve-mcp.ts')).serveMcp(world));
  app.use(
    '/mcp',
    playFaults(world.callFaults, () => 'mcp'),
    mcp.router,
  );
  app.use(createServiceRouter(world));
  const server = createServer(app);
  return {
    async listen(address) {
      ownUrl = `http://${await startListening(server, address)}`;
      sender.resume();
      uploads.resume();
      for (const meeting of world.meetings.list()) world.life.plan(meeting);
      return { url: ownUrl };
    },
    completeMeeting: (meetingId, completion = {}) => completeMeeting(world, meetingId, completion),
    failMeeting: (meetingId, failure = {}) => failMeeting(world, meetingId, failure),
    seed: (wanted = {}) => seedMeetings(world, seedSchema.parse(wanted)),
    deliveries: sender.list,
    redeliver: sender.redeliver,
    uploads: uploads.list,
    clock: { ...clock, advance: (byMs) => advanceClock(world, byMs) },
    knobs: world.knobs,
    callFaults: world.callFaults,
    deliveryFaults: world.deliveryFaults,
    key: world.account.key,
    changeKey: world.account.changeKey,
    reset,
    async close() {
      clock.stop();
      // First: what ends now is kept as it stands.
      folder?.journal.close();
      sender.reset();
      world.life.reset();
      try {
        await Promise.all([stopListening(server), mcp.close()]);
      } finally {
        await uploads.close();
      }
    },
  };
}
