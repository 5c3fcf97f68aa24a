// The floor: a bare loop over Slack's SDK that posts what our worker posts, as many at once, and knows nothing else.
import { WebClient } from '@slack/web-api';

import { renderSlackRecap } from '../../../../recipes/dist/destinations/slack/render-recap.js';
import { buildDigest } from '../../../../recipes/dist/report/digest.js';
import { channelOf, writeEffect, writeReport } from '../samples.mjs';

export async function start({ slackUrl, places, channels, total, namespace }, tell) {
  const client = new WebClient('xoxb-bench', {
    slackApiUrl: slackUrl,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 10_000,
  });
  const [{ text, blocks }] = renderSlackRecap(buildDigest(writeReport('m_bench')));
  const posts = Array.from({ length: total }, (_unused, index) => {
    const channel = channelOf(index % channels);
    return { channel, key: writeEffect(`m_${namespace}_${index}`, 'recap', channel).effectKey };
  });
  let next = 0;
  const post = async () => {
    while (next < total) {
      const { channel, key } = posts[next];
      next += 1;
      tell.onBegin();
      await client.chat.postMessage({
        channel,
        text,
        blocks: [...blocks],
        metadata: { event_type: 'aftermeet_effect', event_payload: { key } },
        unfurl_links: false,
        unfurl_media: false,
      });
      tell.onSent(key);
    }
  };
  const loops = Promise.all(Array.from({ length: places }, post));
  loops.catch((error) => tell.onFailed(error.message));
  return { close: () => loops };
}
