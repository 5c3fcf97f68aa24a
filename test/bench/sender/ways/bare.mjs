// The least that a delivery can cost here: HMAC from node:crypto, and a post through an Agent of node:http.
import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request } from 'node:http';

export function start(port, onEnd, atOnce) {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  return {
    send() {
      const body = JSON.stringify({
        event: 'meeting.completed',
        meeting_id: randomUUID(),
        timestamp: '2026-07-07T12:00:00Z',
        data: {
          title: 'Планы на осень',
          is_transcript_empty: false,
          report_url: `http://127.0.0.1:${port}/api/video/report?meeting_id=${randomUUID()}`,
        },
      });
      const bytes = Buffer.from(body);
      const timestamp = String(Math.floor(Date.now() / 1000));
      const mac = createHmac('sha256', 'a-secret-of-enough-length')
        .update(`${timestamp}.`)
        .update(bytes)
        .digest('hex');
      const headers = [
        'Host',
        `127.0.0.1:${port}`,
        'Content-Type',
        'application/json',
        'Content-Length',
        String(bytes.length),
        'User-Agent',
        'bare',
        'X-Service-Event',
        'meeting.completed',
        'X-Service-Delivery',
        randomUUID(),
        'X-Service-Timestamp',
        timestamp,
        'X-Service-Signature',
        `sha256=${mac}`,
      ];
      const outgoing = request({
        agent,
        method: 'POST',
        host: '127.0.0.1',
        port,
        path: '/hooks/default',
        headers,
      });
      outgoing.on('response', (response) => {
        if (response.statusCode !== 200) throw new Error(`the sink answered ${response.statusCode}`);
        response.resume();
      });
      outgoing.on('close', onEnd);
      outgoing.end(body);
    },
    close: () => agent.destroy(),
  };
}
