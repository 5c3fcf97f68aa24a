// The node types of a workflow: those of the package, the tools that n8n makes of them, and where the items come from.

/** The prefix of the package's types in a workflow. */
export const prefix = 'n8n-nodes-aftermeet.';
/** Hands on the items that it is given. */
export const startType = 'proof.start';
/** Calls the tool that is connected to it, as an agent does. */
export const agentType = 'proof.agent';
/** Asks its parameter `uri` with the API credential, as n8n's own HTTP Request node does. */
export const askerType = 'proof.asker';

/** `load` is n8n's loader with the package loaded. */
export function makeNodeTypes(loader, { NodeHelpers, deepCopy }) {
  const find = (type) => {
    if (type === startType) return start;
    if (type === agentType) return agent;
    if (type === askerType) return asker;
    const name = type.startsWith(prefix) ? type.slice(prefix.length) : type;
    const node = name.endsWith('Tool') ? makeTool(name.slice(0, -'Tool'.length)) : loader.getNode(name).type;
    return node;
  };
  // As n8n's server does for `usableAsTool`.
  const makeTool = (name) => {
    const { type } = loader.getNode(name);
    if (type.description.usableAsTool !== true) throw new Error(`${name} is not usable as a tool`);
    const description = {
      ...deepCopy(type.description),
      name: `${name}Tool`,
      inputs: [],
      outputs: ['ai_tool'],
    };
    const tool = Object.create(type);
    return Object.assign(tool, { description });
  };
  return {
    getByName: find,
    getByNameAndVersion: (type, version) => NodeHelpers.getVersionedNodeType(find(type), version),
    getKnownTypes: () => ({}),
  };
}

const shown = { group: ['transform'], version: 1, description: '', defaults: {}, properties: [] };

const start = {
  description: {
    ...shown,
    displayName: 'Start',
    name: 'start',
    group: ['trigger'],
    inputs: [],
    outputs: ['main'],
  },
  async execute() {
    return [this.getInputData()];
  },
};

const agent = {
  description: {
    ...shown,
    displayName: 'Agent',
    name: 'agent',
    inputs: ['main', { type: 'ai_tool', required: true }],
    outputs: ['main'],
  },
  async execute() {
    const tools = [await this.getInputConnectionData('ai_tool', 0)].flat();
    const called = [];
    for (const { json } of this.getInputData()) {
      for (const tool of tools) called.push({ json: { tool: tool.name, answer: await tool.invoke(json) } });
    }
    return [called];
  },
};

const asker = {
  description: {
    ...shown,
    displayName: 'Asker',
    name: 'asker',
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'aftermeetApi', required: true }],
    properties: [{ displayName: 'URI', name: 'uri', type: 'string', default: '' }],
  },
  async execute() {
    const uri = this.getNodeParameter('uri', 0);
    const options = { uri, method: 'GET', followRedirect: true, followAllRedirects: true, maxRedirects: 21 };
    const answer = await this.helpers.requestWithAuthentication.call(this, 'aftermeetApi', options);
    return [[{ json: { answer: String(answer) } }]];
  },
};
