import type { INodeProperties } from 'n8n-workflow';

/** What becomes of a meeting that is not ready: an error, or an item that says so. */
export const whenNotReadyParameter: INodeProperties = {
  displayName: 'When Not Ready',
  name: 'whenNotReady',
  type: 'options',
  default: 'error',
  options: [
    {
      name: 'Fail',
      value: 'error',
      description: 'The item fails, so that nothing that needs the report goes on',
    },
    {
      name: 'Return an Item',
      value: 'item',
      description: 'An item with ready: false and the status, for an If node to tell them apart',
    },
  ],
};
