import { teamId } from './slack-bots.ts';
import type { SlackFile } from './slack-files.ts';
import type { SlackWorld } from './slack-world.ts';

/** A file as Slack answers it: https://docs.slack.dev/reference/objects/file-object */
export function describeFile(world: SlackWorld, file: SlackFile): object {
  const held = world.files.find(file.id);
  const filetype = /\.([A-Za-z0-9]{1,10})$/.exec(file.name)?.[1]?.toLowerCase() ?? 'binary';
  const { channel, ts } = held?.shared ?? {};
  const share = ts === undefined || channel === undefined ? {} : { [channel]: [{ ts, team_id: teamId }] };
  return {
    id: file.id,
    created: Math.floor(world.now() / 1000),
    timestamp: Math.floor(world.now() / 1000),
    name: file.name,
    title: file.title,
    filetype,
    size: file.sizeBytes,
    mode: 'hosted',
    is_external: false,
    is_public: channel?.startsWith('C') ?? false,
    channels: channel?.startsWith('C') === true ? [channel] : [],
    groups: channel?.startsWith('G') === true ? [channel] : [],
    ims: channel?.startsWith('D') === true ? [channel] : [],
    shares: channel?.startsWith('C') === true ? { public: share } : { private: share },
    ...(held?.altText === undefined ? {} : { alt_txt: held.altText }),
    url_private: `https://files.slack.com/files-pri/${teamId}-${file.id}/${encodeURIComponent(file.name)}`,
    permalink: `https://aftermeet-sandbox.slack.com/files/${file.id}/${encodeURIComponent(file.name)}`,
  };
}
