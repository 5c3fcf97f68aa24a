/**
 * After a failover the old master answers as a read-only replica: connect anew, but once a second and
 * not for each of the commands that were under way.
 */
export function createReconnectRule(nowMs: () => number = Date.now): (error: Error) => boolean {
  let lastMs = -Infinity;
  return (error) => {
    // Redis 6 and older put words of their own before it when a script was refused.
    if (!error.message.includes('READONLY') || nowMs() - lastMs < 1000) return false;
    lastMs = nowMs();
    return true;
  };
}
