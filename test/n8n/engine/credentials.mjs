// The part of n8n's server that hands credentials to nodes: what a node gets, and what goes on the wire.

/** `byType` holds what a user would have filled in, by the name of the credential type. */
export function makeCredentials(loader, byType, { ICredentialsHelper, NodeHelpers }) {
  const typeOf = (name) => loader.getCredential(name).type;

  class Credentials extends ICredentialsHelper {
    getParentTypes() {
      return [];
    }

    isCredentialUsableByNode() {
      return true;
    }

    /** Ours signs each request by a function of its own. */
    async authenticate(credentials, name, options) {
      return await typeOf(name).authenticate(credentials, options);
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
