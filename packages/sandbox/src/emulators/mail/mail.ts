import { once } from 'node:events';
import { createServer } from 'node:http';

import express from 'express';

import type { CallFault } from '../../faults.ts';
import { startListening, stopListening, type ListenOptions } from '../../web/listen.ts';
import { mountControls, type Emulator, type EmulatorSettings } from '../emulator.ts';
import { createReceivedLog } from '../received-log.ts';
import { parseMail, type ReceivedMail } from './received-mail.ts';
import { createMailFaults, createSmtpServer, type SmtpMessage } from './smtp-server.ts';

export interface MailListenOptions extends ListenOptions {
  /** Port of the control routes; `port` is SMTP's. Default 0: any free port. */
  readonly controlPort?: number | undefined;
}

export interface MailEmulator extends Omit<Emulator<ReceivedMail, CallFault>, 'listen' | 'options'> {
  /** Starts both servers: `url` is `smtp://host:port`, `controlUrl` has no trailing slash. */
  readonly listen: (
    options?: MailListenOptions,
  ) => Promise<{ readonly url: string; readonly controlUrl: string }>;
}

/** A local mail server that delivers nothing: it keeps every mail. */
export function createMailEmulator(settings: EmulatorSettings = {}): MailEmulator {
  const clock = settings.clock ?? Date.now;
  const log = createReceivedLog<ReceivedMail>();
  const faults = createMailFaults(settings.seed);
  let lastNumber = 0;
  const smtp = createSmtpServer({
    faults,
    async keep({ raw, envelope }: SmtpMessage) {
      lastNumber += 1;
      const id = `mail-${String(lastNumber)}`;
      log.add(await parseMail(raw, { id, receivedAt: new Date(clock()).toISOString(), envelope }));
    },
  });
  // A client that disappears during a command is not an error of the server.
  smtp.on('error', () => {});
  const reset = (): void => {
    log.clear();
    faults.reset();
    lastNumber = 0;
  };
  const app = express().disable('x-powered-by').disable('etag');
  mountControls(app, 'mail', { faults, reset, received: log.list }, settings.allowedHosts);
  const controlServer = createServer(app);
  return {
    async listen({ host, port, controlPort } = {}) {
      const smtpAddress = await startListening(smtp.server, { host, port });
      const controlAddress = await startListening(controlServer, { host, port: controlPort });
      return { url: `smtp://${smtpAddress}`, controlUrl: `http://${controlAddress}` };
    },
    received: log.list,
    reset,
    faults,
    onReceived: log.onReceived,
    async close() {
      await stopListening(controlServer);
      if (!smtp.server.listening) return;
      const closed = once(smtp.server, 'close');
      smtp.close();
      await closed;
    },
  };
}
