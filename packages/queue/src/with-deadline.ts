/**
 * Settles as `promise` does, or rejects after `timeoutMs`. What is still running then goes on unheard.
 */
export async function withDeadline<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  });
  // The loser of the race may reject later, when nobody listens any more.
  promise.catch(() => undefined);
  try {
    return await Promise.race([promise, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
