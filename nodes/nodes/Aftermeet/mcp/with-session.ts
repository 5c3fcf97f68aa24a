import { explainFault } from '@aftermeet/client/pure';

import { type McpSession, openSession } from './open-session.ts';
import { type McpWire, SessionLost } from './post-message.ts';

/** Opens a session, does the work and ends it; once more from the beginning when the server lost the session in between. */
export async function withSession<T>(wire: McpWire, work: (session: McpSession) => Promise<T>): Promise<T> {
  try {
    return await workOnce(wire, work);
  } catch (error) {
    if (error instanceof SessionLost) return await workOnce(wire, work);
    throw explainFault(error, { doing: wire.doing });
  }
}

async function workOnce<T>(wire: McpWire, work: (session: McpSession) => Promise<T>): Promise<T> {
  const session = await openSession(wire);
  try {
    await session.confirm();
    return await work(session);
  } finally {
    await session.close();
  }
}
