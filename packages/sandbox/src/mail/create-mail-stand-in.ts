import { once } from 'node:events';
import { createServer } from 'node:http';

import express from 'express';

import type { FaultPlan } from '../faults/fault-plan.ts';
import type { CallFault } from '../faults/fault.ts';
import { createKnobBox, type KnobBox } from '../stand-ins/knob-box.ts';
import { mountShowcase } from '../stand-ins/mount-showcase.ts';
import { createReceivedLog } from '../stand-ins/received-log.ts';
import type { StandIn } from '../stand-ins/stand-in.ts';
import { startListening, stopListening, type ListenOptions } from '../web/start-listening.ts';
import { createSmtpServer, type SmtpMessage } from './create-smtp-server.ts';
import { createGreylist } from './greylist.ts';
import { createMailFaultPlan } from './mail-faults.ts';
import { mailKnobsSchema, usualMailKnobs, type MailKnobs } from './mail-knobs.ts';
import { readMail, type ReceivedMail } from './read-mail.ts';
import { renderMailPage } from './render-mail-page.ts';

export interface MailStandInOptions {
  /** How the server behaves at the start; see `PATCH /_sandbox/knobs` of the page's server. */
  readonly knobs?: Partial<MailKnobs>;
  /** With a seed, faults by chance hit the same steps in every run. */
  readonly seed?: number;
  /** Unix milliseconds; default the system's clock. */
  readonly clock?: () => number;
  /** Host names besides this machine's own that may open the page. */
  readonly allowedHosts?: readonly string[];
}

export interface MailListenOptions extends ListenOptions {
  /** Port of the page; `port` is SMTP's. Default 0: any free port. */
  readonly pagePort?: number | undefined;
}

export interface MailStandIn extends Omit<StandIn<ReceivedMail>, 'listen'> {
  /** On `connect`, `auth`, `mail`, `rcpt`, `rcpt:<address>`, `data` or `accepted`. */
  readonly faults: FaultPlan<CallFault>;
  readonly knobs: KnobBox<MailKnobs>;
  /** Starts both servers: `url` is `smtp://host:port`, `pageUrl` the page, without a slash at its end. */
  readonly listen: (
    options?: MailListenOptions,
  ) => Promise<{ readonly url: string; readonly pageUrl: string }>;
}

/** A local mail server that delivers nothing: it keeps every mail and shows it on a page of its own. */
export function createMailStandIn(options: MailStandInOptions = {}): MailStandIn {
  const clock = options.clock ?? Date.now;
  const log = createReceivedLog<ReceivedMail>();
  const faults = createMailFaultPlan(options.seed);
  const knobs = createKnobBox(mailKnobsSchema, { ...usualMailKnobs, ...options.knobs });
  const greylist = createGreylist(clock);
  let lastNumber = 0;
  const keep = async ({ raw, envelope }: SmtpMessage): Promise<void> => {
    lastNumber += 1;
    const facts = { id: `mail-${String(lastNumber)}`, receivedAt: new Date(clock()).toISOString(), envelope };
    log.add(await readMail(raw, facts));
  };
  const reset = (): void => {
    for (const part of [log, faults, greylist]) part.clear();
    knobs.reset();
    lastNumber = 0;
  };
  const smtp = createSmtpServer({ keep, faults, readKnobs: knobs.read, greylist });
  // A client that vanishes in the middle of a command is its own affair.
  smtp.on('error', () => {});
  const app = express().disable('x-powered-by').disable('etag');
  mountShowcase(app, {
    renderHome: () => renderMailPage(log.list()),
    listReceived: log.list,
    reset,
    faults: [faults],
    knobs,
    allowedHosts: options.allowedHosts,
  });
  const pageServer = createServer(app);
  return {
    async listen({ host, port, pagePort } = {}) {
      const smtpAddress = await startListening(smtp.server, { host, port });
      const pageAddress = await startListening(pageServer, { host, port: pagePort });
      return { url: `smtp://${smtpAddress}`, pageUrl: `http://${pageAddress}` };
    },
    received: log.list,
    reset,
    faults,
    knobs,
    onReceived: log.onReceived,
    async close() {
      await stopListening(pageServer);
      if (!smtp.server.listening) return;
      const closed = once(smtp.server, 'close');
      smtp.close();
      await closed;
    },
  };
}
