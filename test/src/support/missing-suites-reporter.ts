import type { Reporter, TestModule } from 'vitest/node';

import { readMissingSuite } from './missing-suite.ts';

/** Says in the last lines of a run which suites did not run for want of a server, and what brings it. */
export default class MissingSuitesReporter implements Reporter {
  onTestRunEnd(testModules: readonly TestModule[]): void {
    const lines: string[] = [];
    const commands = new Set<string>();
    for (const testModule of testModules) {
      for (const suite of testModule.children.allSuites()) {
        const missing = readMissingSuite(suite.name);
        if (missing === undefined) continue;
        lines.push(`  ${missing.title} (${testModule.relativeModuleId}): ${missing.reason}`);
        commands.add(missing.command);
      }
    }
    if (lines.length === 0) return;
    process.stdout.write(
      `\nThese suites did not run:\n${lines.join('\n')}\nTo run them: ${[...commands].join(' && ')}\n`,
    );
  }
}
