import type { Socket } from 'node:net';

import type { CallFault } from '../faults/fault.ts';
import { dripReply, holdReply } from './hold-reply.ts';

/** One step of a transaction: either it goes on, or the server refuses it with a code. */
export interface MailStep {
  readonly go: () => void;
  readonly refuse: (code: number) => void;
}

/** Bytes that are no SMTP. */
const garbage = '\u0015\u0003\u0001\u0000\u0002\u0002\r\n';

/** Plays a step with the fault that hits it: what `fault.ts` says of a call is said here of a step and its reply. */
export function playMailFault(fault: CallFault | undefined, socket: Socket, { go, refuse }: MailStep): void {
  if (fault === undefined) {
    go();
    return;
  }
  switch (fault.kind) {
    case 'latency':
      goOnLater(socket, fault.ms, go);
      return;
    case 'status':
      refuse(fault.status);
      return;
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'empty':
      socket.destroy();
      return;
    case 'garbage':
      socket.end(garbage);
      return;
    case 'hang':
      return;
    case 'drop_after':
      holdReply(socket, () => socket.destroy());
      break;
    case 'cut':
      holdReply(socket, (reply) => {
        socket.write(reply.subarray(0, Math.floor(reply.length / 2)));
        socket.destroySoon();
      });
      break;
    case 'drip':
      holdReply(socket, (reply) => {
        dripReply(socket, reply, fault.ms);
      });
      break;
    default:
      fault satisfies never;
  }
  go();
}

/** Not at all, when the client leaves meanwhile. */
function goOnLater(socket: Socket, ms: number, go: () => void): void {
  const leave = (): void => {
    clearTimeout(timer);
  };
  const timer = setTimeout(() => {
    socket.off('close', leave);
    go();
  }, ms);
  socket.once('close', leave);
}
