import { spawnSync } from 'node:child_process';

import { describe } from 'vitest';

import { nameMissingSuite } from './missing-suite.ts';

/**
 * A suite that needs a program of this machine. Where it is missing, the suite is skipped and the last lines of
 * the run say so; with AFTERMEET_REQUIRE_ALL=1 it fails.
 */
export function describeWithProgram(program: string, title: string, suite: () => void): void {
  const isThere = spawnSync(program, ['--version']).status === 0;
  const server = { reason: `no ${program} on the PATH`, command: `apt-get install ${program}` };
  if (!isThere && process.env['AFTERMEET_REQUIRE_ALL'] === '1') {
    throw new Error(
      `${program} is required by AFTERMEET_REQUIRE_ALL=1: ${server.reason}. Run: ${server.command}`,
    );
  }
  describe.runIf(isThere)(isThere ? title : nameMissingSuite(title, server), () => {
    suite();
  });
}
