import { createHash } from 'node:crypto';

export interface SlackChannel {
  readonly id: string;
  /** Without the leading `#`. */
  readonly name: string;
}

const idPattern = /^[CDGU][A-Z0-9]+$/;

/** Finds a channel as `chat.postMessage` does: by id or by name. Without a list every channel exists. */
export function resolveChannel(asked: string, channels?: readonly SlackChannel[]): string | undefined {
  const name = asked.replace(/^#/, '');
  if (channels !== undefined) {
    return channels.find((channel) => channel.id === asked || channel.name === name)?.id;
  }
  if (idPattern.test(asked)) return asked;
  return name === '' ? undefined : inventId(name);
}

/** Finds a channel as the reading methods do: Slack takes ids alone there. */
export function findChannelById(asked: string, channels?: readonly SlackChannel[]): string | undefined {
  const exists = channels === undefined ? idPattern.test(asked) : channels.some(({ id }) => id === asked);
  return exists ? asked : undefined;
}

function inventId(name: string): string {
  return `C${createHash('sha256').update(name).digest('hex').slice(0, 10).toUpperCase()}`;
}
