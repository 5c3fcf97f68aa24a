import type { Router } from 'express';

import type { SandboxWorld } from '../sandbox-world.ts';

/** `/_sandbox/uploads`: what was uploaded, and how far. */
export function addUploadRoutes(router: Router, world: SandboxWorld): void {
  router.get('/uploads', (_request, response) => {
    response.json({ uploads: world.uploads.list() });
  });
}
