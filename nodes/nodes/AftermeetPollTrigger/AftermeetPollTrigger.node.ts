import {
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  type IPollFunctions,
  NodeConnectionTypes,
} from 'n8n-workflow';

import { explainFailure } from '../Aftermeet/transport/errors.ts';
import { findExample, openPollSource, pollMeetings } from './poll-meetings.ts';
import { pollProperties, readPollOptions } from './properties.ts';

/**
 * Starts a workflow with each meeting that has become ready, found by asking. A node of its own: n8n polls every node that can be
 * polled, and shows its Poll Times, whatever its parameters say.
 */
export class AftermeetPollTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Aftermeet Polling Trigger',
    name: 'aftermeetPollTrigger',
    icon: { light: 'file:../../icons/aftermeet.svg', dark: 'file:../../icons/aftermeet.dark.svg' },
    group: ['trigger'],
    version: [1],
    subtitle: '={{ $parameter["events"].join(", ") }}',
    description: 'Starts the workflow when a meeting is completed or has failed, by asking the service',
    defaults: { name: 'Aftermeet Polling Trigger' },
    polling: true,
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'aftermeetApi', required: true }],
    properties: pollProperties,
  };

  async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
    try {
      const options = readPollOptions(this);
      const source = await openPollSource(this);
      const items =
        this.getMode() === 'manual'
          ? await findExample(source, options)
          : await pollMeetings(source, openMemory(this), options);
      return items.length === 0 ? null : [[...items]];
    } catch (error) {
      throw explainFailure(this.getNode(), error);
    }
  }
}

/** Read anew each time: another poll may have written in between. */
function openMemory(context: IPollFunctions): Parameters<typeof pollMeetings>[1] {
  return {
    read: () => context.getWorkflowStaticData('node')['meetings'],
    write: (text) => {
      context.getWorkflowStaticData('node')['meetings'] = text;
    },
  };
}
