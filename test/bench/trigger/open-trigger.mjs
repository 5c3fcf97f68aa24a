// The built trigger with what n8n would hand it, as little as there can be.
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const parameters = {
  events: ['meeting.completed', 'meeting.failed'],
  filters: { title: 'sales' },
  fetchReport: false,
};

/** Resolves with what the node returns for one delivery. As many deliveries are known already as it remembers. */
export function openTrigger(secret) {
  const { AftermeetTrigger } = require('../../../nodes/dist/nodes/AftermeetTrigger/AftermeetTrigger.node.js');
  const trigger = new AftermeetTrigger();
  const known = Array.from({ length: 1000 }, (_, index) => String(index).padStart(22, 'k'));
  const staticData = { deliveries: known.join(' ') };
  const node = { id: 'n', name: 'Aftermeet Trigger', type: 'aftermeetTrigger', typeVersion: 1 };
  return async ({ body, signature, timestamp }) => {
    const response = new Response();
    const headersDistinct = {
      'content-type': ['application/json'],
      'x-service-event': ['meeting.completed'],
      'x-service-delivery': ['d_1'],
      'x-service-signature': [signature],
      'x-service-timestamp': [timestamp],
    };
    const result = await trigger.webhook.call({
      getRequestObject: () => ({ rawBody: body, headersDistinct }),
      getResponseObject: () => response,
      getNodeParameter: (name, fallback) => parameters[name] ?? fallback,
      getCredentials: async () => ({ signedBy: 'service', webhookSecret: secret }),
      getWorkflowStaticData: () => staticData,
      getWorkflow: () => ({ id: 'w' }),
      getNode: () => node,
      getMode: () => 'webhook',
      logger: { warn() {}, error() {} },
    });
    // n8n has stored the execution and answers; the execution begins with the trigger itself.
    response.finish();
    const [[item] = []] = result.workflowData ?? [];
    if (item === undefined) return result;
    await trigger.execute.call({
      getInputData: () => [item],
      getWorkflowStaticData: () => staticData,
      getWorkflow: () => ({ id: 'w' }),
      getNode: () => node,
      getMode: () => 'webhook',
    });
    return result;
  };
}

class Response extends EventEmitter {
  destroyed = false;
  writableFinished = false;
  statusCode = 200;

  status(code) {
    this.statusCode = code;
    return this;
  }

  json() {}

  finish() {
    this.writableFinished = true;
    this.destroyed = true;
    this.emit('close');
  }
}
