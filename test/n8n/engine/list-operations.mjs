/** Every operation that the node's description offers, as `resource: operation`. */
export function listOperations({ properties }) {
  const resources = properties.find(({ name }) => name === 'resource').options;
  return resources.flatMap(({ value: resource }) =>
    properties
      .filter(
        ({ name, displayOptions }) => name === 'operation' && displayOptions.show.resource.includes(resource),
      )
      .flatMap(({ options }) => options.map(({ value }) => `${resource}: ${value}`)),
  );
}
