import type { Client } from '@aftermeet/client';

import { openMail } from '../email/send-mail.ts';
import { mailTimeouts } from '../email/smtp-connection.ts';
import { openFolder } from '../folder/save-export.ts';
import { openHttp } from '../http/send-http-post.ts';
import { openNotion } from '../notion/connector.ts';
import { openSlack } from '../slack/connector.ts';
import type { Destinations } from './destinations.ts';
import type { DeliveryPolicies } from './limits/policy.ts';
import type { Preparation, SendLabel } from './prepared-send.ts';
import type { Rendered } from './recipe.ts';

/** What attachments and archives need of the service. */
export type ServiceActions = Pick<Client, 'exports' | 'tags' | 'reports' | 'recordings'>;

/** Every destination that is configured, open. */
export interface Connectors {
  prepare(rendered: Rendered, label: SendLabel): Promise<Preparation>;
  close(): Promise<void>;
}

export interface ConnectorTools {
  readonly policies: DeliveryPolicies;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Absent: nothing can be exported or tagged. */
  readonly service?: ServiceActions;
}

/** Opens the destinations. No connection is made before the first effect. */
export function openConnectors(destinations: Destinations, tools: ConnectorTools): Connectors {
  const { policies, clock } = tools;
  const slack =
    destinations.slack && openSlack(destinations.slack, policies.slack.timeoutMs, tools.service, clock);
  const notion = destinations.notion && openNotion(destinations.notion, clock, policies.notion);
  const email = destinations.mail && openMail(destinations.mail, mailTimeouts(policies.email), tools.service);
  const http = openHttp(clock, policies.http.timeoutMs);
  const folder = openFolder(policies.folder.timeoutMs, tools.service);
  const prepare = (rendered: Rendered, label: SendLabel): Promise<Preparation> | undefined => {
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
      const open = [slack, notion, email, http, folder];
      await Promise.all(open.map(async (carrier) => await carrier?.close()));
    },
  };
}
