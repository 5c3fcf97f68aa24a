import type { Client } from '@aftermeet/client';
import type { Markup } from '@aftermeet/pages';

import type { ApprovalRequest } from './approval-rules.ts';
import type { CheckResult } from './check-result.ts';
import type { DeliveryPolicies, DeliveryPolicy } from './limits/policy.ts';
import type { Connector, Preparation, SendLabel, Rendered } from './prepared-send.ts';

/** What the engine needs of a destination. Everything else about it is its own. */
export interface Destination<Settings = unknown, Message = unknown, Need = unknown> {
  readonly name: string;
  /** Where its policy differs from the default. */
  readonly policy?: Partial<DeliveryPolicy>;
  /** What has to be set before it can be used, in the words of the settings; absent: nothing. */
  readonly needs?: string;
  /** The option by which a recipe names its target, where the settings can name one for all recipes. */
  readonly target?: {
    readonly option: string;
    /** What is expected of the option, for people. */
    readonly expected: string;
    read(settings: Settings): string | undefined;
  };
  /** `when_untraceable` is known: it cannot be asked whether something arrived. */
  readonly isUntraceable?: boolean;
  /** The longest timeout of a call that can be set. Milliseconds. Default: 20 seconds. */
  readonly maxTimeoutMs?: number;
  /** Checks a message that code of an installation made. Absent: only recipes of ours make messages. */
  readMessage?(message: unknown): MessageRead;
  /** Checks what the settings and the recipes name. Sends and writes nothing; the promises never reject. */
  check?(
    settings: Settings,
    needs: readonly RecipeNeed<Need>[],
    timeoutMs: number,
  ): readonly Promise<readonly CheckResult[]>[];
  /** A message as its reader sees it, for previews. Absent: it is shown as JSON. */
  draw?(message: Message): Promise<Markup>;
  /** The same as plain text, for a terminal. Absent: it is shown as JSON. */
  write?(message: Message): Promise<string>;
  /** Where a person sees what was sent. Absent: it has no address. The promise never rejects. */
  locate?(reference: string, settings: Settings, timeoutMs: number): Promise<Located>;
  /** Takes back what was sent; what is not there any more counts as taken back. Absent: it can't be. The promise never rejects. */
  recall?(sent: SentThing<Need>, settings: Settings, timeoutMs: number): Promise<Recalled>;
  /** The one person whom a message is for, by each address or id that is known; empty, or absent: it is for a channel or a page. */
  readRecipients?(message: Message, target: string): readonly string[];
  /** What a person reads of a message before they approve it. Absent: its messages are never held. */
  readDraft?(message: Message): { readonly subject: string; readonly text: string };
  /** The message by which it asks a person to approve another one. Absent: it asks nobody. */
  askApproval?(request: ApprovalRequest): Message;
  /** The longest time that one effect may keep a stopping worker; absent: the timeout of one call. Milliseconds. */
  maxCallMs?(policy: DeliveryPolicy): number;
  /** Makes no connection before the first effect. */
  open(settings: Settings, tools: OpeningTools): Connector<Message>;
}

export type Located =
  | { readonly ok: true; readonly url: string }
  /** `cause`: such as that it is not there any more. */
  | { readonly ok: false; readonly cause: string };

export interface SentThing<Need = unknown> {
  /** Where it is, as the ledger has it. */
  readonly reference: string;
  /** What its recipe needs of the destination; absent: the recipe is not configured any more. */
  readonly need?: Need | undefined;
}

export type Recalled = { readonly ok: true } | { readonly ok: false; readonly cause: string };

type MessageRead =
  | { readonly ok: true; readonly message: unknown }
  | { readonly ok: false; readonly path: readonly string[]; readonly expected: string };

/** What one recipe needs of a destination. */
export interface RecipeNeed<Need = unknown> {
  /** The recipe's name. */
  readonly recipe: string;
  readonly need: Need;
}

/** What attachments and archives need of the service. */
export type ServiceActions = Pick<Client, 'exports' | 'tags' | 'reports' | 'recordings'>;

export interface OpeningTools {
  readonly policy: DeliveryPolicy;
  /** Milliseconds since 1970. */
  readonly clock: () => number;
  /** Absent: nothing can be exported or tagged. */
  readonly service?: ServiceActions | undefined;
}

/** Every destination that is configured, open. */
export interface Connectors {
  prepare(rendered: Rendered, label: SendLabel): Promise<Preparation>;
  readRecipients?(rendered: Rendered, target: string): readonly string[];
  readDraft?(rendered: Rendered): { readonly subject: string; readonly text: string } | undefined;
  /** Undefined: this destination asks nobody. */
  askApproval?(destination: string, request: ApprovalRequest): Rendered | undefined;
  close(): Promise<void>;
}

interface ConnectorTools extends Omit<OpeningTools, 'policy'> {
  readonly policies: DeliveryPolicies;
}

/** A connector whose code, and the library of its vendor, are loaded from now on; the first effect waits for them. */
export function openWhenLoaded<Message>(open: () => Promise<Connector<Message>>): Connector<Message> {
  const opening = open();
  // A failure is that of each effect, not of the process.
  opening.catch(() => undefined);
  return {
    prepare: async (message, label) => {
      const connector = await opening;
      return await connector.prepare(message, label);
    },
    close: async () => {
      const connector = await opening.catch(() => undefined);
      await connector?.close();
    },
  };
}

/** Opens destinations with their settings. */
export function openConnectors(
  configured: readonly { readonly destination: Destination; readonly settings: unknown }[],
  { policies, ...tools }: ConnectorTools,
): Connectors {
  const definitions = new Map(configured.map(({ destination }) => [destination.name, destination]));
  const connectors = new Map(
    configured.map(({ destination, settings }) => [
      destination.name,
      destination.open(settings, { ...tools, policy: policies.of(destination.name) }),
    ]),
  );
  return {
    async prepare({ destination, message }, label) {
      const connector = connectors.get(destination);
      if (connector !== undefined) return await connector.prepare(message, label);
      return { result: 'permanent', cause: `${destination} is not configured any more`, contact: 'none' };
    },
    readRecipients: ({ destination, message }, target) =>
      definitions.get(destination)?.readRecipients?.(message, target) ?? [],
    readDraft: ({ destination, message }) => definitions.get(destination)?.readDraft?.(message),
    askApproval: (destination, request) => {
      const message = definitions.get(destination)?.askApproval?.(request);
      return message === undefined ? undefined : { destination, message };
    },
    async close() {
      await Promise.all([...connectors.values()].map((connector) => connector.close()));
    },
  };
}
