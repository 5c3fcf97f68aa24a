/**
 * What is changed, and which tests must notice. Two rounds, because tests over sockets load a whole server for each
 * mutant, and what the webhooks package decides is told by tests of its own in a fraction of that.
 */
export const rounds = [
  {
    name: 'the verification',
    mutate: ['derive-secret', 'signature', 'verify-delivery'].map(
      (file) => `packages/webhooks/src/${file}.ts`,
    ),
    tests: [
      'packages/webhooks/src/{derive-secret,sign-delivery,signature,verify-delivery,wrong-calls}.test.ts',
    ],
  },
  {
    name: 'the receiver',
    mutate: ['endpoints', 'examine-delivery', 'outcome', 'rate-limits', 'read-body'].map(
      (file) => `receiver/src/${file}.ts`,
    ),
    tests: [
      'receiver/src/{endpoints,examine-delivery,rate-limits,read-body,receiver.unsigned,receiver.operator}.test.ts',
      'test/src/deliveries/{answer-table,body-bytes,body-sizes,content-forms,delivery-ids,derived-addresses,repeated-headers,signed-headers,targets}.test.ts',
    ],
  },
];
