import { checkDestinations, type CheckResult } from '@aftermeet/recipes';

import type { Context } from '../context.ts';
import { EXIT_FAILED } from '../exit-codes.ts';
import { findSettings } from '../settings/load-settings.ts';
import { cleanLine } from '../terminal/clean-text.ts';
import { formatJson } from '../terminal/format-json.ts';
import { createPaint, type Paint } from '../terminal/paint.ts';
import { checkQueue } from './check-queue.ts';
import { checkService } from './check-service.ts';
import { checkSettings, tellProblem } from './check-settings.ts';

export interface DoctorOptions {
  readonly json?: boolean;
  readonly config?: string;
}

/** How long one question may take; all are asked at once. */
const TIMEOUT_MS = 10_000;

/** What `aftermeet doctor` does. */
export async function runDoctor(
  context: Context,
  options: DoctorOptions,
  finish: (code: number) => void,
): Promise<void> {
  const results = await check(context, options);
  if (results.some(({ result }) => result === 'failed')) finish(EXIT_FAILED);
  if (options.json === true) context.write(formatJson(results));
  else context.write(formatResults(results, createPaint(context.isTerminal)));
}

async function check(context: Context, { config }: DoctorOptions): Promise<readonly CheckResult[]> {
  const read = await findSettings(context.environment, config);
  if (!read.ok) return read.problems.map((problem) => tellProblem('settings', 'failed', problem));
  const { settings } = read;
  const asked = [
    checkService(settings.service, context, TIMEOUT_MS),
    checkQueue(settings.queueUrl, context.writeError, TIMEOUT_MS),
    ...checkDestinations(settings.destinations, settings.recipes, TIMEOUT_MS),
  ];
  return [...checkSettings(settings), ...(await Promise.all(asked)).flat()];
}

function formatResults(results: readonly CheckResult[], paint: Paint): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  const marks = { ok: paint.good('ok     '), warning: 'warning', failed: paint.bad('failed ') };
  const lines = results.flatMap(({ name, result, found, advice }) => [
    `${marks[result]}  ${cleanLine(name).padEnd(width)}  ${cleanLine(found)}`,
    ...(advice === undefined || result === 'ok' ? [] : [`${' '.repeat(width + 11)}${cleanLine(advice)}`]),
  ]);
  const count = results.filter(({ result }) => result === 'failed').length;
  const verdict = count === 0 ? 'Nothing has failed.' : `${count} of ${results.length} checks failed.`;
  return `${lines.join('\n')}\n\n${verdict}\n`;
}
