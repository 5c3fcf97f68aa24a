/**
 * Waits until something has ended, well or not, but no longer than `timeoutMs`. For closing: what does
 * not end is left behind.
 */
export async function endWithin(ending: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  const ended = ending.then(
    () => undefined,
    () => undefined,
  );
  await Promise.race([ended, tooLate]);
  clearTimeout(timer);
}
