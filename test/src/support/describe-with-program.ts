import { spawnSync } from 'node:child_process';

import { describe } from 'vitest';

import { nameMissingSuite } from './missing-suite.ts';

interface ProgramFacts {
  /** Arguments with which the program succeeds when it is there; default `--version`. */
  readonly probe?: readonly string[];
  /** Default: called as the program. */
  readonly debianPackage?: string;
  /** What is missing where the probe fails; default: the program. */
  readonly reason?: string;
}

/**
 * A suite that needs a program of this machine. Where it is missing, the suite is skipped and the last lines of
 * the run say so; with AFTERMEET_REQUIRE_ALL=1 it fails.
 */
export function describeWithProgram(
  program: string,
  title: string,
  suite: () => void,
  { probe = ['--version'], debianPackage = program, reason = `no ${program} on the PATH` }: ProgramFacts = {},
): void {
  const isThere = spawnSync(program, probe).status === 0;
  const server = { reason, command: `apt-get install ${debianPackage}` };
  if (!isThere && process.env['AFTERMEET_REQUIRE_ALL'] === '1') {
    throw new Error(
      `${program} is required by AFTERMEET_REQUIRE_ALL=1: ${server.reason}. Run: ${server.command}`,
    );
  }
  describe.runIf(isThere)(isThere ? title : nameMissingSuite(title, server), () => {
    suite();
  });
}
