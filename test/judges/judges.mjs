import { checkConformance } from './check-conformance.mjs';
import { checkVendorSchemas } from './check-vendor-schemas.mjs';
import { inspectMcp } from './inspect-mcp.mjs';
import { judgeClient } from './judge-client.mjs';
import { lintWithRedocly, lintWithSpectral } from './lint-document.mjs';

/** Every judge, cheapest first. */
export const judges = [
  { name: 'redocly lint', judge: lintWithRedocly },
  { name: 'spectral lint', judge: lintWithSpectral },
  { name: "vendors' types", judge: checkVendorSchemas },
  { name: 'openapi-typescript + openapi-fetch', judge: judgeClient },
  { name: 'mcp-inspector', judge: inspectMcp },
  { name: 'mcp conformance', judge: checkConformance },
];
