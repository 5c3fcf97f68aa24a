/**
 * What is changed, and which tests must notice. Two rounds, because tests over sockets load a whole server for each
 * mutant, and what the webhooks package decides is told by tests of its own in a fraction of that.
 */
export const rounds = [
  {
    name: 'the verification',
    mutate: [
      'assertions',
      'capability-key',
      'compute-mac',
      'derive-secret',
      'signature-text',
      'timestamp-text',
      'verify-delivery',
    ].map((file) => `packages/webhooks/src/${file}.ts`),
    tests: [
      'packages/webhooks/src/{capability-key,compute-mac,derive-secret,sign-delivery,signature-text,verify-delivery,wrong-calls}.test.ts',
    ],
  },
  {
    name: 'the receiver',
    mutate: [
      'endpoints',
      'examine-delivery',
      'held-bytes',
      'identify-delivery',
      'outcome',
      'peer-limit',
      'read-body',
      'refuse-by-head',
      'refuse-hint',
    ].map((file) => `receiver/src/${file}.ts`),
    tests: [
      'receiver/src/{endpoints,held-bytes,identify-delivery,peer-limit,receiver.hints}.test.ts',
      'test/src/deliveries/{answer-table,body-bytes,body-sizes,content-forms,delivery-ids,derived-addresses,doubled-lines,signature-forms,targets}.test.ts',
    ],
  },
];
