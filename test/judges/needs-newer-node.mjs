/** Why a judge of the MCP project can't run on this Node (22.19 or newer is needed); undefined where it can. */
export function needsNewerNode(judge) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return undefined;
  return `${judge} needs Node 22.19 or newer, this is ${process.versions.node}`;
}
