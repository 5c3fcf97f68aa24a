// Loaded into n8n before anything else: its nodes for Slack, Notion and Google know one address each, and here their stand-ins
// are. Whoever else is asked by HTTPS is not there, so that nothing leaves this machine.
const http = require('node:http');
const https = require('node:https');

/** Ports of this machine by the host whose part they play. */
const ports = JSON.parse(process.env.AFTERMEET_STAND_INS ?? '{}');
const nobody = 1;

for (const name of ['request', 'get']) {
  https[name] = (...words) => {
    const address = words.find((word) => typeof word === 'string' || word instanceof URL);
    const url = address === undefined ? undefined : new URL(address);
    const options = words.find((word) => typeof word === 'object' && !(word instanceof URL)) ?? {};
    const answered = words.find((word) => typeof word === 'function');
    const { method, headers, timeout, signal } = options;
    const host = options.hostname ?? options.host ?? url.hostname;
    const path = options.path ?? `${url.pathname}${url.search}`;
    const port = ports[host.replace(/:\d+$/, '')] ?? nobody;
    return http[name]({ host: '127.0.0.1', port, path, method, headers, timeout, signal }, answered);
  };
}
