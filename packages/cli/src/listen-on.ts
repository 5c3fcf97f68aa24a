import { isCode } from '@aftermeet/queue';

/** Listens, and says what to do when somebody has the port already; `advice` follows the sentence that says it. */
export async function listenOn<Address>(
  listen: (port: number) => Promise<Address>,
  port: number,
  advice = 'Choose another with --port or PORT; 0 takes any free one.',
): Promise<Address> {
  try {
    return await listen(port);
  } catch (error) {
    throw isCode(error, 'EADDRINUSE')
      ? new Error(`Port ${readPort(error) ?? port} is taken. ${advice}`, { cause: error })
      : error;
  }
}

/**
 * Listens on the usual port, or on any free one when somebody has it already: the first start of a newcomer
 * should not fail over a port.
 */
export async function listenNear<Address>(
  listen: (port: number) => Promise<Address>,
  port: number,
): Promise<Address> {
  try {
    return await listen(port);
  } catch (error) {
    if (isCode(error, 'EADDRINUSE')) return listen(0);
    throw error;
  }
}

/** The port that the system names: who listens on several knows by it which one was taken. */
function readPort(error: unknown): number | undefined {
  const port = error instanceof Error && 'port' in error ? error.port : undefined;
  return typeof port === 'number' ? port : undefined;
}
