// The least that our worker and Slack's SDK take for Slack: every message is posted at once. The SDK sends forms, the worker JSON.
import { createServer } from 'node:http';

import { listen } from '../../receiver/servers/listen.mjs';

const keyOf = /(?:%22key%22%3A%22|"key":")([0-9a-f]{64})/;
const channelIn = /(?:^channel=|&channel=|"channel":")([A-Z0-9]+)/;

export async function startSlack() {
  let keys = new Set();
  let posts = 0;
  let onPost = () => {};
  const server = createServer((request, response) => {
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('latin1');
      const [, channel] = channelIn.exec(body) ?? [];
      const [, key] = keyOf.exec(body) ?? [];
      // Fails whoever asked, so that it is seen.
      if (channel === undefined || key === undefined || request.url !== '/api/chat.postMessage') {
        response.writeHead(400).end();
        return;
      }
      posts += 1;
      keys.add(key);
      onPost(key);
      const text = `{"ok":true,"channel":"${channel}","ts":"1795000000.${String(posts % 1_000_000).padStart(6, '0')}"}`;
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': text.length });
      response.end(text);
    });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/api/`,
    /** How many messages were posted since the last time, and how many different ones. */
    takeCounts() {
      const counts = { posts, different: keys.size };
      posts = 0;
      keys = new Set();
      return counts;
    },
    /** Resolves with the next message. */
    nextPost: () =>
      new Promise((resolve) => {
        onPost = resolve;
      }),
  };
}
