import assert from 'node:assert/strict';

const resource = 'template';
const operation = 'list';

export const plays = [
  {
    name: 'all of them',
    resource,
    operation,
    call: (client) => client.templates.list(),
    check: ({ json, answer }) => {
      const [builtIn, custom] = [true, false].map((wanted) => json.filter((one) => one.built_in === wanted));
      assert.equal(builtIn.length, 16);
      assert.deepEqual(
        custom.map(({ id, name }) => [id, name]),
        answer.items.map(({ id, name }) => [id, name]),
      );
    },
  },
];
