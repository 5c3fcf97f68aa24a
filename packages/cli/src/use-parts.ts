import { describeError } from '@aftermeet/queue';

/** Something that was opened and must be closed. */
interface Part {
  readonly close: () => Promise<void>;
}

export type Keep = <Opened extends Part>(part: Opened) => Opened;

/**
 * Runs `use` and then closes whatever it kept, the last first, also when it failed halfway: a process that
 * can't listen must not leave its queue connected. Each part gets its turn even when another one fails;
 * `complain` is told what could not be closed.
 */
export async function useParts<Result>(
  complain: (text: string) => void,
  use: (keep: Keep) => Promise<Result>,
): Promise<Result> {
  const open: Part[] = [];
  const failures: unknown[] = [];
  try {
    return await use((part) => {
      open.push(part);
      return part;
    });
  } finally {
    for (const part of open.toReversed()) {
      await part.close().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) {
      const names = failures.map((error) => describeError(error)).join('; ');
      complain(`not everything could be closed cleanly: ${names}\n`);
    }
  }
}
