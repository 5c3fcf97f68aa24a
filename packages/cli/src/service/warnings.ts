import type { CommandContext } from '../context.ts';
import { cleanLine } from '../terminal/text.ts';

/** What of a list could not be read, for people; with `--json` it stands in `warnings` too. */
export function tellWarnings(
  warnings: readonly string[],
  { writeError }: Pick<CommandContext, 'writeError'>,
): void {
  for (const warning of warnings) writeError(`${cleanLine(warning)}\n`);
}
