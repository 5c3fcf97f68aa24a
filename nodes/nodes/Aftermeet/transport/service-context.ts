import type {
  IExecuteFunctions,
  ILoadOptionsFunctions,
  IPollFunctions,
  IWebhookFunctions,
} from 'n8n-workflow';

/** Wherever n8n lets a node ask the service. */
export type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions | IWebhookFunctions;
