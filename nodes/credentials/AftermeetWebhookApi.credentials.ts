import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

/**
 * The secrets that deliveries are signed with (specification, "Events"). Nothing can be asked whether they are right: a signature
 * comes with a delivery and not before. So the node that uses them has only their form tested (check-webhook-secrets.ts).
 */
export class AftermeetWebhookApi implements ICredentialType {
  name = 'aftermeetWebhookApi';

  displayName = 'Aftermeet Webhook API';

  properties: INodeProperties[] = [
    {
      displayName:
        'Make up a secret (32 random characters do), save it here, and give the same one as Webhook Secret wherever a recording is started or a file uploaded. A delivery that none of these secrets signed starts no workflow.',
      name: 'notice',
      type: 'notice',
      default: '',
    },
    {
      displayName: 'Signed By',
      name: 'signedBy',
      type: 'options',
      default: 'service',
      options: [
        {
          name: 'The Service',
          value: 'service',
          description:
            'Deliveries come straight from the service, signed with the webhook secret of the meeting',
        },
        {
          name: "Aftermeet's Receiver",
          value: 'receiver',
          description: 'Its recipe http-forward sends them on, signed as Standard Webhooks has it',
        },
      ],
      description: 'What posts to the webhook address of the trigger, and so whose signature it carries',
    },
    {
      displayName: 'Secret',
      name: 'secret',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      required: true,
      description:
        "The one in use: 16 to 128 characters, or, of Aftermeet's receiver, the secret of its recipe http-forward (whsec_ and Base64)",
    },
    {
      displayName: 'Previous Secret',
      name: 'previousSecret',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description:
        'Accepted as well. When you change the secret, put the old one here until the last meeting that was given it is over: a scheduled one may be three months ahead.',
    },
    {
      displayName: 'Secret Before That',
      name: 'olderSecret',
      type: 'string',
      typeOptions: { password: true },
      default: '',
      description: 'Accepted as well, for a second change before the first one is over',
    },
  ];

  documentationUrl = 'https://github.com/aftermeet/aftermeet/blob/main/nodes/README.md';

  icon: Icon = { light: 'file:../icons/aftermeet.svg', dark: 'file:../icons/aftermeet.dark.svg' };
}
