// The part of n8n's server that hands credentials to nodes: what a node gets, and what goes on the wire.

/** `byType` holds what a user would have filled in, by the name of the credential type. */
export function makeCredentials(loader, byType, { ICredentialsHelper, NodeHelpers, isExpression }) {
  const typeOf = (name) => loader.getCredential(name).type;

  class Credentials extends ICredentialsHelper {
    getParentTypes() {
      return [];
    }

    isCredentialUsableByNode() {
      return true;
    }

    /** The generic kind: every property of `authenticate`, its expressions resolved. */
    async authenticate(credentials, name, options, workflow, node) {
      const { authenticate } = typeOf(name);
      if (authenticate === undefined) return options;
      if (typeof authenticate === 'function') return await authenticate(credentials, options);
      const resolve = (value) =>
        isExpression(value)
          ? String(
              workflow.expression.getSimpleParameterValue(
                node,
                value,
                'internal',
                { $credentials: credentials },
                undefined,
                '',
              ) || '',
            )
          : value;
      options.headers ??= {};
      for (const [place, values] of Object.entries(authenticate.properties)) {
        for (const [key, value] of Object.entries(values)) {
          options[place] ??= {};
          options[place][resolve(key)] = resolve(value);
        }
      }
      return options;
    }

    async preAuthentication() {
      return undefined;
    }

    async runPreAuthentication() {
      return undefined;
    }

    async getCredentials() {
      throw new Error('no node asks for this');
    }

    async getDecrypted(_additionalData, _nodeCredentials, name) {
      const given = byType[name];
      if (given === undefined) throw new Error(`no credential of type ${name}`);
      return NodeHelpers.getNodeParameters(typeOf(name).properties, given, true, false, null, null);
    }

    async updateCredentials() {}

    async updateCredentialsOauthTokenData() {}

    getCredentialsProperties(name) {
      return typeOf(name).properties;
    }
  }

  return new Credentials();
}

/** What stands in a node that uses them. */
export function nameCredentials(byType) {
  return Object.fromEntries(Object.keys(byType).map((name) => [name, { id: name, name }]));
}
