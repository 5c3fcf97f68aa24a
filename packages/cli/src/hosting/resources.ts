import { readErrorCode } from '../errors.ts';

/** Default ports of the sandbox and, after it, of the emulators. */
export const DEFAULT_PORTS = {
  sandbox: 4010,
  slack: 4011,
  notion: 4012,
  mail: 4013,
  mailControl: 4014,
} as const;

interface Resource {
  readonly close: () => Promise<void>;
}

/** Registers a resource to be closed, and returns it. */
export type Defer = <Opened extends Resource>(resource: Opened) => Opened;

/**
 * Runs `use`, then closes every deferred resource, the last one first, even if `use` failed halfway: a process that
 * can't listen must not leave its queue connected. A resource that can't be closed does not keep the others open;
 * `warn` gets what could not be closed.
 */
export async function withResources<Result>(
  warn: (text: string) => void,
  use: (defer: Defer) => Promise<Result>,
): Promise<Result> {
  const open: Resource[] = [];
  const failures: unknown[] = [];
  try {
    return await use((resource) => {
      open.push(resource);
      return resource;
    });
  } finally {
    for (const resource of open.toReversed()) {
      await resource.close().catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) {
      const { describeError } = await import('@aftermeet/queue');
      warn(
        `not everything could be closed cleanly: ${failures.map((error) => describeError(error)).join('; ')}\n`,
      );
    }
  }
}

/** Listens on a port; throws an error with advice if it is taken. */
export async function listenOn<Address>(
  listen: (port: number) => Promise<Address>,
  port: number,
  advice = 'Choose another with --port or PORT; 0 takes any free one.',
): Promise<Address> {
  try {
    return await listen(port);
  } catch (error) {
    if (readErrorCode(error) !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${readPort(error) ?? port} is taken. ${advice}`, { cause: error });
  }
}

/**
 * Listens on a port, or on any free one if it is taken: a first start should not fail because of a port. `onTaken` is told
 * the port that is taken and what listens instead.
 */
export async function listenNear<Address>(
  listen: (port: number) => Promise<Address>,
  port: number,
  onTaken: (taken: number, address: Address) => void,
): Promise<Address> {
  try {
    return await listen(port);
  } catch (error) {
    if (readErrorCode(error) !== 'EADDRINUSE') throw error;
    const address = await listen(0);
    onTaken(readPort(error) ?? port, address);
    return address;
  }
}

/** The port named by the system, which tells several listeners apart. */
function readPort(error: unknown): number | undefined {
  const port = error instanceof Error && 'port' in error ? error.port : undefined;
  return typeof port === 'number' ? port : undefined;
}

/** Listens where console, metrics and API of a receiver answer alone. Undefined: they answer on its one address. */
export async function listenAdmin(
  receiver: { readonly listenAdmin: (options: { host: string; port: number }) => Promise<{ url: string }> },
  admin: { readonly host: string; readonly port: number } | undefined,
): Promise<string | undefined> {
  if (admin === undefined) return undefined;
  const { url } = await listenOn(
    (port) => receiver.listenAdmin({ host: admin.host, port }),
    admin.port,
    'Choose another with ADMIN_PORT; 0 takes any free one.',
  );
  return url;
}
