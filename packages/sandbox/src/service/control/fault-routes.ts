import type { Router } from 'express';

import { createFaultRouter } from '../../faults/create-fault-router.ts';
import type { SandboxWorld } from '../sandbox-world.ts';

/** `/_sandbox/faults`: of calls and of deliveries. */
export function addFaultRoutes(router: Router, world: SandboxWorld): void {
  router.use('/faults', createFaultRouter([world.callFaults, world.deliveryFaults]));
}
