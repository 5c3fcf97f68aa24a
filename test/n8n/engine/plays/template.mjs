const resource = 'template';
const operation = 'list';

export const plays = [
  {
    name: 'all of them',
    resource,
    operation,
    call: (client) => client.templates.list(),
  },
];
