import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import type { Intercept } from '@aftermeet/sandbox';
import { type WebSocket, WebSocketServer } from 'ws';

import { waitFor } from './wait-for.ts';

/** Slack's side of Socket Mode (docs.slack.dev, Using Socket Mode): `apps.connections.open`, and the WebSocket. */
export interface SlackSocketServer {
  /** Answers `apps.connections.open`; undefined: another call. */
  readonly intercept: (call: Parameters<Intercept>[0]) => ReturnType<Intercept> | undefined;
  /** Sends an envelope and resolves with the payload of its acknowledgement. */
  readonly send: (type: string, payload: object) => Promise<unknown>;
  /** Asks each client to connect again, as Slack does every few hours. */
  readonly endConnections: () => void;
  readonly close: () => Promise<void>;
}

const ANSWER_WITHIN_MS = 20_000;

export async function startSlackSocketServer(): Promise<SlackSocketServer> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // A listening TCP server has one.
  let open: WebSocket | undefined;
  let sent = 0;
  const acknowledged = new Map<string, unknown>();
  server.on('connection', (socket) => {
    open = socket;
    socket.send(JSON.stringify({ type: 'hello', num_connections: 1 }));
    socket.on('message', (data: Buffer) => {
      const { envelope_id: id, payload } = JSON.parse(data.toString()) as {
        envelope_id: string;
        payload: unknown;
      };
      acknowledged.set(id, payload);
    });
    socket.on('close', () => {
      if (open === socket) open = undefined;
    });
  });
  return {
    intercept: ({ path }) =>
      path === '/api/apps.connections.open'
        ? { status: 200, body: { ok: true, url: `ws://127.0.0.1:${port}/link` } }
        : undefined,
    async send(type, payload) {
      const socket = await waitFor('a connection', () => open, ANSWER_WITHIN_MS);
      sent += 1;
      const id = `envelope-${sent}`;
      socket.send(JSON.stringify({ envelope_id: id, type, payload, accepts_response_payload: true }));
      await waitFor('an acknowledgement', () => acknowledged.has(id) || undefined, ANSWER_WITHIN_MS);
      return acknowledged.get(id);
    },
    endConnections: () => {
      open?.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested' }));
      open = undefined;
    },
    close: async () => {
      for (const client of server.clients) client.terminate();
      server.close();
      await once(server, 'close');
    },
  };
}
