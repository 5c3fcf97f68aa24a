import type { Client } from '@aftermeet/client';
import type { JobQueue } from '@aftermeet/queue';

import type { Destinations } from './destinations.ts';
import { mailTimeouts } from './email/mail-timeouts.ts';
import { openMail } from './email/send-mail.ts';
import { openFolder } from './folder/save-export.ts';
import { openHttp } from './http/send-http-post.ts';
import { openNotion } from './notion/send-notion-page.ts';
import type { DeliveryPolicies } from './pace/policy.ts';
import type { Rendered } from './recipe.ts';
import { openService } from './service/regenerate-report.ts';
import type { Preparation, ShipmentLabel } from './shipment.ts';
import { openSlack } from './slack/send-slack-message.ts';

/** What attachments, archives and new reports need of the service. */
export type ServiceActions = Pick<Client, 'exports' | 'tags' | 'reports' | 'recordings'> &
  Partial<Pick<Client, 'templates'>>;

/** Every destination that is configured, open. */
export interface Carriers {
  prepare(rendered: Rendered, label: ShipmentLabel): Promise<Preparation>;
  close(): Promise<void>;
}

export interface CarrierTools {
  readonly policies: DeliveryPolicies;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Absent: nothing can be exported, tagged or made again. */
  readonly service?: ServiceActions;
  /** Queues an event as if it had been delivered. */
  readonly addEvent?: JobQueue['addEvent'];
}

/** Opens the destinations. No connection is made before the first effect. */
export function openCarriers(destinations: Destinations, tools: CarrierTools): Carriers {
  const { policies, clock } = tools;
  const slack =
    destinations.slack && openSlack(destinations.slack, policies.slack.timeoutMs, tools.service, clock);
  const notion = destinations.notion && openNotion(destinations.notion, clock, policies.notion);
  const email = destinations.mail && openMail(destinations.mail, mailTimeouts(policies.email), tools.service);
  const http = openHttp(clock, policies.http.timeoutMs);
  const folder = openFolder(policies.folder.timeoutMs, tools.service);
  const service = openService(tools, policies.service.timeoutMs);
  const prepare = (rendered: Rendered, label: ShipmentLabel): Promise<Preparation> | undefined => {
    switch (rendered.destination) {
      case 'slack':
        return slack?.prepare(rendered.message, label);
      case 'notion':
        return notion?.prepare(rendered.message, label);
      case 'email':
        return email?.prepare(rendered.message, label);
      case 'http':
        return http.prepare(rendered.message, label);
      case 'folder':
        return folder.prepare(rendered.message, label);
      case 'service':
        return service.prepare(rendered.message, label);
      default:
        return rendered satisfies never;
    }
  };
  return {
    async prepare(rendered, label) {
      const cause = `${rendered.destination} is not configured any more`;
      return (await prepare(rendered, label)) ?? { result: 'permanent', cause, contact: 'none' };
    },
    async close() {
      const open = [slack, notion, email, http, folder, service];
      await Promise.all(open.map(async (carrier) => await carrier?.close()));
    },
  };
}
